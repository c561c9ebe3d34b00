/** The folder of what is built from the source: the program's bundle, and the files that it serves. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '..');
export const CACHE =
  process.env.NODE_COMPILE_CACHE ?? join(PROJECT, 'node_modules/.cache/ledgerstone');
/** All that the program's bundle is made of. */
const PROGRAM = [
  'src',
  'client/src',
  'console/src/languages.ts',
  'console/src/generated/languages.ts',
  'bin/bundle.mjs',
];
/** Builds of earlier sources that stay, for whoever goes back to them. */
const EARLIER = 2;

/**
 * A name that changes with every byte of the files and folders, given from the project's folder. It reads them again
 * where one of their sizes or times has changed.
 */
export function fingerprint(paths, ...others) {
  const files = [...paths, 'package-lock.json'].flatMap(filesIn);
  const looks = files.map(([file, { size, ctimeMs }]) => `${file} ${size} ${ctimeMs}`);
  const seen = join(CACHE, `seen-${hashOf([...others, looks.join()])}`);
  try {
    const known = readFileSync(seen, 'utf8');
    if (/^[\w-]{16}$/.test(known)) return known;
  } catch {
    // Not yet.
  }
  const contents = files.flatMap(([file]) => [file, readFileSync(join(PROJECT, file))]);
  const found = hashOf([...others, ...contents]);
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(seen, found);
    removeEarlier('seen', seen);
  } catch {
    // The next start reads them again.
  }
  return found;
}

/** The folder of the program's bundle, where it has been made. */
export function programFolder() {
  return join(CACHE, `program-${fingerprint(PROGRAM, PROJECT, process.version)}`);
}

/** The folder of the bundle that tests import from, where it has been made. */
export function testedFolder() {
  return join(CACHE, `tested-${fingerprint(PROGRAM, PROJECT, process.version)}`);
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64url').slice(0, 16);
}

/** The files of a folder, or the file itself, with their sizes and times. */
function filesIn(path) {
  const whole = join(PROJECT, path);
  if (!existsSync(whole)) return [];
  const stat = statSync(whole);
  if (stat.isFile()) return [[path, stat]];
  return readdirSync(whole, { recursive: true })
    .sort()
    .filter((name) => !name.includes('node_modules'))
    .map((name) => [`${path}/${name}`, statSync(`${whole}/${name}`)])
    .filter(([, stat]) => stat.isFile());
}

/** Where each process notes what it runs from, in a file of its own. */
const IN_USE = join(CACHE, 'in-use');
const DAY_MS = 86_400_000;
/** For how long a process of another machine or container counts as living after its last sign. */
const SILENT_MS = 7 * DAY_MS;
/** How many notes there may be before those of processes that were killed are removed. */
const MOST_NOTES = 100;

/** Notes that this process runs from a folder, until it ends: it may load files of it at any time. */
export function use(folder) {
  try {
    mkdirSync(IN_USE, { recursive: true });
    if (readdirSync(IN_USE).length > MOST_NOTES) foldersInUse();
    const own = mkdtempSync(join(IN_USE, `${process.pid}-`));
    const says = { folder, pid: process.pid, among: among(), began: beganAt(process.pid) };
    writeFileSync(join(own, 'uses.json'), JSON.stringify(says));
    process.once('exit', () => rmSync(own, { recursive: true, force: true }));
    setInterval(() => {
      try {
        utimesSync(own, new Date(), new Date());
      } catch {
        // Somebody has emptied the cache.
      }
    }, DAY_MS).unref();
  } catch {
    // Where nothing can be written, nothing is removed.
  }
}

/** The folders that living processes run from. What is left of others goes. */
function foldersInUse() {
  const folders = new Set();
  for (const name of existsSync(IN_USE) ? readdirSync(IN_USE) : []) {
    const own = join(IN_USE, name);
    try {
      const seenAt = statSync(own).mtimeMs;
      const says = saidIn(own);
      // One that says nothing is being written, or its process was killed meanwhile.
      const isKept = says === undefined ? Date.now() - seenAt < DAY_MS : isLiving(says, seenAt);
      if (!isKept) rmSync(own, { recursive: true, force: true });
      else if (says !== undefined) folders.add(says.folder);
    } catch {
      // It just went.
    }
  }
  return folders;
}

function saidIn(note) {
  try {
    return JSON.parse(readFileSync(join(note, 'uses.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function isLiving({ pid, among: others, began }, seenAt) {
  if (others !== among()) return Date.now() - seenAt < SILENT_MS;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  // The number may be that of another process by now.
  return beganAt(pid) === began;
}

/** The processes that this one can see, by their numbers. */
function among() {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** When a process began, in the system's own words; empty where it does not say. */
function beganAt(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[19];
  } catch {
    return '';
  }
}

/** Removes all but the last few of a kind; `latest` stays, and what a living process runs from. */
export function removeEarlier(kind, latest) {
  const inUse = foldersInUse();
  const earlier = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .filter((path) => path.startsWith(join(CACHE, `${kind}-`)) && path !== latest)
    .map((path) => ({ path, made: statSync(path).mtimeMs }))
    .sort((one, other) => other.made - one.made);
  for (const { path } of earlier.slice(EARLIER))
    if (!inUse.has(path)) rmSync(path, { recursive: true, force: true });
}

/** The folder of what is built from the source: the program's bundle, and the files that it serves. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
/** Builds of earlier sources that stay, for programs that still run from them. */
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

/** Removes all but the last few of a kind; `latest` stays. */
export function removeEarlier(kind, latest) {
  const earlier = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .filter((path) => path.startsWith(join(CACHE, `${kind}-`)) && path !== latest)
    .map((path) => ({ path, made: statSync(path).mtimeMs }))
    .sort((one, other) => other.made - one.made);
  for (const { path } of earlier.slice(EARLIER)) rmSync(path, { recursive: true, force: true });
}

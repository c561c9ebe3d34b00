/**
 * What a disk may hold after a power failure, by the record of what was done to it: what was synced, and of the rest none,
 * all, what was first, or some sectors and some names. Each file and each folder is decided by itself.
 */
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import type { Random } from './random.ts';

/** What a disk writes as one. */
const SECTOR = 512;
const HEAD_BYTES = 40;
const KINDS = [
  ...['', 'made', 'wrote', 'cut', 'syncing', 'synced', 'renamed', 'linked', 'removed', 'unknown'],
] as const;

type Kind = (typeof KINDS)[number];

interface Entry {
  readonly kind: Kind;
  readonly names: readonly [string, string];
  readonly file: number;
  readonly at: number;
  readonly id: bigint;
  readonly bytes: Buffer;
  /** Where it ends in the log. */
  readonly end: number;
}

/** The entries of a log, up to a last one that was not written whole. */
function* entriesOf(log: Buffer): Generator<Entry> {
  for (let from = 0; from + HEAD_BYTES <= log.length; ) {
    const [kind = 0, one = 0, other = 0, length = 0] = [0, 4, 8, 12].map((at) =>
      log.readUInt32LE(from + at),
    );
    const file = Number(log.readBigUInt64LE(from + 16));
    const at = Number(log.readBigUInt64LE(from + 24));
    const id = log.readBigUInt64LE(from + 32);
    const names = from + HEAD_BYTES;
    const bytes = names + one + other;
    const end = bytes + length;
    if (end > log.length) return;
    yield {
      kind: KINDS[kind] ?? 'unknown',
      names: [log.toString('utf8', names, names + one), log.toString('utf8', names + one, bytes)],
      ...{ file, at, id, end, bytes: log.subarray(bytes, end) },
    };
    from = end;
  }
}

type FileChange = { readonly size: number } | { readonly at: number; readonly bytes: Buffer };

/** What was done since the last sync comes after what the disk has. */
interface File {
  readonly kind: 'file';
  synced: Buffer;
  /** How many changes are synced. */
  count: number;
  changes: FileChange[];
}

type Names = ReadonlyMap<string, Made>;
/** A name that is given, or taken away; a file that gets another name has both at once. */
type NameChange = readonly (readonly [name: string, made: Made | undefined])[];

interface Folder {
  readonly kind: 'folder';
  synced: Names;
  count: number;
  changes: NameChange[];
}

type Made = File | Folder;

/** Files of SQLite that the processes of one machine share in memory: the first one that opens the store makes them again. */
const isShared = (name: string): boolean => name.endsWith('-shm');

/** What is there when recording begins. */
interface Found {
  readonly path: string;
  readonly inode: number;
  readonly content: Buffer | readonly (readonly [name: string, found: Found])[];
}

function found(path: string): Found {
  const status = lstatSync(path);
  const content = status.isDirectory()
    ? readdirSync(path).map((name) => [name, found(join(path, name))] as const)
    : readFileSync(path);
  return { path, inode: status.ino, content };
}

export class Disk {
  /** Where in the log it is. */
  reached = 0;
  readonly #found: Found;
  readonly #top: Folder;
  readonly #byInode = new Map<number, Made>();
  readonly #syncs = new Map<bigint, () => void>();

  /** What is there already is on disk. */
  constructor(root: string | Found) {
    this.#found = typeof root === 'string' ? found(root) : root;
    this.#top = this.#made(this.#found) as Folder;
  }

  /** One of the moment when this one was made. */
  again(): Disk {
    return new Disk(this.#found);
  }

  #made({ inode, content }: Found): Made {
    const made: Made = Buffer.isBuffer(content)
      ? { kind: 'file', synced: content, ...unchanged() }
      : {
          kind: 'folder',
          synced: new Map(content.map(([name, one]) => [name, this.#made(one)])),
          ...unchanged(),
        };
    this.#byInode.set(inode, made);
    return made;
  }

  /** Goes through a log, an entry at a time. */
  *through(log: Buffer): Generator<void> {
    for (const entry of entriesOf(log)) {
      this.#take(entry);
      this.reached = entry.end;
      yield;
    }
  }

  #take({ kind, names: [one, other], file, at, id, bytes }: Entry): void {
    if (kind === 'unknown') throw new Error(`Nobody has thought of this: ${one} ${other}`);
    if (kind === 'made') {
      const made: Made =
        at === 1
          ? { kind: 'folder', synced: new Map(), ...unchanged() }
          : { kind: 'file', synced: Buffer.alloc(0), ...unchanged() };
      // Two threads may have opened a new file at once.
      if (this.#byInode.get(file) === undefined || this.#at(one) !== this.#byInode.get(file)) {
        this.#byInode.set(file, made);
        this.#rename([one, made]);
      }
      return;
    }
    if (kind === 'renamed' || kind === 'linked') {
      const made = this.#at(one);
      this.#rename(...(kind === 'renamed' ? [[one, undefined] as const] : []), [other, made]);
      return;
    }
    if (kind === 'removed') {
      this.#rename([one, undefined]);
      return;
    }
    const made = this.#byInode.get(file);
    if (kind === 'synced') {
      this.#syncs.get(id)?.();
      this.#syncs.delete(id);
      return;
    }
    // One that is elsewhere, in the place of one of ours that was closed.
    if (made === undefined) return;
    if (kind === 'syncing') this.#syncs.set(id, syncOf(made));
    else if (made.kind === 'file')
      made.changes.push(kind === 'cut' ? { size: at } : { at, bytes: Buffer.from(bytes) });
  }

  #folder(path: string): readonly [Folder, string] {
    const steps = relative(this.#found.path, normalize(path)).split('/');
    const name = steps.pop() ?? '';
    let folder = this.#top;
    for (const step of steps) {
      const next = namesAfter(folder.synced, folder.changes).get(step);
      if (next?.kind !== 'folder') throw new Error(`There is no folder for ${path}.`);
      folder = next;
    }
    return [folder, name];
  }

  #at(path: string): Made | undefined {
    const [folder, name] = this.#folder(path);
    return namesAfter(folder.synced, folder.changes).get(name);
  }

  #rename(...changes: readonly (readonly [path: string, made: Made | undefined])[]): void {
    const byFolder = new Map<Folder, (readonly [string, Made | undefined])[]>();
    for (const [path, made] of changes) {
      const [folder, name] = this.#folder(path);
      byFolder.getOrInsertComputed(folder, () => []).push([name, made]);
    }
    for (const [folder, own] of byFolder) folder.changes.push(own);
  }

  /** What it may hold now; of a file with two names, the second has the path of the first. */
  held(random: Random): Held {
    const held = new Map<string, 'folder' | Buffer | string>();
    const paths = new Map<File, string>();
    const walk = (folder: Folder, path: string): void => {
      for (const [name, made] of holdNames(folder, random)) {
        const own = join(path, name);
        if (made.kind === 'folder') {
          held.set(own, 'folder');
          walk(made, own);
        } else if (!isShared(name)) {
          held.set(own, paths.get(made) ?? holdFile(made, random));
          paths.getOrInsert(made, own);
        }
      }
    };
    walk(this.#top, '');
    return held;
  }

  /** Logs and journals of SQLite that stand beside no file of theirs, as a process that is killed now leaves them. */
  alone(): readonly string[] {
    const alone: string[] = [];
    const walk = (folder: Folder, path: string): void => {
      const names = namesAfter(folder.synced, folder.changes);
      for (const [name, made] of names) {
        const [, of] = /^(.*)-(?:wal|journal)$/.exec(name) ?? [];
        if (of !== undefined && !names.has(of)) alone.push(join(path, name));
        if (made.kind === 'folder') walk(made, join(path, name));
      }
    };
    walk(this.#top, '');
    return alone;
  }

  /** The files as they are in memory, by their paths, without those that processes share. */
  inMemory(): ReadonlyMap<string, Buffer> {
    const files = new Map<string, Buffer>();
    const walk = (folder: Folder, path: string): void => {
      for (const [name, made] of namesAfter(folder.synced, folder.changes)) {
        if (made.kind === 'folder') walk(made, join(path, name));
        else if (!isShared(name))
          files.set(join(path, name), contentAfter(made.synced, made.changes));
      }
    };
    walk(this.#top, '');
    return files;
  }
}

/** The files that are there, as `inMemory` has them. */
export function filesIn(root: string, path = ''): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    const own = join(path, entry.name);
    if (entry.isDirectory()) for (const [name, bytes] of filesIn(root, own)) files.set(name, bytes);
    else if (!isShared(own)) files.set(own, readFileSync(join(root, own)));
  }
  return files;
}

function unchanged() {
  return { count: 0, changes: [] };
}

/** Has on disk, when it is called, what was done before now. */
function syncOf(made: Made): () => void {
  const reached = made.count + made.changes.length;
  return () => {
    // Of two syncs at once, the later one may have ended first.
    const more = Math.max(0, reached - made.count);
    made.count += more;
    if (made.kind === 'file') made.synced = contentAfter(made.synced, made.changes.splice(0, more));
    else made.synced = namesAfter(made.synced, made.changes.splice(0, more));
  };
}

function namesAfter(synced: Names, changes: readonly NameChange[]): Names {
  if (changes.length === 0) return synced;
  const names = new Map(synced);
  for (const [name, made] of changes.flat()) {
    if (made === undefined) names.delete(name);
    else names.set(name, made);
  }
  return names;
}

function sizeAfter(size: number, change: FileChange): number {
  return 'size' in change ? change.size : Math.max(size, change.at + change.bytes.length);
}

function contentAfter(synced: Buffer, changes: readonly FileChange[]): Buffer {
  if (changes.length === 0) return synced;
  return contentBy(synced, changes, changes.length, () => changes.length);
}

/** The size after so many of the changes; each sector has those of the first so many that touch it. */
function contentBy(
  synced: Buffer,
  changes: readonly FileChange[],
  sized: number,
  ofSector: (sector: number) => number,
): Buffer {
  let most = synced.length;
  let size = synced.length;
  const sizes = [size];
  for (const change of changes) {
    size = sizeAfter(size, change);
    sizes.push(size);
    most = Math.max(most, size);
  }
  const content = Buffer.alloc(most);
  synced.copy(content);
  for (const [index, change] of changes.entries()) {
    const before = sizes[index] ?? 0;
    const from = 'size' in change ? Math.min(change.size, before) : change.at;
    const to = 'size' in change ? before : change.at + change.bytes.length;
    for (let at = from; at < to; ) {
      const sector = Math.floor(at / SECTOR);
      const end = Math.min(to, (sector + 1) * SECTOR);
      if (index < ofSector(sector)) {
        if ('size' in change) content.fill(0, at, end);
        else change.bytes.copy(content, at, at - change.at, end - change.at);
      }
      at = end;
    }
  }
  return content.subarray(0, sizes[sized]);
}

/** Of so many changes, how many are there, where they come one after the other. */
function someOf(count: number, random: Random): number {
  const how = random.below(4);
  return how === 0 ? 0 : how === 1 ? count : random.below(count + 1);
}

function holdFile({ synced, changes }: File, random: Random): Buffer {
  const { length } = changes;
  if (length === 0) return synced;
  const sized = someOf(length, random);
  // In order, as some file systems keep it, or each sector by itself.
  if (random.below(3) === 0) return contentBy(synced, changes, sized, () => sized);
  const chosen = new Map<number, number>();
  return contentBy(synced, changes, sized, (sector) =>
    chosen.getOrInsertComputed(sector, () => someOf(length, random)),
  );
}

/** Names in order, or some of them: not a later change of a name without the earlier ones. */
function holdNames({ synced, changes }: Folder, random: Random): Names {
  const count = someOf(changes.length, random);
  if (random.below(2) === 0) return namesAfter(synced, changes.slice(0, count));
  const left = new Set<string>();
  const held = changes.filter((change) => {
    const isHeld = random.below(2) === 0 && change.every(([name]) => !left.has(name));
    if (!isHeld) for (const [name] of change) left.add(name);
    return isHeld;
  });
  return namesAfter(synced, held);
}

export type Held = ReadonlyMap<string, 'folder' | Buffer | string>;

/** Writes what a disk holds to a new folder. */
export function writeHeld(held: Held, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const [name, content] of held) {
    const path = join(to, name);
    if (content === 'folder') mkdirSync(path, { mode: 0o700 });
    else if (typeof content === 'string') linkSync(join(to, content), path);
    else writeFileSync(path, content, { mode: 0o600 });
  }
}

/** Whose files are: what root makes in a folder of somebody else is theirs, and what this user may not use is named. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { codeOf, diskFailure } from './disk-failure.ts';
import { plain } from './observe/plain.ts';
import { shellWord } from './observe/shell-word.ts';

/**
 * Gives an open file that root has just made to the owner of its folder, such as the user of the service. What a link of
 * that owner leads to is not theirs, and stays as it is.
 */
export function giveToFolder(descriptor: number, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(resolve(path)));
  const file = fstatSync(descriptor);
  if (uid === file.uid || !isOnlyAt(file, path)) return;
  try {
    fchownSync(descriptor, uid, gid);
  } catch {
    // Not every file system has owners.
  }
}

/** Whether an open file, or a folder, has this name and no other. */
function isOnlyAt(file: Stats, path: string): boolean {
  const named = lstatSync(path, { throwIfNoEntry: false });
  if (named?.ino !== file.ino || named.dev !== file.dev) return false;
  return file.isDirectory() || file.nlink === 1;
}

/** Makes a folder and those above it, whose names are on disk when this returns. Node's own `recursive` never returns where creating a folder fails with ENOENT, as below `/proc`. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    const made = statSync(path, { throwIfNoEntry: false });
    if (codeOf(error) === 'EEXIST' && made?.isDirectory()) return;
    throw error;
  }
  const descriptor = openSync(path, constants.O_DIRECTORY | constants.O_NOFOLLOW);
  giveToFolder(descriptor, path);
  closeSync(descriptor);
  syncPath(above);
}

/** Makes sure that the content of a file, from any writer, or the names in a folder are on disk, as far as that is offered for folders. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!fstatSync(descriptor).isDirectory()) throw error;
    passOverUnoffered(error, path);
  } finally {
    closeSync(descriptor);
  }
}

/** Errors of file systems, such as some of networks and of FUSE, that sync files and no folders. */
const UNOFFERED: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
const told = new Set<string>();

/** Says once of a folder that it cannot be synced, for what the file system itself does not offer; throws all other errors. */
export function passOverUnoffered(error: unknown, folder: string): void {
  if (!UNOFFERED.has(codeOf(error))) throw error;
  if (told.has(folder)) return;
  told.add(folder);
  const says = `ledgerstone: The file system of ${folder} does not sync the names in a folder (${codeOf(error)}): a power failure may take files from it that were made just before. Keep what must last on another disk.`;
  process.stderr.write(`${plain(says)}\n`);
}

/** Says what to do where a path is read-only for everybody, as it is for a unit of systemd that may not write there. */
export function readOnlyFault(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    if (codeOf(error) !== 'EROFS') return undefined;
    return `${path} is read-only here: mount its disk to be written to, or, under systemd, name it in ReadWritePaths of files.conf`;
  }
}

/** Why this user cannot use a file or a folder, and what to do; `undefined` where that is not the reason. */
export function accessFault(
  path: string,
  mode = constants.R_OK | constants.W_OK,
): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    if (codeOf(error) === 'EROFS') return readOnlyFault(path);
    if (codeOf(error) !== 'EACCES') return undefined;
  }
  const uid = process.getuid?.();
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || owner === uid) return undefined;
  const above = dirname(resolve(path));
  return `${path} belongs to the user ${owner}, and this is the user ${uid}. As root, run: chown --reference=${shellWord(above)} ${shellWord(path)}`;
}

/** Why no file can be made in a folder, and what to do; `undefined` where one can be. */
export function folderFault(folder: string): string | undefined {
  let tried: string | undefined;
  try {
    tried = mkdtempSync(join(folder, '.tried-'));
    // A full disk may still take names.
    writeFileSync(join(tried, 'file'), Buffer.alloc(TRIED_BYTES));
    return undefined;
  } catch (error) {
    return accessFault(folder, constants.W_OK | constants.X_OK) ?? roomFault(folder, error);
  } finally {
    if (tried !== undefined) rmSync(tried, { recursive: true, force: true });
  }
}

/** The bytes for which SQLite needs room beside a store that it opens, with some to spare. */
const TRIED_BYTES = 65_536;

function roomFault(folder: string, error: unknown): string | undefined {
  const why = diskFailure(error);
  if (why === undefined) return undefined;
  return `no file can be made in ${folder}, because ${why} (${codeOf(error)})`;
}

/** A sentence on an error of the file system that names a path, and what to do; `undefined` for others. */
export function pathFault(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string')
    return undefined;
  const temporary = resolve(tmpdir());
  const path = resolve(error.path);
  if (path === temporary || path.startsWith(join(temporary, 'ledgerstone-'))) {
    const fault = temporaryFault(error);
    if (fault !== undefined) return `${fault}.`;
  }
  const why = accessFault(error.path) ?? diskFailure(error);
  if (why === undefined) return undefined;
  const more = path.startsWith(join(temporary, 'ledgerstone-'))
    ? '. TMPDIR names another folder for temporary files'
    : '';
  return `${error.path} cannot be used (${codeOf(error)}): ${why}${more}.`;
}

/**
 * Why this user cannot use the folder for temporary files, which often belongs to everybody; `undefined` where that is
 * not the reason. Where a disk is full, systemd cannot make the folder of a unit, and gives it one that nobody can use.
 */
export function temporaryFault(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== 'EACCES' && code !== 'EROFS') return undefined;
  return `${tmpdir()} cannot be used for temporary files (${code}): under systemd, a full disk is a reason, so make room if it is full; otherwise let this user write there, or name another folder in TMPDIR`;
}

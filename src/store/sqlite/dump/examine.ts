/** Examines a store's file, its folder and its disk. Changes nothing. */
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Finding, findingsOf } from '../../../core/observe/finding.ts';
import { shellWord } from '../../../core/observe/shell-word.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { schemaFinding } from '../../records/planner.ts';
import { openDatabase } from '../file/connection.ts';
import { asUnusable } from '../file/failure.ts';
import { checkFile, locate } from '../file/files.ts';
import { checkIdentity, checkVersion, holdFile } from '../file/open-file.ts';
import { noStore } from '../open.ts';
import { addedTo } from '../schema/added.ts';
import { pendingSteps } from '../schema/migrate.ts';

const MB = 1_000_000;
/** With less, the next burst of records may fill the disk. */
const MIN_FREE = 256 * MB;
const LARGE_LOG = 1_000 * MB;

/** File systems by the numbers that Linux has for them. */
const NETWORKS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x5346414f, 'AFS'],
]);
const MEMORIES: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);
const OVERLAY = 0x794c7630;
/** File systems of disks of the machine itself on which SQLite's log was seen to work. */
const LOCAL: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'XFS'],
  [0x9123683e, 'Btrfs'],
  [0x2fc12fc1, 'ZFS'],
  [0xf2f52010, 'F2FS'],
  [0xca451a4e, 'bcachefs'],
]);

/** Throws `StoreUnusable` if no store exists. */
export function examineSqlite(given: string, shapes: readonly RecordShape[]): readonly Finding[] {
  const path = locate(given);
  if (checkFile(path) !== 'present') throw noStore(path);
  using file = holdFile(path);
  try {
    checkIdentity(path, file.header);
    using database = openDatabase(path);
    checkVersion(path, database);
    const { size } = statSync(path);
    return [
      schemaFinding(pendingSteps(database, shapes).steps, 'back up'),
      integrity(database),
      ...added(database, shapes),
      fileSystem(path),
      room(path, size),
      log(path),
      modes(path),
    ];
  } catch (error) {
    throw asUnusable(error, path);
  }
}

function integrity(database: DatabaseSync): Finding {
  const { good, bad } = findingsOf('integrity');
  let faults: readonly unknown[];
  try {
    faults = database.prepare('PRAGMA quick_check(5)').all().flatMap(Object.values);
  } catch (error) {
    faults = [(error as Error).message];
  }
  return faults.length === 1 && faults[0] === 'ok'
    ? good('SQLite finds the file whole.')
    : bad(
        `The file is damaged: stop the service, keep a copy of the file, and restore the last backup. SQLite says: ${faults.join('; ').replaceAll('\n', ' ')}.`,
      );
}

/** Names triggers and unique indexes of others, which may refuse or change what is stored. */
function added(database: DatabaseSync, shapes: readonly RecordShape[]): readonly Finding[] {
  const { good, warning } = findingsOf('tables');
  const found = addedTo(database, shapes);
  if (found.length === 0) return [good('Nobody has added triggers or unique indexes.')];
  return found.map(({ table, what, drop }) =>
    warning(
      `Somebody has added ${what} to the table ${table}, which may refuse or change what is stored: unless that is meant, stop the service, and run "${drop}" in the file.`,
    ),
  );
}

function fileSystem(path: string): Finding {
  const { good, warning, bad, unseen } = findingsOf('file system');
  const { type } = statfsSync(dirname(path));
  // The numbers of other systems are their own.
  if (process.platform !== 'linux')
    return unseen(
      'What kind of file system the store is on was not looked at on this system: keep it on a disk of this machine.',
    );
  const network = NETWORKS.get(type);
  if (network !== undefined) {
    return bad(
      `The store is on a network file system (${network}), where SQLite's log does not work: move it to a local disk.`,
    );
  }
  const memory = MEMORIES.get(type);
  if (memory !== undefined) {
    return bad(
      `The store is in memory (${memory}) and will be lost when the machine restarts: move it to a disk.`,
    );
  }
  if (type === OVERLAY)
    return warning('The store is inside the container and is lost with it: keep it in a volume.');
  const local = LOCAL.get(type);
  return local === undefined
    ? unseen(
        `The store is on a file system of a kind that is not known here (0x${type.toString(16)}): make sure that it is a disk of this machine, and that what is synced there is on it.`,
      )
    : good(`The store is on a file system of this machine (${local}).`);
}

function room(path: string, size: number): Finding {
  const { bavail, bsize } = statfsSync(dirname(path));
  const free = bavail * bsize;
  const says = `${megabytes(free)} of the disk are free, and the file has ${megabytes(size)}`;
  const { good, warning, bad } = findingsOf('room');
  if (free < MIN_FREE) return bad(`${says}: make room now, or writes will soon get 503.`);
  return free < size
    ? warning(`${says}: make room, since a new version or "compact" may need as much as the file.`)
    : good(`${says}.`);
}

function log(path: string): Finding {
  const { good, warning } = findingsOf('log');
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return size < LARGE_LOG
    ? good(`The write-ahead log has ${megabytes(size)}.`)
    : warning(
        `The write-ahead log has ${megabytes(size)}: something, such as a backup that hangs, has been reading for a long time; end it.`,
      );
}

function modes(path: string): Finding {
  const { good, warning } = findingsOf('modes');
  const open = [dirname(path), path, `${path}-wal`, `${path}-shm`, `${path}.dev-key`].filter(
    (one) => ((statSync(one, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  return open.length === 0
    ? good('Only the owner can use the files.')
    : warning(
        `Users other than the owner can use ${open.join(', ')}: run this: chmod go= ${open.map(shellWord).join(' ')}`,
      );
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}

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

function fileSystem(path: string): Finding {
  const { good, warning, bad } = findingsOf('file system');
  const { type } = statfsSync(dirname(path));
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
  return type === OVERLAY
    ? warning('The store is inside the container and is lost with it: keep it in a volume.')
    : good('The store is on a local file system.');
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

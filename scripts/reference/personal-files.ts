/** The files in which the service writes what it knows of people, each with what it holds and when that goes. */
import { type Holds, SEARCH_GOES } from './personal-data.ts';

export interface Files {
  /** Which files: beside a store what follows its name, elsewhere their own name. */
  readonly pattern: RegExp;
  /** The same in words. */
  readonly files: string;
  readonly holds: Holds;
  readonly goes: string;
}

/** Beside a SQLite store, whose name stands before the suffix. */
export const STORE_FILES: readonly Files[] = [
  {
    pattern: /^$/,
    files: 'the SQLite file',
    holds: 'content',
    goes: 'Deleted content is overwritten with zeros; copies in merged pages go with `compact`',
  },
  {
    pattern: /^-(wal|shm)$/,
    files: '`-wal`, `-shm`',
    holds: 'content',
    goes: 'Within about ten seconds after content is removed',
  },
  {
    pattern: /^-search(-wal|-shm)?$/,
    files: '`-search`, `-search-wal`, `-search-shm`',
    holds: 'content',
    goes: SEARCH_GOES,
  },
  { pattern: /^\.serving$/, files: '`.serving`', holds: 'nothing', goes: '' },
  { pattern: /^\.dev-key$/, files: '`.dev-key`, a test key', holds: 'nothing', goes: '' },
];

/** Elsewhere. */
export const OTHER_FILES: readonly Files[] = [
  {
    pattern: /^ledgerstone-(check|restore|import)-\w{6}\//,
    files: '`TMPDIR`: `ledgerstone-check-…`, `ledgerstone-restore-…`, `ledgerstone-import-…`',
    holds: 'content',
    goes: 'When the command or import ends; what a killed one leaves, when the service next starts',
  },
  {
    pattern: /\.ndjson\.zst(\.partial)?$|\.before-/,
    files: 'backups, folders for point-in-time recovery, `.before-…` copies of a restore',
    holds: 'content',
    goes: 'When you delete them',
  },
  {
    pattern: /^erasures\.ndjson(\.[\w-]+\.partial)?$/,
    files: '`erasures.ndjson` in `BACKUP_TO`, `ERASURES_TO` and folders of backups',
    holds: 'identifiers',
    goes: 'When you delete it: it has to outlive every backup',
  },
  {
    pattern: /\.(csv|ndjson|xlsx)$/,
    files: 'exports, imported files, `.rejected.csv`, downloads of the console',
    holds: 'content',
    goes: 'When you delete them',
  },
  {
    pattern: /^std(out|err)$/,
    files: 'the log of the service (standard output)',
    holds: 'identifiers',
    goes: 'As your log system has it',
  },
  { pattern: /\.lock$/, files: '`follower.lock`, `running.lock`', holds: 'nothing', goes: '' },
];

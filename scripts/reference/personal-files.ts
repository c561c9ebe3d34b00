/** The files in which the service writes what it knows of people, each with what it holds and when that goes. */
import { type Holds, SEARCH_GOES } from './personal-data.ts';

export interface Files {
  /** Which files: beside a store what follows its name, elsewhere their own name. */
  readonly pattern: RegExp;
  /** The files in words. */
  readonly files: string;
  readonly holds: Holds;
  readonly goes: string;
  /** The files of `src/` that write them; `test/personal-data.test.ts` fails on one that is not named here. */
  readonly by: readonly string[];
}

const nothing = { holds: 'nothing', goes: '' } as const;
const UNTIL_DELETED = 'When you delete them';

/** Beside a SQLite store, whose name stands before the suffix. */
export const STORE_FILES: readonly Files[] = [
  {
    pattern: /^$/,
    files: 'the SQLite file',
    holds: 'content',
    goes: 'Deleted content is overwritten with zeros; copies in merged pages go with `compact`',
    by: ['store/sqlite/file/connection.ts', 'store/sqlite/file/files.ts'],
  },
  {
    pattern: /^-(wal|shm)$/,
    files: '`-wal`, `-shm`',
    holds: 'content',
    goes: 'Within about ten seconds after content is removed',
    by: [],
  },
  {
    pattern: /^-search(-wal|-shm)?$/,
    files: '`-search`, `-search-wal`, `-search-shm`',
    holds: 'content',
    goes: SEARCH_GOES,
    by: ['store/sqlite/search/file.ts'],
  },
  {
    pattern: /^\.restoring(-wal|-shm|-journal)?$/,
    files: '`.restoring`, a restore that is under way',
    holds: 'content',
    goes: 'When the restore ends; what a killed one leaves, when it is run again or you delete it',
    by: ['store/sqlite/file/copy.ts', 'store/sqlite/file/target.ts', 'store/sqlite/dump/load.ts'],
  },
  {
    pattern: /^\.before-\w+$/,
    files: '`.before-…`, a copy from before a migration',
    holds: 'content',
    goes: UNTIL_DELETED,
    by: ['store/sqlite/file/copy.ts'],
  },
  {
    pattern: /^\.serving$/,
    files: '`.serving`',
    ...nothing,
    by: ['store/sqlite/file/target.ts'],
  },
  {
    pattern: /^\.dev-key$/,
    files: '`.dev-key`, a test key',
    ...nothing,
    by: ['cli/dev/dev.ts'],
  },
];

/** Elsewhere. */
export const OTHER_FILES: readonly Files[] = [
  {
    pattern: /^ledgerstone-(check|restore|import)-\w{6}\//,
    files: '`TMPDIR`: `ledgerstone-check-…`, `ledgerstone-restore-…`, `ledgerstone-import-…`',
    holds: 'content',
    goes: 'When the command or import ends; what a killed one leaves, when the service next starts',
    by: [
      'core/temporary.ts',
      'services/backup/folder/overlay.ts',
      'features/imports/operations/brought.ts',
      'features/imports/operations/refused.ts',
      'features/imports/command/import-files.ts',
      'features/imports/command/watch/folder.ts',
    ],
  },
  {
    pattern: /^$/,
    files: '`TMPDIR`: files of SQLite without names, for sorting and for the texts of workbooks',
    holds: 'content',
    goes: 'With the process, however it ends',
    by: ['core/tables/read-xlsx/sheet-rows.ts'],
  },
  {
    pattern: /\.ndjson\.zst(\.partial)?$/,
    files: 'backups, and folders for point-in-time recovery',
    holds: 'content',
    goes: UNTIL_DELETED,
    by: ['services/backup/file.ts', 'services/backup/folder/follow.ts', 'cli/backup/backup.ts'],
  },
  {
    pattern: /^erasures\.ndjson(\.before-\w+|\.[\w-]+\.partial)?$/,
    files:
      '`erasures.ndjson` in `BACKUP_TO` and `ERASURES_TO`, or beside a SQLite store, and in folders of backups',
    holds: 'identifiers',
    goes: 'When you delete it: it has to outlive every backup',
    by: ['services/erasures/journal-disk.ts'],
  },
  {
    pattern: /\.(csv|ndjson|xlsx)(\.partial)?$/,
    files: 'exports, imported files, `.rejected.csv`, downloads of the console',
    holds: 'content',
    goes: UNTIL_DELETED,
    by: [
      'services/transfer/new-files.ts',
      'features/imports/serves/rejected.ts',
      'features/imports/command/watch/at-service.ts',
    ],
  },
  {
    pattern: /^\.ledgerstone-import\.json$/,
    files:
      '`.ledgerstone-import.json` in a watched folder: names of files, their digests, and why some were refused',
    holds: 'content',
    goes: UNTIL_DELETED,
    by: ['features/imports/command/watch/journal.ts', 'features/imports/command/watch/folder.ts'],
  },
  {
    pattern: /\.json$/,
    files: 'what `import --save-map` and `export --since` write: headings, places and positions',
    holds: 'identifiers',
    goes: UNTIL_DELETED,
    by: [
      'features/imports/command/import-store.ts',
      'features/imports/command/import-elsewhere.ts',
      'features/exports/command/export.ts',
    ],
  },
  {
    pattern: /^std(out|err)$/,
    files: 'the log of the service (standard output)',
    holds: 'identifiers',
    goes: 'As your log system has it',
    by: [],
  },
  {
    pattern: /\.lock$/,
    files: '`follower.lock`, `running.lock`',
    ...nothing,
    by: ['core/temporary.ts'],
  },
  {
    pattern: /^(secret-key|tried)$/,
    files:
      'new keys, what is made to see whether it can be (`.doctor-…`, `.tried-…`), and the manual and console as files (`site-…`)',
    ...nothing,
    by: [
      ...['core/sealing/sealer.ts', 'cli/service/secret-file.ts', 'cli/keys/keys.ts'],
      ...['cli/doctor/disk.ts', 'core/owners.ts'],
    ],
  },
];

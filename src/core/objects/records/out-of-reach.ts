/** Places that erasures do not reach, for certificates, `doctor` and the reference. */

interface Beyond {
  readonly what: string;
  /** The place, as the end of a sentence. */
  readonly says: string;
  /** Advice to the operator, in Markdown. */
  readonly remedy: string;
  /** Only on such stores. */
  readonly on?: 'sqlite' | 'postgres';
  /** Only where no copy of the journal is outside of the store. */
  readonly alone?: true;
}

export const OUT_OF_REACH = [
  {
    what: 'backups',
    says: 'backups, copies and snapshots from before',
    remedy: 'wait until they expire; the journal erases the records again when one is restored',
  },
  {
    what: 'restores',
    says: 'a restore of an older backup, which brings the records back: the journal of erasures is in the database alone',
    remedy: 'set `ERASURES_TO` or `BACKUP_TO` to a folder on another disk',
    on: 'postgres',
    alone: true,
  },
  {
    what: 'copies_elsewhere',
    says: 'exports, imported files, printed lists, and what other systems and people have copied',
    remedy: 'ask those who have them; the certificate names the systems that follow the changes',
  },
  {
    what: 'proxy_logs',
    says: 'logs of proxies, which hold addresses of requests',
    remedy: 'use the files in `deploy/`, which log no searches',
  },
  {
    what: 'images',
    says: 'images of mail replies, which are on the servers of their senders',
    remedy: 'ask the sender; the certificate names the hosts in `image_hosts`',
  },
  {
    what: 'core_dumps',
    says: 'core dumps and swapped memory of the service',
    remedy: 'turn them off: `LimitCORE=0` or `ulimit -c 0`, as the files in `deploy/` do',
  },
  {
    what: 'unused_pages',
    says: 'unused parts of the SQLite file, until it is rewritten',
    remedy: '`ledgerstone compact`',
    on: 'sqlite',
  },
  {
    what: 'dead_rows',
    says: 'dead rows and statistics of PostgreSQL, until it vacuums and analyzes, and uses the space again',
    remedy: '`VACUUM FULL` and `ANALYZE` of the tables, or time',
    on: 'postgres',
  },
  {
    what: 'write_ahead_log',
    says: 'the write-ahead log of PostgreSQL, and its archive',
    remedy: 'let the WAL of that time be recycled, and archives expire',
    on: 'postgres',
  },
  {
    what: 'standbys',
    says: 'standbys and replicas of PostgreSQL, until they have caught up',
    remedy: 'as for the server itself',
    on: 'postgres',
  },
  {
    what: 'server_log',
    says: 'the log of the PostgreSQL server, if it prints values',
    remedy:
      'set `log_parameter_max_length = 0`, and `log_parameter_max_length_on_error = 0`: `log_min_duration_statement` and `log_statement` print values otherwise',
    on: 'postgres',
  },
] as const satisfies readonly Beyond[];

/** On a store, which is in a file or not; `isOutside`: a copy of its journal is outside of it. */
export function beyondOf(isFile: boolean, isOutside: boolean): readonly Beyond[] {
  const here = isFile ? 'sqlite' : 'postgres';
  const all: readonly Beyond[] = OUT_OF_REACH;
  return all.filter(({ on = here, alone }) => on === here && !(alone && isOutside));
}

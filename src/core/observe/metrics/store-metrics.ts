/** The metrics of commits and of the store. */
import type { Registry } from 'prom-client';
import type { BackupFolders, CommitObserver, StoreObserver, StoreSize } from '../observers.ts';
import { by, Later, metricsIn } from './collectors.ts';
import { Histogram } from './histogram.ts';

const MS_PER_SECOND = 1000;
const DRAFTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/** Each is shown, also where there is none. */
const RULE_STATUSES = ['paused', 'enabled', 'stopped'];
const ERASURE_STATUSES = ['ready', 'running', 'waiting', 'done', 'closed'];
const DISK_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

type Counts = ReadonlyMap<string, number>;
type Given<Name extends 'audit' | 'erasures'> = Awaited<
  ReturnType<Parameters<StoreObserver[Name]>[0]>
>;

export function observeCommits(registry: Registry): CommitObserver {
  const { gauge, histogram } = metricsIn(registry);
  const drafts = new Histogram(DRAFTS);
  const seconds = new Histogram(DISK_SECONDS);
  const queue = new Later<number>();

  histogram('ledgerstone_commit_drafts', 'Drafts handed to the store for one commit.', () => [
    [{}, drafts],
  ]);
  histogram(
    'ledgerstone_commit_duration_seconds',
    'From handing drafts to the store until they are on disk, or could not be committed.',
    () => [[{}, seconds]],
  );
  gauge(
    'ledgerstone_queue_drafts',
    'Drafts that wait for a commit.',
    async () => (await queue.now()) ?? 0,
  );
  return {
    queue: queue.give,
    committed(count, durationMs) {
      drafts.observe(count);
      seconds.observe(durationMs / MS_PER_SECOND);
    },
  };
}

export function observeStore(registry: Registry): StoreObserver {
  const { counter, gauge, histogram } = metricsIn(registry);
  const seconds = new Histogram(DISK_SECONDS);
  const aged = new Map<string, number>();
  const size = new Later<StoreSize>();
  const folders = new Later<Awaited<ReturnType<BackupFolders>>>();
  const lastBackup = new Later<number | undefined>();
  const journalLag = new Later<number>();
  const expectations = new Later<Counts>();
  const audit = new Later<Given<'audit'>>();
  const rules = new Later<Counts>();
  const holds = new Later<number>();
  const erasures = new Later<Given<'erasures'>>();
  const sentAgain = new Later<number>();
  const byStatus = (statuses: readonly string[], counts: Counts | undefined) =>
    counts &&
    by(
      'status',
      statuses.map((status) => [status, counts.get(status) ?? 0]),
    );

  histogram(
    'ledgerstone_checkpoint_duration_seconds',
    'Time to move a piece of the write-ahead log into the database.',
    () => [[{}, seconds]],
  );
  gauge(
    'ledgerstone_store_size_bytes',
    'Bytes that the store takes; part is records (with their indexes), log or search (its index).',
    async () => by('part', Object.entries((await size.now()) ?? {})),
  );
  gauge(
    'ledgerstone_backup_checked_timestamp_seconds',
    'When the last backup that passed "restore --check" was taken; 0 until there is one.',
    async () => ((await lastBackup.now()) ?? 0) / MS_PER_SECOND,
  );
  gauge(
    'ledgerstone_backup_lag_seconds',
    'Age of the moment up to which a folder of "backup --follow" or BACKUP_TO holds everything; all processes over one database show the same.',
    async () =>
      by(
        'folder',
        [...((await folders.now()) ?? [])].map(([folder, { lag }]) => [
          folder,
          lag / MS_PER_SECOND,
        ]),
      ),
  );
  gauge(
    'ledgerstone_backup_whole_timestamp_seconds',
    'When the whole backup was taken that a folder of "backup --follow" or BACKUP_TO begins with; 0 until there is one.',
    async () =>
      by(
        'folder',
        [...((await folders.now()) ?? [])].map(([folder, { whole_at }]) => [
          folder,
          (whole_at ?? 0) / MS_PER_SECOND,
        ]),
      ),
  );
  gauge(
    'ledgerstone_erasure_journal_lag_seconds',
    'For how long a copy of the journal of erasures, in BACKUP_TO or ERASURES_TO, has lacked something or could not be used; 0: all are complete.',
    async () => ((await journalLag.now()) ?? 0) / MS_PER_SECOND,
  );
  gauge(
    'ledgerstone_expectations',
    'Sources at locations from which something is expected, by state; all processes over one database show the same.',
    async () => by('state', (await expectations.now()) ?? []),
  );
  gauge(
    'ledgerstone_audit_unwritten',
    'Entries of the audit that are not written yet; they are lost in a crash.',
    async () => (await audit.now())?.unwritten ?? 0,
    'sum',
  );
  gauge(
    'ledgerstone_audit_head_timestamp_seconds',
    'When the last thing was done of which the audit of a process has an entry; 0 until there is one.',
    async () => ((await audit.now())?.head?.time ?? 0) / MS_PER_SECOND,
  );
  gauge(
    'ledgerstone_holds',
    'Holds that last, in all accounts; all processes over one database show the same.',
    () => holds.now(),
  );
  gauge(
    'ledgerstone_erasures',
    'Erasures by status, in all accounts; all processes over one database show the same.',
    async () => byStatus(ERASURE_STATUSES, (await erasures.now())?.statuses),
  );
  gauge(
    'ledgerstone_retention_rules',
    'Retention rules by status, of all accounts; stopped: a run would have removed twice as much as was to be expected. All processes over one database show the same.',
    async () => byStatus(RULE_STATUSES, await rules.now()),
  );
  gauge(
    'ledgerstone_erasures_overdue',
    'Erasures that are neither done nor closed and were due by now; all processes over one database show the same.',
    async () => (await erasures.now())?.overdue,
  );
  counter(
    'ledgerstone_retention_removed_total',
    'Records that retention rules have removed, by resource.',
    () => by('resource', aged),
  );
  counter(
    'ledgerstone_erased_sent_again_total',
    'Erased records that were sent again, and refused; all processes over one database show the same.',
    async () => (await sentAgain.now()) ?? 0,
  );
  return {
    audit: audit.give,
    holds: holds.give,
    retention(resources, count) {
      for (const one of resources) aged.set(one, 0);
      rules.give(count);
    },
    aged(resource) {
      aged.set(resource, (aged.get(resource) ?? 0) + 1);
    },
    journal: journalLag.give,
    erasures: erasures.give,
    sentAgain: sentAgain.give,
    expectations: expectations.give,
    moments: folders.give,
    backups: lastBackup.give,
    size: size.give,
    checkpointed: (durationMs) => seconds.observe(durationMs / MS_PER_SECOND),
  };
}

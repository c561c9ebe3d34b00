/** The metrics of commits and of the store. */
import type { Registry } from 'prom-client';
import type { BackupFolders, CommitObserver, StoreObserver, StoreSize } from '../observers.ts';
import { show, showHistograms } from './collectors.ts';
import { Histogram } from './histogram.ts';

const MS_PER_SECOND = 1000;
const DRAFTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/** Each is shown, also where there is none. */
const RULE_STATUSES = ['paused', 'enabled', 'stopped'];
const ERASURE_STATUSES = ['ready', 'running', 'waiting', 'done', 'closed'];
const DISK_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

export function observeCommits(registry: Registry): CommitObserver {
  const drafts = new Histogram(DRAFTS);
  const seconds = new Histogram(DISK_SECONDS);
  let countQueue = (): number => 0;

  showHistograms(
    registry,
    { name: 'ledgerstone_commit_drafts', help: 'Drafts handed to the store for one commit.' },
    () => [[{}, drafts]],
  );
  showHistograms(
    registry,
    {
      name: 'ledgerstone_commit_duration_seconds',
      help: 'From handing drafts to the store until they are on disk, or could not be committed.',
    },
    () => [[{}, seconds]],
  );
  show(
    registry,
    { name: 'ledgerstone_queue_drafts', help: 'Drafts that wait for a commit.', type: 'gauge' },
    () => [{ labels: {}, value: countQueue() }],
  );
  return {
    queue(count) {
      countQueue = count;
    },
    committed(count, durationMs) {
      drafts.observe(count);
      seconds.observe(durationMs / MS_PER_SECOND);
    },
  };
}

export function observeStore(registry: Registry): StoreObserver {
  const seconds = new Histogram(DISK_SECONDS);
  let measureStore: (() => Promise<StoreSize>) | undefined;
  let foldersOf: BackupFolders | undefined;
  const folders = async () => [...((await foldersOf?.().catch(() => undefined)) ?? [])];
  let journalLag: (() => number) | undefined;
  let countStates: (() => Promise<ReadonlyMap<string, number>>) | undefined;
  let readAudit: Parameters<StoreObserver['audit']>[0] | undefined;
  let countRules: (() => Promise<ReadonlyMap<string, number>>) | undefined;
  const aged = new Map<string, number>();
  let countHolds: (() => Promise<number>) | undefined;
  let readErasures: Parameters<StoreObserver['erasures']>[0] | undefined;
  let countSentAgain: (() => Promise<number>) | undefined;
  let countSeenAgain: (() => Promise<number>) | undefined;
  let lastBackup: (() => Promise<number | undefined>) | undefined;

  showHistograms(
    registry,
    {
      name: 'ledgerstone_checkpoint_duration_seconds',
      help: 'Time to move a piece of the write-ahead log into the database.',
    },
    () => [[{}, seconds]],
  );
  show(
    registry,
    {
      name: 'ledgerstone_store_size_bytes',
      help: 'Bytes that the store takes; part is records (with their indexes), log or search (its index).',
      type: 'gauge',
    },
    // A store that cannot report now must not hide all that the others report.
    async () =>
      Object.entries((await measureStore?.().catch(() => undefined)) ?? {}).map(
        ([part, value]) => ({ labels: { part }, value }),
      ),
  );
  show(
    registry,
    {
      name: 'ledgerstone_backup_checked_timestamp_seconds',
      help: 'When the last backup that passed "restore --check" was taken; 0 until there is one.',
      type: 'gauge',
    },
    async () => {
      const time = await lastBackup?.().catch(() => undefined);
      return [{ labels: {}, value: (time ?? 0) / MS_PER_SECOND }];
    },
  );
  show(
    registry,
    {
      name: 'ledgerstone_backup_lag_seconds',
      help: 'Age of the moment up to which a folder of "backup --follow" or BACKUP_TO holds everything; all processes over one database show the same.',
      type: 'gauge',
    },
    async () =>
      (await folders()).map(([folder, { lag }]) => ({
        ...{ labels: { folder }, value: lag / MS_PER_SECOND },
      })),
  );
  show(
    registry,
    {
      name: 'ledgerstone_backup_whole_timestamp_seconds',
      help: 'When the whole backup was taken that a folder of "backup --follow" or BACKUP_TO begins with; 0 until there is one.',
      type: 'gauge',
    },
    async () =>
      (await folders()).map(([folder, { whole_at }]) => ({
        ...{ labels: { folder }, value: (whole_at ?? 0) / MS_PER_SECOND },
      })),
  );
  show(
    registry,
    {
      name: 'ledgerstone_erasure_journal_lag_seconds',
      help: 'For how long a copy of the journal of erasures, in BACKUP_TO or ERASURES_TO, has lacked something or could not be used; 0: all are complete.',
      type: 'gauge',
    },
    () => [{ labels: {}, value: (journalLag?.() ?? 0) / MS_PER_SECOND }],
  );
  show(
    registry,
    {
      name: 'ledgerstone_expectations',
      help: 'Sources at locations from which something is expected, by state; all processes over one database show the same.',
      type: 'gauge',
    },
    async () =>
      [...((await countStates?.().catch(() => undefined)) ?? [])].map(([state, value]) => ({
        ...{ labels: { state }, value },
      })),
  );
  show(
    registry,
    {
      name: 'ledgerstone_audit_unwritten',
      help: 'Entries of the audit that are not written yet; they are lost in a crash.',
      type: 'gauge',
      together: 'sum',
    },
    () => [{ labels: {}, value: readAudit?.().unwritten ?? 0 }],
  );
  show(
    registry,
    {
      name: 'ledgerstone_audit_head_timestamp_seconds',
      help: 'When the last thing was done of which the audit of a process has an entry; 0 until there is one.',
      type: 'gauge',
    },
    () => [{ labels: {}, value: (readAudit?.().head?.time ?? 0) / MS_PER_SECOND }],
  );
  show(
    registry,
    {
      name: 'ledgerstone_holds',
      help: 'Holds that last, in all accounts; all processes over one database show the same.',
      type: 'gauge',
    },
    async () => {
      const value = await countHolds?.().catch(() => undefined);
      return value === undefined ? [] : [{ labels: {}, value }];
    },
  );
  show(
    registry,
    {
      name: 'ledgerstone_erasures',
      help: 'Erasures by status, in all accounts; all processes over one database show the same.',
      type: 'gauge',
    },
    async () => {
      const found = await readErasures?.().catch(() => undefined);
      if (found === undefined) return [];
      return ERASURE_STATUSES.map((status) => ({
        ...{ labels: { status }, value: found.statuses.get(status) ?? 0 },
      }));
    },
  );
  show(
    registry,
    {
      name: 'ledgerstone_retention_rules',
      help: 'Retention rules by status, of all accounts; stopped: a run would have removed twice as much as was to be expected. All processes over one database show the same.',
      type: 'gauge',
    },
    async () => {
      const found = await countRules?.().catch(() => undefined);
      if (found === undefined) return [];
      return RULE_STATUSES.map((status) => ({ labels: { status }, value: found.get(status) ?? 0 }));
    },
  );
  show(
    registry,
    {
      name: 'ledgerstone_erasures_overdue',
      help: 'Erasures that are neither done nor closed and were due by now; all processes over one database show the same.',
      type: 'gauge',
    },
    async () => {
      const found = await readErasures?.().catch(() => undefined);
      return found === undefined ? [] : [{ labels: {}, value: found.overdue }];
    },
  );
  show(
    registry,
    {
      name: 'ledgerstone_retention_removed_total',
      help: 'Records that retention rules have removed, by resource.',
      type: 'counter',
    },
    () => [...aged].map(([resource, value]) => ({ labels: { resource }, value })),
  );
  show(
    registry,
    {
      name: 'ledgerstone_erased_sent_again_total',
      help: 'Erased records that were sent again, and refused; all processes over one database show the same.',
      type: 'counter',
    },
    async () => [{ labels: {}, value: (await countSentAgain?.().catch(() => undefined)) ?? 0 }],
  );
  show(
    registry,
    {
      name: 'ledgerstone_erased_seen_again',
      help: 'Records with a phone number or an email address of an erased person, about which somebody has to decide; all processes over one database show the same.',
      type: 'gauge',
    },
    async () => {
      const value = await countSeenAgain?.().catch(() => undefined);
      return value === undefined ? [] : [{ labels: {}, value }];
    },
  );
  return {
    audit(read) {
      readAudit = read;
    },
    holds(count) {
      countHolds = count;
    },
    retention(resources, count) {
      for (const one of resources) aged.set(one, 0);
      countRules = count;
    },
    aged(resource) {
      aged.set(resource, (aged.get(resource) ?? 0) + 1);
    },
    journal(lag) {
      journalLag = lag;
    },
    erasures(read) {
      readErasures = read;
    },
    sentAgain(count) {
      countSentAgain = count;
    },
    seenAgain(count) {
      countSeenAgain = count;
    },
    expectations(count) {
      countStates = count;
    },
    moments(folders) {
      foldersOf = folders;
    },
    backups(last) {
      lastBackup = last;
    },
    size(measure) {
      measureStore = measure;
    },
    checkpointed: (durationMs) => seconds.observe(durationMs / MS_PER_SECOND),
  };
}

/** Builds the services on top of a store, in the order in which they need each other. */
import about from '../../package.json' with { type: 'json' };
import type { Settings } from '../core/config.ts';
import { EachAccount, type EachAccounts, type FailureWatch } from '../core/each-account.ts';
import type { StoredKey } from '../core/objects/api-key.ts';
import type { Log } from '../core/observe/log.ts';
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import { createOutbound } from '../core/outbound/outbound.ts';
import type { BackgroundPace } from '../core/pace.ts';
import { resources } from '../core/resources/index.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import { serveFeatures, servicesOf } from '../features/serves.ts';
import { createRegions } from '../records/auth/region.ts';
import { createProposals } from '../records/corrections/proposals.ts';
import { createIngest } from '../records/ingest/ingest.ts';
import { createQuery } from '../records/query/query.ts';
import { AUDIT } from '../services/audit/chain.ts';
import { type AuditRecorder, createAuditRecorder } from '../services/audit/recorder.ts';
import { createEmptying } from '../services/emptying.ts';
import { createErasureService } from '../services/erasures/erasures.ts';
import type { ErasureJournal } from '../services/erasures/journal.ts';
import { createSentAgain } from '../services/erasures/sent-again.ts';
import { startFollowing } from '../services/followers.ts';
import { createLocationSettings } from '../services/locations/settings.ts';
import { createFingerprints, IDENTIFIERS } from '../services/requests/fingerprints.ts';
import { createRecorder } from '../services/requests/recorder.ts';
import type { Served } from '../services/served.ts';
import { createSources } from '../services/sources/sources.ts';
import { endedBy } from '../services/staff/sessions.ts';
import { createMayRemove, createRemoving } from '../services/syncs/removing.ts';
import { createSyncs } from '../services/syncs/syncs.ts';
import { startUpkeep, type Task, type Upkeep, yielding } from '../services/upkeep.ts';
import { type BelievedClock, createBelievedTime } from '../store/believed-time.ts';
import type { Store } from '../store/promises/store.ts';
import { storeWorks } from '../store/promises/works.ts';
import { keyUses } from './key-uses.ts';

export interface ServicesParts {
  readonly settings: Settings;
  readonly sealer: Sealer | undefined;
  readonly journal: ErasureJournal;
  /** Whether this process does the work that only one of several on a machine should do. */
  readonly isFirst: boolean;
  readonly metrics: Metrics | undefined;
  readonly log: Log;
  readonly clock: BelievedClock;
  readonly pace: BackgroundPace;
  /** Closes what was built, the last one first. */
  readonly closing: AsyncDisposableStack;
}

/** The services that operations use, and what else the server and the app need. */
export type AllServices = Awaited<ReturnType<typeof createServices>>;

/** Starts their upkeep, too; features that work on their own are started by `start`. */
export async function createServices(store: Store, parts: ServicesParts) {
  const { settings, sealer, journal, isFirst, metrics, log, clock, pace, closing } = parts;
  const { now, machine } = clock;
  const audit = createAuditRecorder({
    book: store.audit,
    key: sealer?.derived(AUDIT)[0],
    now: machine,
    pace,
    requests: store.requests,
    head: log.auditHead,
    headsOfAll: isFirst,
    reads: settings.audit_reads === 'people',
    days: settings.audit_days,
    failed: (error) => log.warned('the audit was not written', error),
  });
  closing.defer(() => audit.close());
  const recorder = createRecorder({
    book: store.requests,
    now,
    pace,
    failed: (error) => log.warned('the log of requests was not written', error),
  });
  closing.defer(() => recorder.close());

  const watch: FailureWatch = {
    failed({ work, account, about, error, times }) {
      metrics?.accountFailed(work);
      if (times === 1) log.accountFailed(work, account, about, error);
    },
    ended: ({ work, account, about, times }) => log.accountResumed(work, account, about, times),
  };
  const each: EachAccounts = (work) => {
    metrics?.accountsWatched(work);
    return new EachAccount(work, watch, pace);
  };
  for (const work of Object.values(storeWorks)) metrics?.accountsWatched(work);
  journal.watched(each(journal.work));
  const sentAgain = createSentAgain(store, now, { each });
  const ingest = createIngest(store, {
    resources,
    now,
    observer: metrics,
    committed: (drafts, outcomes) => sentAgain.note(drafts, outcomes),
  });
  const query = createQuery(store, resources, { now, observer: metrics });
  const regions = createRegions(store, resources, now);

  const agent = `Ledgerstone/${about.version}`;
  const outbound = createOutbound({ allowed: settings.webhook_allow, agent });
  closing.defer(() => outbound.close());
  const readers = each('systems that read changes');
  const time = createBelievedTime(store, clock);
  const features = await serveFeatures({
    store,
    resources,
    now,
    isKeyed: sealer !== undefined,
    sealer,
    outbound,
    pace,
    each,
    figure: metrics?.figure,
    machine,
    trustsClock: () => time.holds(),
    knowsTime: clock.isSure,
    tests: [],
  });
  const served = Object.values<Served>(features);
  const serving = { regions, feed: query.feed, pace, log, notified: metrics?.notified };
  let following: readonly Upkeep[] = [];
  closing.defer(async () => {
    await Promise.all([...following, ...served].map((one) => one.close?.()));
  });

  const gently = yielding(5, 50);
  const erasures = createErasureService(store, {
    resources,
    sealer,
    journal,
    consumers: served.flatMap((one) => one.consumers ?? []),
    files: served.flatMap((one) => one.files ?? []),
    now,
    each,
    pauseMs: () => pace(gently()),
    backupKeepMs: settings.backup_to === undefined ? undefined : settings.backup_keep,
  });
  closing.defer(() => erasures.settled());
  const removing = createRemoving({
    store,
    resources,
    restoreRemoval: ingest.restoreRemoval,
    mayRemove: createMayRemove(store, regions),
    now,
  });
  const [anchor] = resources.flatMap((one) => (one.anchor ? [one.shape] : []));
  if (anchor === undefined) throw new TypeError('There are no locations.');
  const emptying = createEmptying(store, anchor);
  const ofFirst = [...served.flatMap((one) => one.jobs ?? []), erasures.looks];
  const jobs = [removing, ...(isFirst ? ofFirst : [])];
  const all = [removing, emptying, ...ofFirst, erasures.runs];
  for (const one of all) one.watched(each(one.kind));
  const kinds = all.map(({ kind }) => [kind, 0] as const);

  const tasks: readonly Task[] = [
    {
      async piece() {
        await journal.sync();
        return erasures.resume();
      },
      failure: 'an erasure did not go on',
    },
    {
      piece: () => emptying.resume(),
      failure: 'an account was not emptied further; it is tried again',
    },
    ...jobs.map((one) => ({
      piece: () => one.resume(),
      failure: `a job did not go on: ${one.kind}; it is tried again`,
      times: { everyMs: 1_000, afterMs: 1_000 },
    })),
    {
      async piece() {
        const { followers } = query.feed;
        const read = Map.groupBy(followers.takeRead(now()), ({ account }) => account);
        try {
          await readers.through(
            [...read],
            ([account]) => account,
            async ([account, some]) => {
              await store.erasureNotes.follow(some);
              read.delete(account);
            },
          );
        } finally {
          followers.putBack([...read.values()].flat());
        }
        await sentAgain.flush();
        await erasures.consumers.look();
        return false;
      },
      failure: 'the systems that erasures were announced to were not noted; trying again',
      times: { everyMs: 5_000 },
    },
    {
      piece: async () => (await store.learn?.()) ?? false,
      failure: 'the database server has not learned of tables that have grown; it is tried again',
      times: { afterMs: 1_000 },
    },
    {
      piece: () => store.search.feed(watch),
      failure: 'the search index was not updated',
      // Upkeep takes a third of the time while there is more to do; hardly any while requests take all of it, until the
      // index is late; and none while the service starts.
      times: { everyMs: 500, pauseMs: yielding(50, 2_000, { patienceMs: 30_000 }), afterMs: 3_000 },
    },
  ];
  const timed: readonly Task[] = [
    ...removingOld(store, audit, now, watch),
    ...served.flatMap(({ upkeep = [] }) => upkeep),
    {
      piece: async () => void (await audit.addReads()),
      failure: 'what keys have read was not added to the audit; it is tried again',
      times: { afterMs: 30_000, everyMs: 60_000 },
    },
  ];
  // Those only work while the clock can be trusted.
  const trusting = timed.map((task) => ({
    ...task,
    piece: async () => (await time.holds()) && task.piece(),
  }));
  const upkeep = [...tasks, ...trusting].map(({ piece, failure, times }) =>
    startUpkeep(piece, (error) => log.warned(failure, error), times, pace),
  );
  closing.defer(async () => void (await Promise.all(upkeep.map((one) => one.close()))));
  for (const one of [...jobs, emptying, erasures.runs]) closing.defer(() => one.close());
  metrics?.show({
    backup_checked_timestamp_seconds: async () => (await store.backups.last())?.taken_at,
    erasure_journal_lag_seconds: () => journal.lag,
    audit_unwritten: () => audit.figures().unwritten,
    audit_head_timestamp_seconds: () => audit.figures().head?.time,
    jobs: async () =>
      [...kinds, ...(await store.jobs.summary())].map(([kind, count]) => [kind, count]),
    job_stalled_seconds: async () => [
      ...kinds,
      ...(await store.jobs.summary()).map(([kind, , ms]) => [kind, ms] as const),
    ],
    erasures: async () => (await store.erasures.summary()).statuses,
    erasures_overdue: async () => (await store.erasures.summary()).overdue,
    erased_sent_again_total: () => store.erasureNotes.sentAgain(),
  });

  return {
    ...servicesOf(features),
    ...query,
    audit,
    ingest,
    outbound,
    query,
    recorder,
    regions,
    keyUses: (keys: readonly StoredKey[]) => keyUses(served, keys),
    many: ingest.many,
    start(): void {
      for (const one of served) one.start?.(serving);
      const shapes = resources.map(({ shape }) => shape);
      following = served.flatMap(({ follows }) =>
        follows ? [startFollowing({ store, shapes, each }, follows, serving)] : [],
      );
    },
    decide: ingest.decide,
    erasures,
    locationSettings: createLocationSettings(store, resources),
    fingerprints: sealer && createFingerprints(sealer.derived(IDENTIFIERS)),
    proposals: createProposals(store, resources, query.reads),
    requests: store.requests,
    restoreRemoval: ingest.restoreRemoval,
    sources: createSources(store),
    store,
    syncs: createSyncs({ store, resources, removing, now }),
  };
}

function removingOld(
  store: Store,
  audit: Pick<AuditRecorder, 'purge'>,
  now: () => number,
  watch: FailureWatch,
) {
  return Object.entries<Task['piece']>({
    'expired receipts': () => store.purgeReceipts(),
    'old changes': () => store.log.sweep(watch),
    'ended sessions': async () => void (await store.staff.purge(endedBy(now()))),
    'old jobs': () => store.jobs.purge(),
    'old syncs': () => store.syncs.purge(),
    'old requests': () => store.requests.purge(),
    'old erasures': () => store.erasures.purge(),
    'old entries of the audit': () => audit.purge(),
  }).map(([what, piece]) => ({ piece, failure: `${what} were not removed` }));
}

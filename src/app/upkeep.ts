/** All periodic maintenance of a store while it is served. */
import type { Log } from '../core/observe/log.ts';
import type { BackgroundPace } from '../core/pace.ts';
import type { AuditRecorder } from '../services/audit/recorder.ts';
import type { ErasureDesk } from '../services/erasures/erasures.ts';
import type { ErasureJournal } from '../services/erasures/journal.ts';
import type { HoldDesk } from '../services/holds/holds.ts';
import type { UndoingImports } from '../services/import/undoing.ts';
import type { Resuming } from '../services/resuming.ts';
import type { RetentionWork } from '../services/retention/work.ts';
import { endedBy } from '../services/staff/sessions.ts';
import { startUpkeep, type Upkeep, type UpkeepTimes, yielding } from '../services/upkeep.ts';
import type { BelievedTime } from '../store/believed-time.ts';
import type { SyncName } from '../store/promises/account-book.ts';
import type { Store } from '../store/promises/store.ts';

interface Task {
  /** Does a piece of the work, and returns whether there may be more, after how many pauses. */
  readonly piece: () => Promise<boolean | number>;
  /** The message that is logged on failure. */
  readonly failure: string;
  readonly times?: UpkeepTimes;
}

export interface UpkeepParts {
  readonly audit: Pick<AuditRecorder, 'addReads' | 'purge'>;
  /** Seals some of the log of changes. */
  readonly erasures: Pick<ErasureDesk, 'look' | 'resume'>;
  /** `undefined`: another process does it. */
  readonly holds: Pick<HoldDesk, 'lapse'>;
  readonly removing: Pick<Resuming<SyncName>, 'resume'>;
  readonly undoing: Pick<UndoingImports, 'resume'>;
  readonly aging: Pick<RetentionWork, 'piece'>;
  readonly journal: Pick<ErasureJournal, 'sync'>;
  /** Notes and looks who was told of erasures. */
  readonly told: () => Promise<void>;
  /** Whether anything may be removed for its age. */
  readonly time: Pick<BelievedTime, 'holds'>;
  readonly now: () => number;
  readonly pace: BackgroundPace;
  readonly log: Log;
  /** Looks whether what is expected of sources has come. */
  readonly watch: () => Promise<boolean>;
}

export function startAllUpkeep(store: Store, parts: UpkeepParts): Upkeep {
  const { audit, erasures, told, journal, holds, now, pace, log, watch } = parts;
  const { removing: syncs, undoing, aging, time } = parts;
  /** Deletes expired data. */
  const removing: readonly Task[] = [
    { piece: () => store.purgeReceipts(), failure: 'expired receipts were not removed' },
    { piece: () => store.log.sweep(), failure: 'old changes were not removed' },
    {
      piece: async () => {
        await store.staff.purge(endedBy(now()));
        return false;
      },
      failure: 'ended sessions were not removed',
    },
    { piece: () => store.webhooks.purge(), failure: 'old webhook deliveries were not removed' },
    {
      piece: () => store.imports.purge(),
      failure: 'old rejected rows of imports were not removed',
    },
    { piece: () => store.syncs.purge(), failure: 'old syncs were not removed' },
    { piece: () => store.requests.purge(), failure: 'old requests were not removed' },
    { piece: () => store.erasures.purge(), failure: 'old erasures were not removed' },
    {
      piece: () => store.retention.purge(now()),
      failure: 'old reports of retention rules were not removed',
    },
    { piece: () => audit.purge(), failure: 'old entries of the audit were not removed' },
  ];
  const tasks: readonly Task[] = [
    ...removing.map((task) => ({
      ...task,
      piece: async () => (await time.holds()) && task.piece(),
    })),
    {
      piece: async () => (await time.holds()) && holds.lapse(),
      failure: 'holds whose time has passed were not ended',
    },
    {
      piece: async () => {
        await journal.sync();
        return erasures.resume();
      },
      failure: 'an erasure did not go on',
    },
    { piece: () => syncs.resume(), failure: 'the removals of a sync did not go on' },
    { piece: () => undoing.resume(), failure: 'the undoing of an import did not go on' },
    {
      piece: () => aging.piece(),
      failure: 'a retention rule did not go on; it is tried again',
      // No more than 200 records a second, so that webhooks keep up: for each it waits once. Fewer where requests need the
      // time.
      times: { everyMs: 1_000, pauseMs: yielding(5, 200), afterMs: 1_000 },
    },
    {
      piece: () => erasures.look(),
      failure: 'a person was not looked for everywhere; it goes on within a second',
      times: { everyMs: 1_000, pauseMs: yielding(5, 50), afterMs: 1_000 },
    },
    {
      piece: async () => {
        await told();
        return false;
      },
      failure: 'it was not noted who was told of erasures; it is tried again',
      times: { everyMs: 5_000 },
    },
    {
      piece: async () => {
        if (await time.holds()) await watch();
        return false;
      },
      failure: 'it was not looked whether sources are silent; it is tried again within a minute',
      times: { afterMs: 3_000 },
    },
    {
      piece: async () => {
        if (await time.holds()) await audit.addReads();
        return false;
      },
      failure: 'what keys have read was not added to the audit; it is tried again',
      times: { afterMs: 30_000, everyMs: 60_000 },
    },
    {
      piece: () => store.search.feed(),
      failure: 'the search index was not updated',
      // Upkeep takes a third of the time while there is more to do, hardly any while requests take all of it, and none
      // while the service starts.
      times: { everyMs: 500, pauseMs: yielding(50, 2_000), afterMs: 3_000 },
    },
  ];
  const running = tasks.map(({ piece, failure, times }) =>
    startUpkeep(piece, (error) => log.warned(failure, error), times, pace),
  );
  return {
    async close() {
      await Promise.all(running.map((each) => each.close()));
    },
  };
}

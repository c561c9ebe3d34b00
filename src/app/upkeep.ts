/** Periodic maintenance of a store while it is served. */
import type { Log } from '../core/observe/log.ts';
import type { BackgroundPace } from '../core/pace.ts';
import type { AuditRecorder } from '../services/audit/recorder.ts';
import { endedBy } from '../services/staff/sessions.ts';
import { startUpkeep, type Task, type Upkeep } from '../services/upkeep.ts';
import type { BelievedTime } from '../store/believed-time.ts';
import type { Store } from '../store/promises/store.ts';

export function removingOld(
  store: Store,
  audit: Pick<AuditRecorder, 'purge'>,
  now: () => number,
): readonly Task[] {
  return Object.entries<Task['piece']>({
    'expired receipts': () => store.purgeReceipts(),
    'old changes': () => store.log.sweep(),
    'ended sessions': async () => void (await store.staff.purge(endedBy(now()))),
    'old webhook deliveries': () => store.webhooks.purge(),
    'old jobs': () => store.jobs.purge(),
    'old rejected rows of imports': () => store.imports.purge(),
    'old syncs': () => store.syncs.purge(),
    'old requests': () => store.requests.purge(),
    'old erasures': () => store.erasures.purge(),
    'old entries of the audit': () => audit.purge(),
  }).map(([what, piece]) => ({ piece, failure: `${what} were not removed` }));
}

/** Starts tasks; those that are `timed` only work while the clock can be trusted. */
export function startAllUpkeep(
  { tasks, timed }: Readonly<Record<'tasks' | 'timed', readonly Task[]>>,
  time: Pick<BelievedTime, 'holds'>,
  { log, pace }: { readonly log: Pick<Log, 'warned'>; readonly pace: BackgroundPace },
): Upkeep {
  const trusting = timed.map((task) => ({
    ...task,
    piece: async () => (await time.holds()) && task.piece(),
  }));
  const running = [...tasks, ...trusting].map(({ piece, failure, times }) =>
    startUpkeep(piece, (error) => log.warned(failure, error), times, pace),
  );
  return { close: async () => void (await Promise.all(running.map((each) => each.close()))) };
}

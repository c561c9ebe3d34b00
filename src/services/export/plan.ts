/** Plans an export: for each account everything, or the changes since another export. */
import type { ChangeLog, ChangeMark } from '../../store/promises/log.ts';
import type { Snapshot } from '../../store/promises/snapshot.ts';
import type { Store } from '../../store/promises/store.ts';
import { changesIn, type Stretch } from './changed.ts';
import type { ExportState } from './state.ts';

export interface ExportPlan {
  readonly snapshot: Snapshot;
  /** Accounts of which all records are read. */
  readonly whole: readonly string[];
  /** Accounts of which only changes are read. */
  readonly stretches: readonly Stretch[];
  /** Accounts of `whole` whose log no longer goes back to the state. */
  readonly restarted: readonly string[];
  /** Where the next export continues. */
  readonly reached: ExportState;
}

/** Plans to read the whole snapshot. */
export async function planWhole(
  store: Pick<Store, 'snapshot'>,
  accounts: readonly string[],
): Promise<ExportPlan> {
  const snapshot = await store.snapshot();
  return { snapshot, whole: accounts, stretches: [], restarted: [], reached: new Map() };
}

/** Plans to read the changes since the state; accounts that it does not have are read whole. */
export async function planSince(
  store: Pick<Store, 'snapshot' | 'log'>,
  accounts: readonly string[],
  state: ExportState,
): Promise<ExportPlan> {
  const { log } = store;
  // Read before the snapshot, so that few changes are between them and it.
  const lasts = new Map<string, ChangeMark | undefined>();
  for (const account of accounts) lasts.set(account, await log.last(account));
  const snapshot = await store.snapshot();
  const committed = await committedIn(snapshot);
  const whole: string[] = [];
  const stretches: Stretch[] = [];
  const restarted: string[] = [];
  const reached = new Map<string, ChangeMark | undefined>();
  for (const account of accounts) {
    const until = committed.get(account) ?? 0;
    const after = state.get(account);
    const isKept = after !== undefined && (await isThere(log, account, after));
    if (isKept) stretches.push({ account, after, until });
    else whole.push(account);
    if (after !== undefined && !isKept) restarted.push(account);
    reached.set(account, await lastIn(log, { account, after: lasts.get(account), until }));
  }
  return { snapshot, whole, stretches, restarted, reached };
}

/** The position of the last commit of each account. */
async function committedIn(snapshot: Snapshot): Promise<ReadonlyMap<string, number>> {
  const committed = new Map<string, number>();
  for await (const batch of snapshot.accounts()) {
    for (const one of batch) committed.set(one.unique_identifier, one.committed);
  }
  return committed;
}

async function isThere(log: ChangeLog, account: string, after: ChangeMark): Promise<boolean> {
  return typeof (await log.read({ account, after, limit: 1, bytes: 0 })) !== 'string';
}

async function lastIn(log: ChangeLog, stretch: Stretch): Promise<ChangeMark | undefined> {
  let last = stretch.after;
  for await (const changes of changesIn(log, stretch)) last = changes.at(-1) ?? last;
  return last;
}

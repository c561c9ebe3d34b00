/**
 * Empties an account, or removes it with everything that belongs to it, step by step between the commits of others. The
 * account is closed meanwhile, and the store notes its state afterwards, so that the same call continues after a crash.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordShape } from '../core/schema/shape.ts';
import type { AccountBook, EmptyingResult, ReportProgress } from './promises/account-book.ts';
import type { Store } from './promises/store.ts';

/** The length of a pause, as a multiple of the step before it. */
const PAUSE = 2;
const LEAST_PAUSE_MS = 10;
const MOST_PAUSE_MS = 500;

/** `undefined` where the account does not exist. */
export async function emptied(
  accounts: Pick<AccountBook, 'beginEmptying' | 'emptySome'>,
  account: string,
  isRemoved: boolean,
  progress: ReportProgress = () => undefined,
): Promise<EmptyingResult | undefined> {
  if (!(await accounts.beginEmptying(account, isRemoved))) return undefined;
  const removed = new Map<string, number>();
  let records = 0;
  for (;;) {
    const began = performance.now();
    const piece = await accounts.emptySome(account);
    for (const [resource, count] of piece.removed) {
      removed.set(resource, (removed.get(resource) ?? 0) + count);
      records += count;
    }
    progress(records);
    if (!piece.more) return { removed };
    const took = performance.now() - began;
    await pause(Math.min(Math.max(took * PAUSE, LEAST_PAUSE_MS), MOST_PAUSE_MS));
  }
}

/** Removes an account. `anchor` is the resource that keys and people can be limited to. */
export async function removeAccount(
  store: Pick<Store, 'accounts' | 'keys' | 'staff' | 'findAll'>,
  anchor: RecordShape,
  account: string,
  progress?: ReportProgress,
): Promise<EmptyingResult | undefined> {
  if (!(await store.accounts.beginEmptying(account, true))) return undefined;
  const { keys, staff } = store;
  /** The rest of a scope without the account; `undefined`: nothing is left. */
  const without = async (scope: {
    readonly accounts: readonly string[];
    readonly anchors: readonly string[] | null;
    readonly region: string | null;
  }) => {
    const accounts = scope.accounts.filter((one) => one !== account);
    if (accounts.length === 0) return undefined;
    if (scope.anchors === null || scope.region !== null)
      return { accounts, anchors: scope.anchors };
    const within = { accounts: new Set(accounts), anchors: undefined };
    const found = await store.findAll(anchor, scope.anchors, within);
    const anchors = found.map(({ unique_identifier }) => unique_identifier);
    return anchors.length === 0 ? undefined : { accounts, anchors };
  };
  for (const key of await keys.list()) {
    if (key.accounts.includes(account)) await keys.limit(key.unique_identifier, await without(key));
  }
  for (const member of await staff.list()) {
    if (!member.accounts.includes(account)) continue;
    const left = await without(member);
    if (left === undefined) await staff.remove(member.unique_identifier);
    else await staff.grant(member.unique_identifier, { ...member, ...left });
  }
  return emptied(store.accounts, account, true, progress);
}

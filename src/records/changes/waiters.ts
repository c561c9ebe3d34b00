/**
 * Notifies waiting requests when their account has a new commit: one query for all of them, and none while none wait.
 */
import type { ChangeLog } from '../../store/promises/log.ts';

/** The pauses between queries: short after a commit, then longer and longer. */
const SOONEST_MS = 50;
const LATEST_MS = 500;

interface Waiter {
  /** The position after which to notify. */
  readonly beyond: number;
  readonly notify: (position: number) => void;
}

export function createWaiters(log: Pick<ChangeLog, 'positions'>) {
  const byAccount = new Map<string, Set<Waiter>>();
  let pause = SOONEST_MS;
  let isDue = false;

  /** A new waiter does not delay a query that is due. */
  const lookLater = (): void => {
    if (!isDue) setTimeout(() => void look(), pause);
    isDue = true;
  };

  const look = async (): Promise<void> => {
    const began = performance.now();
    let notified = false;
    try {
      for (const [account, position] of await log.positions([...byAccount.keys()]))
        for (const { beyond, notify } of [...(byAccount.get(account) ?? [])]) {
          if (position <= beyond) continue;
          notify(position);
          notified = true;
        }
    } catch {
      // Waiters continue to wait, and learn from their next read that the store is unreachable.
    }
    // If a query takes long, there are fewer.
    const least = Math.max(SOONEST_MS, 20 * (performance.now() - began));
    pause = Math.min(notified ? least : Math.max(2 * pause, least), LATEST_MS);
    isDue = false;
    if (byAccount.size > 0) lookLater();
  };

  /** The position of the last commit of an account once it is beyond `beyond`; `beyond` itself after `ms` milliseconds. */
  return (account: string, beyond: number, ms: number): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const waiting = byAccount.getOrInsertComputed(account, () => new Set());
    const waiter: Waiter = {
      beyond,
      notify(position) {
        clearTimeout(late);
        waiting.delete(waiter);
        if (waiting.size === 0 && byAccount.get(account) === waiting) byAccount.delete(account);
        resolve(position);
      },
    };
    const late = setTimeout(() => waiter.notify(beyond), ms);
    waiting.add(waiter);
    lookLater();
    return promise;
  };
}

/** Clients that follow the log of changes: they wait for commits, and how far they are is known. */
import type { FollowingKey } from '../../store/books/erasing/notes.ts';
import type { ChangeLog } from '../../store/promises/log.ts';

/** The pauses between queries: short after a commit, then longer and longer. */
const SOONEST_MS = 50;
const LATEST_MS = 500;

interface Waiter {
  /** The position after which to notify. */
  readonly beyond: number;
  readonly notify: (position: number) => void;
}

/** Notifies waiting requests when their account has a new commit: one query for all of them, and none while none wait. */
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

/** Keys that are remembered until they are taken; more are not. */
const MAX_READ = 10_000;

interface Follower {
  /** Notes the time of the oldest change that is being sent; `undefined`: the follower has all changes. */
  behind(since: number | undefined): void;
  leave(): void;
}

/** Counts clients that follow now and how far behind they are; remembers how far each key has read. */
export function createFollowers() {
  const sinceOf = new Map<Follower, number | undefined>();
  let readBy = new Map<string, Omit<FollowingKey, 'at'>>();
  return {
    join(): Follower {
      const follower: Follower = {
        behind(since) {
          if (sinceOf.has(follower)) sinceOf.set(follower, since);
        },
        leave: () => void sinceOf.delete(follower),
      };
      sinceOf.set(follower, undefined);
      return follower;
    },
    /** Notes the change after which a key reads. */
    reads(read: Omit<FollowingKey, 'at'>): void {
      const name = `${read.account} ${read.key}`;
      if (readBy.size < MAX_READ || readBy.has(name)) readBy.set(name, read);
    },
    /** How far keys have read that have read since this was last called. */
    takeRead(at: number): readonly FollowingKey[] {
      const read = Array.from(readBy.values(), (one) => ({ ...one, at }));
      readBy = new Map();
      return read;
    },
    /** `since`: the time of the oldest change that some follower has not received yet. */
    get now(): { readonly count: number; readonly since: number | undefined } {
      const times = [...sinceOf.values()].filter((one) => one !== undefined);
      return { count: sinceOf.size, since: times.sort((a, b) => a - b)[0] };
    },
  };
}

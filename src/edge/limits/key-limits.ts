/** The limits of all keys that have any. Processes that share a port report to each other how much of its rate a key has used. */
import type { Principal } from '../../records/auth/principal.ts';
import { KeyLimit } from './key-limit.ts';

/** Beyond this many, those in their initial state are forgotten. */
const MANY = 1_000;

/** How often. In between, each of them may let a burst through; what is too much is paid back before the next one. */
const REPORT_MS = 100;

/** The requests of a key that one process has let through. */
export interface Spent {
  readonly key: string;
  readonly rate: number | undefined;
  readonly concurrent: number | undefined;
  readonly count: number;
}

/** The way to the other processes, and from them. */
export interface SpentExchange {
  send(spent: readonly Spent[]): void;
  /** To be called once: `take` gets what others send. */
  receive(take: (spent: readonly Spent[]) => void): void;
}

/** `rate` is for keys that have none of their own, in requests a second; `undefined`: they have no limit. */
export function createKeyLimits(
  rate: number | undefined,
  exchange?: SpentExchange,
  clock: Pick<Performance, 'now'> = performance,
) {
  const limits = new Map<string, KeyLimit>();
  let enough = MANY;

  const forget = (): void => {
    const now = clock.now();
    for (const [key, limit] of limits) if (limit.isIdle(now)) limits.delete(key);
    enough = Math.max(MANY, 2 * limits.size);
  };

  const report = (): void => {
    const spent = Array.from(limits, ([key, limit]): Spent => {
      return { key, ...limit.limits, count: limit.takeSpent() };
    }).filter(({ count }) => count > 0);
    if (spent.length > 0) exchange?.send(spent);
  };
  if (exchange !== undefined) setInterval(report, REPORT_MS).unref();

  const all = {
    /** The limit of a key; `undefined` where nothing limits it. */
    of(principal: Pick<Principal, 'key' | 'rate' | 'concurrent'>): KeyLimit | undefined {
      const own = principal.rate ?? rate;
      const { concurrent } = principal;
      if (own === undefined && concurrent === undefined) return undefined;
      const known = limits.get(principal.key);
      if (
        known !== undefined &&
        known.limits.rate === own &&
        known.limits.concurrent === concurrent
      )
        return known;
      if (limits.size >= enough) forget();
      const limit = new KeyLimit({ rate: own, concurrent }, clock.now());
      limits.set(principal.key, limit);
      return limit;
    },
  };
  exchange?.receive((spent) => {
    for (const { count, ...of } of spent) all.of(of)?.takenElsewhere(count, clock.now());
  });
  return all;
}

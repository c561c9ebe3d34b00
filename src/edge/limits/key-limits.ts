/** The limits of all keys that have any. Processes that share a port report each key's usage to each other. */
import type { Principal } from '../../records/auth/principal.ts';
import { KeyLimit } from './key-limit.ts';

/** The number of limits beyond which those in their initial state are dropped. */
const MANY = 1_000;

/** How often processes report. In between, each may let a burst through, whose excess counts against the next. */
const REPORT_MS = 100;

/** The requests of a key that one process has let through. */
export interface Spent {
  readonly key: string;
  readonly rate: number | undefined;
  readonly concurrent: number | undefined;
  readonly count: number;
}

/** The channel to and from the other processes. */
export interface SpentExchange {
  send(spent: readonly Spent[]): void;
  /** Subscribes, once: `take` gets the reports of other processes. */
  receive(take: (spent: readonly Spent[]) => void): void;
}

/** Creates the limits. `rate`, in requests a second, is for keys without one; `undefined` for no limit. */
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
    /** Returns the limit of a key; `undefined` if it has none. */
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

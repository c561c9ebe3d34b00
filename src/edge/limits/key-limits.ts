/** The limits of all keys that have any, in this process alone. */
import type { Principal } from '../../records/auth/principal.ts';
import { KeyLimit } from './key-limit.ts';

/** Beyond this many, those in their initial state are forgotten. */
const MANY = 1_000;

export interface KeyLimits {
  /** `undefined` where nothing limits the key. */
  of(principal: Principal): KeyLimit | undefined;
}

/** `rate` is for keys that have none of their own, in requests a second; `undefined`: they have no limit. */
export function createKeyLimits(
  rate: number | undefined,
  clock: Pick<Performance, 'now'> = performance,
): KeyLimits {
  const limits = new Map<string, KeyLimit>();
  let enough = MANY;

  const forget = (): void => {
    const now = clock.now();
    for (const [key, limit] of limits) if (limit.isIdle(now)) limits.delete(key);
    enough = Math.max(MANY, 2 * limits.size);
  };

  return {
    of(principal) {
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
}

/** Looks names up by the system, as `/etc/hosts` and its other sources have it, round-robin by group of callers. */
import type { LookupAddress } from 'node:dns';
import { lookUpName } from '../aside/names.ts';
import { BoundedMap } from '../bounded.ts';
import { FairSlots } from '../fair/slots.ts';

/** All addresses of a name. */
export type LookUp = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * Nothing interrupts the system while a name's server takes its time, in threads of which there are few. Callers have
 * these, and one group never has both.
 */
const SLOTS = { slots: 2, ofGroup: 1 };
/**
 * Names that take longer are looked up one at a time, round-robin by group, each in a slot of its group: the other slot
 * stays with the names that are quick. A group with a slow name is slow itself: so are all of its names that have not
 * been looked up yet.
 */
const SLOW_MS = 1_000;
const REMEMBERED_MS = { name: 60_000, group: 600_000 };
const MAX_REMEMBERED = 2_000;

/** A look-up of a group, for all of its requests that need the name. */
interface Shared {
  readonly found: Promise<readonly LookupAddress[]>;
  readonly left: AbortController;
  requests: number;
  isRunning: boolean;
}

/** Notes whether names, or groups, were slow: at least the latest thousand, each for a time. */
function createSpeeds(ms: number, elapsed: () => number) {
  const known = new BoundedMap<string, { readonly isSlow: boolean; readonly until: number }>(
    MAX_REMEMBERED,
  );
  return {
    note(name: string, isSlow: boolean): void {
      known.set(name, { isSlow, until: elapsed() + ms });
    },
    /** `undefined` where it is not known, or not any more. */
    isSlow(name: string): boolean | undefined {
      const found = known.get(name);
      return found !== undefined && found.until > elapsed() ? found.isSlow : undefined;
    },
  };
}

/** `elapsed` gives the milliseconds that pass, by which a look-up is slow. */
export function createNameLookups(
  lookUp: LookUp = lookUpName,
  elapsed: () => number = () => performance.now(),
) {
  const slots = new FairSlots(SLOTS);
  const slowSlots = new FairSlots({ slots: 1, ofGroup: 1 });
  const lookups = new Map<string, Shared>();
  const names = createSpeeds(REMEMBERED_MS.name, elapsed);
  const slowGroups = createSpeeds(REMEMBERED_MS.group, elapsed);

  const timed = async (name: string, group: string): Promise<readonly LookupAddress[]> => {
    const began = elapsed();
    try {
      return await lookUp(name);
    } finally {
      const isSlow = elapsed() - began > SLOW_MS;
      names.note(name, isSlow);
      if (isSlow) slowGroups.note(group, true);
    }
  };

  const begin = (key: string, name: string, group: string): Shared => {
    const left = new AbortController();
    const work = (): Promise<readonly LookupAddress[]> => {
      shared.isRunning = true;
      return timed(name, group).finally(() => lookups.delete(key));
    };
    const inSlot = () => slots.run(group, work, left.signal);
    const { promise: found, resolve } = Promise.withResolvers<readonly LookupAddress[]>();
    const shared: Shared = { found, left, requests: 0, isRunning: false };
    lookups.set(key, shared);
    const isSlow = names.isSlow(name) ?? slowGroups.isSlow(group);
    resolve(isSlow ? slowSlots.run(group, inSlot, left.signal) : inSlot());
    // The requests that are left, if any, are notified.
    found.catch(() => {});
    return shared;
  };

  /** Throws the system's error, and the signal's reason; a look-up whose callers are all gone leaves its queue. */
  return async (name: string, group: string, signal: AbortSignal) => {
    signal.throwIfAborted();
    const key = `${group} ${name}`;
    const shared = lookups.get(key) ?? begin(key, name, group);
    shared.requests += 1;
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const leave = (): void => {
      reject(signal.reason);
      shared.requests -= 1;
      if (shared.requests > 0 || shared.isRunning) return;
      lookups.delete(key);
      shared.left.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([shared.found, ended]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}

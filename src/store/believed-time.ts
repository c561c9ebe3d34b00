/**
 * The time by which stored times are judged: what is due, over, silent or old enough to go. A machine that starts with a
 * wrong clock, or whose clock jumps, gets the right time a little later, and by then nothing may have ended for good. So
 * a process whose clock jumps ahead goes on from the time that it believed; one that starts ahead of what the store has
 * seen cannot know whether the store was not served for so long: it has the machine's time, and ends nothing. After an
 * hour the clock is believed. What is only written down, such as when a record was made, has the machine's time.
 */
import { uptime } from 'node:os';

const CHECK_EVERY_MS = 15_000;
const SAVE_EVERY_MS = 3_600_000;
/** A clock that is ahead by nearly a day: a service that was stopped overnight is believed. */
export const AHEAD_MS = 23 * 3_600_000;
const PROVEN_MS = 3_600_000;
/** A clock that is behind by more than a correction of its drift. */
const BEHIND_MS = 3_600_000;
/** A jump of the clock after which it is looked at again at once. */
const JUMP_MS = 60_000;

/** The clocks of a machine. */
export interface Clocks {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that pass whatever becomes of the clock. */
  elapsed(): number;
}

export type BelievedClock = ReturnType<typeof createBelievedClock>;

/** Calls `doubted` with the time that is believed, once when the clock is found ahead of it, or more than an hour behind. */
export function createBelievedClock(
  { now: machine, elapsed }: Clocks,
  doubted: (believed: number) => void,
) {
  /** A time that was believed, and `elapsed` by then. */
  let anchor: { readonly time: number; readonly at: number } | undefined;
  /** How far the clock is from what is believed, and since when. */
  let off: { readonly by: number; readonly since: number } | undefined;
  /** Whether the clock has been believed since this process began. */
  let wasBelieved = false;
  let lastSeen: number | undefined;

  const expected = (at: number): number | undefined => anchor && anchor.time + at - anchor.at;

  /** Before anything is known, the clock is believed. One that is behind is followed: then nothing is over too early. */
  function now(): number {
    const [time, at] = [machine(), elapsed()];
    const believed = expected(at) ?? time;
    const by = time - believed;
    if (by <= AHEAD_MS && by >= -BEHIND_MS) off = undefined;
    else if (off === undefined || Math.abs(by - off.by) > BEHIND_MS) {
      if (off === undefined || off.by > 0 !== by > 0) doubted(believed);
      off = { by, since: at };
    }
    if (off !== undefined && at - off.since < PROVEN_MS)
      return wasBelieved ? Math.min(time, believed) : time;
    off = undefined;
    if (anchor !== undefined) [anchor, wasBelieved] = [{ time, at }, true];
    return time;
  }

  return {
    now,
    /** The clock of the machine, for what is only written down. */
    machine,
    elapsed,
    /** Learns the latest time that the store has seen; `undefined`: none. */
    learn(seen: number | undefined): void {
      const at = elapsed();
      const known = expected(at);
      if (seen !== undefined && seen !== lastSeen && (known === undefined || seen > known))
        anchor = { time: seen, at };
      anchor ??= { time: machine(), at };
      lastSeen = seen;
    },
    /** Whether the clock is not ahead of what is believed. */
    isNotAhead(): boolean {
      now();
      return off === undefined || off.by < 0;
    },
    /** Whether the clock is believed, so that a stored time beyond what can be set now is known to be wrong. */
    isSure(): boolean {
      now();
      return off === undefined;
    },
  };
}

/** The times that the store has seen. */
interface SeenTime {
  seenTime(): Promise<number | undefined>;
  noteTime(at: number): Promise<void>;
}

/** Looks at the store from time to time, and saves in it what is believed. */
export function createBelievedTime(store: SeenTime, clock: BelievedClock) {
  const { machine, elapsed } = clock;
  let lookAt = Number.NEGATIVE_INFINITY;
  /** How far the clock was from `elapsed` when it was looked at. */
  let apart = 0;
  let noteAt = Number.NEGATIVE_INFINITY;
  let last: Promise<boolean> | undefined;

  async function look(at: number): Promise<boolean> {
    clock.learn(await store.seenTime());
    if (!clock.isNotAhead()) {
      noteAt = Number.NEGATIVE_INFINITY;
      return false;
    }
    if (at < noteAt) return true;
    await store.noteTime(clock.now());
    noteAt = at + SAVE_EVERY_MS;
    return true;
  }

  return {
    /** Whether anything may be removed for its age. */
    holds(): Promise<boolean> {
      const at = elapsed();
      const jump = Math.abs(machine() - at - apart);
      if (last !== undefined && at < lookAt && jump < JUMP_MS) return last;
      lookAt = at + CHECK_EVERY_MS;
      apart = machine() - at;
      last = look(at).catch((error: unknown) => {
        last = undefined;
        throw error;
      });
      return last;
    },
  };
}

/** Milliseconds that pass whatever becomes of the clock, also while the machine sleeps. */
export function createElapsed(): () => number {
  const apartOf = (other: number): number => other - performance.now();
  const begun = apartOf(uptime() * 1_000);
  let [apart, slept] = [apartOf(Date.now()), 0];
  return () => {
    const is = apartOf(Date.now());
    if (Math.abs(is - apart) >= JUMP_MS)
      [apart, slept] = [is, Math.max(slept, apartOf(uptime() * 1_000) - begun)];
    return performance.now() + slept;
  };
}

/** The time by which a process that only now looks at the store judges what is old: little after what that has seen. */
export function notAheadOf(seen: number | undefined, now: number): number {
  return seen === undefined ? now : Math.min(now, seen + AHEAD_MS);
}

/**
 * Whether a wait is over that lasts no longer than `longest`. One that would last longer was begun by a clock that was
 * ahead, and is none.
 */
export function isOver(until: number, now: number, longest: number): boolean {
  return until <= now || until > now + longest + BEHIND_MS;
}

/** Writes the rule as SQL, for leases of `ms`: `now` is the clock of the store, which all processes share. */
export function isFree(until: string, now: string, ms: number): string {
  return `(${until} NOT BETWEEN ${now} + 1 AND ${now} + ${2 * ms})`;
}

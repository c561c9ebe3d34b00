/** Slows down guessing of passwords: waits that double for an email, and a limit for a network. Kept in this process. */
import { ApiError } from '../errors.ts';

/** From this failure on, the next try for that email waits, at first a second. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** After this long without a failure, those for an email are forgotten. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

const NETWORK_FAILURES = 30;
const NETWORK_MS = 15 * 60_000;

/** How many emails, and networks, are remembered; the one that has been quiet longest is forgotten first. */
const MAX_REMEMBERED = 10_000;

export interface Guessing {
  /**
   * Counts a try for that email, from that network, as one that failed. Throws
   * `sign_in_limited` while such a try must wait, and does not count it.
   */
  begin(email: string, network: string): void;
  /** It did not fail. */
  succeeded(email: string, network: string): void;
}

/** A limit on how often a network may do something. */
export interface Pace {
  /** Throws `sign_in_limited` beyond that. */
  count(network: string): void;
  takeBack(network: string): void;
}

export function createGuessing(now: () => number): Guessing {
  const emails = new Map<string, { readonly count: number; readonly last: number }>();
  const networks = createPace(NETWORK_FAILURES, NETWORK_MS, now);
  return {
    begin(email, network) {
      const at = now();
      const known = emails.get(email);
      const { count, last } =
        known !== undefined && at - known.last < FORGOTTEN_MS ? known : { count: 0, last: at };
      if (count >= FREE_FAILURES)
        refuseUntil(
          last + Math.min(FIRST_WAIT_MS * 2 ** (count - FREE_FAILURES), LONGEST_WAIT_MS),
          at,
        );
      networks.count(network);
      remember(emails, email, { count: count + 1, last: at });
    },
    succeeded(email, network) {
      emails.delete(email);
      networks.takeBack(network);
    },
  };
}

export function createPace(most: number, ms: number, now: () => number): Pace {
  const networks = new Map<string, { count: number; readonly since: number }>();
  return {
    count(network) {
      const at = now();
      let counted = networks.get(network);
      if (counted === undefined || at - counted.since >= ms) counted = { count: 0, since: at };
      if (counted.count >= most) refuseUntil(counted.since + ms, at);
      counted.count += 1;
      remember(networks, network, counted);
    },
    takeBack(network) {
      const counted = networks.get(network);
      if (counted !== undefined) counted.count -= 1;
    },
  };
}

function refuseUntil(until: number, now: number): void {
  if (until <= now) return;
  throw new ApiError('sign_in_limited', {
    headers: { 'Retry-After': String(Math.ceil((until - now) / 1000)) },
  });
}

function remember<T>(all: Map<string, T>, name: string, value: T): void {
  all.delete(name);
  const [quietest] = all.keys();
  if (all.size >= MAX_REMEMBERED && quietest !== undefined) all.delete(quietest);
  all.set(name, value);
}

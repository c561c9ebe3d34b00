/** Slows whoever guesses passwords: for an email by waits that double, for a network by a count. Kept in this process. */
import { ApiError } from '../errors.ts';

/** From this failure on, the next try for that email waits, at first a second. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** After so long without one, failures for an email are forgotten. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

const NETWORK_FAILURES = 30;
const NETWORK_MS = 15 * 60_000;

/** What is remembered of each kind; the one that has been quiet longest is forgotten first. */
const MOST = 10_000;

export interface Guessing {
  /** Throws `sign_in_limited` while a try for that email, or from that network, must wait. */
  check(email: string | undefined, network: string): void;
  failed(email: string | undefined, network: string): void;
  /** Takes back what was counted for it. */
  succeeded(email: string, network: string): void;
}

interface Failed {
  count: number;
  last: number;
}

export function createGuessing(now: () => number): Guessing {
  const emails = new Map<string, Failed>();
  const networks = new Map<string, Failed>();

  const refuseUntil = (until: number): void => {
    const ms = until - now();
    if (ms <= 0) return;
    throw new ApiError('sign_in_limited', {
      headers: { 'Retry-After': String(Math.ceil(ms / 1000)) },
    });
  };

  return {
    check(email, network) {
      const from = networks.get(network);
      // `last` is when the count began.
      if (from !== undefined && from.count >= NETWORK_FAILURES) refuseUntil(from.last + NETWORK_MS);
      const of = email === undefined ? undefined : emails.get(email);
      if (of !== undefined && of.count >= FREE_FAILURES)
        refuseUntil(
          of.last + Math.min(FIRST_WAIT_MS * 2 ** (of.count - FREE_FAILURES), LONGEST_WAIT_MS),
        );
    },
    failed(email, network) {
      const at = now();
      const from = networks.get(network);
      const counts = from !== undefined && at - from.last < NETWORK_MS;
      remember(networks, network, {
        count: counts ? from.count + 1 : 1,
        last: counts ? from.last : at,
      });
      if (email === undefined) return;
      const of = emails.get(email);
      const goesOn = of !== undefined && at - of.last < FORGOTTEN_MS;
      remember(emails, email, { count: goesOn ? of.count + 1 : 1, last: at });
    },
    succeeded(email, network) {
      emails.delete(email);
      const from = networks.get(network);
      if (from !== undefined) from.count -= 1;
    },
  };
}

function remember(all: Map<string, Failed>, name: string, failed: Failed): void {
  all.delete(name);
  const [quietest] = all.keys();
  if (all.size >= MOST && quietest !== undefined) all.delete(quietest);
  all.set(name, failed);
}

/**
 * Slows down guessing of passwords: waits that double for an email, and a limit for a network. Counted in this
 * process, by a monotonic clock.
 */
import { ApiError } from '../../core/errors.ts';

/** From this failure on, the next try for that email waits, at first a second. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** After this long without a failure, those for an email are forgotten. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

const NETWORK_FAILURES = 30;
const NETWORK_MS = 15 * 60_000;
/** How much more a wider network may do than one of those in it. */
const WIDER = 4;

/** How many emails, and networks, are remembered; the one that has been quiet longest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** The origin of a sign-in: its network, and the wider one that a site may have to itself; the same where there is no wider one. */
export interface Networks {
  readonly network: string;
  readonly wider: string;
}

export interface PasswordGuess extends Networks {
  readonly email: string;
  /** The browser, if this person has signed in with it before. */
  readonly browser: string | undefined;
}

/** A try, counted as failed until it succeeds. */
export interface GuessAttempt {
  /** The try succeeded. */
  succeeded(): void;
  /** Uncounts the try: the password was not checked. */
  takeBack(): void;
}

export interface Guessing {
  /** Throws `sign_in_limited` while such a try must wait, and does not count it. */
  begin(guess: PasswordGuess): GuessAttempt;
}

/** A limit on how often a network may do something. */
export interface Pace {
  /** Throws `sign_in_limited` beyond the limit. */
  count(networks: Networks): void;
  takeBack(networks: Networks): void;
}

/** A clock in milliseconds that only goes forward. */
type Elapsed = () => number;
const elapsed: Elapsed = () => performance.now();

interface Failures {
  readonly count: number;
  readonly last: number;
}

export function createGuessing(now = elapsed): Guessing {
  const failures = new Map<string, Failures>();
  const pace = createPace(NETWORK_FAILURES, NETWORK_MS, now);
  return {
    begin({ email, browser, ...networks }) {
      const at = now();
      // A browser that its owner has signed in with has a count of its own: strangers lock no one out.
      const name = browser === undefined ? email : `${email} ${browser}`;
      const known = failures.get(name);
      const before = known !== undefined && at - known.last < FORGOTTEN_MS ? known : undefined;
      const { count, last } = before ?? { count: 0, last: at };
      if (count >= FREE_FAILURES)
        refuseUntil(
          last + Math.min(FIRST_WAIT_MS * 2 ** (count - FREE_FAILURES), LONGEST_WAIT_MS),
          at,
        );
      if (browser === undefined) pace.count(networks);
      remember(failures, name, { count: count + 1, last: at });
      const ofNetwork = (): void => {
        if (browser === undefined) pace.takeBack(networks);
      };
      return {
        succeeded() {
          failures.delete(name);
          ofNetwork();
        },
        takeBack() {
          ofNetwork();
          const counted = failures.get(name);
          if (counted === undefined || counted.count <= 1) failures.delete(name);
          else
            failures.set(name, {
              count: counted.count - 1,
              last: counted.last === at ? last : counted.last,
            });
        },
      };
    },
  };
}

export function createPace(most: number, ms: number, now = elapsed): Pace {
  const counts = new Map<string, { count: number; readonly since: number }>();
  const limits = ({ network, wider }: Networks): readonly (readonly [string, number])[] =>
    network === wider
      ? [[network, most]]
      : [
          [network, most],
          [wider, WIDER * most],
        ];
  return {
    count(networks) {
      const at = now();
      const counted = limits(networks).map(([name, limit]) => {
        const known = counts.get(name);
        const current =
          known === undefined || at - known.since >= ms ? { count: 0, since: at } : known;
        if (current.count >= limit) refuseUntil(current.since + ms, at);
        return [name, current] as const;
      });
      for (const [name, current] of counted) {
        current.count += 1;
        remember(counts, name, current);
      }
    },
    takeBack(networks) {
      for (const [name] of limits(networks)) {
        const counted = counts.get(name);
        if (counted !== undefined) counted.count -= 1;
      }
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

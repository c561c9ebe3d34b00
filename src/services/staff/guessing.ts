/**
 * Slows down guessing of passwords: waits that double for an email, at first for the network that fails alone, and a
 * limit for a network. Counted in this process, by a monotonic clock.
 */
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError } from '../../core/errors.ts';

/** From this failure on, the next try for that email from that network waits, at first a second. */
const FREE_FAILURES = 5;
/** From this failure on, tries from every network wait. Up to this many networks may guess once each. */
const FREE_EVERYWHERE = 100;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** After this long without a failure, those for an email are forgotten. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

const NETWORK_FAILURES = 30;
const NETWORK_MS = 15 * 60_000;
/** How much more a wider network may do than one of those in it. */
const WIDER = 4;
/** One try of a network weighs more than all that those around it can make. */
const OWN_WEIGHT = 1_000_000;

/** How many emails, and networks, are remembered; of these, the last half always. */
const MAX_REMEMBERED = 20_000;

/**
 * The origin of a sign-in: its network, the wider one that a site may have to itself, and the range around it that one
 * provider may have. They are the same where there is no wider one.
 */
export interface Networks {
  readonly network: string;
  readonly wider: string;
  readonly around: string;
}

export interface PasswordGuess<Person> extends Networks {
  readonly email: string;
  /** The people with that email, each with a name for this browser if they have signed in with it before. */
  readonly people: ReadonlyMap<Person, string | undefined>;
}

/** A try, counted as failed until it succeeds. */
export interface GuessAttempt<Person> {
  /** The people whose passwords may be compared now, first those who know the browser. */
  readonly compared: readonly Person[];
  /** How much its network, and then those around it, tried lately without success; `undefined` for a known browser. */
  readonly rank: number | undefined;
  /** The try has the password of that person: only wrong ones before it with their own browser are forgotten. */
  succeeded(person: Person): void;
  /** Uncounts the try: the password was not checked. */
  takeBack(): void;
}

export interface Guessing {
  /** Throws `sign_in_limited` while such a try must wait, and does not count it. */
  begin<Person>(guess: PasswordGuess<Person>): GuessAttempt<Person>;
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

export function createGuessing(now = elapsed): Guessing {
  const ofOne = new Failures(FREE_FAILURES);
  const ofAll = new Failures(FREE_EVERYWHERE);
  const pace = createPace(NETWORK_FAILURES, NETWORK_MS, now);
  const tries = new RecentCounts(NETWORK_MS, now);
  return {
    begin({ email, people, ...networks }) {
      const at = now();
      const { wider, around } = networks;
      // A browser that its owner has signed in with has a count of its own: strangers lock no one out.
      const known = [...people.keys()].filter(
        (one) => people.get(one) !== undefined && ofOne.until(`${people.get(one)}`, at) <= at,
      );
      // Counted with a known browser, too: nobody learns whether the email has other people.
      const strange = `${email} ${wider}`;
      let isOpen = true;
      try {
        refuseUntil(Math.max(ofOne.until(strange, at), ofAll.until(email, at)), at);
        pace.count(networks);
      } catch (error) {
        if (known.length === 0) throw error;
        isOpen = false;
      }
      const rank = tries.of(wider).count * OWN_WEIGHT + tries.of(around).count;
      const tried = isOpen ? new Set([wider, around]) : [];
      for (const name of tried) tries.add(name);
      const counted = known.map((one) => ofOne.add(`${people.get(one)}`, at));
      if (isOpen)
        counted.push(ofOne.add(strange, at), ofAll.add(email, at), () => pace.takeBack(networks));
      const takeBack = (): void => {
        for (const back of counted) back();
      };
      return {
        compared: isOpen ? [...new Set([...known, ...people.keys()])] : known,
        rank: known.length === 0 ? rank : undefined,
        succeeded(person) {
          takeBack();
          for (const name of tried) tries.takeBack(name);
          ofOne.forget(`${people.get(person)}`);
        },
        takeBack,
      };
    },
  };
}

/** Failures by name, from a number of them on with waits that double. */
class Failures {
  readonly #free: number;
  readonly #known = new BoundedMap<string, { readonly count: number; readonly last: number }>(
    MAX_REMEMBERED,
  );

  constructor(free: number) {
    this.#free = free;
  }

  /** The time until which the next try must wait. */
  until(name: string, at: number): number {
    const { count, last } = this.#of(name, at);
    const doubled = count - this.#free;
    return doubled < 0 ? at : last + Math.min(FIRST_WAIT_MS * 2 ** doubled, LONGEST_WAIT_MS);
  }

  /** Adds one, and returns what takes it back. */
  add(name: string, at: number): () => void {
    const { count, last } = this.#of(name, at);
    this.#known.set(name, { count: count + 1, last: at });
    return () => {
      const counted = this.#known.get(name);
      if (counted === undefined || counted.count <= 1) this.#known.delete(name);
      else
        this.#known.set(name, {
          count: counted.count - 1,
          last: counted.last === at ? last : counted.last,
        });
    };
  }

  forget(name: string): void {
    this.#known.delete(name);
  }

  #of(name: string, at: number): { readonly count: number; readonly last: number } {
    const known = this.#known.get(name);
    return known !== undefined && at - known.last < FORGOTTEN_MS ? known : { count: 0, last: at };
  }
}

/** Counts by name, each for so long from its first. */
class RecentCounts {
  readonly #counts = new BoundedMap<string, { count: number; readonly since: number }>(
    MAX_REMEMBERED,
  );
  readonly #ms: number;
  readonly #now: Elapsed;

  constructor(ms: number, now: Elapsed) {
    this.#ms = ms;
    this.#now = now;
  }

  of(name: string): { count: number; readonly since: number } {
    const at = this.#now();
    const known = this.#counts.get(name);
    return known === undefined || at - known.since >= this.#ms ? { count: 0, since: at } : known;
  }

  add(name: string): void {
    const { count, since } = this.of(name);
    this.#counts.set(name, { count: count + 1, since });
  }

  takeBack(name: string): void {
    const counted = this.#counts.get(name);
    if (counted !== undefined) counted.count -= 1;
  }
}

export function createPace(most: number, ms: number, now = elapsed): Pace {
  const counts = new RecentCounts(ms, now);
  const limits = ({ network, wider }: Networks): ReadonlyMap<string, number> =>
    new Map([
      [wider, WIDER * most],
      [network, most],
    ]);
  return {
    count(networks) {
      const all = limits(networks);
      for (const [name, limit] of all) {
        const { count, since } = counts.of(name);
        if (count >= limit) refuseUntil(since + ms, now());
      }
      for (const name of all.keys()) counts.add(name);
    },
    takeBack(networks) {
      for (const name of limits(networks).keys()) counts.takeBack(name);
    },
  };
}

function refuseUntil(until: number, now: number): void {
  if (until <= now) return;
  throw new ApiError('sign_in_limited', {
    headers: { 'Retry-After': String(Math.ceil((until - now) / 1000)) },
  });
}

/**
 * Slows down guessing of passwords: waits that double for an email, at first for the network that fails alone, and a
 * limit for a network. Counted in this process, by a monotonic clock.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import type { StaffMember } from '../../store/promises/staff.ts';

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

/** A clock in milliseconds that only goes forward. */
type Elapsed = () => number;
const elapsed: Elapsed = () => performance.now();

export type Guessing = ReturnType<typeof createGuessing>;

export function createGuessing(now = elapsed) {
  const ofOne = createFailures(FREE_FAILURES);
  const ofAll = createFailures(FREE_EVERYWHERE);
  const pace = createPace(NETWORK_FAILURES, NETWORK_MS, { now });
  const tries = createRecentCounts(NETWORK_MS, now);
  return {
    /** Counts a try as failed until it succeeds. Throws `sign_in_limited` while it must wait, and does not count it. */
    begin<Person>({ email, people, ...networks }: PasswordGuess<Person>) {
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
        /** The people whose passwords may be compared now, first those who know the browser. */
        compared: isOpen ? [...new Set([...known, ...people.keys()])] : known,
        /** How much its network, and then those around it, tried lately without success; `undefined` for a known browser. */
        rank: known.length === 0 ? rank : undefined,
        /** The try has the password of that person: only wrong ones before it with their own browser are forgotten. */
        succeeded(person: Person): void {
          takeBack();
          for (const name of tried) tries.takeBack(name);
          ofOne.forget(`${people.get(person)}`);
        },
        /** Uncounts the try: the password was not checked. */
        takeBack,
      };
    },
  };
}

/** Failures by name, from a number of them on with waits that double. */
function createFailures(free: number) {
  const known = new BoundedMap<string, { readonly count: number; readonly last: number }>(
    MAX_REMEMBERED,
  );

  function of(name: string, at: number): { readonly count: number; readonly last: number } {
    const last = known.get(name);
    return last !== undefined && at - last.last < FORGOTTEN_MS ? last : { count: 0, last: at };
  }

  return {
    /** The time until which the next try must wait. */
    until(name: string, at: number): number {
      const { count, last } = of(name, at);
      const doubled = count - free;
      return doubled < 0 ? at : last + Math.min(FIRST_WAIT_MS * 2 ** doubled, LONGEST_WAIT_MS);
    },
    /** Adds one, and returns what takes it back. */
    add(name: string, at: number): () => void {
      const { count, last } = of(name, at);
      known.set(name, { count: count + 1, last: at });
      return () => {
        const counted = known.get(name);
        if (counted === undefined || counted.count <= 1) known.delete(name);
        else
          known.set(name, {
            count: counted.count - 1,
            last: counted.last === at ? last : counted.last,
          });
      };
    },
    forget(name: string): void {
      known.delete(name);
    },
  };
}

/** Counts by name, each for so long from its first. */
function createRecentCounts(ms: number, now: Elapsed) {
  const counts = new BoundedMap<string, { count: number; readonly since: number }>(MAX_REMEMBERED);

  function of(name: string): { count: number; readonly since: number } {
    const at = now();
    const known = counts.get(name);
    return known === undefined || at - known.since >= ms ? { count: 0, since: at } : known;
  }

  return {
    of,
    add(name: string): void {
      const { count, since } = of(name);
      counts.set(name, { count: count + 1, since });
    },
    takeBack(name: string): void {
      const counted = counts.get(name);
      if (counted !== undefined) counted.count -= 1;
    },
  };
}

type Counted = Pick<Networks, 'network' | 'wider'>;

/** The cases of too many tries. */
type Limited = Extract<ErrorCode, `${string}_limited`>;

/** Limits how often a network may do something. */
export function createPace(
  most: number,
  ms: number,
  { code = 'sign_in_limited', now = elapsed }: { code?: Limited; now?: Elapsed } = {},
) {
  const counts = createRecentCounts(ms, now);
  const limits = ({ network, wider }: Counted) =>
    new Map([
      [wider, WIDER * most],
      [network, most],
    ]);
  return {
    /** Throws `sign_in_limited` beyond the limit. */
    count(networks: Counted): void {
      const all = limits(networks);
      for (const [name, limit] of all) {
        const { count, since } = counts.of(name);
        if (count >= limit) refuseUntil(since + ms, now(), code);
      }
      for (const name of all.keys()) counts.add(name);
    },
    takeBack(networks: Counted): void {
      for (const name of limits(networks).keys()) counts.takeBack(name);
    },
  };
}

function refuseUntil(until: number, now: number, code: Limited = 'sign_in_limited'): void {
  if (until <= now) return;
  throw new ApiError(code, {
    headers: { 'Retry-After': String(Math.ceil((until - now) / 1000)) },
  });
}

const NAME_BYTES = 16;
/** Characters of base64url, each of six bits. */
const SIGNATURE_LENGTH = 22;
/** People who share a browser: the one who signed in longest ago is forgotten first. */
const MAX_PEOPLE = 8;

type Person = Pick<StaffMember, 'unique_identifier' | 'password'>;

/** A name for the person and the browser that has stored this, if they have signed in with it. */
export function knownBrowser(cookie: string | undefined, person: Person): string | undefined {
  const [name = '', ...signatures] = cookie?.split('.') ?? [];
  const own = signatureOf(name, person);
  if (own === undefined) return undefined;
  const isOwn = signatures
    .slice(0, MAX_PEOPLE)
    .some((one) => one.length === own.length && timingSafeEqual(bytes(one), bytes(own)));
  return isOwn ? `${person.unique_identifier} ${name}` : undefined;
}

/** The new value of the browser's cookie; `undefined` if the person has no password to guess. */
export function rememberBrowser(cookie: string | undefined, person: Person): string | undefined {
  const [before = '', ...others] = cookie?.split('.') ?? [];
  const isName = /^[\w-]{22}$/.test(before);
  const name = isName ? before : randomBytes(NAME_BYTES).toString('base64url');
  const own = signatureOf(name, person);
  if (own === undefined) return undefined;
  const rest = isName ? others.filter((one) => one !== own && /^[\w-]{22}$/.test(one)) : [];
  return [name, own, ...rest.slice(0, MAX_PEOPLE - 1)].join('.');
}

function signatureOf(name: string, { unique_identifier, password }: Person): string | undefined {
  if (password === null) return undefined;
  return createHmac('sha256', password)
    .update(`${name} ${unique_identifier}`)
    .digest('base64url')
    .slice(0, SIGNATURE_LENGTH);
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

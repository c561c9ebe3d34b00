/** The rules for new passwords, and their hashes: of strangers and of known people one at a time each, in 46 MiB. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiError } from '../../core/errors.ts';
import { FairSlots } from '../../core/fair/slots.ts';
import { normalized } from '../../core/schema/search/spelling.ts';
import type { StaffMember } from '../../store/promises/staff.ts';

interface Waiting extends PromiseWithResolvers<void> {
  readonly rank: number;
  readonly network: string;
}

function createFewestFirst(most: number, refusal: (ofNetwork: boolean) => Error) {
  let isBusy = false;
  const waiting: Waiting[] = [];

  function wait(rank: number, network: string): Promise<void> {
    const after = waiting.findIndex((other) => other.rank > rank);
    const one = { rank, network, ...Promise.withResolvers<void>() };
    waiting.splice(after === -1 ? waiting.length : after, 0, one);
    const last = waiting.length > most ? waiting.pop() : undefined;
    last?.reject(refusal(waiting.some((other) => other.network === last.network)));
    return one.promise;
  }

  return {
    async run<T>(rank: number, network: string, work: () => Promise<T>): Promise<T> {
      if (isBusy) await wait(rank, network);
      isBusy = true;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        isBusy = next !== undefined;
        next?.resolve();
      }
    },
  };
}

const MIN_LENGTH = 15;
const MAX_LENGTH = 1_000;

const MEMORY_KIB = 47_104;
const PASSES = 2;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
/** The most that wait: a connection without a sign-in is closed after 15 seconds, even if a hash takes one. */
const WAITING = { most: 12, ofGroup: 6 };
const RETRY_SECONDS = '5';

const derive = promisify(argon2);
const known = new FairSlots({ slots: 1, ofGroup: 1, waiting: { ...WAITING, refusal } });
const strangers = createFewestFirst(WAITING.most, refusal);

/** A request for a hash. */
interface Hasher {
  readonly wider: string;
  /**
   * How much a stranger's network tried without success. Others have a session or an invitation, or a browser
   * with which they have signed in before, and take turns by network.
   */
  readonly rank?: number | undefined;
}

const PARAMETERS = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$`;
/** The beginning of a hash that nobody has, made if no person has a password, so that it takes as long. */
const NOBODYS = `${PARAMETERS}${'A'.repeat(22)}$`;

type People = readonly Pick<StaffMember, 'password'>[];

/** Throws `password_too_short`, `password_too_long`, and `password_refused` for one that would be guessed; `email` is its owner's. */
export function checkPassword(password: string, email: string): void {
  const has = [...normalized(password, 'NFKC')].length;
  const param = 'password';
  if (has < MIN_LENGTH)
    throw new ApiError('password_too_short', { param, values: { least: MIN_LENGTH, has } });
  if (has > MAX_LENGTH)
    throw new ApiError('password_too_long', { param, values: { most: MAX_LENGTH } });
  if (isPredictable(password, email)) throw new ApiError('password_refused', { param });
}

/**
 * The hash of a password, in PHC's string format, with the salt of the others of its email, so that one hash is compared
 * with all. Throws `sign_ins_waiting` and `sign_in_busy`, as `whosePassword` does.
 */
export function hashPassword(password: string, others: People, hasher: Hasher): Promise<string> {
  const shared = others.find((one) => one.password?.startsWith(PARAMETERS))?.password;
  const salted = `${PARAMETERS}${text(randomBytes(SALT_BYTES))}$`;
  return hashWith(shared ? beginningOf(shared) : salted, password, hasher);
}

/** Returns the people of one email who have this password. Takes as long for none. */
export async function whosePassword<T extends People[number]>(
  people: readonly T[],
  password: string,
  hasher: Hasher,
): Promise<readonly T[]> {
  const having = people.flatMap((one) => (one.password === null ? [] : [one.password]));
  const made: Buffer[] = [];
  // Two people who chose their first passwords at once may have different salts.
  for (const beginning of new Set(having.length === 0 ? [NOBODYS] : having.map(beginningOf)))
    made.push(Buffer.from(await hashWith(beginning, password, hasher)));
  return people.filter((one) => {
    const stored = Buffer.from(one.password ?? '');
    return made.some((hash) => hash.length === stored.length && timingSafeEqual(hash, stored));
  });
}

const beginningOf = (hash: string): string => hash.slice(0, hash.lastIndexOf('$') + 1);

async function hashWith(beginning: string, password: string, { wider, rank }: Hasher) {
  const [, memory, passes, salt = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$$/.exec(beginning) ?? [];
  const message = normalized(password, 'NFKC').slice(0, MAX_LENGTH);
  const nonce = Buffer.from(salt, 'base64');
  const costs = { memory: Number(memory), passes: Number(passes), tagLength: TAG_BYTES };
  const work = () => derive('argon2id', { message, nonce, parallelism: 1, ...costs });
  const tag = rank === undefined ? known.run(wider, work) : strangers.run(rank, wider, work);
  return `${beginning}${text(await tag)}`;
}

function refusal(ofNetwork: boolean): ApiError {
  const headers = { 'Retry-After': RETRY_SECONDS };
  return ofNetwork
    ? new ApiError('sign_ins_waiting', { headers })
    : new ApiError('sign_in_busy', { headers });
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** Rows of keyboards, alphabets and digits, as people run along them. */
const RUNS = [
  ...['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ...['qwertzuiop', 'yxcvbnm', 'azertyuiop', 'qazwsxedcrfvtgbyhnujmikolp'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p', '1q2w3e4r5t6y7u8i9o0p'],
];

/** The words that the most common long passwords consist of. */
const WORDS = [
  ...['password', 'passw0rd', 'passwort', 'ledgerstone', 'funeral', 'admin', 'administrator'],
  ...['welcome', 'letmein', 'iloveyou', 'secret', 'login', 'user', 'test', 'hello', 'home'],
  ...['changeme', 'master', 'dragon', 'monkey', 'football', 'baseball', 'sunshine', 'princess'],
  ...['superman', 'correcthorsebatterystaple', 'summer', 'winter', 'spring', 'autumn', 'the'],
  ...['my', 'is', 'this'],
];

/** Shorter runs do not count. */
const MIN_RUN = 3;
/** How many characters must be left once everything predictable is taken away. */
const MIN_LEFT = 6;

/** Whether a password would be guessed early; `email` is its owner's. */
function isPredictable(password: string, email: string): boolean {
  const plain = normalized(password, 'NFKC')
    .toLowerCase()
    .replace(/[\s_.,;:!?*#@$%&+/\\-]+/g, '');
  if (isRepeated(plain)) return true;
  const [own = '', at = ''] = email.toLowerCase().split('@');
  const words = [own, at, ...own.split(/[.+_-]/), ...at.split('.')].filter(
    (word) => word.length >= MIN_RUN,
  );
  let left = plain;
  for (const word of [...words, ...WORDS].sort((one, other) => other.length - one.length))
    left = left.replaceAll(word, '');
  return new Set(withoutRuns(left)).size < MIN_LEFT;
}

/** Whether it repeats a piece of at most half of its length, by the beginnings that are also its ends: in linear time. */
function isRepeated(text: string): boolean {
  // Of each beginning of the text, how long the longest shorter one is that it ends with.
  const inside = new Uint32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = inside[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    inside[at] = length;
  }
  const piece = text.length - length;
  return text.length > 0 && piece <= text.length / 2;
}

function withoutRuns(text: string): string {
  let left = '';
  for (let at = 0; at < text.length; ) {
    const run = longestRun(text, at);
    if (run < MIN_RUN) left += text.charAt(at);
    at += Math.max(1, run < MIN_RUN ? 1 : run);
  }
  return left;
}

function longestRun(text: string, at: number): number {
  let longest = 0;
  for (const row of ROWS) {
    let length = 1;
    while (at + length < text.length && row.includes(text.slice(at, at + length + 1))) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

const ROWS = RUNS.flatMap((row) => [row, [...row].reverse().join('')]);

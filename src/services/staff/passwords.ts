/**
 * Passwords: the rules for new ones, and their hashes. Two are hashed at a time, each in 46 MiB: one for strangers, and
 * one for known people.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiError } from '../../core/errors.ts';
import { FairSlots } from '../../core/fair/slots.ts';
import type { StaffMember } from '../../store/promises/staff.ts';
import { FewestFirst } from './fewest-first.ts';
import { isPredictable } from './predictable.ts';

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
const strangers = new FewestFirst(WAITING.most, refusal);

/** A request for a hash. */
export interface Hasher {
  readonly wider: string;
  /**
   * How much a stranger's network tried without success. Others have a session or an invitation, or a browser
   * with which they have signed in before, and take turns by network.
   */
  readonly rank?: number | undefined;
}

/** Compared with if a person has no password, so that it takes as long. It is the hash of no password. */
const NOBODYS = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Throws `passkey_needed` for administrators, and for people whose email is another person's, whom it would sign in. */
export function checkMayHavePassword({ role, apart }: Pick<StaffMember, 'apart' | 'role'>): void {
  if (role === 'administrator' || apart !== null) throw new ApiError('passkey_needed');
}

/** Throws `password_too_short`, `password_too_long`, and `password_refused` for one that would be guessed; `email` is its owner's. */
export function checkPassword(password: string, email: string): void {
  const has = [...password.normalize('NFKC')].length;
  const param = 'password';
  if (has < MIN_LENGTH)
    throw new ApiError('password_too_short', { param, values: { least: MIN_LENGTH, has } });
  if (has > MAX_LENGTH)
    throw new ApiError('password_too_long', { param, values: { most: MAX_LENGTH } });
  if (isPredictable(password, email)) throw new ApiError('password_refused', { param });
}

/** The hash of a password, in PHC's string format. Throws `sign_in_limited` and `sign_in_busy`, as `verifyPassword` does. */
export async function hashPassword(password: string, hasher: Hasher): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, salt, MEMORY_KIB, PASSES, hasher);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${text(salt)}$${text(tag)}`;
}

/** Whether the hash is that of the password. `null` matches none, and takes as long. */
export async function verifyPassword(
  stored: string | null,
  password: string,
  hasher: Hasher,
): Promise<boolean> {
  const [, memory, passes, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/.exec(stored ?? NOBODYS) ?? [];
  const nonce = Buffer.from(salt, 'base64');
  const found = await tagOf(password, nonce, Number(memory), Number(passes), hasher);
  return timingSafeEqual(found, Buffer.from(tag, 'base64')) && stored !== null;
}

async function tagOf(
  password: string,
  nonce: Buffer,
  memory: number,
  passes: number,
  { wider, rank }: Hasher,
): Promise<Buffer> {
  const message = password.normalize('NFKC').slice(0, MAX_LENGTH);
  const work = () =>
    derive('argon2id', { message, nonce, parallelism: 1, tagLength: TAG_BYTES, memory, passes });
  return rank === undefined ? known.run(wider, work) : strangers.run(rank, wider, work);
}

function refusal(ofNetwork: boolean): ApiError {
  const headers = { 'Retry-After': RETRY_SECONDS };
  return ofNetwork
    ? new ApiError('sign_in_limited', { headers })
    : new ApiError('sign_in_busy', { headers });
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

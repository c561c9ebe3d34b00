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
   * Of strangers, how much their network tried without success. Others have a session or an invitation, or a browser
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

/** Throws `password_refused` for one that would be guessed; `email` is its owner's. */
export function checkPassword(password: string, email: string): void {
  const length = [...password.normalize('NFKC')].length;
  const message =
    length < MIN_LENGTH
      ? `A password must have at least ${MIN_LENGTH} characters, and this one has ${length}. Four or five unrelated words make a good one.`
      : length > MAX_LENGTH
        ? `A password may have at most ${MAX_LENGTH} characters.`
        : isPredictable(password, email)
          ? 'This password would be among the first that are guessed. Choose another one, such as four or five unrelated words.'
          : undefined;
  if (message !== undefined) throw new ApiError('password_refused', { param: 'password', message });
}

/** The hash of a password, in PHC's string format. Throws `sign_in_limited` and `service_unavailable`, as `verifyPassword` does. */
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
    : new ApiError('service_unavailable', {
        message: 'Too many people are signing in right now. Try again in a few seconds.',
        headers,
      });
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** Creates and rotates keys: the only times when a secret is in plain text. */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ApiError } from '../../core/errors.ts';
import {
  apiKey,
  type NewKey,
  permissions,
  type StoredKey,
  statusOf,
} from '../../core/objects/api-key.ts';
import { settingsOf } from '../../core/objects/own-object.ts';
import type { KeyRing } from '../../store/books/keys.ts';

const DAY_MS = 86_400_000;
export const OVERLAP_MS = DAY_MS;
export const MAX_OVERLAP_MS = 90 * DAY_MS;

/** The grant of a new key: its accounts, and its other limits. */
export type Grant = Pick<NewKey, 'accounts'> & Partial<Omit<NewKey, 'hash' | 'ending'>>;

/** The default grant: all permissions on records, without an end. */
const UNLIMITED = { ...apiKey.nulls, permissions, allow: [] };

/** The key with that secret, if it works. */
export async function findKey(keys: KeyRing, secret: string): Promise<StoredKey | undefined> {
  const found = await keys.authenticate(hashSecret(secret));
  return found.is === 'valid' ? found.key : undefined;
}

/** A new key, live or test as its accounts are. Its secret is to be shown once: only the hash is stored. */
export async function issueKey(keys: KeyRing, livemode: boolean, grant: Grant) {
  const { secret, newKey } = prepareKey(livemode, grant);
  return { key: await keys.create(newKey), secret };
}

/** A key to be created, with its secret. */
export function prepareKey(livemode: boolean, grant: Grant) {
  const secret = createSecret(livemode);
  const newKey: NewKey = {
    ...UNLIMITED,
    ...grant,
    hash: hashSecret(secret),
    ending: endingOf(secret),
  };
  return { secret, newKey };
}

interface RotationTimes {
  readonly now: number;
  /** How many milliseconds the old key continues to work, at most `MAX_OVERLAP_MS`. */
  readonly overlap: number;
  /** By default the new key expires when the old one would have. */
  readonly expires_at?: number | null | undefined;
}

/** Replaces a key that works by one like it, in one commit; the old one ends after the overlap, or when it would have. */
export async function rotateKey(
  keys: KeyRing,
  old: StoredKey,
  { now, overlap, expires_at = old.expires_at }: RotationTimes,
) {
  const { unique_identifier } = old;
  const status = statusOf(old, now);
  if (status !== 'active') {
    const instead = status === 'suspended' ? 'Resume it first' : 'Create a new key instead';
    const message = `${unique_identifier} is ${status}, and only an active key can be rotated. ${instead}.`;
    throw new ApiError('value_invalid', { message });
  }
  const end = now + overlap;
  const { newKey, secret } = prepareKey(old.livemode, {
    ...(settingsOf(apiKey, old) as Grant),
    expires_at,
    source: { of: unique_identifier },
  });
  const [key] = await keys.createAll([newKey], [{ unique_identifier, does: 'expire', at: end }]);
  if (key === undefined) throw new TypeError('A key that was just written is not there.');
  const ends = Math.min(end, old.expires_at ?? end);
  return { key, secret, replaces: { unique_identifier, expires_at: ends } };
}

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
export const SECRET_CHARACTERS = 'sk_live_'.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
/** The greatest multiple of 62 in a byte: bytes above it would favour some characters. */
const FAIR = 248;

/** A new secret: `sk_live_` or `sk_test_`, 32 random base-62 characters (190.5 bits), and six of the CRC-32 of these. */
export function createSecret(livemode: boolean): string {
  let secret = livemode ? 'sk_live_' : 'sk_test_';
  const length = secret.length + RANDOM_CHARACTERS;
  while (secret.length < length) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      if (byte < FAIR && secret.length < length) secret += BASE_62.charAt(byte % 62);
    }
  }
  return secret + checksum(secret);
}

/** Whether a text has the form of a secret and the right checksum. */
export function isWhole(secret: string): boolean {
  const length = SECRET_CHARACTERS - CHECKSUM_CHARACTERS;
  return (
    /^sk_(?:live|test)_[0-9A-Za-z]+$/.test(secret) &&
    secret.length === SECRET_CHARACTERS &&
    secret.slice(length) === checksum(secret.slice(0, length))
  );
}

/** The last four characters of a secret: enough to recognise a key, and useless to others. */
export function endingOf(secret: string): string {
  return secret.slice(-4);
}

/** The SHA-256 of a secret. Only this and the last characters are ever stored. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The secret in an `Authorization` header: the Basic username with an empty password, or the Bearer token. */
export function secretOf(authorization: string | undefined): string | undefined {
  const found = /^(basic|bearer) +([^\s]+) *$/i.exec(authorization ?? '');
  if (found === null) return undefined;
  const [, scheme = '', credentials = ''] = found;
  if (scheme.toLowerCase() === 'bearer') return credentials;
  // The secret itself in place of its base64: read as that, it could be anything.
  if (credentials.startsWith('sk_')) return undefined;
  const [username, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  return username !== '' && password.length === 1 && password[0] === '' ? username : undefined;
}

function checksum(text: string): string {
  let characters = '';
  let rest = crc32(text);
  while (characters.length < CHECKSUM_CHARACTERS) {
    characters = BASE_62.charAt(rest % 62) + characters;
    rest = Math.floor(rest / 62);
  }
  return characters;
}

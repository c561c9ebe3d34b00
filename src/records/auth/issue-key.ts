/** Creates and rotates keys: the only times when a secret is in plain text. */

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
import { createSecret, endingOf, hashSecret } from './api-key.ts';

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

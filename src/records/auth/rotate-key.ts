/** Replaces a key by one like it, and lets the old one work for an overlap: the rules of the console and the command line. */

import { ApiError } from '../../core/errors.ts';
import { apiKey, type StoredKey, statusOf } from '../../core/objects/api-key.ts';
import { settingsOf } from '../../core/objects/own-object.ts';
import type { KeyRing } from '../../store/books/keys.ts';
import { type Grant, type IssuedKey, prepareKey } from './issue-key.ts';

const DAY_MS = 86_400_000;
export const OVERLAP_MS = DAY_MS;
export const MAX_OVERLAP_MS = 90 * DAY_MS;

interface RotatedKey extends IssuedKey {
  /** The end of the old key: after the overlap, or when it would have ended anyway. */
  readonly replaces: { readonly unique_identifier: string; readonly expires_at: number };
}

interface RotationTimes {
  readonly now: number;
  /** How many milliseconds the old key continues to work, at most `MAX_OVERLAP_MS`. */
  readonly overlap: number;
  /** By default the new key expires when the old one would have. */
  readonly expires_at?: number | null | undefined;
}

/** Makes the new key and ends the old one in one commit. Throws unless the old one works. */
export async function rotateKey(
  keys: KeyRing,
  old: StoredKey,
  { now, overlap, expires_at = old.expires_at }: RotationTimes,
): Promise<RotatedKey> {
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

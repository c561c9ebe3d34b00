/** The requests that a follow-up remembers, so that none of them is done twice. */
import { ApiError } from '../../../core/errors.ts';
import type { WriteConditions } from '../../../records/ingest/idempotency.ts';
import type { FollowUp } from '../declares.ts';

const MAX_REPEATS = 20;

type Repeatable = WriteConditions['repeatable'];

const repeatOf = ({ idempotency_key, fingerprint }: NonNullable<Repeatable>) =>
  [idempotency_key, Buffer.from(fingerprint).toString('base64url')] as const;

/** Throws `idempotency_key_reused` where another request had the same key. */
export function isRepeated({ repeats }: FollowUp, repeatable: Repeatable): boolean {
  const [key, fingerprint] = repeatable === undefined ? [] : repeatOf(repeatable);
  const found = repeats.find(([one]) => one === key);
  if (found === undefined || found[1] === fingerprint) return found !== undefined;
  throw new ApiError('idempotency_key_reused');
}

export const withRepeat = (repeats: FollowUp['repeats'], repeatable: Repeatable) =>
  repeatable ? [...repeats, repeatOf(repeatable)].slice(-MAX_REPEATS) : repeats;

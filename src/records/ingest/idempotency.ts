/** Requests with an Idempotency-Key: a repetition is answered from the receipt in the commit of the first one. */
import { ApiError } from '../../core/errors.ts';
import type { Receipt, Repeated, Store } from '../../store/promises/store.ts';
import type { Principal } from '../auth/principal.ts';

/** How long a receipt is stored. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The conditions of a request that changes an object of ours. */
export interface WriteConditions {
  /** The only versions that it changes. */
  readonly versions?: readonly number[] | undefined;
  readonly repeatable?: Repeatable | undefined;
}

export interface Repeatable {
  readonly idempotency_key: string;
  /** SHA-256 of the whole request. */
  readonly fingerprint: Uint8Array;
}

/** Returns the receipt of a request, to be stored in its commit. */
export function receiptFor(
  { key }: Pick<Principal, 'key'>,
  repeatable: Repeatable,
  now: number,
): Receipt {
  return { ...repeatable, owner: key, expires_at: now + KEPT_MS };
}

/**
 * Runs a request once. The commit in its account decides whether it was done before. The receipt is only looked up when
 * something refuses the request, because a stored response takes precedence over any refusal (decisions, "Order of
 * checks"); and first where the request may be of several accounts: `looksFirst`. Throws `idempotency_key_reused` if
 * the receipt belongs to another request.
 */
export async function once<T extends object>(
  store: Pick<Store, 'receipt'>,
  { scope }: Pick<Principal, 'scope'>,
  receipt: Receipt,
  work: () => Promise<T | Repeated>,
  looksFirst = false,
): Promise<T | Repeated> {
  const look = () => store.receipt({ ...receipt, accounts: [...scope.accounts] });
  let stored = looksFirst ? await look() : undefined;
  try {
    if (stored === undefined) {
      const done = await work();
      if (!isRepeated(done)) return done;
      stored = done.receipt;
    }
  } catch (error) {
    // The stored response about an erased record is gone.
    if (!(error instanceof ApiError) || error.code === 'record_erased') throw error;
    stored = await look();
    if (stored === undefined) throw error;
  }
  if (Buffer.compare(stored.fingerprint, receipt.fingerprint) === 0)
    return { outcome: 'repeated', receipt: stored };
  throw new ApiError('idempotency_key_reused', {
    message:
      'This Idempotency-Key was sent before, with a different request: use a new key for every request, and repeat a key only with exactly the same request.',
  });
}

function isRepeated(done: object): done is Repeated {
  return (done as { outcome?: unknown }).outcome === 'repeated';
}

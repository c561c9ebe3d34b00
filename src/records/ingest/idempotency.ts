/**
 * Requests with an Idempotency-Key: a repetition is answered from the receipt that was stored in the commit of the
 * first request.
 */

import { ApiError } from '../../core/errors.ts';
import type { Receipt, Repeated, Store, StoredReceipt } from '../../store/promises/store.ts';
import type { Principal } from '../auth/principal.ts';

/** How long a receipt is stored. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** A request with an Idempotency-Key. */
export interface Repeatable {
  readonly idempotency_key: string;
  /** SHA-256 of the whole request. */
  readonly fingerprint: Uint8Array;
}

/** The receipt of a request, to be stored in its commit. */
export function receiptFor(
  { key, scope }: Principal,
  repeatable: Repeatable,
  now: number,
): Receipt {
  return { ...repeatable, owner: key, accounts: [...scope.accounts], expires_at: now + KEPT_MS };
}

/**
 * Runs a request once. The commit decides whether it was done before. The receipt is only looked up when something
 * refuses the request, because a stored response takes precedence over any refusal (decisions, "Order of checks").
 * Throws `idempotency_key_reused` if the receipt belongs to another request.
 */
export async function once<T extends object>(
  store: Pick<Store, 'receipt'>,
  receipt: Receipt,
  work: () => Promise<T | Repeated>,
): Promise<T | Repeated> {
  let stored: StoredReceipt | undefined;
  try {
    const done = await work();
    if (!isRepeated(done)) return done;
    stored = done.receipt;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // What was answered of an erased record is gone.
    if (error.code === 'record_erased') throw error;
    stored = await store.receipt(receipt);
    if (stored === undefined) throw error;
  }
  if (Buffer.compare(stored.fingerprint, receipt.fingerprint) !== 0) {
    throw new ApiError('idempotency_key_reused', {
      message:
        'This Idempotency-Key was sent before, with a different request: use a new key for every request, and repeat a key only with exactly the same request.',
    });
  }
  return { outcome: 'repeated', receipt: stored };
}

function isRepeated(done: object): done is Repeated {
  return (done as { outcome?: unknown }).outcome === 'repeated';
}

/** The space that receipts take, the same on every store. */
import { Buffer } from 'node:buffer';
import type { StoredOutcome } from './promises/store.ts';

/** The size of a receipt without the answer that is stored for it, its place in indexes included. */
const RECEIPT_BYTES = 512;

/** Bytes charged to the receipt's owner; `answer` is what is stored next to it, if anything is. */
export function sizeOfReceipt(answer?: string): number {
  return RECEIPT_BYTES + (answer === undefined ? 0 : Buffer.byteLength(answer));
}

/** Receipts are purged by the end of such a span, so that what several of them share is renewed once in it. */
export const SPAN_MS = 600_000;

/** The end of the span in which something expires: it is purged then. */
export function purgedAt(expires_at: number): number {
  return Math.ceil(expires_at / SPAN_MS) * SPAN_MS;
}

/** The time up to which expired receipts are purged. */
export function purgedUntil(now: number): number {
  return Math.floor(now / SPAN_MS) * SPAN_MS;
}

/** The text of a batch's receipt for each account: drafts of other accounts are `null`. */
export function batchTextByAccount(
  drafts: readonly { readonly account: string }[],
  outcomes: readonly StoredOutcome[],
): ReadonlyMap<string, string> {
  const accounts = new Set(drafts.map(({ account }) => account));
  return new Map(
    [...accounts].map((account) => {
      const own = outcomes.map((outcome, at) => (drafts[at]?.account === account ? outcome : null));
      return [account, JSON.stringify(own)];
    }),
  );
}

/** The outcome of each draft of a batch, put together from the receipts in several accounts. */
export function draftsOfBatch(texts: readonly string[]): readonly (StoredOutcome | null)[] {
  const [first = [], ...others]: (StoredOutcome | null)[][] = texts.map((text) => JSON.parse(text));
  return first.map((outcome, at) => outcome ?? others.find((other) => other[at])?.[at] ?? null);
}

/** The content of receipts and the room that they take, on every store. */
import { Buffer } from 'node:buffer';
import type { Outcome, StoredOutcome, StoredReceipt, StoredWrite } from './promises/store.ts';

/** The size of a receipt, its place in indexes included, without the outcomes of a batch. */
const RECEIPT_BYTES = 512;

/** Bytes charged to the receipt's owner; of a batch with the text of its outcomes. */
export function sizeOfReceipt(outcomes = ''): number {
  return RECEIPT_BYTES + Buffer.byteLength(outcomes);
}

/** How much of its owner's room a receipt takes. */
export interface Taking {
  readonly owner: string;
  readonly bytes: number;
}

/** Adds the bytes of each owner to what all processes have counted, and gives the sums. */
type AddRooms = (
  counted: readonly Taking[],
) => Promise<Iterable<readonly [owner: string, sum: number]>>;

/**
 * How much room the receipts of each API key take. What this process stores and purges is counted here and added to
 * what all processes have counted with every purge: no commit waits for that, and the bound holds but for what is
 * stored between two of them. What a killed process had not added stays uncounted.
 */
export type ReceiptRooms = ReturnType<typeof createReceiptRooms>;

/** `most` is how many bytes the receipts of an owner may take. */
export function createReceiptRooms(most: number) {
  /** The bytes that all processes had taken when last looked up, and `more` that this one has since. */
  const owners = new Map<string, { total: number; more: number }>();
  let settled: Promise<void> = Promise.resolve();

  function isFull(owner: string): boolean {
    const taken = owners.get(owner);
    return taken !== undefined && taken.total + taken.more >= most;
  }

  async function settleNow(add: AddRooms): Promise<void> {
    const counted = [...owners]
      .filter(([owner, { more }]) => more !== 0 || isFull(owner))
      .map(([owner, { more }]) => ({ owner, bytes: more }))
      .sort((one, other) => (one.owner < other.owner ? -1 : 1));
    if (counted.length === 0) return;
    const sums = new Map(await add(counted));
    for (const { owner, bytes } of counted) {
      const taken = owners.get(owner);
      if (taken === undefined) continue;
      taken.more -= bytes;
      taken.total = sums.get(owner) ?? 0;
    }
  }

  return {
    isFull,
    /** Called when receipts are committed; freed room is negative. */
    take(all: Iterable<Taking>): void {
      for (const { owner, bytes } of all) {
        owners.getOrInsertComputed(owner, () => ({ total: 0, more: 0 })).more += bytes;
      }
    },
    /**
     * Has the counts that other processes do not know yet added to what all have counted, in the order of owners, and
     * learns the sums. Owners that are full may find room. Calls follow each other: two that ran at once would add the
     * same counts.
     */
    settle(add: AddRooms): Promise<void> {
      const own = settled.then(() => settleNow(add));
      settled = own.catch(() => undefined);
      return own;
    },
  };
}

/** The receipt with that fingerprint, where requests in several accounts had the same key; or the first. */
export function receiptAmong(found: readonly StoredReceipt[], fingerprint: Uint8Array) {
  return found.find((one) => Buffer.compare(one.fingerprint, fingerprint) === 0) ?? found[0];
}

/** The account that the receipt of a batch is stored with, and the text of its outcomes: those in other accounts name theirs. */
export function batchReceipt(
  drafts: readonly { readonly account: string }[],
  outcomes: readonly Outcome[],
): { readonly account: string; readonly drafts: string } | undefined {
  const written = outcomes.findIndex(({ outcome }) => outcome !== 'refused');
  const account = drafts[Math.max(written, 0)]?.account;
  if (account === undefined) return undefined;
  const stored = outcomes.map((one, at) => {
    const of = drafts[at]?.account;
    return of === account ? toStoredOutcome(one) : { ...toStoredOutcome(one), account: of };
  });
  return { account, drafts: JSON.stringify(stored) };
}

/** The proof in a receipt: of a removal `text` is who was removed, and `count` how many below; of a batch, `text` has its outcomes. */
export type Proved = readonly [
  ...[fingerprint: Uint8Array, outcome: StoredReceipt['outcome'], text: string, count: number],
];

/** For an owner who sees these accounts. `written` gives the version that was written, and the record as it is now. */
export function toReceipt(
  [fingerprint, outcome, text, count]: Proved,
  accounts: readonly string[],
  written: () => Pick<StoredWrite, 'version' | 'record'>,
): StoredReceipt {
  switch (outcome) {
    case 'batch':
      return { fingerprint, outcome, drafts: batchOutcomes(text, accounts) };
    case 'deleted':
      return { fingerprint, outcome, unique_identifier: text, below: count };
    default:
      return { fingerprint, outcome, ...written() };
  }
}

/** The outcome of each draft of a batch; `null` for those in other accounts than these. */
function batchOutcomes(text: string, accounts: readonly string[]) {
  const stored: ((StoredOutcome & { readonly account?: string }) | null)[] = JSON.parse(text);
  return stored.map((one) => {
    const { account, ...outcome } = one ?? { account: '' };
    const isSeen = account === undefined || accounts.includes(account);
    return isSeen ? (outcome as StoredOutcome) : null;
  });
}

/** Returns an outcome as the receipt of a batch stores it. */
function toStoredOutcome(outcome: Outcome): StoredOutcome {
  switch (outcome.outcome) {
    case 'refused':
      return { outcome: 'refused', faults: outcome.error.faults };
    case 'erased':
      return outcome;
    case 'created':
    case 'updated':
    case 'unchanged':
      return { outcome: outcome.outcome, unique_identifier: outcome.record.unique_identifier };
    default:
      throw new TypeError('The drafts of a batch with a receipt have no receipts of their own.');
  }
}

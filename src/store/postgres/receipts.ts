/** Receipts: kept in the commit of what they prove, and gone some time after they expire. */

import { RECORD_COLUMNS, toRecord } from '../records.ts';
import type { KeptOutcome, KeptReceipt, KeptRecord, Receipt, StoredRecord } from '../store.ts';
import { call, type Session } from './session.ts';
import { find, keep, keepBatch, purge, type ReceiptRow, remove } from './statements/receipts.ts';
import { bytes, bytesArray, numberArray, textArray } from './values.ts';

/** A receipt of a draft or a removal, to be kept. */
export interface RecordReceipt {
  readonly receipt: Receipt;
  readonly outcome: KeptRecord['outcome'];
  readonly record: StoredRecord;
}

/** A receipt of a batch, to be kept. */
export interface BatchReceipt {
  readonly receipt: Receipt;
  readonly drafts: readonly KeptOutcome[];
  readonly accounts: ReadonlySet<string>;
}

export interface NewReceipts {
  readonly records: readonly RecordReceipt[];
  readonly batch: BatchReceipt | undefined;
  /** Those that are in the way, since they have expired. */
  readonly expired: readonly Pick<Receipt, 'owner' | 'idempotency_key'>[];
}

/** How many receipts that have expired go with every commit that keeps some, more than it keeps. */
export const MORE_PURGED = 100;

export async function findReceipt(
  session: Session,
  owner: string,
  idempotency_key: string,
  now: number,
): Promise<{ kept?: KeptReceipt; expired: boolean }> {
  const [row] = await session.rows(call(find, textArray([owner]), textArray([idempotency_key])));
  if (row === undefined) return { expired: false };
  return row[2] <= now ? { expired: true } : { kept: toReceipt(row), expired: false };
}

/** Sends what keeps receipts. Rejects with a clash where one has been kept meanwhile. */
export function sendReceipts(
  session: Session,
  { records, batch, expired }: NewReceipts,
  now: number,
): Promise<unknown>[] {
  const count = records.length + (batch === undefined ? 0 : 1);
  if (count === 0) return [];
  const sent: Promise<unknown>[] = [];
  if (expired.length > 0) {
    const owners = textArray(expired.map(({ owner }) => owner));
    const keys = textArray(expired.map(({ idempotency_key }) => idempotency_key));
    sent.push(session.run(call(remove, owners, keys)));
  }
  if (records.length > 0) sent.push(session.run(call(keep, ...columnsOfReceipts(records))));
  if (batch !== undefined) {
    const { receipt, drafts, accounts } = batch;
    sent.push(
      session.run(
        call(
          keepBatch,
          receipt.owner,
          receipt.idempotency_key,
          bytes(receipt.fingerprint),
          receipt.expires_at,
          JSON.stringify(drafts),
          textArray([...accounts]),
        ),
      ),
    );
  }
  sent.push(session.run(call(purge, now, count + MORE_PURGED)));
  return sent;
}

/** In one order in all processes, so that none waits for another that waits for it. */
function columnsOfReceipts(unsorted: readonly RecordReceipt[]): readonly unknown[] {
  const kept = unsorted.toSorted((one, other) => {
    const [x, y] = [one.receipt, other.receipt];
    return x.owner === y.owner
      ? compare(x.idempotency_key, y.idempotency_key)
      : compare(x.owner, y.owner);
  });
  return [
    textArray(kept.map(({ receipt }) => receipt.owner)),
    textArray(kept.map(({ receipt }) => receipt.idempotency_key)),
    bytesArray(kept.map(({ receipt }) => receipt.fingerprint)),
    numberArray(kept.map(({ receipt }) => receipt.expires_at)),
    textArray(kept.map(({ outcome }) => outcome)),
    ...RECORD_COLUMNS.map((column) => {
      const values = kept.map(({ record }) => record[column]);
      return typeof values[0] === 'number'
        ? numberArray(values as number[])
        : textArray(values as (string | null)[]);
    }),
  ];
}

export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function toReceipt(row: ReceiptRow): KeptReceipt {
  if (row[5] === 'batch') {
    const [, , , fingerprint, drafts, outcome] = row;
    return { fingerprint, outcome, drafts: JSON.parse(drafts) };
  }
  const [, , , fingerprint, , outcome, ...record] = row;
  return { fingerprint, outcome, record: toRecord(record) };
}

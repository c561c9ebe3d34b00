/** Receipts: kept in the commit of what they prove, and gone some time after they expire. */

import { toRecord } from '../records.ts';
import type { KeptOutcome, KeptReceipt, KeptRecord, Receipt, StoredRecord } from '../store.ts';
import type { Connection } from './connection.ts';
import { toRow } from './rows.ts';
import { type ReceiptRow, receiptStatements } from './statements/receipts.ts';

export class Receipts {
  readonly #statements: ReturnType<typeof receiptStatements>;

  constructor({ database }: Pick<Connection, 'database'>) {
    this.#statements = receiptStatements(database);
  }

  find(owner: string, idempotency_key: string, now: number): KeptReceipt | undefined {
    const row = this.#statements.find.get(owner, idempotency_key, now);
    return row === undefined ? undefined : toReceipt(row);
  }

  keep(receipt: Receipt, outcome: KeptRecord['outcome'], record: StoredRecord): void {
    this.#statements.keep.run(
      receipt.owner,
      receipt.idempotency_key,
      receipt.fingerprint,
      receipt.expires_at,
      outcome,
      ...toRow(record),
    );
  }

  keepBatch(receipt: Receipt, drafts: readonly KeptOutcome[], accounts: ReadonlySet<string>): void {
    this.#statements.keepBatch.run(
      receipt.owner,
      receipt.idempotency_key,
      receipt.fingerprint,
      receipt.expires_at,
      JSON.stringify(drafts),
      JSON.stringify([...accounts]),
    );
  }

  /** Removes some of those that have expired, more than the `added`, so that they get fewer and no commit takes long. */
  purge(now: number, added: number): void {
    if (added > 0) this.#statements.purge.run(now, added + 100);
  }

  /** Removes those that hold records of the account. */
  wipe(account: string): void {
    this.#statements.wipe.run(account);
  }
}

function toReceipt(row: ReceiptRow): KeptReceipt {
  if (row[2] === 'batch') {
    const [fingerprint, drafts, outcome] = row;
    return { fingerprint, outcome, drafts: JSON.parse(drafts) };
  }
  const [fingerprint, , outcome, ...record] = row;
  return { fingerprint, outcome, record: toRecord(record) };
}

/** Receipts: kept in the commit of what they prove, and gone some time after they expire. */
import type { KeptReceipt, Receipt, StoredRecord, Written } from '../store.ts';
import type { Connection } from './connection.ts';
import { type RecordRow, toRecord, toRow } from './rows.ts';
import { type ReceiptRow, receiptStatements } from './statements/receipts.ts';

export class Receipts {
  readonly #statements: ReturnType<typeof receiptStatements>;

  constructor({ database }: Connection) {
    this.#statements = receiptStatements(database);
  }

  find(owner: string, idempotency_key: string, now: number): KeptReceipt | undefined {
    const row = this.#statements.find.get(owner, idempotency_key, now);
    return row === undefined ? undefined : toReceipt(row);
  }

  keep(receipt: Receipt, outcome: Written['outcome'], record: StoredRecord): void {
    this.#statements.keep.run(
      receipt.owner,
      receipt.idempotency_key,
      receipt.fingerprint,
      receipt.expires_at,
      outcome,
      ...toRow(record),
    );
  }

  /** Removes up to `most` of those that have expired. */
  purge(now: number, most: number): void {
    this.#statements.purge.run(now, most);
  }

  /** Removes those that hold records of the account. */
  wipe(account: string): void {
    this.#statements.wipe.run(account);
  }
}

function toReceipt([fingerprint, outcome, ...record]: ReceiptRow): KeptReceipt {
  return { fingerprint, outcome, record: toRecord(record satisfies RecordRow) };
}

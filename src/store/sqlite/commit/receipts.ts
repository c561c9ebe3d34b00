/** Receipts: stored in the commit that they prove, and purged some time after they expire. */
import { performance } from 'node:perf_hooks';
import type {
  AnsweredRecord,
  Receipt,
  ReceiptName,
  Removed,
  StoredReceipt,
  Written,
} from '../../promises/store.ts';
import {
  draftsOfBatch,
  purgedAt,
  purgedUntil,
  SPAN_MS,
  sizeOfReceipt,
} from '../../receipt-room.ts';
import { asAnswered, toRecord } from '../../records/records.ts';
import type { Context } from '../context.ts';
import { firstNumber, type ReceiptRow, receiptStatements } from '../statements/receipts.ts';
import { Room } from './receipt-room.ts';

/** How long one transaction purges: no longer than a commit of drafts takes. */
const PURGE_MS = 4;
/** Receipts between two looks at the clock. */
const PURGED_AT_ONCE = 50;

/** The numbers of a record that was written, and of its account. */
export interface RecordNumbers {
  readonly account: number;
  readonly record: number;
}

export class Receipts {
  readonly #context: Pick<Context, 'table'>;
  readonly #statements: ReturnType<typeof receiptStatements>;
  readonly #most: number;

  /** `most` is how many bytes the receipts of an owner may take. */
  constructor({ connection, table }: Pick<Context, 'connection' | 'table'>, most: number) {
    this.#context = { table };
    this.#statements = receiptStatements(connection.database);
    this.#most = most;
  }

  find({ owner, accounts, idempotency_key }: ReceiptName, now: number): StoredReceipt | undefined {
    const { find } = this.#statements;
    // There hardly ever is one: looking for all of them costs more.
    if (find.get(owner, idempotency_key) === undefined) return undefined;
    const rows = find.all(owner, idempotency_key);
    const found = rows.filter(([account, end]) => end > now && accounts.includes(account));
    const [first] = found;
    return first && this.#stored(first, found);
  }

  /** The room of owners, for one transaction. */
  room(): Room {
    return new Room(this.#statements, this.#most);
  }

  keepWrite(
    room: Room,
    receipt: Receipt,
    { outcome, record: { version, document, updated_at } }: Omit<Written, 'mergeMs'>,
    { account, record }: RecordNumbers,
    resource: string,
  ): void {
    const { owner, idempotency_key: key, fingerprint, expires_at } = receipt;
    const until = purgedAt(expires_at);
    const { answer, answeredUntil, answerUntil, keepWrite } = this.#statements;
    // Only a record that was left unchanged can have been answered before.
    const [already] = outcome === 'unchanged' ? (answeredUntil.get(record, version) ?? []) : [];
    if (already === undefined) answer.run(record, version, document, updated_at, until);
    else if (already < until) answerUntil.run(until, record, version);
    const size = room.take(owner, sizeOfReceipt(already === undefined ? document : undefined));
    const number = room.numberUntil(until);
    this.#keep(receipt, account, () =>
      keepWrite.run(
        number,
        owner,
        key,
        account,
        fingerprint,
        expires_at,
        size,
        outcome,
        resource,
        record,
        version,
      ),
    );
  }

  keepRemoval(
    room: Room,
    receipt: Receipt,
    { outcome, record: { unique_identifier }, below }: Removed,
    account: number,
  ): void {
    const values = this.#common(room, receipt, account, sizeOfReceipt());
    const { keepRemoval } = this.#statements;
    this.#keep(receipt, account, () =>
      keepRemoval.run(...values, outcome, unique_identifier, below),
    );
  }

  /** `drafts` is what became of those of the account, as `batchTextByAccount` makes it. */
  keepBatch(room: Room, receipt: Receipt, account: number, drafts: string): void {
    const values = this.#common(room, receipt, account, sizeOfReceipt(drafts));
    const { keepBatch } = this.#statements;
    this.#keep(receipt, account, () => keepBatch.run(...values, 'batch', drafts));
  }

  /** The first columns of a receipt. */
  #common(room: Room, receipt: Receipt, account: number, size: number) {
    const { owner, idempotency_key, fingerprint, expires_at } = receipt;
    room.take(owner, size);
    const number = room.numberUntil(purgedAt(expires_at));
    return [number, owner, idempotency_key, account, fingerprint, expires_at, size] as const;
  }

  /** Deletes the stored answers of a removed record. */
  forgetRecord(record: number): void {
    this.#statements.forgetRecord.run(record);
  }

  /** Removes those of an account among the next ones after that number; gives the last, `undefined` at the end. */
  wipe(account: number, after: number, count: number): number | undefined {
    const [last] = this.#statements.later.get(after, count - 1) ?? [];
    const room = this.room();
    const upto = last ?? Number.MAX_SAFE_INTEGER;
    for (const [owner, bytes] of this.#statements.wipe.all(account, after, upto)) {
      room.take(owner, -bytes);
    }
    room.settle();
    return last;
  }

  /** Whether any are due to be purged. */
  isDue(now: number): boolean {
    return this.#statements.due.get(this.#end(now), 1) !== undefined;
  }

  /** Purges for some milliseconds. */
  purge(now: number): void {
    const { due, purge, forgetAnswered } = this.#statements;
    const end = this.#end(now);
    const room = this.room();
    const until = performance.now() + PURGE_MS;
    do {
      const rows = due.all(end, PURGED_AT_ONCE);
      const last = rows.at(-1);
      if (last === undefined) break;
      for (const [, owner, size, record, version] of rows) {
        room.take(owner, -size);
        if (version !== null) forgetAnswered.run(record, version, purgedUntil(now));
      }
      purge.run(last[0]);
    } while (performance.now() < until);
    room.settle();
  }

  /** The number that those to be purged are below. */
  #end(now: number): number {
    return firstNumber(purgedUntil(now) + SPAN_MS);
  }

  /** Stores it with `insert`, which returns how many rows it made. */
  #keep(
    { owner, idempotency_key }: Receipt,
    account: number,
    insert: () => { readonly changes: number | bigint },
  ): void {
    if (insert().changes !== 0) return;
    // The existing one has expired, or it would have been found.
    this.#statements.rename.run(owner, idempotency_key, account);
    insert();
  }

  #stored(row: ReceiptRow, all: readonly ReceiptRow[]): StoredReceipt {
    const [, , fingerprint] = row;
    switch (row[3]) {
      case 'batch': {
        const texts = all.flatMap((one) => (one[3] === 'batch' ? one[4] : []));
        return { fingerprint, outcome: row[3], drafts: draftsOfBatch(texts) };
      }
      case 'deleted':
        return { fingerprint, outcome: row[3], unique_identifier: row[4], below: row[5] };
      default:
        return { fingerprint, outcome: row[3], record: this.#answered(row[4], row[5], row[6]) };
    }
  }

  /** The record as it was answered, if it is there. */
  #answered(resource: string, number: number, version: number): AnsweredRecord | undefined {
    const row = this.#context.table(resource).records.byNumber.get(number);
    if (row === undefined) return undefined;
    const answered = this.#statements.answered.get(number, version);
    if (answered === undefined) throw new TypeError('A receipt outlives what was answered.');
    const [document, updated_at] = answered;
    return { ...asAnswered(toRecord(row)), document, version, updated_at };
  }
}

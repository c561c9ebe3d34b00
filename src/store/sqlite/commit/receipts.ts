/** Receipts: stored in the commit that they prove, and purged some time after they expire. */
import { receiptsFull } from '../../promises/refusals.ts';
import type {
  AnsweredRecord,
  Receipt,
  ReceiptQuery,
  Refused,
  Removed,
  Repeated,
  StoredReceipt,
  Written,
} from '../../promises/store.ts';
import {
  batchOutcomes,
  purgedAt,
  purgedUntil,
  ReceiptRooms,
  receiptAmong,
  SPAN_MS,
  sizeOfReceipt,
  type Taking,
} from '../../receipt-room.ts';
import { asAnswered, toRecord } from '../../records/records.ts';
import type { Context } from '../context.ts';
import {
  firstNumber,
  type ReceiptRow,
  type ReceiptStatements,
  receiptStatements,
} from '../statements/receipts.ts';

/** How long one transaction purges: no longer than a commit of drafts takes. */
const PURGE_MS = 4;
/** Receipts between two looks at the clock. */
const PURGED_AT_ONCE = 50;

/** The numbers of a record that was written, and of its account. */
export interface RecordNumbers {
  readonly account: number;
  readonly record: number;
}

/** Gives numbers to new receipts within one transaction. */
export class ReceiptNumbers {
  readonly #last: ReceiptStatements['last'];
  #until = 0;
  #next = 0;

  constructor({ last }: Pick<ReceiptStatements, 'last'>) {
    this.#last = last;
  }

  /** The number of a receipt that is purged at that time. */
  until(time: number): number {
    if (time !== this.#until) {
      const [last = 0] = this.#last.get(firstNumber(time + SPAN_MS)) ?? [];
      this.#until = time;
      this.#next = Math.max(firstNumber(time), last + 1);
    }
    this.#next += 1;
    return this.#next - 1;
  }
}

/** The receipts that a transaction stores. */
export interface NewReceipts {
  readonly numbers: ReceiptNumbers;
  /** The room that they take, to be counted when they are committed. */
  readonly taken: Taking[];
}

export class Receipts {
  readonly rooms: ReceiptRooms;
  readonly #context: Pick<Context, 'table'>;
  readonly #statements: ReceiptStatements;

  /** `most` is how many bytes the receipts of an owner may take. */
  constructor({ connection, table }: Pick<Context, 'connection' | 'table'>, most: number) {
    this.#context = { table };
    this.#statements = receiptStatements(connection.database);
    this.rooms = new ReceiptRooms(most);
  }

  /** Called at the start of a transaction. */
  begin(): NewReceipts {
    return { numbers: new ReceiptNumbers(this.#statements), taken: [] };
  }

  find(
    { owner, accounts, idempotency_key, fingerprint }: ReceiptQuery,
    now: number,
  ): StoredReceipt | undefined {
    const { find } = this.#statements;
    // There hardly ever is one: looking for all of them costs more.
    if (find.get(owner, idempotency_key) === undefined) return undefined;
    const rows = find.all(owner, idempotency_key);
    const found = rows.filter(([account, end]) => end > now && accounts.includes(account));
    return receiptAmong(
      found.map((row) => this.#stored(row, accounts)),
      fingerprint,
    );
  }

  /** Whether a request was done in one of its accounts, or there is no room for its receipt. */
  repeatedOrFull(
    receipt: Receipt,
    accounts: readonly string[],
    now: number,
  ): Repeated | Refused | undefined {
    const existing = this.find({ ...receipt, accounts }, now);
    if (existing !== undefined) return { outcome: 'repeated', receipt: existing };
    if (!this.rooms.isFull(receipt.owner)) return undefined;
    return { outcome: 'refused', error: receiptsFull() };
  }

  keepWrite(
    made: NewReceipts,
    receipt: Receipt,
    { outcome, record: { version, document, updated_at } }: Omit<Written, 'mergeMs'>,
    { account, record }: RecordNumbers,
    resource: string,
  ): void {
    const until = purgedAt(receipt.expires_at);
    const { answer, answeredUntil, answerUntil, keepWrite } = this.#statements;
    // Only a record that was left unchanged can have been answered before.
    const [already] = outcome === 'unchanged' ? (answeredUntil.get(record, version) ?? []) : [];
    if (already === undefined) answer.run(record, version, document, updated_at, until);
    else if (already < until) answerUntil.run(until, record, version);
    const size = sizeOfReceipt(already === undefined ? document : undefined);
    const values = this.#common(made, receipt, account, size);
    this.#keep(receipt, account, () =>
      keepWrite.run(...values, outcome, resource, record, version),
    );
  }

  keepRemoval(
    made: NewReceipts,
    receipt: Receipt,
    { outcome, record: { unique_identifier }, below }: Removed,
    account: number,
  ): void {
    const values = this.#common(made, receipt, account, sizeOfReceipt());
    const { keepRemoval } = this.#statements;
    this.#keep(receipt, account, () =>
      keepRemoval.run(...values, outcome, unique_identifier, below),
    );
  }

  /** `drafts` are their outcomes, as `batchReceipt` makes them. */
  keepBatch(made: NewReceipts, receipt: Receipt, account: number, drafts: string): void {
    const values = this.#common(made, receipt, account, sizeOfReceipt(drafts));
    const { keepBatch } = this.#statements;
    this.#keep(receipt, account, () => keepBatch.run(...values, 'batch', drafts));
  }

  /** The first columns of a receipt. */
  #common({ numbers, taken }: NewReceipts, receipt: Receipt, account: number, size: number) {
    const { owner, idempotency_key, fingerprint, expires_at } = receipt;
    taken.push({ owner, bytes: size });
    const number = numbers.until(purgedAt(expires_at));
    return [number, owner, idempotency_key, account, fingerprint, expires_at, size] as const;
  }

  /** Deletes the stored answers of a removed record. */
  forgetRecord(record: number): void {
    this.#statements.forgetRecord.run(record);
  }

  /** Adds what this process has counted to what all have, and gives the sums. */
  addTaken(counted: readonly Taking[]): ReadonlyMap<string, number> {
    const { take } = this.#statements;
    return new Map(
      counted.map(({ owner, bytes }) => [owner, take.get(owner, bytes)?.[0] ?? 0] as const),
    );
  }

  /** Whether any are due to be purged. */
  isDue(now: number): boolean {
    return this.#statements.due.get(this.#end(now), 1) !== undefined;
  }

  /** Purges for some milliseconds; returns the room that it frees. */
  purge(now: number): readonly Taking[] {
    const { due, purge, forgetAnswered } = this.#statements;
    const end = this.#end(now);
    const freed: Taking[] = [];
    const until = performance.now() + PURGE_MS;
    do {
      const rows = due.all(end, PURGED_AT_ONCE);
      const last = rows.at(-1);
      if (last === undefined) break;
      for (const [, owner, size, record, version] of rows) {
        freed.push({ owner, bytes: -size });
        if (version !== null) forgetAnswered.run(record, version, purgedUntil(now));
      }
      purge.run(last[0]);
    } while (performance.now() < until);
    return freed;
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

  /** For an owner who sees these accounts. */
  #stored(row: ReceiptRow, accounts: readonly string[]): StoredReceipt {
    const [, , fingerprint] = row;
    switch (row[3]) {
      case 'batch':
        return { fingerprint, outcome: row[3], drafts: batchOutcomes(row[4], accounts) };
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

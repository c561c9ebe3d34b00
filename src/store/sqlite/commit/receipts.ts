/** Receipts: stored in the commit that they prove, and purged some time after they expire. */
import { receiptsFull } from '../../promises/refusals.ts';
import type {
  AnsweredRecord,
  Receipt,
  ReceiptQuery,
  Refused,
  Removed,
  Repeated,
  Written,
} from '../../promises/store.ts';
import {
  createReceiptRooms,
  purgedAt,
  purgedUntil,
  receiptAmong,
  SPAN_MS,
  sizeOfReceipt,
  type Taking,
  toReceipt,
} from '../../receipt-room.ts';
import { asAnswered, toRecord } from '../../records/records.ts';
import type { Context } from '../context.ts';
import { firstNumber, type ReceiptStatements, receiptStatements } from '../statements/receipts.ts';

/** How long one transaction purges: no longer than a commit of drafts takes. */
const PURGE_MS = 4;
/** Receipts between two looks at the clock. */
const PURGED_AT_ONCE = 50;

/** Returns what gives numbers to new receipts within one transaction, by the time when they are purged. */
export function createReceiptNumbers({ last }: Pick<ReceiptStatements, 'last'>) {
  let until = 0;
  let next = 0;
  return (time: number): number => {
    if (time !== until) {
      const [greatest = 0] = last.get(firstNumber(time + SPAN_MS)) ?? [];
      until = time;
      next = Math.max(firstNumber(time), greatest + 1);
    }
    next += 1;
    return next - 1;
  };
}

/** The receipts that a transaction stores. */
export interface NewReceipts {
  readonly numberFor: (purgedAt: number) => number;
  /** The room that they take, to be counted when they are committed. */
  readonly taken: Taking[];
}

/** The columns of a receipt that say what it proves. */
type Proof = Readonly<
  Record<'outcome', string> &
    Partial<Record<'resource' | 'unique_identifier' | 'drafts', string>> &
    Partial<Record<'record' | 'version' | 'below', number>>
>;

export type Receipts = ReturnType<typeof createReceipts>;

/** `most` is how many bytes the receipts of an owner may take. */
export function createReceipts(
  { connection, table }: Pick<Context, 'connection' | 'table'>,
  most: number,
) {
  const statements = receiptStatements(connection.database);
  const rooms = createReceiptRooms(most);

  function find({ owner, accounts, idempotency_key, fingerprint }: ReceiptQuery, now: number) {
    // There hardly ever is one: looking for all of them costs more.
    if (statements.find.get(owner, idempotency_key) === undefined) return undefined;
    const found = statements.find
      .all(owner, idempotency_key)
      .filter(([account, end]) => end > now && accounts.includes(account))
      .map(([, , version, ...proved]) => {
        const [, , resource, record] = proved;
        return toReceipt(proved, accounts, () => answered(resource, record, version ?? 0));
      });
    return receiptAmong(found, fingerprint);
  }

  function keep(
    { numberFor, taken }: NewReceipts,
    { owner, idempotency_key, fingerprint, expires_at }: Receipt,
    account: number,
    size: number,
    { outcome, resource, record, version, unique_identifier, below, drafts }: Proof,
  ): void {
    taken.push({ owner, bytes: size });
    const values = [
      ...[numberFor(purgedAt(expires_at)), owner, idempotency_key, account, fingerprint],
      ...[expires_at, size, outcome, resource ?? null, record ?? null, version ?? null],
      ...[unique_identifier ?? null, below ?? null, drafts ?? null],
    ];
    if (statements.keep.run(...values).changes !== 0) return;
    // The existing one has expired, or it would have been found.
    statements.rename.run(owner, idempotency_key, account);
    statements.keep.run(...values);
  }

  /** The number that those to be purged are below. */
  const endOf = (now: number): number => firstNumber(purgedUntil(now) + SPAN_MS);

  /** The record as it was answered, if it is there. */
  function answered(resource: string, number: number, version: number): AnsweredRecord | undefined {
    const row = table(resource).records.byNumber.get(number);
    if (row === undefined) return undefined;
    const found = statements.answered.get(number, version);
    if (found === undefined) throw new TypeError('A receipt outlives what was answered.');
    const [document, updated_at] = found;
    return { ...asAnswered(toRecord(row)), document, version, updated_at };
  }

  return {
    rooms,
    begin: (): NewReceipts => ({ numberFor: createReceiptNumbers(statements), taken: [] }),
    find,
    /** Whether a request was done in one of its accounts, or there is no room for its receipt. */
    repeatedOrFull(
      receipt: Receipt,
      accounts: readonly string[],
      now: number,
    ): Repeated | Refused | undefined {
      const existing = find({ ...receipt, accounts }, now);
      if (existing !== undefined) return { outcome: 'repeated', receipt: existing };
      if (!rooms.isFull(receipt.owner)) return undefined;
      return { outcome: 'refused', error: receiptsFull() };
    },
    keepWrite(
      made: NewReceipts,
      receipt: Receipt,
      { outcome, record: { version, document, updated_at } }: Omit<Written, 'mergeMs'>,
      { account, record }: { readonly account: number; readonly record: number },
      resource: string,
    ): void {
      const until = purgedAt(receipt.expires_at);
      const { answer, answeredUntil, answerUntil } = statements;
      // Only a record that was left unchanged can have been answered before.
      const [already] = outcome === 'unchanged' ? (answeredUntil.get(record, version) ?? []) : [];
      if (already === undefined) answer.run(record, version, document, updated_at, until);
      else if (already < until) answerUntil.run(until, record, version);
      const size = sizeOfReceipt(already === undefined ? document : undefined);
      keep(made, receipt, account, size, { outcome, resource, record, version });
    },
    keepRemoval(
      made: NewReceipts,
      receipt: Receipt,
      { outcome, record: { unique_identifier }, below }: Removed,
      account: number,
    ): void {
      keep(made, receipt, account, sizeOfReceipt(), { outcome, unique_identifier, below });
    },
    /** `drafts` are their outcomes, as `batchReceipt` makes them. */
    keepBatch(made: NewReceipts, receipt: Receipt, account: number, drafts: string): void {
      keep(made, receipt, account, sizeOfReceipt(drafts), { outcome: 'batch', drafts });
    },
    forgetRecord: (record: number) => statements.forgetRecord.run(record),
    /** Adds this process's count of what receipts take to the shared one, and learns the sums. */
    settleRooms: () =>
      rooms.settle((counted) =>
        connection.write(() =>
          counted.map(({ owner, bytes }) => [owner, statements.take.get(owner, bytes)?.[0] ?? 0]),
        ),
      ),
    isDue: (now: number): boolean => statements.due.get(endOf(now), 1) !== undefined,
    /** Purges for some milliseconds; returns the room that it frees. */
    purge(now: number): readonly Taking[] {
      const { due, purge, forgetAnswered } = statements;
      const end = endOf(now);
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
    },
  };
}

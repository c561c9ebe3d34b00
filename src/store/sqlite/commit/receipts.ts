/** Receipts: stored in the commit that they prove, and purged some time after they expire. */
import { receiptsFull } from '../../promises/refusals.ts';
import type {
  Receipt,
  ReceiptQuery,
  Refused,
  Removed,
  Repeated,
  StoredRecord,
  Written,
} from '../../promises/store.ts';
import {
  createReceiptRooms,
  receiptAmong,
  sizeOfReceipt,
  type Taking,
  toReceipt,
} from '../../receipt-room.ts';
import { toRecord } from '../../records/records.ts';
import type { Context } from '../context.ts';
import {
  firstNumber,
  type ReceiptStatements,
  receiptStatements,
  SPAN_MS,
} from '../statements/receipts.ts';

/** How long one transaction purges: no longer than a commit of drafts takes. */
const PURGE_MS = 4;
/** Receipts between two looks at the clock. */
const PURGED_AT_ONCE = 50;

/** Returns what gives numbers to new receipts within one transaction, by the time when they expire. */
export function createReceiptNumbers({ last }: Pick<ReceiptStatements, 'last'>) {
  let until = 0;
  let next = 0;
  return (expires_at: number): number => {
    const end = Math.ceil(expires_at / SPAN_MS) * SPAN_MS;
    if (end !== until) {
      const [greatest = 0] = last.get(firstNumber(end + SPAN_MS)) ?? [];
      until = end;
      next = Math.max(firstNumber(end), greatest + 1);
    }
    next += 1;
    return next - 1;
  };
}

/** The receipts that a transaction stores. */
export interface NewReceipts {
  readonly numberFor: (expires_at: number) => number;
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
        return toReceipt(proved, accounts, () => {
          return { version: version ?? 0, record: recordNow(resource, record) };
        });
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
      ...[numberFor(expires_at), owner, idempotency_key, account, fingerprint],
      ...[expires_at, size, outcome, resource ?? null, record ?? null, version ?? null],
      ...[unique_identifier ?? null, below ?? null, drafts ?? null],
    ];
    if (statements.keep.run(...values).changes !== 0) return;
    // The existing one has expired, or it would have been found.
    statements.rename.run(owner, idempotency_key, account);
    statements.keep.run(...values);
  }

  /** The number that those to be purged are below. */
  const endOf = (now: number): number => firstNumber(Math.floor(now / SPAN_MS) * SPAN_MS + SPAN_MS);

  function recordNow(resource: string, number: number): StoredRecord | undefined {
    const row = table(resource).records.byNumber.get(number);
    return row && toRecord(row);
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
      { outcome, record: { version } }: Omit<Written, 'mergeMs'>,
      { account, record }: { readonly account: number; readonly record: number },
      resource: string,
    ): void {
      keep(made, receipt, account, sizeOfReceipt(), { outcome, resource, record, version });
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
      const { due, purge } = statements;
      const end = endOf(now);
      const freed: Taking[] = [];
      const until = performance.now() + PURGE_MS;
      do {
        const rows = due.all(end, PURGED_AT_ONCE);
        const last = rows.at(-1);
        if (last === undefined) break;
        for (const [, owner, size] of rows) freed.push({ owner, bytes: -size });
        purge.run(last[0]);
      } while (performance.now() < until);
      return freed;
    },
  };
}

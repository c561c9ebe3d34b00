/** Receipts: stored in the commit of what they prove, and purged some time after they expire. */
import { keyStatements } from '../../books/sql/key-sql.ts';
import type {
  AnsweredRecord,
  Receipt,
  ReceiptName,
  Removed,
  StoredOutcome,
  StoredReceipt,
  StoredRecord,
  Written,
} from '../../promises/store.ts';
import { batchTextByAccount, draftsOfBatch, purgedAt, sizeOfReceipt } from '../../receipt-room.ts';
import { statementOf } from '../book-rows.ts';
import type { Context } from '../context.ts';
import { byAccount, receiptName } from '../names.ts';
import {
  ANSWERED,
  answer,
  answerWritten,
  find,
  keep,
  keepWritten,
  RECEIPT,
  type ReceiptRow,
  rename,
  type WriteRow,
} from '../statements/receipts.ts';
import { type Call, call, type Session, type TablePlace } from '../wire/session.ts';
import { bytesArray, numberArray, textArray } from '../wire/values.ts';
import type { ReceiptRooms, Taking } from './receipt-room.ts';

const lockKeys = statementOf(keyStatements.lock);

/** A draft's receipt, to be stored. */
export interface RecordReceipt {
  readonly receipt: Receipt;
  readonly outcome: Written['outcome'];
  readonly record: StoredRecord;
}

/** A batch's receipt, to be stored. */
export interface BatchReceipt {
  readonly receipt: Receipt;
  readonly drafts: readonly { readonly account: string }[];
  readonly outcomes: readonly StoredOutcome[];
}

export interface NewReceipts {
  readonly records: readonly RecordReceipt[];
  readonly batch: BatchReceipt | undefined;
  /** Expired ones that are in the way. */
  readonly expired: readonly ReceiptPlace[];
}

/** A receipt by its place. */
export interface ReceiptPlace {
  readonly account: string;
  readonly owner: string;
  readonly idempotency_key: string;
}

/** A row of the table. */
interface Kept {
  readonly receipt: Receipt;
  readonly account: string;
  readonly size: number;
  readonly outcome: StoredReceipt['outcome'];
  readonly record?: string;
  readonly version?: number;
  readonly below?: number;
  readonly drafts?: string;
}

/** The receipts that were found. */
export interface FoundReceipts {
  /** By `receiptName`. */
  readonly kept: ReadonlyMap<string, StoredReceipt>;
  readonly expired: readonly ReceiptPlace[];
}

/**
 * To be sent before receipts are looked for whose commit is to be judged by them.
 * A receipt lies with one account, where it clashes with no other of the same
 * name elsewhere: so the keys that see several accounts are taken first, and
 * their requests are judged one after the other. Where tables are spread, that
 * would hold up all servers, and is left out.
 */
export function takeOwners(
  session: Session,
  { distribution }: Pick<Context, 'distribution'>,
  wanted: readonly ReceiptName[],
): Promise<unknown> | undefined {
  if (distribution !== undefined) return undefined;
  const owners = new Set(
    wanted.flatMap(({ owner, accounts }) => (accounts.length > 1 ? owner : [])),
  );
  if (owners.size === 0) return undefined;
  return session.rows(call(lockKeys, textArray([...owners])));
}

export async function findReceipts(
  session: Session,
  wanted: readonly ReceiptName[],
  now: number,
): Promise<FoundReceipts> {
  if (wanted.length === 0) return { kept: new Map(), expired: [] };
  const owners = textArray(wanted.map(({ owner }) => owner));
  const keys = textArray(wanted.map(({ idempotency_key }) => idempotency_key));
  const accounts = textArray([...new Set(wanted.flatMap((one) => one.accounts))]);
  const rows = await session.rows(call(find, owners, keys, accounts));
  const expired = rows.filter((row) => row[2] <= now);
  const byName = Map.groupBy(
    rows.filter((row) => row[2] > now),
    ([owner, idempotency_key]) => receiptName({ owner, idempotency_key }),
  );
  return {
    kept: new Map([...byName].map(([name, found]) => [name, toReceipt(found)])),
    expired: expired.map((row) => ({ account: row[6], owner: row[0], idempotency_key: row[1] })),
  };
}

/** The statements that keep receipts, and the room they take once committed. */
export interface Keeping {
  readonly calls: readonly Call[];
  readonly taken: readonly Taking[];
}

/** Their commit fails with a conflict if another process has stored one in the meantime. */
export function keeping(rooms: ReceiptRooms, receipts: NewReceipts): Keeping {
  const { records, batch, expired } = receipts;
  const kept = [
    ...records.map((one) => keptWrite(rooms, one)),
    ...(batch === undefined ? [] : keptBatch(batch)),
  ];
  const answers = records.length === 0 ? [] : [call(answer, ...answersOf(records))];
  return keepingRows(kept, expired, answers);
}

/**
 * The statements that keep receipts of what a commit has written, as far as it
 * has. They fail with a conflict where there is one already, even if it has expired.
 */
export function callsToKeepWritten(
  rooms: ReceiptRooms,
  place: TablePlace,
  token: string,
  records: readonly RecordReceipt[],
): readonly Call[] {
  const accounts = byAccount(records, ({ record }) => record.account);
  return [
    ...accounts.map(([account, some]) => {
      const [, ...answers] = answersOf(some);
      return place.nameOf(account)(call(answerWritten, account, token, ...answers));
    }),
    ...accounts.map(([account, some]) => {
      const [, ...kept] = columnsOf(some.map((one) => keptWrite(rooms, one)));
      return place.nameOf(account)(call(keepWritten, account, token, ...kept));
    }),
  ];
}

export function keepingRemoval(
  receipt: Receipt,
  { outcome, record: { account, unique_identifier }, below }: Removed,
  expired: readonly ReceiptPlace[],
): Keeping {
  const size = sizeOfReceipt();
  return keepingRows(
    [{ receipt, account, size, outcome, record: unique_identifier, below }],
    expired,
    [],
  );
}

function keepingRows(
  kept: readonly Kept[],
  expired: readonly ReceiptPlace[],
  answers: readonly Call[],
): Keeping {
  if (kept.length === 0) return { calls: [], taken: [] };
  return {
    calls: [...answers, ...callsToMakeWay(expired), call(keep, ...columnsOf(kept))],
    taken: kept.map(({ receipt: { owner }, size }) => ({ owner, bytes: size })),
  };
}

function callsToMakeWay(unsorted: readonly ReceiptPlace[]): readonly Call[] {
  if (unsorted.length === 0) return [];
  const expired = unsorted.toSorted(byKey);
  return [
    call(
      rename,
      textArray(expired.map(({ owner }) => owner)),
      textArray(expired.map(({ idempotency_key }) => idempotency_key)),
      textArray(expired.map(({ account }) => account)),
    ),
  ];
}

function keptWrite(rooms: ReceiptRooms, { receipt, outcome, record }: RecordReceipt): Kept {
  const { account, unique_identifier, version } = record;
  const size = rooms.sizeOf(receipt, outcome, record);
  return { receipt, account, size, outcome, record: unique_identifier, version };
}

function keptBatch({ receipt, drafts, outcomes }: BatchReceipt): readonly Kept[] {
  return [...batchTextByAccount(drafts, outcomes)].map(([account, text]) => {
    return { receipt, account, size: sizeOfReceipt(text), outcome: 'batch', drafts: text };
  });
}

/** The order in which receipts are locked. */
function byKey(
  one: Pick<Receipt, 'owner' | 'idempotency_key'>,
  other: Pick<Receipt, 'owner' | 'idempotency_key'>,
): number {
  return compare(one.owner, other.owner) || compare(one.idempotency_key, other.idempotency_key);
}

function columnsOf(unsorted: readonly Kept[]): readonly unknown[] {
  const kept = unsorted.toSorted((one, other) => byKey(one.receipt, other.receipt));
  return columns(RECEIPT, kept, (name, { receipt, ...own }) => {
    if (name in own) return own[name as keyof typeof own] ?? null;
    return receipt[name as 'owner'] ?? null;
  });
}

/** Each version once, in the order in which they are locked. */
function answersOf(records: readonly RecordReceipt[]): readonly unknown[] {
  const answers = new Map(
    records.map(({ receipt, record: { unique_identifier, ...record } }) => [
      `${record.account} ${unique_identifier} ${record.version}`,
      { ...record, record: unique_identifier, expires_at: purgedAt(receipt.expires_at) },
    ]),
  );
  const sorted = [...answers].sort(([one], [other]) => compare(one, other));
  return columns(
    ANSWERED,
    sorted.map(([, each]) => each),
    (name, each) => each[name],
  );
}

/** Arrays of the values of each column. */
function columns<Name extends string, Row>(
  names: readonly (readonly [name: Name, type: string])[],
  rows: readonly Row[],
  read: (name: Name, row: Row) => unknown,
): readonly unknown[] {
  return names.map(([name, type]) => {
    const values = rows.map((row) => read(name, row));
    if (type === 'bytea') return bytesArray(values as Uint8Array[]);
    if (type === 'bigint') return numberArray(values as (number | null)[]);
    return textArray(values as (string | null)[]);
  });
}

export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Of all rows of one name: a batch has one in each account. */
function toReceipt(rows: readonly ReceiptRow[]): StoredReceipt {
  const row = rows[0] as ReceiptRow;
  const fingerprint = row[3];
  switch (row[4]) {
    case 'batch': {
      const texts = rows.flatMap((one) => (one[4] === 'batch' ? one[5] : []));
      return { fingerprint, outcome: row[4], drafts: draftsOfBatch(texts) };
    }
    case 'deleted':
      return { fingerprint, outcome: row[4], unique_identifier: row[5], below: row[7] };
    default:
      return { fingerprint, outcome: row[4], record: answeredIn(row) };
  }
}

/** The record as answered, unless it has been removed since. */
function answeredIn(row: WriteRow): AnsweredRecord | undefined {
  const [, , , , , unique_identifier, account, version, ...rest] = row;
  const [anchor, parent, external_identifier, document, inserted_at, updated_at] = rest;
  if (document === null || inserted_at === null || updated_at === null) return undefined;
  const own = { unique_identifier, account, anchor, parent, external_identifier };
  return { ...own, document, version, inserted_at, updated_at };
}

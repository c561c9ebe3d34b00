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
  /** Where any was found. */
  readonly accounts: readonly string[];
}

/**
 * To be sent before receipts are looked for whose commit is to be judged by them.
 * A receipt lies with one account, where it clashes with no other of the same
 * name elsewhere: so the keys that see several accounts are taken first, and
 * their requests are judged one after the other. Where accounts are on several
 * servers, that would hold up all of these, and is left out.
 */
export function takeOwners(
  session: Session,
  { placements }: Pick<Context, 'placements'>,
  wanted: readonly ReceiptName[],
): Promise<unknown> | undefined {
  if (!placements.together) return undefined;
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
  if (wanted.length === 0) return { kept: new Map(), expired: [], accounts: [] };
  return foundReceipts(await readReceipts(session, wanted, accountsOf(wanted)), now);
}

/** Finds them in all of their accounts, where these are at several servers, too. */
export async function findReceiptsAnywhere(
  { placements, now }: Pick<Context, 'placements' | 'now'>,
  wanted: readonly ReceiptName[],
): Promise<FoundReceipts> {
  const rows = await placements.each(accountsOf(wanted), (session, own) =>
    readReceipts(session, wanted, own),
  );
  return foundReceipts(rows.flat(), now());
}

function accountsOf(wanted: readonly ReceiptName[]): readonly string[] {
  return [...new Set(wanted.flatMap((one) => one.accounts))];
}

async function readReceipts(
  session: Session,
  wanted: readonly ReceiptName[],
  accounts: readonly string[],
): Promise<readonly ReceiptRow[]> {
  const owners = textArray(wanted.map(({ owner }) => owner));
  const keys = textArray(wanted.map(({ idempotency_key }) => idempotency_key));
  const found = await Promise.all(
    session.place
      .groups(accounts)
      .map(([name, own]) => session.rows(name(call(find, owners, keys, textArray(own))))),
  );
  return found.flat();
}

function foundReceipts(rows: readonly ReceiptRow[], now: number): FoundReceipts {
  const expired = rows.filter((row) => row[2] <= now);
  const byName = Map.groupBy(
    rows.filter((row) => row[2] > now),
    ([owner, idempotency_key]) => receiptName({ owner, idempotency_key }),
  );
  return {
    kept: new Map([...byName].map(([name, found]) => [name, toReceipt(found)])),
    expired: expired.map((row) => ({ account: row[6], owner: row[0], idempotency_key: row[1] })),
    accounts: [...new Set(rows.map((row) => row[6]))],
  };
}

/** The statements that keep receipts, and the room they take once committed. */
export interface Keeping {
  readonly calls: readonly Call[];
  readonly taken: readonly Taking[];
}

/** Their commit fails with a conflict if another process has stored one in the meantime. */
export function keeping(rooms: ReceiptRooms, place: TablePlace, receipts: NewReceipts): Keeping {
  const { records, batch, expired } = receipts;
  const kept = [
    ...records.map((one) => keptWrite(rooms, one)),
    ...(batch === undefined ? [] : keptBatch(batch)),
  ];
  const accountOf = ({ record }: RecordReceipt): string => record.account;
  const answers = callsByPlace(place, records, accountOf, (own) => call(answer, ...answersOf(own)));
  return keepingRows(kept, expired, answers, place);
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
  place: TablePlace,
): Keeping {
  const kept = { receipt, account, size: sizeOfReceipt(), outcome, record: unique_identifier };
  return keepingRows([{ ...kept, below }], expired, [], place);
}

function keepingRows(
  kept: readonly Kept[],
  expired: readonly ReceiptPlace[],
  answers: readonly Call[],
  place: TablePlace,
): Keeping {
  if (kept.length === 0) return { calls: [], taken: [] };
  const accountOf = ({ account }: Kept | ReceiptPlace): string => account;
  return {
    calls: [
      ...answers,
      ...callsByPlace(place, expired, accountOf, callToMakeWay),
      ...callsByPlace(place, kept, accountOf, (own) => call(keep, ...columnsOf(own))),
    ],
    taken: kept.map(({ receipt: { owner }, size }) => ({ owner, bytes: size })),
  };
}

/** A call for those of each place. */
function callsByPlace<Row>(
  place: TablePlace,
  rows: readonly Row[],
  accountOf: (row: Row) => string,
  callOf: (rows: readonly Row[]) => Call,
): readonly Call[] {
  if (rows.length === 0) return [];
  const byAccount = Map.groupBy(rows, accountOf);
  return place
    .groups([...byAccount.keys()])
    .map(([name, own]) => name(callOf(own.flatMap((account) => byAccount.get(account) ?? []))));
}

function callToMakeWay(unsorted: readonly ReceiptPlace[]): Call {
  const expired = unsorted.toSorted(byKey);
  return call(
    rename,
    textArray(expired.map(({ owner }) => owner)),
    textArray(expired.map(({ idempotency_key }) => idempotency_key)),
    textArray(expired.map(({ account }) => account)),
  );
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

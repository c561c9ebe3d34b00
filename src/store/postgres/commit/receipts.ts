/** Receipts: stored in the commit of what they prove, and purged some time after they expire. */
import { BoundedMap } from '../../../core/bounded.ts';
import type {
  AnsweredRecord,
  Outcome,
  Receipt,
  ReceiptQuery,
  Removed,
  StoredReceipt,
  StoredRecord,
  Written,
} from '../../promises/store.ts';
import {
  batchOutcomes,
  batchReceipt,
  purgedAt,
  receiptAmong,
  sizeOfReceipt,
  type Taking,
} from '../../receipt-room.ts';
import type { Context } from '../context.ts';
import { byAccount, type ReceiptPlace, receiptName } from '../names.ts';
import {
  ANSWERED,
  answer,
  find,
  keep,
  RECEIPT,
  type ReceiptRow,
  rename,
  type WriteRow,
} from '../statements/receipts.ts';
import { confirm } from '../turn/in-turn.ts';
import { type Call, call, type Session, type TablePlace } from '../wire/session.ts';
import { bytesArray, numberArray, textArray } from '../wire/values.ts';

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
  readonly outcomes: readonly Outcome[];
}

export interface NewReceipts {
  readonly records: readonly RecordReceipt[];
  readonly batch: BatchReceipt | undefined;
  /** Expired ones that are in the way. */
  readonly expired: readonly ReceiptPlace[];
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

/** Finds them in accounts that are locked for other writers, or by a commit that relies on none. */
export async function findReceipts(
  session: Session,
  wanted: readonly ReceiptPlace[],
  now: number,
): Promise<FoundReceipts> {
  const rows = await readReceipts(session, wanted);
  const accounts = wanted.map(({ account }) => account);
  const kept = rows
    .filter(([, , end]) => end > now)
    .map((row) => [receiptName(placeOf(row)), toReceipt(row, accounts)] as const);
  const expired = rows.filter(([, , end]) => end <= now).map(placeOf);
  return { kept: new Map(kept), expired };
}

/** Finds one in any of its accounts, where these are at several servers, too; standbys have it then. */
export async function findReceipt(
  context: Context,
  { accounts, fingerprint, ...name }: ReceiptQuery,
): Promise<StoredReceipt | undefined> {
  const now = context.now();
  const each = await context.placements.each(accounts, (session, own) =>
    readReceipts(
      session,
      own.map((account) => ({ account, ...name })),
    ),
  );
  const rows = each.flat().filter(([, , end]) => end > now);
  if (rows.length === 0) return undefined;
  const where = rows.map((row) => placeOf(row).account);
  await confirm(context, where);
  return receiptAmong(
    rows.map((row) => toReceipt(row, accounts)),
    fingerprint,
  );
}

async function readReceipts(
  session: Session,
  wanted: readonly ReceiptPlace[],
): Promise<readonly ReceiptRow[]> {
  const calls = callsByPlace(session.place, wanted, accountOf, (own) => {
    return call(find, ...placesOf(own));
  });
  return (await Promise.all(calls.map((one) => session.rows(one)))).flat();
}

/** The statements that keep receipts, and the room they take once committed. */
export interface Keeping {
  readonly calls: readonly Call[];
  readonly taken: readonly Taking[];
}

/** For the commit with that token, which has locked its accounts. */
export function keeping(
  place: TablePlace,
  token: string,
  { records, batch, expired }: NewReceipts,
): Keeping {
  const kept = [...records.map(keptWrite), ...(batch === undefined ? [] : keptBatch(batch))];
  const rows = { kept, answered: records.map(answered), expired };
  return { calls: callsToKeep(place, token, true, rows), taken: kept.map(taking) };
}

/**
 * The statements that keep receipts of what a commit has written, as far as it
 * has. They fail with a conflict where there is one already, even if it has expired.
 */
export function callsToKeepWritten(
  place: TablePlace,
  token: string,
  records: readonly RecordReceipt[],
): readonly Call[] {
  const rows = { kept: records.map(keptWrite), answered: records.map(answered), expired: [] };
  return callsToKeep(place, token, false, rows);
}

export function keepingRemoval(
  place: TablePlace,
  token: string,
  receipt: Receipt,
  { outcome, record: { account, unique_identifier }, below }: Removed,
  expired: readonly ReceiptPlace[],
): Keeping {
  const own = { receipt, account, size: sizeOfReceipt(), outcome, record: unique_identifier };
  const kept = [{ ...own, below }];
  const calls = callsToKeep(place, token, true, { kept, answered: [], expired });
  return { calls, taken: kept.map(taking) };
}

interface Rows {
  readonly kept: readonly Kept[];
  readonly answered: readonly Answered[];
  readonly expired: readonly ReceiptPlace[];
}

/** `all`, or only of what the commit has logged as written. */
function callsToKeep(
  place: TablePlace,
  token: string,
  all: boolean,
  { kept, answered, expired }: Rows,
): readonly Call[] {
  return [
    ...byAccount(answered, accountOf).map(([account, some]) =>
      place.nameOf(account)(call(answer, account, token, `${all}`, ...answersOf(some))),
    ),
    ...callsByPlace(place, expired, accountOf, callToMakeWay),
    ...byAccount(kept, accountOf).map(([account, some]) =>
      place.nameOf(account)(call(keep, account, token, `${all}`, ...columnsOf(some))),
    ),
  ];
}

function taking({ receipt: { owner }, size }: Kept): Taking {
  return { owner, bytes: size };
}

/** The room that a draft's receipt takes. */
export function takingOf(one: RecordReceipt): Taking {
  return taking(keptWrite(one));
}

/** A call for those of each place. */
function callsByPlace<Row, Found extends readonly unknown[] = never[]>(
  place: TablePlace,
  rows: readonly Row[],
  accountOf: (row: Row) => string,
  callOf: (rows: readonly Row[]) => Call<Found>,
): readonly Call<Found>[] {
  if (rows.length === 0) return [];
  const byAccount = Map.groupBy(rows, accountOf);
  return place
    .groups([...byAccount.keys()])
    .map(([name, own]) => name(callOf(own.flatMap((account) => byAccount.get(account) ?? []))));
}

function callToMakeWay(expired: readonly ReceiptPlace[]): Call {
  return call(rename, ...placesOf(expired.toSorted(byKey)));
}

/** Arrays of owners, idempotency keys and accounts. */
function placesOf(places: readonly ReceiptPlace[]): readonly unknown[] {
  return [
    textArray(places.map(({ owner }) => owner)),
    textArray(places.map(({ idempotency_key }) => idempotency_key)),
    textArray(places.map(({ account }) => account)),
  ];
}

function accountOf({ account }: { readonly account: string }): string {
  return account;
}

function keptWrite({ receipt, outcome, record }: RecordReceipt): Kept {
  const { account, unique_identifier, version } = record;
  const size = sizeOfWrite(receipt, outcome, record);
  return { receipt, account, size, outcome, record: unique_identifier, version };
}

/** Versions that were answered unchanged and whose answer is counted already: it is stored once for all of them. */
const unchanged = new BoundedMap<string, true>(1_000);

function sizeOfWrite(
  { expires_at }: Receipt,
  outcome: Written['outcome'],
  { unique_identifier, version, document }: StoredRecord,
): number {
  if (outcome !== 'unchanged') return sizeOfReceipt(document);
  const name = `${unique_identifier} ${version} ${purgedAt(expires_at)}`;
  if (unchanged.get(name)) return sizeOfReceipt();
  unchanged.set(name, true);
  return sizeOfReceipt(document);
}

function keptBatch({ receipt, drafts, outcomes }: BatchReceipt): readonly Kept[] {
  const batch = batchReceipt(drafts, outcomes);
  if (batch === undefined) return [];
  return [{ receipt, size: sizeOfReceipt(batch.drafts), outcome: 'batch', ...batch }];
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

/** A row of the table "answered". */
interface Answered extends Omit<StoredRecord, 'unique_identifier'> {
  readonly record: string;
  readonly expires_at: number;
}

function answered({ receipt, record: own }: RecordReceipt): Answered {
  const { unique_identifier: record, ...rest } = own;
  return { ...rest, record, expires_at: purgedAt(receipt.expires_at) };
}

/** Each version once, in the order in which they are locked. */
function answersOf(all: readonly Answered[]): readonly unknown[] {
  const answers = new Map(all.map((one) => [`${one.record} ${one.version}`, one]));
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

function placeOf([owner, idempotency_key, , , , , account]: ReceiptRow): ReceiptPlace {
  return { account, owner, idempotency_key };
}

/** For an owner who sees these accounts. */
function toReceipt(row: ReceiptRow, accounts: readonly string[]): StoredReceipt {
  const fingerprint = row[3];
  switch (row[4]) {
    case 'batch':
      return { fingerprint, outcome: row[4], drafts: batchOutcomes(row[5], accounts) };
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

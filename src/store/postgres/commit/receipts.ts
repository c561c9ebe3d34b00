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
import { type ReceiptPlace, receiptName } from '../names.ts';
import { arraysOf } from '../statements/prepare.ts';
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
import { textArray } from '../wire/values.ts';

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
interface NewReceipt {
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
  const calls = callsByPlace(session.place, wanted, (own) => {
    return call(find, ...placesOf(own));
  });
  return (await Promise.all(calls.map((one) => session.rows(one)))).flat();
}

/** The statements that keep receipts, and the room they take once committed. */
export interface Keeping {
  readonly calls: readonly Call[];
  readonly taken: readonly Taking[];
}

/** For a commit that has locked its accounts. */
export function keeping(place: TablePlace, { records, batch, expired }: NewReceipts): Keeping {
  const kept = [
    ...records.map(receiptOfWrite),
    ...(batch === undefined ? [] : receiptsOfBatch(batch)),
  ];
  return callsToKeep(place, { kept, answered: records.map(answered), expired });
}

export function keepingRemoval(
  place: TablePlace,
  receipt: Receipt,
  { outcome, record: { account, unique_identifier }, below }: Removed,
  expired: readonly ReceiptPlace[],
): Keeping {
  const own = { receipt, account, size: sizeOfReceipt(), outcome, record: unique_identifier };
  return callsToKeep(place, { kept: [{ ...own, below }], answered: [], expired });
}

interface Rows {
  readonly kept: readonly NewReceipt[];
  readonly answered: readonly Answered[];
  readonly expired: readonly ReceiptPlace[];
}

function callsToKeep(place: TablePlace, { kept, answered, expired }: Rows): Keeping {
  const calls = [
    ...callsByPlace(place, answered, callToAnswer),
    ...callsByPlace(place, expired, callToMakeWay),
    ...callsByPlace(place, kept, callToKeep),
  ];
  return { calls, taken: kept.map(taking) };
}

function taking({ receipt: { owner }, size }: NewReceipt): Taking {
  return { owner, bytes: size };
}

/** A call for those of each place. */
function callsByPlace<
  Row extends { readonly account: string },
  Found extends readonly unknown[] = never[],
>(
  place: TablePlace,
  rows: readonly Row[],
  callOf: (rows: readonly Row[]) => Call<Found>,
): readonly Call<Found>[] {
  if (rows.length === 0) return [];
  const byAccount = Map.groupBy(rows, ({ account }) => account);
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

function receiptOfWrite({ receipt, outcome, record }: RecordReceipt): NewReceipt {
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

function receiptsOfBatch({ receipt, drafts, outcomes }: BatchReceipt): readonly NewReceipt[] {
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

function callToKeep(unsorted: readonly NewReceipt[]): Call {
  const kept = unsorted.toSorted((one, other) => byKey(one.receipt, other.receipt));
  return call(
    keep,
    ...arraysOf(
      RECEIPT,
      kept.map(({ receipt, ...own }) => ({ ...receipt, ...own })),
    ),
  );
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
function callToAnswer(all: readonly Answered[]): Call {
  const answers = new Map(all.map((one) => [`${one.record} ${one.version}`, one]));
  const sorted = [...answers].sort(([one], [other]) => compare(one, other));
  return call(
    answer,
    ...arraysOf(
      ANSWERED,
      sorted.map(([, each]) => each),
    ),
  );
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

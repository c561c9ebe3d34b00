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

/** A receipt to be stored. */
export interface NewReceipt extends Receipt {
  readonly account: string;
  readonly size: number;
  readonly outcome: StoredReceipt['outcome'];
  readonly record?: string;
  readonly version?: number;
  readonly below?: number;
  readonly drafts?: string;
  /** The record as it is answered, which is stored next to it. */
  readonly answered?: StoredRecord;
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

/** The receipt of a draft that was written, or left as it was. */
export function receiptOfWrite(receipt: Receipt, { outcome, record }: Written): NewReceipt {
  const { account, unique_identifier, version } = record;
  const size = sizeOfWrite(receipt, outcome, record);
  const answered = record;
  return { ...receipt, account, size, outcome, record: unique_identifier, version, answered };
}

export function receiptOfRemoval(
  receipt: Receipt,
  { outcome, record: { account, unique_identifier }, below }: Removed,
): NewReceipt {
  const size = sizeOfReceipt();
  return { ...receipt, account, size, outcome, record: unique_identifier, below };
}

/** The receipt of a batch, unless it has no drafts. */
export function receiptsOfBatch(
  receipt: Receipt,
  drafts: readonly { readonly account: string }[],
  outcomes: readonly Outcome[],
): readonly NewReceipt[] {
  const batch = batchReceipt(drafts, outcomes);
  if (batch === undefined) return [];
  return [{ ...receipt, ...batch, size: sizeOfReceipt(batch.drafts), outcome: 'batch' }];
}

/** The statements that store receipts, and the room they take once committed. */
export interface Keeping {
  readonly calls: readonly Call[];
  readonly taken: readonly Taking[];
}

/** For a commit that has locked its accounts; `expired` ones are in the way. */
export function keeping(
  place: TablePlace,
  kept: readonly NewReceipt[],
  expired: readonly ReceiptPlace[],
): Keeping {
  const answered = kept.filter((one) => one.answered !== undefined);
  return {
    calls: [
      ...callsByPlace(place, answered, callToAnswer),
      ...callsByPlace(place, expired, (own) => call(rename, ...placesOf(own))),
      ...callsByPlace(place, kept, (own) => call(keep, ...arraysOf(RECEIPT, own))),
    ],
    taken: kept.map(({ owner, size }) => ({ owner, bytes: size })),
  };
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

/** Arrays of owners, idempotency keys and accounts. */
function placesOf(places: readonly ReceiptPlace[]): readonly unknown[] {
  return [
    textArray(places.map(({ owner }) => owner)),
    textArray(places.map(({ idempotency_key }) => idempotency_key)),
    textArray(places.map(({ account }) => account)),
  ];
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

/** Each version once. */
function callToAnswer(kept: readonly NewReceipt[]): Call {
  const answers = new Map(
    kept.map(({ record, version, expires_at, answered }) => [
      `${record} ${version}`,
      { ...answered, record, expires_at: purgedAt(expires_at) },
    ]),
  );
  return call(answer, ...arraysOf(ANSWERED, [...answers.values()]));
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

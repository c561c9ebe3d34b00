/** Receipts: stored in the commit of what they prove, and purged some time after they expire. */
import { BoundedMap } from '../../../core/bounded.ts';
import { receiptsFull } from '../../promises/refusals.ts';
import type {
  Outcome,
  Receipt,
  ReceiptQuery,
  Refused,
  Removed,
  Repeated,
  StoredReceipt,
  StoredRecord,
  Written,
} from '../../promises/store.ts';
import {
  batchReceipt,
  purgedAt,
  purgedUntil,
  receiptAmong,
  sizeOfReceipt,
  type Taking,
  toReceipt,
} from '../../receipt-room.ts';
import type { Context } from '../context.ts';
import { inAccount } from '../lock/transaction.ts';
import { confirm } from '../lock/under-lock.ts';
import { type ReceiptPlace, receiptName } from '../names.ts';
import { lock } from '../statements/commits.ts';
import { arraysOf } from '../statements/prepare.ts';
import {
  ANSWERED,
  answer,
  type DueRow,
  find,
  due as findDue,
  forgetAnswered,
  insert,
  purge,
  RECEIPT,
  type ReceiptRow,
  rename,
  takeRoom,
} from '../statements/receipts.ts';
import { type Call, call, type Session, type TablePlace } from '../wire/session.ts';
import type { Sessions } from '../wire/sessions.ts';
import { numberArray, textArray, textsOf } from '../wire/values.ts';

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

export type FoundReceipts = Awaited<ReturnType<typeof findReceipts>>;

/**
 * Finds them in accounts that are locked for other writers, or by a commit that relies on none: those `stored` by
 * `receiptName`.
 */
export async function findReceipts(session: Session, wanted: readonly ReceiptPlace[], now: number) {
  const rows = await readReceipts(session, wanted);
  const accounts = wanted.map(({ account }) => account);
  const stored = rows
    .filter(([, , , end]) => end > now)
    .map((row) => [receiptName(placeOf(row)), receiptIn(row, accounts)] as const);
  const expired = rows.filter(([, , , end]) => end <= now).map(placeOf);
  return { stored: new Map(stored), expired };
}

/** Finds one in any of its accounts, where these are at several servers, too; standbys have it then. */
export async function findReceipt(
  context: Context,
  { accounts, fingerprint, ...name }: ReceiptQuery,
): Promise<StoredReceipt | undefined> {
  const now = context.now();
  const each = await context.placements.each(accounts, (session, own) => {
    const wanted = own.map((account) => ({ account, ...name }));
    return readReceipts(session, wanted);
  });
  const rows = each.flat().filter(([, , , end]) => end > now);
  if (rows.length === 0) return undefined;
  const where = rows.map((row) => placeOf(row).account);
  await confirm(context, where);
  const found = rows.map((row) => receiptIn(row, accounts));
  return receiptAmong(found, fingerprint);
}

async function readReceipts(session: Session, wanted: readonly ReceiptPlace[]) {
  const calls = callsByPlace(session.place, wanted, (own) => call(find, ...placesOf(own)));
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

/**
 * The statements that store receipts in a commit that has locked its accounts, and the room they take once committed.
 * `expired` ones are in the way.
 */
export function writesOfReceipts(
  place: TablePlace,
  receipts: readonly NewReceipt[],
  expired: readonly ReceiptPlace[],
): { readonly calls: readonly Call[]; readonly taken: readonly Taking[] } {
  const answered = receipts.filter((one) => one.answered !== undefined);
  return {
    calls: [
      ...callsByPlace(place, answered, callToAnswer),
      ...callsByPlace(place, expired, (own) => call(rename, ...placesOf(own))),
      ...callsByPlace(place, receipts, (own) => call(insert, ...arraysOf(RECEIPT, own))),
    ],
    taken: receipts.map(({ owner, size }) => ({ owner, bytes: size })),
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

function placesOf(places: readonly ReceiptPlace[]): readonly unknown[] {
  return textsOf(places, 'owner', 'idempotency_key', 'account');
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
function callToAnswer(receipts: readonly NewReceipt[]): Call {
  const answers = new Map(
    receipts.map(({ record, version, expires_at, answered }) => [
      `${record} ${version}`,
      { ...answered, record, expires_at: purgedAt(expires_at) },
    ]),
  );
  return call(answer, ...arraysOf(ANSWERED, [...answers.values()]));
}

function placeOf([account, owner, idempotency_key]: ReceiptRow): ReceiptPlace {
  return { account, owner, idempotency_key };
}

/** For an owner who sees these accounts. */
function receiptIn(row: ReceiptRow, accounts: readonly string[]): StoredReceipt {
  const [account, , , , anchor, parent, external_identifier, ...rest] = row;
  const [document, inserted_at, updated_at, ...proved] = rest;
  const [, , unique_identifier, version] = proved;
  return toReceipt(proved, accounts, () => {
    if (document === null || inserted_at === null || updated_at === null) return undefined;
    const own = { unique_identifier, account, anchor, parent, external_identifier };
    return { ...own, document, version, inserted_at, updated_at };
  });
}

const PURGED_AT_ONCE = 500;

/** Returns whether there may be more. */
export async function purgeReceipts(context: Context): Promise<boolean> {
  const { sessions, placements, now, rooms } = context;
  const until = purgedUntil(now());
  const found = await sessions.rows(call(findDue, until, PURGED_AT_ONCE));
  for (const [account, own] of Map.groupBy(found, ([name]) => name)) {
    const purgeOwn = (session: Session) => purgeIn(session, account, own, until);
    const purged = await inAccount(placements, account, purgeOwn);
    rooms.take(purged.map(([owner, size]) => ({ owner, bytes: -size })));
  }
  await settleRooms(sessions, context);
  return found.length === PURGED_AT_ONCE;
}

/** Adds this process's count of what receipts take to the shared one, and learns the sums. */
export function settleRooms(sessions: Pick<Sessions, 'rows'>, { rooms }: Pick<Context, 'rooms'>) {
  return rooms.settle((counted) => {
    const owners = textArray(counted.map(({ owner }) => owner));
    const bytes = numberArray(counted.map(({ bytes }) => bytes));
    return sessions.rows(call(takeRoom, owners, bytes));
  });
}

/** Outcomes that the receipt of a request decides in advance: it exists already, or there is no space for it. */
export function repeatedOrFull(
  { rooms }: Context,
  { stored }: FoundReceipts,
  receipt: Receipt,
): Repeated | Refused | undefined {
  const found = receiptAmong([...stored.values()], receipt.fingerprint);
  if (found !== undefined) return { outcome: 'repeated', receipt: found };
  return rooms.isFull(receipt.owner) ? { outcome: 'refused', error: receiptsFull() } : undefined;
}

/** Locks the account, as commits do. */
async function purgeIn(session: Session, account: string, due: readonly DueRow[], until: number) {
  const [owners, keys, records] = ([1, 2, 3] as const).map((at) =>
    textArray(due.map((row) => row[at])),
  );
  const versions = numberArray(due.map(([, , , , version]) => version));
  const [, , purged] = await Promise.all([
    session.run(call(lock, account)),
    session.run(call(forgetAnswered, account, records, versions, until)),
    session.rows(call(purge, account, owners, keys, until)),
  ]);
  return purged;
}

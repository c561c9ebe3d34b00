/** Receipts: stored in the commit of what they prove, and purged some time after they expire. */
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
  receiptAmong,
  sizeOfReceipt,
  type Taking,
  toReceipt,
} from '../../receipt-room.ts';
import { toRecord } from '../../records/records.ts';
import type { Context } from '../context.ts';
import { inAccount } from '../lock/transaction.ts';
import { confirm } from '../lock/under-lock.ts';
import { type ReceiptPlace, receiptName } from '../names.ts';
import { lock } from '../statements/commits.ts';
import { arraysOf } from '../statements/prepare.ts';
import {
  type DueRow,
  find,
  due as findDue,
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
import { callToAnswer, callToPurgeAnswers, purgedUntil } from './answered.ts';

/** A receipt to be stored. */
export interface NewReceipt extends Receipt {
  readonly account: string;
  readonly size: number;
  readonly outcome: StoredReceipt['outcome'];
  readonly record?: string;
  readonly version?: number;
  readonly below?: number;
  readonly drafts?: string;
  /** The record as it is answered. */
  readonly answered?: StoredRecord;
}

export type FoundReceipts = Awaited<ReturnType<typeof findReceipts>>;

/**
 * Finds them in accounts that are locked for other writers, or by a commit that relies on none: those `stored` by
 * `receiptName`.
 */
export async function findReceipts(
  session: Session,
  context: Context,
  wanted: readonly ReceiptPlace[],
) {
  const rows = await readReceipts(session, wanted);
  const accounts = wanted.map(({ account }) => account);
  const now = context.now();
  const valid = rows.filter(([, , , end]) => end > now);
  const found = await receiptsIn(session, context, valid, accounts);
  const stored = new Map(found.map(([place, receipt]) => [receiptName(place), receipt]));
  const expired = rows.filter(([, , , end]) => end <= now).map(placeOf);
  return { stored, expired };
}

/** Finds one in any of its accounts, where these are at several servers, too; standbys have it then. */
export async function findReceipt(
  context: Context,
  { accounts, fingerprint, ...name }: ReceiptQuery,
): Promise<StoredReceipt | undefined> {
  const now = context.now();
  const each = await context.placements.each(accounts, async (session, own) => {
    const wanted = own.map((account) => ({ account, ...name }));
    const rows = await readReceipts(session, wanted);
    const valid = rows.filter(([, , , end]) => end > now);
    return receiptsIn(session, context, valid, accounts);
  });
  const found = each.flat();
  if (found.length === 0) return undefined;
  const where = found.map(([{ account }]) => account);
  await confirm(context, where);
  const receipts = found.map(([, receipt]) => receipt);
  return receiptAmong(receipts, fingerprint);
}

async function readReceipts(session: Session, wanted: readonly ReceiptPlace[]) {
  const calls = callsByPlace(session.place, wanted, (own) => call(find, ...placesOf(own)));
  return (await Promise.all(calls.map((one) => session.rows(one)))).flat();
}

/** The receipt of a draft that was written, or left as it was. */
export function receiptOfWrite(receipt: Receipt, { outcome, record }: Written): NewReceipt {
  const { account, unique_identifier, version } = record;
  const size = sizeOfReceipt();
  const of = { record: unique_identifier, version, answered: record };
  return { ...receipt, account, size, outcome, ...of };
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
  const answered = receipts.flatMap(({ account, expires_at, answered: record }) =>
    record ? { account, record, expires_at } : [],
  );
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

function placeOf([account, owner, idempotency_key]: ReceiptRow): ReceiptPlace {
  return { account, owner, idempotency_key };
}

/** Reads rows for an owner who sees these accounts: each with its place. */
async function receiptsIn(
  session: Session,
  context: Context,
  rows: readonly ReceiptRow[],
  accounts: readonly string[],
) {
  return Promise.all(
    rows.map(async (row): Promise<readonly [ReceiptPlace, StoredReceipt]> => {
      const [account, , , , ...proved] = row;
      const [, outcome, of, version] = proved;
      const isWrite = outcome !== 'batch' && outcome !== 'deleted';
      const record = isWrite ? await recordNow(session, context, account, of) : undefined;
      return [placeOf(row), toReceipt(proved, accounts, () => ({ version, record }))];
    }),
  );
}

async function recordNow(
  session: Session,
  { shapes, table }: Context,
  account: string,
  unique_identifier: string,
) {
  const shape = shapes.find(({ prefix }) => unique_identifier.startsWith(prefix));
  if (shape === undefined) return undefined;
  const { find } = table(shape.resource).records;
  const wanted = call(find, textArray([unique_identifier]), account, null);
  const [row] = await session.rowsOf(account, wanted);
  return row && toRecord(row);
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
  const [owners, keys] = ([1, 2] as const).map((at) => textArray(due.map((row) => row[at])));
  const written = due.map(([, , , record, version]) => [record, version] as const);
  const [, , purged] = await Promise.all([
    session.run(call(lock, account)),
    session.run(callToPurgeAnswers(account, written, until)),
    session.rows(call(purge, account, owners, keys, until)),
  ]);
  return purged;
}

/** Removes a record and everything below it in one commit, while its account is locked for other writers. */
import { WHENEVER } from '../../promises/records.ts';
import {
  MAX_REMOVED,
  type Refused,
  type Removal,
  type Removed,
  type Repeated,
} from '../../promises/store.ts';
import { toRecord } from '../../records/records.ts';
import { judgeRemoval } from '../../records/removing.ts';
import type { Context } from '../context.ts';
import type { Locked } from '../lock/lock.ts';
import { underLock } from '../lock/under-lock.ts';
import { pairName } from '../names.ts';
import type { RemovingStatements } from '../statements/removal.ts';
import { type Call, call, type Session } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';
import { keepersIn, youngAmong } from './keepers.ts';
import { findReceipts, receiptOfRemoval, repeatedOrFull, writesOfReceipts } from './receipts.ts';

type Removing = Removed | Refused | Repeated;

export async function removeRecord(context: Context, removal: Removal): Promise<Removing> {
  const { shape, account, receipt, rehearse = false } = removal;
  const removed = await underLock<Seen, Removing>(context, [account], {
    read: (session) => look(session, context, removal, context.now()),
    write: (session, seen, locked) => {
      const result = decide(context, removal, seen);
      if (!('record' in result) || rehearse) return { result };
      const made = receipt === undefined ? [] : [receiptOfRemoval(receipt, result)];
      const { calls, taken } = writesOfReceipts(session.place, made, seen.receipts.expired);
      const removing = callsToRemove(context, removal, locked, seen.going);
      return { result, calls: [...removing, ...calls], taken };
    },
  });
  // Forget removed records here, too.
  if (removed.outcome === 'deleted' && !rehearse) {
    const { parent, external_identifier } = removed.record;
    const pair = pairName(shape.resource, account, parent ?? '', external_identifier ?? '');
    if (removed.below > 0) context.remembered.forgetAll();
    else context.remembered.forget(pair);
  }
  return removed;
}

type Seen = Awaited<ReturnType<typeof look>>;

/** `young` is the rule by which something of it is too young to go. */
async function look(session: Session, context: Context, removal: Removal, now: number) {
  const { shape, account, unique_identifier, receipt } = removal;
  const { find } = context.drafts(shape.resource);
  const wanted = receipt === undefined ? [] : [{ account, ...receipt }];
  const [receipts, [row], keepers, going] = await Promise.all([
    findReceipts(session, context, wanted),
    session.rows(call(find, account, unique_identifier)),
    keepersIn(session, account),
    findRemovals(session, context, removal),
  ]);
  const leaving = going.map(({ statements: { ages }, ...one }) => ({ ...one, ages }));
  const young = await youngAmong(session, account, keepers, leaving, now);
  return { receipts, row, keepers, young, going };
}

/** Records of one resource that go: the record itself, or what is right below some. */
interface RemovalRow {
  readonly resource: string;
  readonly statements: RemovingStatements;
  /** Parameters of the statements: their own unique identifiers, or those of their parents. */
  readonly named: readonly string[];
  readonly count: number;
  /** Whether one of them is from other sources than those that are to be removed. */
  readonly others: boolean;
  /** Their unique identifiers, if others may be below them. */
  readonly found: readonly string[];
}

function decide(
  context: Context,
  removal: Removal,
  { receipts, row, keepers, young, going }: Seen,
): Removing {
  const { receipt } = removal;
  const early = receipt && repeatedOrFull(context, receipts, receipt);
  if (early !== undefined) return early;
  return judgeRemoval(removal, row && toRecord(row), (record) => ({
    below: countOf(going) - 1,
    keeper: keepers.over(record, true) ?? young,
    others: going.some(({ others }) => others),
  }));
}

/** Parents are logged before what is below them. */
function callsToRemove(
  { keepsContent }: Context,
  { account, by }: Removal,
  { positions, token, now }: Locked,
  removals: readonly RemovalRow[],
): readonly Call[] {
  const position = positions.get(account);
  return removals.flatMap(({ statements: { log, addGone, forget, remove }, named }, at) => {
    const these = [account, textArray(named)];
    const place = countOf(removals.slice(0, at));
    return [
      call(log, ...these, position, place, token, by ?? null, now, keepsContent),
      ...(keepsContent
        ? [call(addGone, ...these, position, at === 0 ? countOf(removals) - 1 : null)]
        : []),
      call(forget, ...these),
      call(remove, ...these),
    ];
  });
}

/**
 * The record and what is below it, parents before children, one round trip for each depth, the first together with
 * statements sent before. Without `cascade` no further than the first; and not much further than the most that can be
 * removed.
 */
async function findRemovals(
  session: Session,
  context: Context,
  { shape: { resource }, account, unique_identifier, cascade, sources, until = WHENEVER }: Removal,
): Promise<readonly RemovalRow[]> {
  const named = [unique_identifier];
  const { themselves } = context.drafts(resource).removal;
  let last: readonly RemovalRow[] = [
    { resource, statements: themselves, named, count: 1, found: named, others: false },
  ];
  const going = [...last];
  const findBelow = async (resource: string, named: readonly string[], most: number) => {
    const { removal } = context.drafts(resource);
    const parents = textArray(named);
    const from = [numberArray(sources ?? []), until.position, until.at] as const;
    const someOthers = call(removal.someOthers, account, parents, ...from);
    const [[others] = [false]] = sources === undefined ? [] : await session.rows(someOthers);
    const own = { resource, statements: removal.children, named, others };
    if (context.table(resource).children.length === 0) {
      const counting = call(removal.countBelow, account, parents, most);
      const [[count] = [0]] = await session.rows(counting);
      return { ...own, count, found: [] };
    }
    const rows = await session.rows(call(removal.below, account, parents, most));
    return { ...own, count: rows.length, found: rows.map(([identifier]) => identifier) };
  };
  do {
    const most = cascade ? MAX_REMOVED + 2 - countOf(going) : 1;
    const next = await Promise.all(
      last.flatMap(({ resource, found }) =>
        context.table(resource).children.map((child) => findBelow(child, found, most)),
      ),
    );
    last = next.filter(({ count }) => count > 0);
    going.push(...last);
  } while (cascade && last.length > 0 && countOf(going) <= MAX_REMOVED + 1);
  return going;
}

function countOf(going: readonly RemovalRow[]): number {
  return going.reduce((sum, { count }) => sum + count, 0);
}

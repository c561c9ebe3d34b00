/** How a record is removed, with all that is below it: in one commit, while nobody writes in its account. */

import type { ApiError } from '../../errors.ts';
import { toRecord } from '../records.ts';
import {
  hasChildren,
  receiptsFull,
  recordChanged,
  recordMissing,
  tooManyChildren,
} from '../refusals.ts';
import { MOST_REMOVED, type Refused, type Removal, type Removed, type Repeated } from '../store.ts';
import { type Context, removalsFor, tableFor } from './context.ts';
import { pairName } from './names.ts';
import { findReceipts, type Keeping, keepingRemoval } from './receipts.ts';
import { call, type Session } from './session.ts';
import { keepOut, lockOf } from './statements/commits.ts';
import { forgetRecords } from './statements/receipts.ts';
import { transact, untilDone } from './transaction.ts';
import { textArray } from './values.ts';

export async function removeRecord(
  context: Context,
  removal: Removal,
): Promise<Removed | Refused | Repeated> {
  const { removed, taken } = await context.sessions.use((session) =>
    untilDone(() =>
      transact(
        session,
        () => carryOut(session, context, removal),
        ({ removed }) => removed.outcome === 'deleted' && removal.rehearse !== true,
      ),
    ),
  );
  for (const one of taken) context.rooms.take(one);
  // What is gone is to be gone from here, too.
  if (removed.outcome === 'deleted' && removal.rehearse !== true) {
    const { account, parent, external_identifier } = removed.record;
    if (removed.below > 0) context.remembered.forgetAll();
    else
      context.remembered.forget(
        pairName(removal.shape.resource, account, parent ?? '', external_identifier ?? ''),
      );
  }
  return removed;
}

interface Done {
  readonly removed: Removed | Refused | Repeated;
  /** Of the room for receipts. */
  readonly taken: Keeping['taken'];
}

async function carryOut(session: Session, context: Context, removal: Removal): Promise<Done> {
  const { shape, account, unique_identifier, receipt } = removal;
  const { find } = removalsFor(context, shape.resource);
  const [, receipts, [row]] = await Promise.all([
    session.run(call(keepOut, lockOf(account))),
    findReceipts(session, receipt === undefined ? [] : [receipt], context.now()),
    session.rows(call(find, account, unique_identifier)),
  ]);
  const [kept] = receipts.kept.values();
  if (kept !== undefined) return undone({ outcome: 'repeated', receipt: kept });
  if (receipt !== undefined && context.rooms.isFull(receipt.owner)) return refused(receiptsFull());
  if (row === undefined) return refused(recordMissing(shape));
  const record = toRecord(row);
  if (removal.versions !== undefined && !removal.versions.includes(record.version)) {
    return refused(recordChanged(shape));
  }

  const levels = await findBelow(session, context, removal);
  const below = levels.reduce((sum, { found }) => sum + found.length, 0);
  if (below > 0 && !removal.cascade) return refused(hasChildren(shape));
  if (below > MOST_REMOVED) return refused(tooManyChildren(shape));
  const removed: Removed = { outcome: 'deleted', record, below };
  if (removal.rehearse === true) return undone(removed);

  const all = [...levels.toReversed(), { resource: shape.resource, found: [unique_identifier] }];
  const { calls, taken } =
    receipt === undefined
      ? { calls: [], taken: [] }
      : keepingRemoval(receipt, removed, receipts.expired);
  const forget = call(forgetRecords, account, textArray(all.flatMap(({ found }) => found)));
  await Promise.all([
    session.run(forget),
    ...all.map(({ resource, found }) => {
      const { remove } = removalsFor(context, resource);
      return session.run(call(remove, account, textArray(found)));
    }),
    ...calls.map((each) => session.run(each)),
  ]);
  return { removed, taken };
}

function undone(removed: Done['removed']): Done {
  return { removed, taken: [] };
}

function refused(error: ApiError): Done {
  return undone({ outcome: 'refused', error });
}

/** Records of one resource, by their unique identifiers. */
interface Level {
  readonly resource: string;
  readonly found: readonly string[];
}

/**
 * What is below a record, parents before children, one round trip for each
 * depth. Without `cascade` no further than the first; and not much further
 * than the most that can be removed.
 */
async function findBelow(
  session: Session,
  context: Context,
  { shape, account, unique_identifier, cascade }: Removal,
): Promise<readonly Level[]> {
  const levels: Level[] = [];
  let count = 0;
  let last: readonly Level[] = [{ resource: shape.resource, found: [unique_identifier] }];
  while (last.length > 0 && count <= MOST_REMOVED) {
    const most = cascade ? MOST_REMOVED + 1 - count : 1;
    const next = await Promise.all(
      last.flatMap(({ resource, found: parents }) =>
        tableFor(context, resource).children.map(async (child): Promise<Level> => {
          const { under } = removalsFor(context, child);
          const rows = await session.rows(call(under, account, textArray(parents), most));
          return { resource: child, found: rows.map(([identifier]) => identifier) };
        }),
      ),
    );
    last = next.filter(({ found }) => found.length > 0);
    levels.push(...last);
    count += last.reduce((sum, { found }) => sum + found.length, 0);
    if (!cascade) break;
  }
  return levels;
}

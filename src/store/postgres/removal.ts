/** How a record is removed, with all that is below it: in one commit, while nobody writes in its account. */

import { toRecord } from '../records.ts';
import { hasChildren, recordChanged, recordMissing, tooManyChildren } from '../refusals.ts';
import { MOST_REMOVED, type Refused, type Removal, type Removed, type Repeated } from '../store.ts';
import { type Context, removalsFor, tableFor } from './context.ts';
import { pairName } from './names.ts';
import { findReceipt, sendReceipts } from './receipts.ts';
import { call, type Session } from './session.ts';
import { keepOut, lockOf } from './statements/commits.ts';
import { transact, untilDone } from './transaction.ts';
import { textArray } from './values.ts';

export async function removeRecord(
  context: Context,
  removal: Removal,
): Promise<Removed | Refused | Repeated> {
  const removed = await context.sessions.use((session) =>
    untilDone(() =>
      transact(
        session,
        () => carryOut(session, context, removal),
        ({ outcome }) => outcome === 'deleted' && removal.rehearse !== true,
      ),
    ),
  );
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

async function carryOut(
  session: Session,
  context: Context,
  removal: Removal,
): Promise<Removed | Refused | Repeated> {
  const { shape, account, unique_identifier, receipt } = removal;
  const now = context.now();
  const { find } = removalsFor(context, shape.resource);
  const [, receipts, [row]] = await Promise.all([
    session.run(call(keepOut, lockOf(account))),
    receipt && findReceipt(session, receipt.owner, receipt.idempotency_key, now),
    session.rows(call(find, account, unique_identifier)),
  ]);
  if (receipts?.kept !== undefined) return { outcome: 'repeated', receipt: receipts.kept };
  if (row === undefined) return { outcome: 'refused', error: recordMissing(shape) };
  const record = toRecord(row);
  if (removal.versions !== undefined && !removal.versions.includes(record.version)) {
    return { outcome: 'refused', error: recordChanged(shape) };
  }

  const levels = await findBelow(session, context, removal);
  const below = levels.reduce((sum, { found }) => sum + found.length, 0);
  if (below > 0 && !removal.cascade) return { outcome: 'refused', error: hasChildren(shape) };
  if (below > MOST_REMOVED) return { outcome: 'refused', error: tooManyChildren(shape) };
  if (removal.rehearse === true) return { outcome: 'deleted', record, below };

  const all = [...levels.toReversed(), { resource: shape.resource, found: [unique_identifier] }];
  const kept = receipt && { receipt, outcome: 'deleted' as const, record };
  const expired = receipt !== undefined && receipts?.expired === true ? [receipt] : [];
  await Promise.all([
    ...all.map(({ resource, found }) => {
      const { remove } = removalsFor(context, resource);
      return session.run(call(remove, account, textArray(found)));
    }),
    ...sendReceipts(session, { records: kept ? [kept] : [], batch: undefined, expired }, now),
  ]);
  return { outcome: 'deleted', record, below };
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

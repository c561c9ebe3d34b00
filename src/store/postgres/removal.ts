/** Removes a record and everything below it in one commit, while nobody else writes in its account. */
import type { ApiError } from '../../errors.ts';
import { type RecordRow, toRecord } from '../records.ts';
import {
  hasChildren,
  receiptsFull,
  recordChanged,
  recordMissing,
  tooManyChildren,
} from '../refusals.ts';
import {
  MAX_REMOVED,
  type Refused,
  type Removal,
  type Removed,
  type Repeated,
  type StoredRecord,
} from '../store.ts';
import { type Context, draftsFor, tableFor } from './context.ts';
import { pairName } from './names.ts';
import {
  type FoundReceipts,
  findReceipts,
  keepingRemoval,
  type ReceiptPlace,
  takeOwners,
} from './receipts.ts';
import type { RemovingStatements } from './statements/removal.ts';
import { inTurn, type TurnResult } from './turn/in-turn.ts';
import type { Begun, Turn } from './turn/turn.ts';
import { type Call, call, type Session } from './wire/session.ts';
import { textArray } from './wire/values.ts';

export async function removeRecord(
  context: Context,
  removal: Removal,
): Promise<Removed | Refused | Repeated> {
  const { shape, account, receipt } = removal;
  const { find } = draftsFor(context, shape.resource);
  const removed = await inTurn<Seen, Removed | Refused | Repeated>(
    context,
    context.sessions,
    [account],
    {
      read: async (session, now) => {
        const wanted = receipt === undefined ? [] : [receipt];
        const taken = takeOwners(session, context, wanted);
        const [receipts, [row], levels] = await Promise.all([
          findReceipts(session, wanted, now),
          session.rows(call(find, account, removal.unique_identifier)),
          findBelow(session, context, removal),
          taken,
        ]);
        return { receipts, row, levels };
      },
      write: (session, { receipts, row, levels }, turn) => {
        const [repeated] = receipts.kept.values();
        if (repeated !== undefined) return { result: { outcome: 'repeated', receipt: repeated } };
        if (receipt !== undefined && context.rooms.isFull(receipt.owner)) {
          return refuse(receiptsFull());
        }
        if (row === undefined) return refuse(recordMissing(shape));
        const { expired } = receipts;
        const found = { record: toRecord(row), levels, expired, turn };
        return removeFound(session, context, removal, found);
      },
    },
  );
  // Forget removed records here, too.
  if (removed.outcome === 'deleted' && removal.rehearse !== true) {
    const { parent, external_identifier } = removed.record;
    const pair = pairName(shape.resource, account, parent ?? '', external_identifier ?? '');
    if (removed.below > 0) context.remembered.forgetAll();
    else context.remembered.forget(pair);
  }
  return removed;
}

interface Seen {
  readonly receipts: FoundReceipts;
  readonly row: RecordRow | undefined;
  readonly levels: readonly Level[];
}

function refuse(error: ApiError): TurnResult<Refused> {
  return { result: { outcome: 'refused', error } };
}

interface ToRemove {
  readonly record: StoredRecord;
  /** What is below it. */
  readonly levels: readonly Level[];
  /** Receipts that are in the way of the one to keep. */
  readonly expired: readonly ReceiptPlace[];
  readonly turn: Turn & Begun;
}

function removeFound(
  session: Session,
  context: Context,
  removal: Removal,
  { record, levels, expired, turn }: ToRemove,
): TurnResult<Removed | Refused> {
  const { shape, receipt } = removal;
  if (removal.versions !== undefined && !removal.versions.includes(record.version)) {
    return refuse(recordChanged(shape));
  }
  const below = sumOf(levels);
  if (below > 0 && !removal.cascade) return refuse(hasChildren(shape));
  if (below > MAX_REMOVED) return refuse(tooManyChildren(shape));
  const result = { outcome: 'deleted', record, below } as const;
  if (removal.rehearse === true) return { result };

  const { calls, taken } =
    receipt === undefined ? { calls: [], taken: [] } : keepingRemoval(receipt, result, expired);
  const sent = [...callsToRemove(context, removal, turn, levels), ...calls];
  return { result, sent: sent.map((one) => session.run(one)), taken };
}

/** Parents are logged before what is below them. */
function callsToRemove(
  context: Context,
  { shape, account, unique_identifier, by }: Removal,
  { positions, token, now }: Turn & Begun,
  levels: readonly Level[],
): readonly Call[] {
  const position = positions.get(account);
  const { keepsContent } = context;
  let place = 0;
  const callsOf = (
    { log, keep, forget, remove }: RemovingStatements,
    which: readonly string[],
    count: number,
  ): readonly Call[] => {
    const these = [account, textArray(which)];
    const first = place;
    place += count;
    return [
      call(log, ...these, position, first, token, by ?? null, now, keepsContent),
      ...(keepsContent ? [call(keep, ...these, position)] : []),
      call(forget, ...these),
      call(remove, ...these),
    ];
  };
  return [
    ...callsOf(draftsFor(context, shape.resource).removal.themselves, [unique_identifier], 1),
    ...levels.flatMap(({ resource, parents, count }) =>
      callsOf(draftsFor(context, resource).removal.children, parents, count),
    ),
  ];
}

/** The records of one resource that are right below some parents. */
interface Level {
  readonly resource: string;
  readonly parents: readonly string[];
  readonly count: number;
  /** Their unique identifiers, if others may be below them. */
  readonly found: readonly string[];
}

/**
 * What is below a record, parents before children, one round trip for each
 * depth, the first together with whatever was sent before. Without `cascade` no
 * further than the first; and not much further than the most that can be removed.
 */
async function findBelow(
  session: Session,
  context: Context,
  { shape, account, unique_identifier, cascade }: Removal,
): Promise<readonly Level[]> {
  const levels: Level[] = [];
  let count = 0;
  const findUnder = async (
    resource: string,
    parents: readonly string[],
    most: number,
  ): Promise<Level> => {
    const { below, countBelow } = draftsFor(context, resource).removal;
    const wanted = [account, textArray(parents), most];
    if (tableFor(context, resource).children.length === 0) {
      const [[count] = [0]] = await session.rows(call(countBelow, ...wanted));
      return { resource, parents, count, found: [] };
    }
    const rows = await session.rows(call(below, ...wanted));
    const found = rows.map(([identifier]) => identifier);
    return { resource, parents, count: found.length, found };
  };
  let last: readonly Pick<Level, 'resource' | 'found'>[] = [
    { resource: shape.resource, found: [unique_identifier] },
  ];
  while (last.length > 0 && count <= MAX_REMOVED) {
    const most = cascade ? MAX_REMOVED + 1 - count : 1;
    const next = await Promise.all(
      last.flatMap(({ resource, found }) =>
        tableFor(context, resource).children.map((child) => findUnder(child, found, most)),
      ),
    );
    const there = next.filter((level) => level.count > 0);
    levels.push(...there);
    count += sumOf(there);
    if (!cascade) break;
    last = there;
  }
  return levels;
}

function sumOf(levels: readonly Level[]): number {
  return levels.reduce((sum, { count }) => sum + count, 0);
}

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
import { forgetRecords } from './statements/receipts.ts';
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
        const [receipts, [row]] = await Promise.all([
          findReceipts(session, wanted, now),
          session.rows(call(find, account, removal.unique_identifier)),
          taken,
        ]);
        return { receipts, row };
      },
      write: (session, { receipts: { kept, expired }, row }, turn) => {
        const [repeated] = kept.values();
        if (repeated !== undefined) return { result: { outcome: 'repeated', receipt: repeated } };
        if (receipt !== undefined && context.rooms.isFull(receipt.owner)) {
          return refuse(receiptsFull());
        }
        if (row === undefined) return refuse(recordMissing(shape));
        return removeFound(session, context, removal, { record: toRecord(row), expired, turn });
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
}

function refuse(error: ApiError): TurnResult<Refused> {
  return { result: { outcome: 'refused', error } };
}

interface ToRemove {
  readonly record: StoredRecord;
  /** Receipts that are in the way of the one to keep. */
  readonly expired: readonly ReceiptPlace[];
  readonly turn: Turn & Begun;
}

async function removeFound(
  session: Session,
  context: Context,
  removal: Removal,
  { record, expired, turn }: ToRemove,
): Promise<TurnResult<Removed | Refused>> {
  const { shape, account, unique_identifier, receipt } = removal;
  if (removal.versions !== undefined && !removal.versions.includes(record.version)) {
    return refuse(recordChanged(shape));
  }
  const levels = await findBelow(session, context, removal);
  const below = levels.reduce((sum, { found }) => sum + found.length, 0);
  if (below > 0 && !removal.cascade) return refuse(hasChildren(shape));
  if (below > MAX_REMOVED) return refuse(tooManyChildren(shape));
  const result = { outcome: 'deleted', record, below } as const;
  if (removal.rehearse === true) return { result };

  const all = [{ resource: shape.resource, found: [unique_identifier] }, ...levels];
  const { calls, taken } =
    receipt === undefined ? { calls: [], taken: [] } : keepingRemoval(receipt, result, expired);
  const sent = [
    call(forgetRecords, account, textArray(all.flatMap(({ found }) => found))),
    ...callsToLog(context, removal, turn, all),
    ...all
      .toReversed()
      .map(({ resource, found }) =>
        call(draftsFor(context, resource).remove, account, textArray(found)),
      ),
    ...calls,
  ];
  return { result, sent: sent.map((one) => session.run(one)), taken };
}

/** Parents are logged before what is below them. */
function callsToLog(
  context: Context,
  { account, by }: Removal,
  { positions, token, now }: Turn & Begun,
  levels: readonly Level[],
): readonly Call[] {
  const position = positions.get(account);
  const { keepsContent } = context;
  let place = 0;
  return levels.flatMap(({ resource, found }) => {
    const { logRemoved, keepRemoved } = draftsFor(context, resource);
    const records = textArray(found);
    const first = place;
    place += found.length;
    return [
      call(logRemoved, account, records, position, first, token, by ?? null, now, keepsContent),
      ...(keepsContent ? [call(keepRemoved, account, records, position)] : []),
    ];
  });
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
  while (last.length > 0 && count <= MAX_REMOVED) {
    const most = cascade ? MAX_REMOVED + 1 - count : 1;
    const next = await Promise.all(
      last.flatMap(({ resource, found: parents }) =>
        tableFor(context, resource).children.map(async (child): Promise<Level> => {
          const { under } = draftsFor(context, child);
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

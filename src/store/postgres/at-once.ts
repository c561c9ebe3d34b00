/**
 * A commit in one round trip: drafts are merged with what is remembered of their
 * records, and written where the store has the same. Those for which it has not
 * are left, and so are those that write nothing: what they are answered wants a look.
 */
import { storedKey } from '../indexed.ts';
import type { Receipt, Written } from '../store.ts';
import { Batch, byPair, type Change } from './batch.ts';
import { atOnceFor, type Context, tableFor } from './context.ts';
import { isClash, isStatementError, Lost, Unsure } from './failure.ts';
import type { Named } from './names.ts';
import { MORE_PURGED, type RecordReceipt } from './receipts.ts';
import { type Call, call, type Session } from './session.ts';
import { type AtOnceRow, SENT } from './statements/at-once.ts';
import { keepStanding, lockOf } from './statements/commits.ts';
import { purge } from './statements/receipts.ts';
import { whichWereDone } from './unsure.ts';
import { bytesArray, numberArray, textArray } from './values.ts';

/** What was written, by unique identifier. */
interface Done {
  readonly mark: number;
  has(unique_identifier: string): boolean;
}

/**
 * What became of each draft, each of a pair and a receipt of its own; `undefined`
 * for those that are left. Throws `Lost` where the connection was lost and
 * nothing was done, and `Unsure` where nobody can tell what was.
 */
export async function commitAtOnce(
  session: Session,
  context: Context,
  drafts: readonly Named[],
): Promise<readonly (Written | undefined)[]> {
  const now = context.now();
  const { outcomes, changes, receipts } = mergeAll(context, drafts, now);
  if (changes.length === 0) return outcomes;
  const done = await write(session, context, { changes, receipts, now });
  return outcomes.map((outcome, at) => {
    if (outcome === undefined) return undefined;
    const { draft, pair } = drafts[at] as Named;
    const written = done.has(outcome.record.unique_identifier);
    context.remembered.learn(draft.shape.resource, outcome.outcome === 'updated', !written);
    if (!written) {
      context.remembered.forget(pair);
      return undefined;
    }
    return { ...outcome, record: { ...outcome.record, mark: done.mark } };
  });
}

interface Merged {
  readonly outcomes: readonly (Written | undefined)[];
  readonly changes: readonly Change[];
  readonly receipts: readonly RecordReceipt[];
}

/** As if everything were as it is remembered. The marks are yet to come. */
function mergeAll(context: Context, drafts: readonly Named[], now: number): Merged {
  const known = {
    mark: 0,
    standing: { has: () => true },
    records: context.remembered,
    receipts: new Map(),
    expired: [],
  };
  const batch = new Batch(context, known, now);
  const outcomes = drafts.map(({ draft }) => {
    const outcome = batch.apply(draft);
    return outcome.outcome === 'created' || outcome.outcome === 'updated' ? outcome : undefined;
  });
  return { outcomes, changes: batch.changes, receipts: batch.receipts };
}

interface Writes {
  readonly changes: readonly Change[];
  readonly receipts: readonly RecordReceipt[];
  readonly now: number;
}

async function write(session: Session, context: Context, writes: Writes): Promise<Done> {
  const { changes, receipts, now } = writes;
  const byRecord = new Map(receipts.map((one) => [one.record.unique_identifier, one.receipt]));
  const locks = [...new Set(changes.map(({ record }) => lockOf(record.account)))];
  const calls = [...context.tables.keys()].flatMap((resource) => {
    const ofResource = changes.filter(({ shape }) => shape.resource === resource);
    return ofResource.length === 0 ? [] : [callFor(context, resource, ofResource, byRecord)];
  });
  try {
    const [, ...results] = await session.bundle([
      call(keepStanding, numberArray(locks.sort((x, y) => x - y))),
      ...calls,
      ...(byRecord.size > 0 ? [call(purge, now, byRecord.size + MORE_PURGED)] : []),
    ]);
    const rows = results.slice(0, calls.length).map(([row]) => row as AtOnceRow);
    const left = new Set(rows.flatMap(([, identifiers]) => identifiers?.split(',') ?? []));
    return { mark: Number(rows[0]?.[0]), has: (identifier) => !left.has(identifier) };
  } catch (error) {
    // Somebody else was writing the same, and this was taken back.
    if (isClash(error)) return { mark: 0, has: () => false };
    if (isStatementError(error)) throw error;
    const done = await whichWereDone(context, session, changes);
    if (done === undefined) throw new Unsure(error);
    if (done.size === 0) throw new Lost('the connection was lost before the commit was done');
    const [mark = 0] = done.values();
    return { mark, has: (identifier) => done.has(identifier) };
  }
}

/** In the order of their pairs, which is the same in all processes, so that none waits for another that waits for it. */
function callFor(
  context: Context,
  resource: string,
  unsorted: readonly Change[],
  receipts: ReadonlyMap<string, Receipt>,
): Call<AtOnceRow> {
  const { shape } = tableFor(context, resource);
  const changes = unsorted.toSorted(byPair);
  const parents = new Map<string, number>();
  const under = changes.map(({ record }) => {
    const name = `${record.account}\0${record.parent}`;
    const number = parents.get(name) ?? parents.size + 1;
    parents.set(name, number);
    return number;
  });
  const { write, writeWithReceipts } = atOnceFor(context, resource);
  const kept = changes.map(({ record }) => receipts.get(record.unique_identifier));
  const some = kept.some((receipt) => receipt !== undefined);
  const names = [...parents.keys()].map((name) => name.split('\0'));
  return call(
    some ? writeWithReceipts : write,
    textArray(names.map(([account = '']) => account)),
    textArray(names.map(([, parent = '']) => parent)),
    ...SENT.map(([name, type]) => {
      if (name === 'under') return numberArray(under);
      const values = changes.map(({ record }) => record[name]);
      return type === 'text' ? textArray(values as string[]) : numberArray(values as number[]);
    }),
    ...shape.keys.map((key) => textArray(changes.map(({ document }) => storedKey(key, document)))),
    ...(some ? columnsOf(kept) : []),
  );
}

function columnsOf(receipts: readonly (Receipt | undefined)[]): readonly unknown[] {
  return [
    textArray(receipts.map((receipt) => receipt?.owner ?? null)),
    textArray(receipts.map((receipt) => receipt?.idempotency_key ?? null)),
    bytesArray(receipts.map((receipt) => receipt?.fingerprint ?? null)),
    numberArray(receipts.map((receipt) => receipt?.expires_at ?? null)),
  ];
}

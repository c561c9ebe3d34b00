/** The statements that write the records of a commit, and log their changes, in accounts that are locked. */
import { type Change, entryOf } from '../../records/judge.ts';
import { hourOf, UPDATED_HOUR } from '../../records/records.ts';
import type { Context } from '../context.ts';
import { type Locking, partsOf } from '../lock/lock.ts';
import { bringBack, CHANGE, log } from '../statements/changes.ts';
import { arraysOf } from '../statements/prepare.ts';
import { RECORD } from '../statements/records.ts';
import { type Call, call, type TablePlace } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

interface ToWrite {
  /** Each record once, in its final state, by its pair. */
  readonly changes: ReadonlyMap<string, Change>;
  /** Their changes, in order, for the log. */
  readonly steps: readonly Change[];
}

/** Parents go before children. */
export function callsToWrite(
  context: Context,
  locking: Locking,
  { changes, steps }: ToWrite,
  place: TablePlace,
): readonly Call[] {
  const { token, now: occurred_at } = locking;
  const lines = placed(steps).map((step) => {
    const { account, position } = step.record;
    const mark = { account, position, place: step.place, token, occurred_at };
    return { ...entryOf(step, context.keepsContent), ...mark };
  });
  return partsOf(locking, place).flatMap(([name, accounts]) => {
    const isIn = new Set(accounts);
    const own = [...changes.values().filter(({ record }) => isIn.has(record.account))];
    if (own.length === 0) return [];
    return [
      ...byResource(context, own).map(([resource, some]) => callToPut(context, resource, some)),
      ...own
        .filter(({ restores }) => restores?.gone !== undefined)
        .map(({ record }) => call(bringBack, record.account, record.unique_identifier)),
      call(
        log,
        ...arraysOf(
          CHANGE,
          lines.filter(({ account }) => isIn.has(account)),
        ),
      ),
    ].map(name);
  });
}

/** Makes or changes records of one resource, and leaves each as it is given. */
export function callToPut(
  context: Context,
  resource: string,
  changes: readonly Pick<Change, 'record' | 'keys'>[],
): Call {
  const rows = changes.map(({ record }) => {
    return { ...record, [UPDATED_HOUR]: hourOf(record.updated_at) };
  });
  return call(context.drafts(resource).put, ...arraysOf(RECORD, rows), ...keysOf(changes));
}

/** A change with its place in the log, among those of its account. */
export interface PlacedChange extends Change {
  readonly place: number;
}

export function placed(changes: readonly Change[]): readonly PlacedChange[] {
  const places = new Map<string, number>();
  return changes.map((change) => {
    const { account } = change.record;
    const place = places.get(account) ?? 0;
    places.set(account, place + 1);
    return { ...change, place };
  });
}

/** The changes of each resource, parents before children. */
export function byResource<One extends Change>({ tables }: Context, all: readonly One[]) {
  const found = Map.groupBy(all, ({ shape }) => shape.resource);
  return [...tables.keys()].flatMap((resource) => {
    const some = found.get(resource);
    return some === undefined ? [] : [[resource, some] as const];
  });
}

/** The declared keys of some records of one resource. */
export function keysOf(changes: readonly Pick<Change, 'keys'>[]): readonly unknown[] {
  const keys = changes[0]?.keys ?? [];
  return keys.map((_, at) => textArray(changes.map((one) => one.keys[at] as string)));
}

/** The statements that write the records of a commit: for each resource, the changed ones and the new ones. */
import { type Change, entryOf } from '../../records/change.ts';
import { type Context, draftsFor } from '../context.ts';
import { byAccount } from '../names.ts';
import { bringBack } from '../statements/changes.ts';
import { appendEach } from '../statements/together.ts';
import type { Turn } from '../turn/turn.ts';
import { type Call, call, type Statement, type TablePlace } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';

type Row = readonly [unique_identifier: string];
type Write = Call<readonly unknown[]>;

/** The records to write, and their changes for the log. */
export interface ToWrite {
  /** Each record once, in its final state. */
  readonly changes: readonly Change[];
  /** Their changes, in order, for the log. */
  readonly steps: readonly Change[];
}

/** Gives the unique identifiers of those that were written, in one account. Parents go before children. */
export function callsToWrite(
  context: Context,
  { token, now }: Turn,
  { changes, steps }: ToWrite,
  place: TablePlace,
): readonly Write[] {
  const logged = byResource(context, placed(steps), ({ change }) => change.shape.resource);
  return byResource(context, changes, ({ shape }) => shape.resource).flatMap(
    ([resource, own], at) => {
      const { change, make, log } = draftsFor(context, resource);
      const accounts = byAccount(own, ({ record }) => record.account);
      const stepsOf = byAccount(logged[at]?.[1] ?? [], ({ change }) => change.record.account);
      return accounts.flatMap(([account, some], nth) => {
        const calls: readonly Write[] = [
          ...callsOf(change, make, [account, token, now], some),
          ...some.flatMap((one) => callsToBringBack(context, one)),
          call(log, account, token, now, ...entriesOf(context, stepsOf[nth]?.[1] ?? [])),
        ];
        return calls.map(place.nameOf(account));
      });
    },
  );
}

/**
 * The same in all accounts that the transaction has locked, after
 * `callToLockTogether`, and numbers the commit in each. Each change is of a
 * record of its own, and none of one that was removed. Accounts are locked before records,
 * also where these do not lie together.
 */
export function callsToWriteTogether(
  context: Context,
  turn: Turn,
  groups: ReturnType<TablePlace['groups']>,
  changes: readonly Change[],
): readonly Write[] {
  const all = placed(changes);
  const number = call(appendEach, turn.token, turn.now);
  const [[only] = []] = groups;
  if (only !== undefined && groups.length === 1) {
    return changes.length === 0 ? [only(number)] : callsOfGroup(context, turn, all, 0).map(only);
  }
  return [
    ...groups.map(([name]) => name(number)),
    ...groups.flatMap(([name, accounts]) => {
      const own = all.filter(({ change }) => accounts.includes(change.record.account));
      return callsOfGroup(context, turn, own, 1).map(name);
    }),
  ];
}

/** `numbering` is how many calls before have numbered the commit. */
function callsOfGroup(
  context: Context,
  { token, now }: Turn,
  changes: readonly Placed[],
  numbering: number,
): readonly Write[] {
  const all = byResource(context, changes, ({ change }) => change.shape.resource);
  return all.map(([resource, own], nth) => {
    const { writeFirst, writeNext } = draftsFor(context, resource);
    const records = own.map(({ change }) => change.record);
    const entries = own.map(({ change }) => entryOf(change, context.keepsContent));
    return call(
      numbering + nth === 0 ? writeFirst : writeNext,
      token,
      now,
      textArray(records.map(({ account }) => account)),
      textArray(records.map(({ unique_identifier }) => unique_identifier)),
      numberArray(own.map(({ change }) => change.before?.version ?? 0)),
      textArray(records.map(({ parent }) => parent)),
      textArray(records.map(({ external_identifier }) => external_identifier)),
      textArray(records.map(({ document }) => document)),
      numberArray(own.map(({ place }) => place)),
      textArray(entries.map(({ outcome }) => outcome)),
      numberArray(entries.map(({ before }) => before)),
      textArray(entries.map(({ by }) => by ?? null)),
      textArray(entries.map(({ content }) => content)),
      numberArray(records.map(({ changed_by }) => changed_by)),
      textArray(own.map(({ change }) => context.erased.probeOf(change))),
      ...keysOf(own.map(({ change }) => change)),
    );
  });
}

/** The result of `callsToWriteTogether`: the position of the commit in each account, and what was not written. */
export function readWritten(results: readonly (readonly (readonly unknown[])[])[]): {
  readonly positions: ReadonlyMap<string, number>;
  readonly unwritten: ReadonlySet<unknown>;
} {
  const positions = new Map<string, number>();
  const unwritten = new Set<unknown>();
  for (const [account, position, record] of results.flat()) {
    if (account === null) unwritten.add(record);
    else positions.set(String(account), Number(position));
  }
  return { positions, unwritten };
}

/** Of a record that was removed and comes back. */
function callsToBringBack(context: Context, { shape, record, restores }: Change): readonly Write[] {
  if (restores?.gone === undefined) return [];
  const { account, unique_identifier, inserted_at } = record;
  return [
    call(draftsFor(context, shape.resource).backdate, account, unique_identifier, inserted_at),
    call(bringBack, account, unique_identifier),
  ];
}

/** A change with its place in the log, among those of its account. */
interface Placed {
  readonly change: Change;
  readonly place: number;
}

function placed(changes: readonly Change[]): readonly Placed[] {
  const places = new Map<string, number>();
  return changes.map((change) => {
    const { account } = change.record;
    const place = places.get(account) ?? 0;
    places.set(account, place + 1);
    return { change, place };
  });
}

/** The entries of the log for changes of one resource. */
function entriesOf({ keepsContent }: Context, steps: readonly Placed[]): readonly unknown[] {
  const entries = steps.map(({ change }) => entryOf(change, keepsContent));
  return [
    textArray(entries.map(({ record }) => record)),
    textArray(entries.map(({ anchor }) => anchor)),
    numberArray(steps.map(({ place }) => place)),
    textArray(entries.map(({ outcome }) => outcome)),
    numberArray(entries.map(({ version }) => version)),
    numberArray(entries.map(({ before }) => before)),
    textArray(entries.map(({ by }) => by ?? null)),
    textArray(entries.map(({ content }) => content)),
  ];
}

function byResource<One>(
  { tables }: Context,
  all: readonly One[],
  resourceOf: (one: One) => string,
): readonly (readonly [resource: string, some: readonly One[]])[] {
  const found = Map.groupBy(all, resourceOf);
  return [...tables.keys()].flatMap((resource) => {
    const some = found.get(resource);
    return some === undefined ? [] : [[resource, some] as const];
  });
}

/** `first` are the values that come first. */
function callsOf(
  change: Statement<Row>,
  make: Statement<Row>,
  first: readonly unknown[],
  changes: readonly Change[],
): readonly Write[] {
  const changed = changes.filter((one) => one.before !== undefined);
  const made = changes.filter((one) => one.before === undefined);
  return [
    ...(changed.length === 0
      ? []
      : [
          call(
            change,
            ...first,
            textArray(changed.map(({ record }) => record.unique_identifier)),
            numberArray(changed.map((one) => one.before?.version ?? 0)),
            ...contentOf(changed),
            ...keysOf(changed),
          ),
        ]),
    ...(made.length === 0
      ? []
      : [
          call(
            make,
            ...first,
            textArray(made.map(({ record }) => record.parent)),
            textArray(made.map(({ record }) => record.unique_identifier)),
            textArray(made.map(({ record }) => record.external_identifier)),
            ...contentOf(made),
            numberArray(made.map(({ record }) => record.created_by)),
            ...keysOf(made),
          ),
        ]),
  ];
}

/** The versions, the documents and the sources of some records of one resource. */
function contentOf(changes: readonly Change[]): readonly unknown[] {
  return [
    numberArray(changes.map(({ record }) => record.version)),
    textArray(changes.map(({ record }) => record.document)),
    numberArray(changes.map(({ record }) => record.changed_by)),
  ];
}

/** The declared keys of some records of one resource. */
function keysOf(changes: readonly Change[]): readonly unknown[] {
  const keys = changes[0]?.shape.keys ?? [];
  return keys.map((_, at) => textArray(changes.map((one) => one.keys[at] as string)));
}

/** What a commit sends for the records it writes: for each resource, the changed ones and the new ones. */
import { type Change, entryOf } from '../change.ts';
import { type Context, draftsFor } from './context.ts';
import { byAccount } from './names.ts';
import { bringBack } from './statements/changes.ts';
import type { Turn } from './turn/turn.ts';
import { type Call, call, type Statement } from './wire/session.ts';
import { numberArray, textArray } from './wire/values.ts';

type Row = readonly [unique_identifier: string];
type Write = Call<readonly unknown[]>;

/** What to write. */
export interface ToWrite {
  /** Each record once, in its final state. */
  readonly changes: readonly Change[];
  /** What happens to them, in order, for the log. */
  readonly steps: readonly Change[];
}

/** Gives the unique identifiers of those that were written, in one account. Parents go before children. */
export function callsToWrite(
  context: Context,
  { token, now }: Turn,
  { changes, steps }: ToWrite,
): readonly Write[] {
  const logged = byResource(context, placed(steps), ({ change }) => change.shape.resource);
  return byResource(context, changes, ({ shape }) => shape.resource).flatMap(
    ([resource, own], at) => {
      const { change, make, log } = draftsFor(context, resource);
      const accounts = byAccount(own, ({ record }) => record.account);
      const stepsOf = byAccount(logged[at]?.[1] ?? [], ({ change }) => change.record.account);
      return accounts.flatMap(([account, some], nth) => [
        ...callsOf(change, make, [account, token, now], some),
        ...some.flatMap((one) => callsToBringBack(context, one)),
        call(log, account, token, now, ...entriesOf(context, stepsOf[nth]?.[1] ?? [])),
      ]);
    },
  );
}

/** The same in all accounts that the transaction has locked, after `callsToBeginFree`. */
export function callsToWriteFree(
  context: Context,
  { token, now }: Turn,
  { changes }: ToWrite,
): readonly Write[] {
  const all = byResource(context, placed(changes), ({ change }) => change.shape.resource);
  return all.flatMap(([resource, own]) => {
    const { changeEach, makeEach, logEach } = draftsFor(context, resource);
    const accounts = (of: readonly Change[]) => textArray(of.map(({ record }) => record.account));
    const some = own.map(({ change }) => change);
    return [
      ...callsOf(changeEach, makeEach, [token, now], some, accounts),
      call(logEach, token, now, accounts(some), ...entriesOf(context, own)),
    ];
  });
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

/** What the log holds of changes of one resource. */
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

/** `before` are the values that come first; `accounts` gives another one, where the statements take it. */
function callsOf(
  change: Statement<Row>,
  make: Statement<Row>,
  before: readonly unknown[],
  changes: readonly Change[],
  accounts?: (of: readonly Change[]) => unknown,
): readonly Write[] {
  const first = (of: readonly Change[]) => (accounts ? [...before, accounts(of)] : before);
  const changed = changes.filter((one) => one.before !== undefined);
  const made = changes.filter((one) => one.before === undefined);
  return [
    ...(changed.length === 0
      ? []
      : [
          call(
            change,
            ...first(changed),
            textArray(changed.map(({ record }) => record.unique_identifier)),
            numberArray(changed.map((one) => one.before?.version ?? 0)),
            ...contentOf(changed),
          ),
        ]),
    ...(made.length === 0
      ? []
      : [
          call(
            make,
            ...first(made),
            textArray(made.map(({ record }) => record.parent)),
            textArray(made.map(({ record }) => record.unique_identifier)),
            textArray(made.map(({ record }) => record.external_identifier)),
            ...contentOf(made),
          ),
        ]),
  ];
}

/** The versions, the documents and the declared keys of some records of one resource. */
function contentOf(changes: readonly Change[]): readonly unknown[] {
  const keys = changes[0]?.shape.keys ?? [];
  return [
    numberArray(changes.map(({ record }) => record.version)),
    textArray(changes.map(({ record }) => record.document)),
    ...keys.map((_, at) => textArray(changes.map((one) => one.keys[at] as string))),
  ];
}

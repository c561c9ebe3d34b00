/** What a commit sends of the records that it writes: for each resource what is changed, and what is made. */
import type { Change } from '../change.ts';
import { type Context, draftsFor } from './context.ts';
import { byAccount } from './names.ts';
import { type Call, call, type Statement } from './session.ts';
import type { Turn } from './turn.ts';
import { numberArray, textArray } from './values.ts';

type Row = readonly [unique_identifier: string];
type Write = Call<Row>;

/** Each gives the unique identifiers of those that it wrote, in one account. Parents go before children. */
export function callsToWrite(
  context: Context,
  { token, now }: Turn,
  changes: readonly Change[],
): readonly Write[] {
  return byResource(context, changes).flatMap(([resource, ofResource]) => {
    const { change, make } = draftsFor(context, resource);
    return byAccount(ofResource, ({ record }) => record.account).flatMap(([account, some]) =>
      callsOf(change, make, [account, token, now], some),
    );
  });
}

/** The same in all accounts that the transaction has locked, after `callsToBeginFree`. */
export function callsToWriteFree(
  context: Context,
  { token, now }: Turn,
  changes: readonly Change[],
): readonly Write[] {
  return byResource(context, changes).flatMap(([resource, some]) => {
    const { changeEach, makeEach } = draftsFor(context, resource);
    const accounts = (of: readonly Change[]) => textArray(of.map(({ record }) => record.account));
    return callsOf(changeEach, makeEach, [token, now], some, accounts);
  });
}

function byResource(
  { tables }: Context,
  changes: readonly Change[],
): readonly (readonly [resource: string, some: readonly Change[]])[] {
  const found = Map.groupBy(changes, ({ shape }) => shape.resource);
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

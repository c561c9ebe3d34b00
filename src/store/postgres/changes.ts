/** What a commit sends of the records that it writes: for each resource in each account what is changed, and what is made. */
import type { Change } from '../change.ts';
import { type Context, draftsFor, tableFor } from './context.ts';
import { byAccount } from './names.ts';
import { type Call, call } from './session.ts';
import type { Turn } from './turn.ts';
import { numberArray, textArray } from './values.ts';

type Write = Call<readonly [unique_identifier: string]>;

/** Each gives the unique identifiers of those that it wrote. Parents go before children. */
export function callsToWrite(
  context: Context,
  turn: Turn,
  changes: readonly Change[],
): readonly Write[] {
  const resources = new Set(changes.map(({ shape }) => shape.resource));
  return [...context.tables.keys()].flatMap((resource) => {
    if (!resources.has(resource)) return [];
    const ofResource = changes.filter(({ shape }) => shape.resource === resource);
    return byAccount(ofResource, ({ record }) => record.account).flatMap(([account, some]) => {
      const changed = some.filter(({ before }) => before !== undefined);
      const made = some.filter(({ before }) => before === undefined);
      return [
        ...(changed.length > 0 ? [callToChange(context, resource, account, turn, changed)] : []),
        ...(made.length > 0 ? [callToMake(context, resource, account, turn, made)] : []),
      ];
    });
  });
}

function callToChange(
  context: Context,
  resource: string,
  account: string,
  { token, now }: Turn,
  changes: readonly Change[],
): Write {
  return call(
    draftsFor(context, resource).change,
    account,
    token,
    now,
    textArray(changes.map(({ record }) => record.unique_identifier)),
    numberArray(changes.map(({ before }) => before?.version ?? 0)),
    ...contentOf(context, resource, changes),
  );
}

function callToMake(
  context: Context,
  resource: string,
  account: string,
  { token, now }: Turn,
  changes: readonly Change[],
): Write {
  return call(
    draftsFor(context, resource).make,
    account,
    token,
    now,
    textArray(changes.map(({ record }) => record.parent)),
    textArray(changes.map(({ record }) => record.unique_identifier)),
    textArray(changes.map(({ record }) => record.external_identifier)),
    ...contentOf(context, resource, changes),
  );
}

/** The versions, the documents and the declared keys. */
function contentOf(
  context: Context,
  resource: string,
  changes: readonly Change[],
): readonly unknown[] {
  const { shape } = tableFor(context, resource);
  return [
    numberArray(changes.map(({ record }) => record.version)),
    textArray(changes.map(({ record }) => record.document)),
    ...shape.keys.map((_, at) => textArray(changes.map(({ keys }) => keys[at] as string))),
  ];
}

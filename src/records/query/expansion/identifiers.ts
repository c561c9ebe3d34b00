/** Finds the identifiers of records and of their parents. */
import { ancestorsOf, IDENTIFIERS, identifierNames } from '../../../core/schema/ancestors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { perResource } from '../../../core/schema/parse/per-resource.ts';
import { aboveNames } from '../../../core/schema/row.ts';
import type { AnsweredRecord, Scope, Store, StoredRecord } from '../../../store/promises/store.ts';

/** An expansion in the response of one record: a member with its value as JSON. */
export interface Expansion {
  readonly name: string;
  /** Distinguishes the value from every other of this member. */
  readonly tag: string;
  /** About the length of the value. */
  readonly bytes: number;
  readonly text: () => string;
}

/** Finds the records that these refer to, by unique identifier. */
export async function foundBy(
  store: Pick<Store, 'findAll'>,
  { shape }: Resource,
  records: Iterable<AnsweredRecord>,
  name: (record: AnsweredRecord) => string | null,
  scope: Scope,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const wanted = new Set(Array.from(records, (record) => name(record) ?? ''));
  const found = await store.findAll(shape, [...wanted], scope);
  return new Map(found.map((one) => [one.unique_identifier, one]));
}

/** The values of `identifierNames` for each record, in that order, read level by level: a record only names its parent. */
export async function identifiersOf(
  store: Pick<Store, 'findAll'>,
  resource: Resource,
  records: readonly AnsweredRecord[],
  scope: Scope,
): Promise<(record: AnsweredRecord) => readonly (string | null)[]> {
  const levels: ReadonlyMap<string, StoredRecord>[] = [];
  let below: Iterable<AnsweredRecord> = records;
  for (const one of ancestorsOf(resource)) {
    // Only the root's unique identifier is requested.
    if (one.parent === undefined) break;
    const level = await foundBy(store, one, below, ({ parent }) => parent, scope);
    levels.push(level);
    below = level.values();
  }
  return (record) => {
    const values: (string | null)[] = [record.unique_identifier, record.external_identifier];
    let at: AnsweredRecord | undefined = record;
    for (const level of levels) {
      at = level.get(at?.parent ?? '');
      values.push(at?.unique_identifier ?? null, at?.external_identifier ?? null);
    }
    values.push(record.account);
    return values;
  };
}

/** The identifiers of a row's parents, from the values of `identifiersOf`; `undefined` if one of those is gone. */
export function aboveOf(
  resource: Resource,
  values: readonly (string | null)[],
): readonly string[] | undefined {
  const above = rowPlaces(resource).map((at) => values[at] ?? null);
  return above.every((name) => name !== null) ? above : undefined;
}

const rowPlaces = perResource((resource) => {
  const names = identifierNames(resource);
  return aboveNames(resource).map((name) => names.indexOf(name));
});

/** All identifiers, as expansions. */
export async function identifiersExpansion(
  ...[store, resource, records, scope]: Parameters<typeof identifiersOf>
): Promise<(record: AnsweredRecord) => Expansion> {
  const valuesOf = await identifiersOf(store, resource, records, scope);
  const names = identifierNames(resource);
  return (record) => {
    const values = valuesOf(record);
    const members = names.map((name, index) => [name, values[index] ?? undefined]);
    const text = JSON.stringify(Object.fromEntries(members));
    // It never changes.
    return { name: IDENTIFIERS, tag: IDENTIFIERS, bytes: text.length, text: () => text };
  };
}

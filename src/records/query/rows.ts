/** Records as rows, with the identifiers of what they belong to, and what features say of them. */
import { ancestorsOf, type Resource, saysOf } from '../../core/schema/define.ts';
import { countryOfZone } from '../../core/schema/phones/zones.ts';
import { identifierOf } from '../../core/schema/reference.ts';
import {
  columnsForPeople,
  columnsOf,
  type RowColumn,
  rowForPeople,
  rowOf,
  showPhones,
} from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Scope, Store, StoredRecord } from '../../store/promises/store.ts';
import { aboveOf, ancestorOf, identifiersOf } from './expand.ts';
import type { ReadZones } from './zones.ts';

export interface RowParts {
  readonly said: Store['said'];
  /** With them, rows are for people: times by the clock of each record's home, amounts with decimals. */
  readonly zones?: ReadZones | undefined;
  /** With it, rows are those of a list: `_event` is what the event is called, and phone numbers are as people read them. */
  readonly titles?: ReadTitles | undefined;
}

/** Reads what records are called, by their unique identifiers. */
export type ReadTitles = (
  unique_identifiers: readonly string[],
  scope: Scope,
) => Promise<ReadonlyMap<string, string>>;

/** The columns of the rows that are made with these parts. */
export function columnsOfRows(resource: Resource, { zones }: RowParts): readonly RowColumn[] {
  return zones === undefined ? columnsOf(resource) : columnsForPeople(resource);
}

/** A row is made on demand; `orphan` is called with each record whose parent does not exist, which has none. */
export async function rowsOf(
  store: Pick<Store, 'findAll'>,
  resource: Resource,
  records: readonly StoredRecord[],
  scope: Scope,
  { said, zones, titles }: RowParts,
  orphan: (record: StoredRecord) => void = () => {},
): Promise<IteratorObject<JsonObject>> {
  const namesOf = await identifiersOf(store, resource, records, scope);
  const zoneOf = await zones?.(records);
  const aboves = titles === undefined ? [] : ancestorsOf(resource);
  const above = (record: StoredRecord) => aboves.map((one) => ancestorOf(record, one) ?? '');
  const called = await titles?.([...new Set(records.flatMap(above))], scope);
  const says = await Promise.all(
    saysOf(resource).map(async ({ name }) => ({
      name: `_${name}`,
      of: await said[name]?.(resource.shape, records),
    })),
  );
  return records.values().flatMap((record) => {
    const own = aboveOf(resource, namesOf(record));
    if (own === undefined) {
      orphan(record);
      return [];
    }
    const row = rowOf(resource, record, own);
    for (const one of aboves) {
      const id = ancestorOf(record, one) ?? '';
      row[identifierOf(one)] = id;
      row[`_${one.name}`] = called?.get(id) ?? '';
    }
    for (const { name, of } of says) if (of?.has(record.unique_identifier)) row[name] = true;
    if (zoneOf === undefined) return [row];
    const zone = zoneOf(record);
    if (titles !== undefined) showPhones(resource, row, countryOfZone(zone));
    return [rowForPeople(resource, row, zone)];
  });
}

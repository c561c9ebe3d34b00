/** Records as rows, with the identifiers of what they belong to, and what features say of them. */
import { type Resource, saysOf } from '../../core/schema/define.ts';
import { rowOf, withLocalTimes } from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Scope, Store, StoredRecord } from '../../store/promises/store.ts';
import { aboveOf, identifiersOf } from './expand.ts';
import type { ReadZones } from './zones.ts';

export interface RowParts {
  readonly said: Store['said'];
  /** With them, times are by the clock of each record's home. */
  readonly zones?: ReadZones | undefined;
}

/** A row is made on demand; `orphan` is called with each record whose parent does not exist, which has none. */
export async function rowsOf(
  store: Pick<Store, 'findAll'>,
  resource: Resource,
  records: readonly StoredRecord[],
  scope: Scope,
  { said, zones }: RowParts,
  orphan: (record: StoredRecord) => void = () => {},
): Promise<IteratorObject<JsonObject>> {
  const namesOf = await identifiersOf(store, resource, records, scope);
  const zoneOf = await zones?.(records);
  const says = await Promise.all(
    saysOf(resource).map(async ({ name }) => ({
      name: `_${name}`,
      of: await said[name]?.(resource.shape, records),
    })),
  );
  return records.values().flatMap((record) => {
    const above = aboveOf(resource, namesOf(record));
    if (above === undefined) {
      orphan(record);
      return [];
    }
    const row = rowOf(resource, record, above);
    for (const { name, of } of says) if (of?.has(record.unique_identifier)) row[name] = true;
    return [zoneOf === undefined ? row : withLocalTimes(resource, row, zoneOf(record))];
  });
}

/** The records of a snapshot as rows. */

import type { Resource } from '../../core/schema/define.ts';
import { withLocalTimes } from '../../core/schema/local-times.ts';
import { rowOf } from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { aboveOf, identifiersOf } from '../../records/query/expansion/identifiers.ts';
import type { ReadZones } from '../../records/query/zones.ts';
import type { Snapshot } from '../../store/promises/snapshot.ts';
import type { Scope, StoredRecord } from '../../store/promises/store.ts';
import { TransferRefused } from '../transfer/refused.ts';

/** Some rows at a time, read on demand. */
export type RowBatches = AsyncIterable<readonly JsonObject[]>;

/** Every record of the resource in the scope, some at a time. */
export async function* scopedRows(
  snapshot: Snapshot,
  resource: Resource,
  scope: Scope,
  zones?: ReadZones,
): AsyncGenerator<IteratorObject<JsonObject>> {
  for await (const records of snapshot.records(resource.shape, scope)) {
    yield await rowsOf(snapshot, resource, records, zones);
  }
}

/** A row is made on demand; with `zones`, its times by the clock of its home. */
export async function rowsOf(
  snapshot: Snapshot,
  resource: Resource,
  records: readonly StoredRecord[],
  zones: ReadZones | undefined,
): Promise<IteratorObject<JsonObject>> {
  const accounts = new Set(records.map(({ account }) => account));
  const valuesOf = await identifiersOf(snapshot, resource, records, {
    accounts,
    anchors: undefined,
  });
  const zoneOf = await zones?.(records);
  return records.values().map((record) => {
    const above = aboveOf(resource, valuesOf(record));
    if (above !== undefined) {
      const row = rowOf(resource, record, above);
      return zoneOf === undefined ? row : withLocalTimes(resource, row, zoneOf(record));
    }
    throw new TransferRefused(
      `${record.unique_identifier} belongs to a record that does not exist: the store is damaged. "ledgerstone verify" says where.`,
    );
  });
}

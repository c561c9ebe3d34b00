/** The records of a snapshot as rows. */

import type { Resource } from '../../core/schema/define.ts';
import { rowOf } from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { aboveOf, identifiersOf } from '../../records/query/identifiers.ts';
import type { Snapshot } from '../../store/promises/snapshot.ts';
import type { Scope, StoredRecord } from '../../store/promises/store.ts';
import { TransferRefused } from '../transfer/refused.ts';

/** Some rows at a time, read on demand. */
export type RowBatches = AsyncIterable<readonly JsonObject[]>;

/** Every record of the resource in these accounts. */
export async function* allRows(
  snapshot: Snapshot,
  resource: Resource,
  accounts: readonly string[],
): RowBatches {
  const scope = { accounts: new Set(accounts), anchors: undefined };
  for await (const rows of scopedRows(snapshot, resource, scope)) yield [...rows];
}

/** Every record of the resource in the scope, some at a time. A row is made on demand. */
export async function* scopedRows(
  snapshot: Snapshot,
  resource: Resource,
  scope: Scope,
): AsyncGenerator<IteratorObject<JsonObject>> {
  for await (const records of snapshot.records(resource.shape, scope)) {
    yield await rowsOf(snapshot, resource, records);
  }
}

export async function toRows(
  snapshot: Snapshot,
  resource: Resource,
  records: readonly StoredRecord[],
): Promise<readonly JsonObject[]> {
  return [...(await rowsOf(snapshot, resource, records))];
}

async function rowsOf(
  snapshot: Snapshot,
  resource: Resource,
  records: readonly StoredRecord[],
): Promise<IteratorObject<JsonObject>> {
  const accounts = new Set(records.map(({ account }) => account));
  const valuesOf = await identifiersOf(snapshot, resource, records, {
    accounts,
    anchors: undefined,
  });
  return records.values().map((record) => {
    const above = aboveOf(resource, valuesOf(record));
    if (above !== undefined) return rowOf(resource, record, above);
    throw new TransferRefused(
      `${record.unique_identifier} belongs to a record that does not exist: the store is damaged. "ledgerstone verify" says where.`,
    );
  });
}

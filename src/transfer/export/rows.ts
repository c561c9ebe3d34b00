/** The records of a snapshot as rows. */
import { aboveOf, identifiersOf } from '../../query/identifiers.ts';
import type { Resource } from '../../schema/define.ts';
import { rowOf } from '../../schema/row.ts';
import type { JsonObject } from '../../schema/values.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Scope, StoredRecord } from '../../store/store.ts';
import { TransferRefused } from '../refused.ts';

/** Some rows at a time, read when they are asked for. */
export type RowBatches = AsyncIterable<readonly JsonObject[]>;

/** Every record of the resource in these accounts. */
export function allRows(
  snapshot: Snapshot,
  resource: Resource,
  accounts: readonly string[],
): RowBatches {
  return scopedRows(snapshot, resource, { accounts: new Set(accounts), anchors: undefined });
}

/** Every record of the resource in the scope. */
export async function* scopedRows(
  snapshot: Snapshot,
  resource: Resource,
  scope: Scope,
): RowBatches {
  for await (const records of snapshot.records(resource.shape, scope)) {
    yield await toRows(snapshot, resource, records);
  }
}

export async function toRows(
  snapshot: Snapshot,
  resource: Resource,
  records: readonly StoredRecord[],
): Promise<readonly JsonObject[]> {
  const accounts = new Set(records.map(({ account }) => account));
  const valuesOf = await identifiersOf(snapshot, resource, records, {
    accounts,
    anchors: undefined,
  });
  return records.map((record) => {
    const above = aboveOf(resource, valuesOf(record));
    if (above !== undefined) return rowOf(resource, record, above);
    throw new TransferRefused(
      `${record.unique_identifier} belongs to a record that does not exist: the store is damaged. "ledgerstone verify" says where.`,
    );
  });
}

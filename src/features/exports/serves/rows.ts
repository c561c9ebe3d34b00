/** The records of a snapshot, and the changes between two moments, as rows. */
import type { Resource } from '../../../core/schema/define.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import type { RowColumn } from '../../../core/schema/row.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { type RowParts, rowsOf } from '../../../records/query/rows.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import type { ChangeCursor, ChangeLog, LoggedChange } from '../../../store/promises/log.ts';
import type { Snapshot } from '../../../store/promises/snapshot.ts';
import type { Scope, StoredRecord } from '../../../store/promises/store.ts';

/** The changes of an account after a mark, up to the commit at a position. */
export interface Stretch {
  readonly account: string;
  readonly after: ChangeCursor | undefined;
  readonly until: number;
}

interface Changing {
  readonly log: ChangeLog;
  readonly snapshot: Snapshot;
  readonly parts: RowParts;
}

/** Some rows at a time, read on demand. */
export type RowBatches = AsyncIterable<readonly JsonObject[]>;

/** Every record of the resource in the scope, some at a time. */
export async function* scopedRows(
  snapshot: Snapshot,
  resource: Resource,
  scope: Scope,
  parts: RowParts,
): AsyncGenerator<IteratorObject<JsonObject>> {
  for await (const records of snapshot.records(resource.shape, scope)) {
    yield await ofSnapshot(snapshot, resource, records, parts);
  }
}

async function ofSnapshot(
  snapshot: Snapshot,
  resource: Resource,
  records: readonly StoredRecord[],
  parts: RowParts,
) {
  const accounts = new Set(records.map(({ account }) => account));
  const scope = { accounts, anchors: undefined };
  return rowsOf(snapshot, resource, records, scope, parts, ({ unique_identifier }) => {
    throw new TransferRefused(
      `${unique_identifier} belongs to a record that does not exist: the store is damaged. "ledgerstone verify" says where.`,
    );
  });
}

/** In their order, some at a time. */
export async function* changesIn(log: ChangeLog, { account, after, until }: Stretch) {
  for await (const page of log.follow(account, { after, until })) {
    if (typeof page === 'string') {
      throw new TransferRefused(
        `The log of changes of ${account} no longer goes back to where this export began. Run it again.`,
      );
    }
    const { changes } = page;
    if (changes.some(({ damaged }) => damaged)) {
      throw new TransferRefused(
        `A change of ${account} is damaged in the store, so it is unknown what has changed: "ledgerstone verify" names it. Export everything once, into a new folder.`,
      );
    }
    yield changes;
  }
}

/** The records of the resource that changed in the stretch and still exist, each once, as in the snapshot. */
export async function* changedRows(
  { log, snapshot, parts }: Changing,
  resource: Resource,
  stretch: Stretch,
): RowBatches {
  for await (const changes of changesIn(log, stretch)) {
    const own = changes.filter((change) => change.resource === resource.name);
    const found = await foundIn(snapshot, resource, own);
    // The last change of a record is the one that left it as it is.
    const records = own.flatMap(({ record, version }) => {
      const now = found.get(record);
      return now?.version === version ? [now] : [];
    });
    if (records.length > 0) yield [...(await ofSnapshot(snapshot, resource, records, parts))];
  }
}

/** The columns of removals, which belong to no resource. */
export const REMOVED_COLUMNS: readonly RowColumn[] = [
  '_resource',
  '_unique_identifier',
  '_removed_at',
].map((name) => ({ name, steps: [name] }));

/** The records that were removed in the stretch and do not exist; of an account that was wiped, the account. */
export async function* removedRows(
  { log, snapshot }: Omit<Changing, 'parts'>,
  resources: readonly Resource[],
  stretch: Stretch,
): RowBatches {
  for await (const changes of changesIn(log, stretch)) {
    const rows: JsonObject[] = [];
    for (const resource of resources) {
      const own = changes.filter(
        (change) =>
          change.resource === resource.name &&
          (change.outcome === 'deleted' || change.outcome === 'wiped'),
      );
      const found = await foundIn(snapshot, resource, own);
      for (const { record, occurred_at } of own) {
        if (found.has(record)) continue;
        const at = presentTime(occurred_at);
        rows.push({ _resource: resource.path, _unique_identifier: record, _removed_at: at });
      }
    }
    if (rows.length > 0) yield rows;
  }
}

/** By unique identifier; of accounts none, which are never removed. */
async function foundIn(snapshot: Snapshot, { shape }: Resource, changes: readonly LoggedChange[]) {
  const wanted = new Set(changes.map(({ record }) => record));
  if (wanted.size === 0 || shape.parent === undefined) return new Map();
  const accounts = new Set(changes.map(({ account }) => account));
  const found = await snapshot.findAll(shape, [...wanted], { accounts, anchors: undefined });
  return new Map(found.map((one) => [one.unique_identifier, one]));
}

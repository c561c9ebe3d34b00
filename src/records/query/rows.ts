/** Reads all records of a resource as rows, page by page, as far as the key may see them. */

import type { PageReads } from '../../core/fair/page-reads.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import { withLocalTimes } from '../../core/schema/local-times.ts';
import { parseRows } from '../../core/schema/parse/parse-list.ts';
import { rowOf } from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { placeIn } from '../../store/pages.ts';
import type { ListPlace, Store, StoredRecord } from '../../store/promises/store.ts';
import { authorize, type Principal } from '../auth/principal.ts';
import { authorizeExpand } from './expand.ts';
import { aboveOf, identifiersOf } from './expansion/identifiers.ts';
import type { ReadParams } from './list.ts';
import { pageOf } from './page.ts';
import type { ReadZones } from './zones.ts';

/** Records and bytes of documents per read. */
const PAGE = 500;
const PAGE_BYTES = 1_048_576;

export type RowWalk = ReturnType<ReturnType<typeof createRows>>;

/**
 * Walks a list from its beginning to its end. Between pages it only stores its place, so a record that changes
 * meanwhile is read as it is by then. With `zones`, times are by the clock of each record's home. Throws `ApiError` for
 * what the caller can fix.
 */
export function createRows(store: Store, reads: PageReads) {
  return (
    principal: Principal,
    resource: Resource,
    { query, unknown, isGone, zones }: ReadParams & { readonly zones?: ReadZones | undefined },
    timing: Timing,
  ) => {
    const sent = timing.measure('parse', () => parseRows(resource, query, unknown));
    const request = { ...sent, limit: PAGE };
    checkMayRead(principal, resource);
    /** The place of the last record, from which the walk continues. */
    let after: ListPlace | undefined;
    let ended = false;
    return {
      /** The rows of the next page, each made on demand; `undefined` after the last. Throws if the key may no longer read. */
      async next(principal: Principal): Promise<Iterator<JsonObject> | undefined> {
        if (ended) return undefined;
        checkMayRead(principal, resource);
        return reads.run(principal.key, async (giveWay) => {
          const reading = { bytes: PAGE_BYTES, giveWay, isGone, after };
          const { records, more } = await pageOf(store, principal, resource, request, reading);
          ended = !more;
          const last = records.at(-1);
          if (last !== undefined) after = placeIn({ ...resource, ...request }, last);
          const namesOf = await identifiersOf(store, resource, records, principal.scope);
          return rowsOf(resource, records, namesOf, await zones?.(records));
        });
      },
    };
  };
}

/** Rows contain the callers' identifiers of parents, so the caller must be allowed to read those, too. */
function checkMayRead(principal: Principal, resource: Resource): void {
  authorize(principal, resource.path, 'read');
  authorizeExpand(principal, resource, { resources: [], identifiers: true });
}

function* rowsOf(
  resource: Resource,
  records: readonly StoredRecord[],
  namesOf: (record: StoredRecord) => readonly (string | null)[],
  zoneOf: ((record: StoredRecord) => string) | undefined,
): Generator<JsonObject, void> {
  for (const record of records) {
    const above = aboveOf(resource, namesOf(record));
    // If a parent is gone by now, so is the record.
    if (above === undefined) continue;
    const row = rowOf(resource, record, above);
    yield zoneOf === undefined ? row : withLocalTimes(resource, row, zoneOf(record));
  }
}

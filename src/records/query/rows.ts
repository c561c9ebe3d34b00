/** Reads all records of a resource as rows, page by page, as far as the key may see them. */

import type { PageReads } from '../../core/fair/page-reads.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import { withLocalTimes } from '../../core/schema/local-times.ts';
import { type ListRequest, parseRows } from '../../core/schema/parse/parse-list.ts';
import { rowOf } from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { placeIn } from '../../store/pages.ts';
import type { ListPlace, Store, StoredRecord } from '../../store/promises/store.ts';
import { authorize, type Principal } from '../auth/principal.ts';
import { scopeOf } from '../auth/region.ts';
import { authorizeExpand } from './expand.ts';
import { aboveOf, identifiersOf } from './expansion/identifiers.ts';
import { fromSource } from './expansion/source.ts';
import type { ReadParams } from './list.ts';
import { type IsGone, type PageReading, pageOf } from './page.ts';
import type { ReadZones } from './zones.ts';

/** Records and bytes of documents per read. */
const PAGE = 500;
const PAGE_BYTES = 1_048_576;

/** Throws `ApiError` for what the caller can fix. */
export function createRows(store: Store, reads: PageReads) {
  return (
    principal: Principal,
    resource: Resource,
    { query, unknown, isGone, zones }: ReadParams & { readonly zones?: ReadZones | undefined },
    timing: Timing,
  ): RowWalk => {
    const request = timing.measure('parse', () => parseRows(resource, query, unknown));
    checkMayRead(principal, resource);
    const parts = { store, reads, resource, isGone, zones };
    return new RowWalk({ ...parts, request: { ...request, limit: PAGE } });
  };
}

interface WalkParts {
  readonly store: Store;
  readonly reads: PageReads;
  readonly resource: Resource;
  readonly request: ListRequest;
  readonly isGone: IsGone;
  /** With them, times are by the clock of each record's home. */
  readonly zones: ReadZones | undefined;
}

/**
 * Walks a list from its beginning to its end. Between pages it only stores its place, so a record that changes
 * meanwhile is read as it is by then.
 */
export class RowWalk {
  readonly #parts: WalkParts;
  /** The place of the last record, from which the walk continues. */
  #after: ListPlace | undefined;
  #ended = false;

  constructor(parts: WalkParts) {
    this.#parts = parts;
  }

  /**
   * The rows of the next page, each made on demand; `undefined` after the last. Throws `ApiError` if the key may no
   * longer read.
   */
  async next(principal: Principal): Promise<Iterator<JsonObject> | undefined> {
    if (this.#ended) return undefined;
    const { store, reads, resource, zones } = this.#parts;
    checkMayRead(principal, resource);
    return reads.run(principal.key, async (giveWay) => {
      const records = await this.#read(principal, giveWay);
      const namesOf = await identifiersOf(store, resource, records, principal.scope);
      return rowsOf(resource, records, namesOf, await zones?.(records));
    });
  }

  async #read(
    principal: Principal,
    giveWay: PageReading['giveWay'],
  ): Promise<readonly StoredRecord[]> {
    const { store, resource, request, isGone } = this.#parts;
    const { scope } = principal;
    const from = await fromSource(store, principal, request.source);
    const reading = { bytes: PAGE_BYTES, giveWay, isGone, from, after: this.#after };
    const within = await scopeOf(store, scope, resource, request);
    const { records, more } = await pageOf(store, within, resource, request, reading);
    this.#ended = !more;
    const last = records.at(-1);
    if (last !== undefined) this.#after = placeIn({ ...resource, ...request }, last);
    return records;
  }
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

/** Reads all records of a resource as rows, page by page, as far as the key may see them. */

import { ApiError } from '../../core/errors.ts';
import type { PageReads } from '../../core/fair/page-reads.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import { withLocalTimes } from '../../core/schema/local-times.ts';
import { type ListRequest, parseRows } from '../../core/schema/parse/parse-list.ts';
import { rowOf } from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Scope, Store, StoredRecord } from '../../store/promises/store.ts';
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
  /** The unique identifiers of the last page, in order, from which the walk continues. */
  #last: readonly string[] = [];
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
    const seen = new Set(this.#last);
    const cursor = await this.#cursor(scope);
    const from = await fromSource(store, principal, request.source);
    const reading = { bytes: PAGE_BYTES, giveWay, isGone, from };
    const within = await scopeOf(store, scope, resource, request);
    const page = await pageOf(store, within, resource, { ...request, ...cursor }, reading);
    this.#ended = !page.more;
    if (page.records.length > 0) {
      this.#last = page.records.map(({ unique_identifier }) => unique_identifier);
    }
    return page.records.filter(({ unique_identifier }) => !seen.has(unique_identifier));
  }

  /** The last record of the page before that still exists. */
  async #cursor(scope: Scope): Promise<Pick<ListRequest, 'cursor'>> {
    if (this.#last.length === 0) return {};
    const { store, resource } = this.#parts;
    const found = await store.findAll(resource.shape, this.#last, scope);
    const there = new Set(found.map(({ unique_identifier }) => unique_identifier));
    const unique_identifier = this.#last.findLast((one) => there.has(one));
    if (unique_identifier === undefined)
      throw new ApiError('service_unavailable', { message: LOST });
    return { cursor: { side: 'after', unique_identifier, param: 'starting_after' } };
  }
}

const LOST =
  'All records that were read last were removed in the meantime, so there is no place to read on from. Send the request again.';

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

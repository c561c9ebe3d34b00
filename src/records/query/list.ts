/** Reads a page of a resource's records, as far as the key may see them. */

import type { PageReads } from '../../core/fair/page-reads.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import { type ListRequest, parseList } from '../../core/schema/parse/parse-list.ts';
import { presentEntry, presentList } from '../../core/schema/present/present.ts';
import type { Page, Store } from '../../store/promises/store.ts';
import type { Principal } from '../auth/principal.ts';
import { authorizeExpand, type Entry, entriesUpTo, expanderOf, shown } from './expand.ts';
import { type IsGone, pageOf, totalOf } from './page.ts';

/** The query string of a read, and what to do with parameters that it does not know. */
export interface ReadParams {
  readonly query: string;
  readonly unknown: 'refuse' | 'ignore';
  readonly isGone?: IsGone;
}

export interface Listed {
  /** The JSON text of the list, in pieces of some KiB that are made on demand. */
  readonly body: Iterable<string>;
  /** About the bytes of the whole text. */
  readonly bytes: number;
  /** The cursors of the next and the previous page, if they exist. */
  readonly next?: { readonly starting_after: string };
  readonly prev?: { readonly ending_before: string };
  /** The ancestor of all its records, if the list is limited to one. */
  readonly parent: string | undefined;
}

/** The most bytes of a page's records with their expansions. Such a page is read in some milliseconds. */
const MAX_PAGE_BYTES = 4_194_304;

/** Throws `ApiError` for what the caller can fix. */
export function createList(store: Store, reads: PageReads) {
  return async (
    principal: Principal,
    resource: Resource,
    { query, unknown, isGone }: ReadParams,
    timing: Timing,
  ): Promise<Listed> => {
    const request = timing.measure('parse', () => parseList(resource, query, unknown));
    authorizeExpand(principal, resource, request.expand);

    const resolving = performance.now();
    const page = await reads.run(principal.key, async (giveWay) => {
      const reading = { bytes: MAX_PAGE_BYTES, giveWay, isGone };
      const found = await pageOf(store, principal, resource, request, reading);
      const { parent } = found;
      const [shown, erased] = await Promise.all([
        expanded(store, principal, resource, found, request),
        parent === undefined
          ? 0
          : store.erasing.countBelow(resource.name, parent, [...principal.scope.accounts]),
      ]);
      return { ...shown, erased, parent };
    });
    const { entries, more, bytes, erased, parent } = page;
    const total = request.total
      ? await reads.run(principal.key, (giveWay) =>
          totalOf(store, principal, resource, request, { giveWay, isGone }),
        )
      : undefined;
    timing.add('resolve', performance.now() - resolving);
    return {
      body: presentList(resource, presented(resource, entries), more, { total, erased }),
      bytes,
      parent,
      ...linksOf(entries, more, request.cursor),
    };
  };
}

/** Ends the page before its records and expansions exceed the limit. */
async function expanded(
  store: Store,
  principal: Principal,
  resource: Resource,
  { records, more }: Page,
  { cursor, expand }: ListRequest,
) {
  const backward = cursor?.side === 'before';
  const walked = backward ? records.toReversed() : records;
  const { entries, bytes } = await entriesUpTo(MAX_PAGE_BYTES, walked, (some) =>
    expanderOf(store, principal, resource, some, expand),
  );
  return {
    entries: backward ? entries.toReversed() : entries,
    more: more || entries.length < records.length,
    bytes,
  };
}

function* presented(resource: Resource, entries: readonly Entry[]): Generator<string, void> {
  for (const { record, expansions } of entries) {
    yield shown(presentEntry(resource, record), expansions);
  }
}

/** There is always a page where the cursor came from; `more` says whether there is one ahead. */
function linksOf(
  entries: readonly Entry[],
  more: boolean,
  cursor: ListRequest['cursor'],
): Pick<Listed, 'next' | 'prev'> {
  const first = entries.at(0)?.record;
  const last = entries.at(-1)?.record;
  if (first === undefined || last === undefined) return {};
  const after = cursor?.side === 'before' || more;
  const before = cursor?.side === 'after' || (cursor !== undefined && more);
  return {
    ...(after ? { next: { starting_after: last.unique_identifier } } : {}),
    ...(before ? { prev: { ending_before: first.unique_identifier } } : {}),
  };
}

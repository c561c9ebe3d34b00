/** Reads a page of a resource's records, as far as the key may see them. */
import type { Principal } from '../auth/principal.ts';
import { ApiError, Faults } from '../errors.ts';
import { createRounds } from '../fair/rounds.ts';
import type { Timing } from '../observe/timing.ts';
import type { Resource } from '../schema/define.ts';
import { type Comparison, type ListRequest, parseList } from '../schema/parse-list.ts';
import { presentEntry, presentList } from '../schema/present.ts';
import { inWords } from '../schema/words.ts';
import { recordMissing } from '../store/refusals.ts';
import type { Page, Scope, Store } from '../store/store.ts';
import { type Entry, entriesUpTo } from './entries.ts';
import { authorizeExpand, expanderOf } from './expand.ts';
import { shown } from './shown.ts';
import { whereOf } from './where.ts';

/** The query string of a read, and what to do with parameters that it does not know. */
export interface ReadParams {
  readonly query: string;
  readonly unknown: 'refuse' | 'ignore';
}

export interface Listed {
  /** The JSON text of the list, in pieces of some KiB that are made when they are asked for. */
  readonly body: Iterable<string>;
  /** About how many bytes the whole text has. */
  readonly bytes: number;
  /** The cursors of the pages beside this one, where there are such pages. */
  readonly next?: { readonly starting_after: string };
  readonly prev?: { readonly ending_before: string };
}

/** Throws `ApiError` for what the caller can fix. */
export type ListRecords = (
  principal: Principal,
  resource: Resource,
  asked: ReadParams,
  timing: Timing,
) => Promise<Listed>;

/**
 * Bytes that the records of a page come to at the most, with what is put into
 * them. A page of so many is read in some milliseconds.
 */
export const MAX_PAGE_BYTES = 4_194_304;

export function createList(store: Store): ListRecords {
  const rounds = createRounds();
  return async (principal, resource, { query, unknown }, timing) => {
    const request = timing.measure('parse', () => parseList(resource, query, unknown));
    authorizeExpand(principal, resource, request.expand);

    const resolving = performance.now();
    await rounds.turn(principal.key);
    const page = await pageOf(store, principal.scope, resource, request);
    const whole = await expanded(store, principal, resource, page, request);
    timing.add('resolve', performance.now() - resolving);

    const { entries, more, bytes } = whole;
    return {
      body: presentList(resource, presented(resource, entries), more),
      bytes,
      ...linksOf(whole, request.cursor),
    };
  };
}

/** A page with what is put into its records. */
interface ExpandedPage {
  readonly entries: readonly Entry[];
  readonly more: boolean;
  /** About how many bytes its records and all that is put into them come to. */
  readonly bytes: number;
}

/** Ends the page where it comes to too many bytes with what is put into its records. */
async function expanded(
  store: Store,
  principal: Principal,
  resource: Resource,
  { records, more }: Page,
  { cursor, expand }: ListRequest,
): Promise<ExpandedPage> {
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

async function pageOf(
  store: Store,
  scope: Scope,
  { shape, name }: Resource,
  { limit, cursor, comparisons, order }: ListRequest,
): Promise<Page> {
  await checkAbove(store, scope, comparisons);
  const page = await store.list({
    shape,
    scope,
    order,
    where: whereOf(comparisons),
    limit,
    bytes: MAX_PAGE_BYTES,
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (page !== undefined) return page;
  throw new ApiError('value_invalid', {
    ...(cursor === undefined ? {} : { param: cursor.param }),
    message: `${cursor?.param} is not the unique_identifier of ${articled(inWords(name))} that the API key may see.`,
  });
}

/** Throws `resource_missing` where a filter names a record that is not there or out of sight, as an upsert under it would. */
async function checkAbove(
  store: Store,
  scope: Scope,
  comparisons: readonly Comparison[],
): Promise<void> {
  const faults = new Faults();
  for (const { filter, value } of comparisons) {
    if (filter.above === undefined) continue;
    const { shape } = filter.above;
    if ((await store.find(shape, value, scope)) === undefined)
      faults.add(filter.steps.join('.'), 'resource_missing', recordMissing(shape).message);
  }
  faults.throwIfAny();
}

/** There is always a page where the cursor came from; `more` tells whether there is one ahead. */
function linksOf(
  { entries, more }: ExpandedPage,
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

function articled(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

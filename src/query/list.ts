/** Reads a page of a resource's records, as far as the key may see them. */
import type { Principal } from '../auth/principal.ts';
import { ApiError, Faults } from '../errors.ts';
import type { Timing } from '../observe/timing.ts';
import type { Resource } from '../schema/define.ts';
import { type Comparison, type ListRequest, parseList } from '../schema/parse-list.ts';
import { presentEntry, presentList } from '../schema/present.ts';
import { inWords } from '../schema/words.ts';
import { recordMissing } from '../store/refusals.ts';
import type { Page, Scope, Store } from '../store/store.ts';
import { authorizeExpand, expanderOf } from './expand.ts';
import { shown } from './shown.ts';
import { whereOf } from './where.ts';

/** The query string of a read, and what to do with parameters that it does not know. */
export interface Asked {
  readonly query: string;
  readonly unknown: 'refuse' | 'ignore';
}

export interface Listed {
  /** The JSON text of the list. */
  readonly body: string;
  /** The cursors of the pages beside this one, where there are such pages. */
  readonly next?: { readonly starting_after: string };
  readonly prev?: { readonly ending_before: string };
}

/** Throws `ApiError` for what the caller can mend. */
export type List = (
  principal: Principal,
  resource: Resource,
  asked: Asked,
  timing: Timing,
) => Promise<Listed>;

export function createList(store: Store): List {
  return async (principal, resource, { query, unknown }, timing) => {
    const request = timing.measure('parse', () => parseList(resource, query, unknown));
    authorizeExpand(principal, request.expand);

    const resolving = performance.now();
    const page = await pageOf(store, principal.scope, resource, request);
    const expansionsOf = await expanderOf(store, principal, page.records, request.expand);
    timing.add('resolve', performance.now() - resolving);

    return timing.measure('present', () => {
      const entries = page.records.map((record) =>
        shown(presentEntry(resource, record), expansionsOf(record)),
      );
      const body = presentList(resource, entries, page.more);
      return { body, ...linksOf(page, request.cursor) };
    });
  };
}

async function pageOf(
  store: Store,
  scope: Scope,
  { shape, list, name }: Resource,
  { limit, cursor, comparisons }: ListRequest,
): Promise<Page> {
  await checkAbove(store, scope, comparisons);
  const page = await store.list({
    shape,
    scope,
    order: list.order,
    where: whereOf(comparisons),
    limit,
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

/** Whence the walk came there is the record of the cursor; whither it goes, `more` tells. */
function linksOf(
  { records, more }: Page,
  cursor: ListRequest['cursor'],
): Pick<Listed, 'next' | 'prev'> {
  const first = records.at(0);
  const last = records.at(-1);
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

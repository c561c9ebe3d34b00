/** The entry point for reads, and for expansions in responses to writes. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { ApiError } from '../../core/errors.ts';
import { createPageReads, type PageReads } from '../../core/fair/page-reads.ts';
import type { Observer } from '../../core/observe/observers.ts';
import type { Timing } from '../../core/observe/timing.ts';
import { IDENTIFIERS, type Resource } from '../../core/schema/define.ts';
import { parseStored, stringify } from '../../core/schema/json/json.ts';
import {
  type ListRequest,
  parseList,
  parseRead,
  parseRows,
} from '../../core/schema/parse/parse-list.ts';
import { imagesOf } from '../../core/schema/present/images.ts';
import { presentEntry, presentList, presentOne } from '../../core/schema/present/present.ts';
import { inWords } from '../../core/schema/present/words.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { placeIn } from '../../store/pages.ts';
import { missingOrErased, recordMissing } from '../../store/promises/refusals.ts';
import type { AnsweredRecord, ListPlace, Page, Scope, Store } from '../../store/promises/store.ts';
import type { RecordAt } from '../../store/records/versions.ts';
import { authorize, type Principal } from '../auth/principal.ts';
import { anchorsIn } from '../auth/region.ts';
import { createFeed } from '../changes/feed.ts';
import { createHistory, type History } from '../changes/history.ts';
import { createRemovals } from '../changes/removals.ts';
import {
  authorizeExpand,
  createExpandWritten,
  type Entry,
  entriesUpTo,
  expanderOf,
  shown,
} from './expand.ts';
import { type IsGone, pageOf, totalOf } from './page.ts';
import { type RowParts, rowsOf } from './rows.ts';
import { createSearch } from './search.ts';

type QueryObserver = Pick<Observer, 'show'>;
export type Query = ReturnType<typeof createQuery>;

export function createQuery(
  store: Store,
  resources: readonly Resource[],
  { now, observer }: { readonly now: () => number; readonly observer?: QueryObserver | undefined },
) {
  const reads = createPageReads();
  const history = createHistory(store, reads);
  const anchor = resources.find((resource) => resource.anchor);
  if (anchor === undefined) throw new TypeError('There are no locations.');
  const feed = createFeed(store, resources, reads);
  const log = createLogFigures(store, now);
  observer?.show({
    followers: () => feed.followers.now.count,
    follower_lag_seconds: () => feed.followers.now.since,
    changes_oldest_seconds: async () => (await log()).oldest_at,
    changes_commits: async () => (await log()).commits,
    search_lag_seconds: async () => (await store.search.lag()).since ?? null,
    search_cut_records: () => store.search.cut(),
    search_building: async () => (await store.search.lag()).building,
  });
  return {
    /** The locations that a list of a caller is limited to, by filters; `undefined`: all. */
    async locationsIn(scope: Scope, location?: string, region?: string) {
      const within =
        region === undefined
          ? undefined
          : await anchorsIn(store, scope, anchor.shape, region.trim());
      const all = [within, scope.anchors].filter((some) => some !== undefined);
      const named = location === undefined ? all[0] && [...all[0]] : [location];
      return named?.filter((one) => all.every((some) => some.has(one)));
    },
    find: createFind(store, history),
    list: createList(store, reads),
    rows: createRows(store, reads),
    expandWritten: createExpandWritten(store),
    feed,
    history,
    removals: createRemovals(store, resources, reads),
    findImage: createFindImage(store),
    /** The queue for pages that all these share with every other reader of pages. */
    reads,
    search: createSearch(store, resources, { reads, now }),
  };
}

/** How long figures are used: they change slowly, and computing them reads each account. */
const KEPT_MS = 300_000;
const ACCOUNTS_AT_ONCE = 50;

/** Figures of the log of changes over all accounts: the number of stored commits, and when the oldest change was done. */
function createLogFigures(store: Store, now: () => number) {
  let last: { readonly at: number; readonly figures: ReturnType<typeof logFigures> } | undefined;
  return () => {
    if (last === undefined || Math.abs(now() - last.at) > KEPT_MS) {
      last = { at: now(), figures: logFigures(store) };
      last.figures.catch(() => {
        last = undefined;
      });
    }
    return last.figures;
  };
}

async function logFigures(store: Store) {
  const accounts = (await store.accounts.list()).map((account) => account.unique_identifier);
  let commits = 0;
  let oldest_at: number | undefined;
  for (let from = 0; from < accounts.length; from += ACCOUNTS_AT_ONCE) {
    const some = accounts.slice(from, from + ACCOUNTS_AT_ONCE);
    const positions = await store.log.positions(some);
    for (const account of some) {
      const first = await store.log.next(account);
      if (first === undefined || typeof first === 'string') continue;
      commits += (positions.get(account) ?? first.position) - first.position + 1;
      oldest_at = Math.min(oldest_at ?? first.occurred_at, first.occurred_at);
    }
    await nextTick();
  }
  return { commits, oldest_at };
}

/**
 * Answers with a record as JSON text, and with a tag that no other text at this address has: the version, followed by
 * those of expansions. Throws `resource_missing`, the same whether the record does not exist or the key may not see it.
 */
function createFind(store: Store, history: Pick<History, 'at'>) {
  return async (
    principal: Principal,
    resource: Resource,
    unique_identifier: string,
    { query, unknown }: ReadParams,
    timing: Timing,
  ) => {
    const { expand, version } = timing.measure('parse', () => parseRead(resource, query, unknown));
    authorizeExpand(principal, resource, expand);

    const resolving = performance.now();
    const record =
      version === undefined
        ? await store.find(resource.shape, unique_identifier, principal.scope)
        : recordAt(
            unique_identifier,
            version,
            await history.at(principal, resource, unique_identifier, version),
          );
    if (record === undefined)
      throw await missingOrErased(store, resource.shape, unique_identifier, principal.scope);
    const expansions = (await expanderOf(store, principal, resource, [record], expand))(record);
    timing.add('resolve', performance.now() - resolving);

    return {
      unique_identifier: record.unique_identifier,
      account: record.account,
      tag: [record.version, ...expansions.map(({ tag }) => tag)].join(';'),
      body: timing.measure('present', () => shown(presentOne(resource, record), expansions)),
    };
  };
}

function recordAt(
  unique_identifier: string,
  version: number,
  { document, updated_at, anchor, now }: RecordAt,
): AnsweredRecord {
  const { account, parent = null, external_identifier, inserted_at } = now;
  return {
    unique_identifier,
    account,
    anchor,
    parent,
    external_identifier,
    document: stringify(document),
    version,
    inserted_at,
    updated_at,
  };
}

export type FindImage = ReturnType<typeof createFindImage>;

/**
 * Gives the URL of an image of a record, the record's account, and the member that has the URL. Throws
 * `resource_missing` if the record or image does not exist, or the key may not see it.
 */
function createFindImage(store: Pick<Store, 'find'>) {
  return async (
    { scope }: Principal,
    resource: Resource,
    unique_identifier: string,
    index: string,
  ) => {
    const { shape, name } = resource;
    const record = await store.find(shape, unique_identifier, scope);
    if (record === undefined) throw recordMissing(shape);
    const images = imagesOf(resource);
    const urls = images?.urls(parseStored(record.document) as JsonObject) ?? [];
    const url = /^\d$/.test(index) ? urls[Number(index)] : undefined;
    if (images !== undefined && url !== undefined)
      return { url, account: record.account, param: `${images.param}.${index}` };
    const most = urls.length - 1;
    const has = ['none', 'one image, 0'][urls.length] ?? `${urls.length} images, 0 to ${most}`;
    const message = `There is no such image: the ${inWords(name)} has ${has}.`;
    throw new ApiError('resource_missing', { param: 'index', message });
  };
}

/** The query string of a read, and what to do with parameters that it does not know. */
interface ReadParams {
  readonly query: string;
  readonly unknown: 'refuse' | 'ignore';
  readonly isGone?: IsGone;
}

/** The most bytes of a page's records with their expansions. Such a page is read in some milliseconds. */
const MAX_PAGE_BYTES = 4_194_304;

/** Throws `ApiError` for what the caller can fix. */
function createList(store: Store, reads: PageReads) {
  return async (
    principal: Principal,
    resource: Resource,
    { query, unknown, isGone }: ReadParams,
    timing: Timing,
  ) => {
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
    const objects = entries
      .values()
      .map(({ record, expansions }) => shown(presentEntry(resource, record), expansions));
    return {
      /** The JSON text of the list, in pieces of some KiB that are made on demand. */
      body: presentList(resource, objects, more, { total, erased }),
      /** About the bytes of the whole text. */
      bytes,
      /** The ancestor of all its records, if the list is limited to one. */
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

/** The cursors of the next and the previous page. */
export interface Links {
  readonly next?: { readonly starting_after: string };
  readonly prev?: { readonly ending_before: string };
}

/** There is always a page where the cursor came from; `more` says whether there is one ahead. */
function linksOf(entries: readonly Entry[], more: boolean, cursor: ListRequest['cursor']): Links {
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
    { query, unknown, isGone, zones, titles }: ReadParams & Pick<RowParts, 'titles' | 'zones'>,
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
          return rowsOf(store, resource, records, principal.scope, {
            ...{ said: store.said, zones, titles },
          });
        });
      },
    };
  };
}

/** Rows contain the callers' identifiers of parents, so the caller must be allowed to read those, too. */
function checkMayRead(principal: Principal, resource: Resource): void {
  authorize(principal, resource.path, 'read');
  authorizeExpand(principal, resource, { resources: [], others: [IDENTIFIERS] });
}

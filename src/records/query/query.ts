/** The entry point for reads, and for expansions in responses to writes. */

import { createPageReads, type PageReads } from '../../core/fair/page-reads.ts';
import type { Observer } from '../../core/observe/observers.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Scope, Store } from '../../store/promises/store.ts';
import { anchorsIn } from '../auth/region.ts';
import { createFeed, type Feed } from '../changes/feed.ts';
import { createLogFigures } from '../changes/figures.ts';
import { createHistory, type History } from '../changes/history.ts';
import { createRemovals, type RemovalList } from '../changes/removals.ts';
import { createFind, type FindRecord } from './find.ts';
import { createFindImage, type FindImage } from './image.ts';
import { createList, type ListRecords } from './list.ts';
import { createRows, type ReadRows } from './rows.ts';
import { createSearch, type SearchRecords } from './search.ts';
import { createExpandWritten, type ExpandWritten } from './written.ts';

/** The locations of the scope that are in a region. */
export type FindAnchors = (scope: Scope, region: string) => Promise<ReadonlySet<string>>;

export interface Query {
  readonly anchorsIn: FindAnchors;
  readonly find: FindRecord;
  readonly list: ListRecords;
  /** All records of a list, as rows. */
  readonly rows: ReadRows;
  readonly expandWritten: ExpandWritten;
  /** The log of changes. */
  readonly feed: Feed;
  readonly history: History;
  readonly removals: RemovalList;
  readonly search: SearchRecords;
  readonly findImage: FindImage;
  /** The queue for pages that all these share with every other reader of pages. */
  readonly reads: PageReads;
}

export interface QueryOptions {
  readonly now: () => number;
  readonly observer: Pick<Observer, 'show'> | undefined;
}

export function createQuery(
  store: Store,
  resources: readonly Resource[],
  { now, observer }: QueryOptions,
): Query {
  const reads = createPageReads();
  const history = createHistory(store, reads);
  const anchor = resources.find((resource) => resource.anchor);
  if (anchor === undefined) throw new TypeError('There are no locations.');
  const feed = createFeed(store, resources, reads);
  const log = createLogFigures(store, now);
  observer?.show({
    followers: () => feed.followers.now.count,
    followerLag: () => feed.followers.now.since,
    changesOldest: async () => (await log()).oldest_at,
    changesCommits: async () => (await log()).commits,
    searchLag: async () => (await store.search.lag()).since ?? null,
    searchBuilding: async () => (await store.search.lag()).building,
  });
  return {
    anchorsIn: (scope, region) => anchorsIn(store, scope, anchor.shape, region),
    find: createFind(store, history),
    list: createList(store, reads),
    rows: createRows(store, reads),
    expandWritten: createExpandWritten(store),
    feed,
    history,
    removals: createRemovals(store, resources, reads),
    findImage: createFindImage(store),
    reads,
    search: createSearch(store, resources, { reads, now }),
  };
}

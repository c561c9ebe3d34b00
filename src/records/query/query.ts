/** The entry point for reads, and for expansions in responses to writes. */

import { createPageReads } from '../../core/fair/page-reads.ts';
import type { Observer } from '../../core/observe/observers.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Scope, Store } from '../../store/promises/store.ts';
import { anchorsIn } from '../auth/region.ts';
import { createFeed } from '../changes/feed.ts';
import { createLogFigures } from '../changes/figures.ts';
import { createHistory } from '../changes/history.ts';
import { createRemovals } from '../changes/removals.ts';
import { createFind } from './find.ts';
import { createFindImage } from './image.ts';
import { createList } from './list.ts';
import { createRows } from './rows.ts';
import { createSearch } from './search.ts';
import { createExpandWritten } from './written.ts';

export type Query = ReturnType<typeof createQuery>;

export interface QueryOptions {
  readonly now: () => number;
  readonly observer?: Pick<Observer, 'show'> | undefined;
}

export function createQuery(
  store: Store,
  resources: readonly Resource[],
  { now, observer }: QueryOptions,
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
    search_building: async () => (await store.search.lag()).building,
  });
  return {
    /** The locations of the scope that are in a region. */
    anchorsIn: (scope: Scope, region: string) => anchorsIn(store, scope, anchor.shape, region),
    find: createFind(store, history),
    list: createList(store, reads),
    /** All records of a list, as rows. */
    rows: createRows(store, reads),
    expandWritten: createExpandWritten(store),
    /** The log of changes. */
    feed,
    history,
    removals: createRemovals(store, resources, reads),
    findImage: createFindImage(store),
    /** The queue for pages that all these share with every other reader of pages. */
    reads,
    search: createSearch(store, resources, { reads, now }),
  };
}

/** The entry point for reads, and for expansions in responses to writes. */

import { setImmediate as nextTick } from 'node:timers/promises';
import { createPageReads } from '../../core/fair/page-reads.ts';
import type { Observer } from '../../core/observe/observers.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Scope, Store } from '../../store/promises/store.ts';
import { anchorsIn } from '../auth/region.ts';
import { createFeed } from '../changes/feed.ts';
import { createHistory } from '../changes/history.ts';
import { createRemovals } from '../changes/removals.ts';
import { createExpandWritten } from './expand.ts';
import { createFind, createFindImage } from './find.ts';
import { createList } from './list.ts';
import { createRows } from './rows.ts';
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
    search_building: async () => (await store.search.lag()).building,
  });
  return {
    anchorsIn: (scope: Scope, region: string) => anchorsIn(store, scope, anchor.shape, region),
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
    if (last === undefined || now() - last.at > KEPT_MS) {
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
      const page = await store.log.read({ account, after: undefined, limit: 1, bytes: 1 });
      const first = typeof page === 'string' ? undefined : page.changes[0];
      if (first === undefined) continue;
      commits += (positions.get(account) ?? first.position) - first.position + 1;
      oldest_at = Math.min(oldest_at ?? first.occurred_at, first.occurred_at);
    }
    await nextTick();
  }
  return { commits, oldest_at };
}

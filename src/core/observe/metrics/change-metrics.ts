/** The metrics of the log of changes and of those who follow it. */
import type { Registry } from 'prom-client';
import type { ChangeObserver, FollowersNow, LogFigures, SearchFigures } from '../observers.ts';
import { Later, metricsIn } from './collectors.ts';

const MS_PER_SECOND = 1000;

export function observeChanges(registry: Registry): ChangeObserver {
  const { gauge } = metricsIn(registry);
  const followers = new Later<FollowersNow>();
  const log = new Later<LogFigures>();
  const search = new Later<SearchFigures>();

  gauge(
    'ledgerstone_followers',
    'Streams of changes, and polls that wait for one.',
    async () => (await followers.now())?.count ?? 0,
    'sum',
  );
  gauge(
    'ledgerstone_follower_lag_seconds',
    'Age of the oldest change that a follower is being sent and has not read; of the slowest one.',
    async () => ageOf((await followers.now())?.since) ?? 0,
  );
  gauge(
    'ledgerstone_changes_oldest_seconds',
    'Age of the oldest change that is kept, of all accounts.',
    async () => ageOf((await log.now())?.oldest_at),
  );
  gauge(
    'ledgerstone_changes_commits',
    'Commits whose changes are kept.',
    async () => (await log.now())?.commits,
  );
  gauge(
    'ledgerstone_search_lag_seconds',
    'Age of the oldest change that search does not find yet.',
    async () => {
      const figures = await search.now();
      return figures && (ageOf(figures.since) ?? 0);
    },
  );
  gauge(
    'ledgerstone_search_building',
    'Accounts whose search index is being made: not all of their records are found yet.',
    async () => (await search.now())?.building,
  );
  return { followers: followers.give, log: log.give, search: search.give };
}

function ageOf(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.max(0, Date.now() - time) / MS_PER_SECOND;
}

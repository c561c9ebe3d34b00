/** The metrics of the log of changes and of those who follow it. */
import type { Registry } from 'prom-client';
import type { ChangeObserver, FollowersNow, LogFigures, SearchFigures } from '../observers.ts';
import { show } from './collectors.ts';

const MS_PER_SECOND = 1000;

export function observeChanges(registry: Registry): ChangeObserver {
  let followersNow = (): FollowersNow => ({ count: 0, since: undefined });
  let measureLog: (() => Promise<LogFigures>) | undefined;
  let measureSearch: (() => Promise<SearchFigures>) | undefined;
  const gauge = (
    name: string,
    help: string,
    read: () => number | Promise<number | undefined>,
    together: 'sum' | 'max' = 'max',
  ) =>
    show(registry, { name, help, type: 'gauge', together }, async () => {
      // A store that cannot report now must not hide all that the others report.
      const value = await Promise.resolve(read()).catch(() => undefined);
      return value === undefined ? [] : [{ labels: {}, value }];
    });

  gauge(
    'ledgerstone_followers',
    'Streams of changes, and polls that wait for one.',
    () => followersNow().count,
    'sum',
  );
  gauge(
    'ledgerstone_follower_lag_seconds',
    'Age of the oldest change that a follower is being sent and has not read; of the slowest one.',
    () => ageOf(followersNow().since) ?? 0,
  );
  gauge(
    'ledgerstone_changes_oldest_seconds',
    'Age of the oldest change that is kept, of all accounts.',
    async () => ageOf((await measureLog?.())?.oldest_at),
  );
  gauge(
    'ledgerstone_changes_commits',
    'Commits whose changes are kept.',
    async () => (await measureLog?.())?.commits,
  );
  gauge(
    'ledgerstone_search_lag_seconds',
    'Age of the oldest change that search does not find yet.',
    async () => {
      const figures = await measureSearch?.();
      return figures && (ageOf(figures.since) ?? 0);
    },
  );
  gauge(
    'ledgerstone_search_building',
    'Accounts whose search index is being made: not all of their records are found yet.',
    async () => (await measureSearch?.())?.building,
  );
  return {
    followers(read) {
      followersNow = read;
    },
    log(measure) {
      measureLog = measure;
    },
    search(measure) {
      measureSearch = measure;
    },
  };
}

function ageOf(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.max(0, Date.now() - time) / MS_PER_SECOND;
}

/** The metrics of the log of changes and of those who follow it. */
import type { Registry } from 'prom-client';
import { show } from './collectors.ts';
import type { ChangeObserver, FollowersNow, LogFigures } from './observers.ts';

const MS_PER_SECOND = 1000;

export function observeChanges(registry: Registry): ChangeObserver {
  let followersNow = (): FollowersNow => ({ count: 0, since: undefined });
  let measureLog: (() => Promise<LogFigures>) | undefined;
  const gauge = (name: string, help: string, read: () => number | Promise<number | undefined>) =>
    show(registry, { name, help, type: 'gauge' }, async () => {
      // A store that cannot tell now must not hide all that the others tell.
      const value = await Promise.resolve(read()).catch(() => undefined);
      return value === undefined ? [] : [{ labels: {}, value }];
    });

  gauge(
    'ledgerstone_followers',
    'Streams of changes, and polls that wait for one.',
    () => followersNow().count,
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
  return {
    followers(tell) {
      followersNow = tell;
    },
    log(measure) {
      measureLog = measure;
    },
  };
}

function ageOf(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.max(0, Date.now() - time) / MS_PER_SECOND;
}

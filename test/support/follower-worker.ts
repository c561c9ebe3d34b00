/**
 * A process that follows the logs of a store until it is killed: the followers of all features, and some that are made
 * here. Each notes in the store what it sees, in the commit of its place. Some are slow with an account, some throw.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { EachAccount } from '../../src/core/each-account.ts';
import { followerTable } from '../../src/core/objects/records/follower.ts';
import { resources, shapes } from '../../src/core/registry.ts';
import { serveFeatures } from '../../src/features/serves.ts';
import { createFollowing, type Follower } from '../../src/services/followers.ts';
import type { Served } from '../../src/services/served.ts';
import { FollowerBook, followerSources } from '../../src/store/books/followers.ts';
import { type BookParts, type BookTables, statements } from '../../src/store/books/tables.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/promises/store.ts';

export interface FollowerTask {
  readonly url: string;
  /** The account with which `slow` takes its time, and the one at whose records of that name `broken` throws. */
  readonly slow: string;
  readonly broken: { readonly account: string; readonly version: number };
  /** How often a follower throws at any change. */
  readonly throws: number;
}

/** The tables of the followers that are made here. */
export const MADE = ['even', 'slow', 'broken'] as const;
export const tableOf = (name: string): string => `test_reader_${name}`;
/** What each follower saw, in the order of its commits. */
export const SEEN = 'test_seen';

const sql = statements({
  seen: `INSERT INTO ${SEEN} (follower, of_account, change, step) VALUES ($1, $2, $3, $4)`,
});

/** The followers of all features over a store. */
export async function featureFollowers(store: Store): Promise<readonly Follower[]> {
  const features = await serveFeatures({ store, resources, now: Date.now });
  return Object.values<Served>(features).flatMap(({ follows }) => follows ?? []);
}

/** A follower with a table of its own: what a feature would declare. */
function made(store: Store, name: (typeof MADE)[number]): Follower {
  const places = followerTable(tableOf(name), name, 'How far a test has read');
  const of = followerSources(places);
  // The port that all books of the store have.
  const tables: BookTables = Reflect.get(store.followUp, 'tables');
  const parts = { now: Date.now, keys: [] } as unknown as BookParts;
  const book = new FollowerBook(tables, parts, places, statements(of));
  return {
    name,
    book,
    from: 'first',
    look: async () => ({ asks: () => true, take: async () => [] }),
  };
}

/** The same, which notes what it sees and fails now and then. */
function watched(follower: Follower, { slow, broken, throws }: FollowerTask): Follower {
  return {
    ...follower,
    async look(account, changes) {
      const following = await follower.look(account, changes);
      return {
        ...following,
        async take(followed, leaveOut) {
          const { change, before, after } = followed;
          const { position, place, record, version } = change;
          const isBroken = account === broken.account && version === broken.version;
          if (follower.name === 'slow' && account === slow) await pause(50);
          if (follower.name === 'broken' && isBroken) throw new RangeError('It always fails.');
          if (Math.random() < throws) throw new RangeError('It fails this time.');
          const seen = `${position} ${place} ${record} ${version}`;
          const step = JSON.stringify([before, after]);
          return [
            ...(await following.take(followed, leaveOut)),
            [sql.seen, follower.name, account, seen, step],
          ];
        },
      };
    },
  };
}

async function work(task: FollowerTask): Promise<void> {
  const { url } = task;
  const erasureKeys = [new Uint8Array(32).fill(7)];
  const store = await openStore({ url, shapes, erasureKeys, create: false, serve: false });
  const each = (name: string) => new EachAccount(name, { failed: () => {} }, () => 20);
  const all = [...(await featureFollowers(store)), ...MADE.map((name) => made(store, name))];
  process.send?.(all.map(({ name }) => name));
  await Promise.all(
    all.map(async (follower) => {
      const following = createFollowing({ store, shapes, each }, watched(follower, task));
      for (;;) {
        // Two processes at one file wait for each other, and not for ever.
        await following.round().catch(() => undefined);
        await pause(10);
      }
    }),
  );
}

if (process.send !== undefined) {
  const [task] = await once(process, 'message');
  await work(task as FollowerTask);
}

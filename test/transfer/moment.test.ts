/** Any moment between two increments comes back, too: what was committed by then, of each account, and nothing later. */
import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { chainAt, readFollowed } from '../../src/services/backup/folder/chain.ts';
import { BackupFollower } from '../../src/services/backup/folder/follow.ts';
import { Overlay } from '../../src/services/backup/folder/overlay.ts';
import { restoreBackup } from '../../src/services/backup/restore.ts';
import { verifyStore } from '../../src/services/backup/verify/verify.ts';
import { openLoading, openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { withAll } from '../support/all.ts';
import { backUp, openAt, parts } from '../support/backups.ts';
import { onPostgres, postgresGround } from '../support/store-postgres.ts';
import { shapes, thing } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  type Ground,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

const BEGAN = Date.parse('2027-01-01T00:00:00Z');

/** What the log tells of, which is had at any moment. */
async function contentsOf(store: Store): Promise<Readonly<Record<string, unknown>>> {
  const { rows, digests } = (await backUp(store)).trailer;
  const names = [...shapes.map(({ resource }) => `${resource}s`), 'removed', 'changes'];
  return Object.fromEntries(names.map((name) => [name, [rows[name], digests[name]]]));
}

const resources = shapes.map((shape) => ({ path: `${shape.resource}s`, shape }));

function standing(contents: Readonly<Record<string, unknown>>) {
  const { changes: _, removed: _removed, owners: _owners, ...rest } = contents;
  return rest;
}

function counts(contents: Readonly<Record<string, unknown>>) {
  return Object.entries(contents).map(([name, counted]) => [name, (counted as [number])[0]]);
}

interface Seen {
  readonly at: number;
  readonly contents: Readonly<Record<string, unknown>>;
}

async function restoreAt({ remove: _, ...where }: Ground, folder: string, at: number) {
  const chain = chainAt(readFollowed(folder), at);
  assert.ok(chain !== undefined);
  const overlay = await Overlay.read(folder, chain, parts, at);
  try {
    const { header } = await restoreBackup({
      bytes: createReadStream(join(folder, chain.base.name)),
      parts,
      ...(chain.increments.length === 0 && chain.within === undefined ? {} : { overlay }),
      ...{ begin: () => openLoading({ ...where, shapes }), now: Date.now, suspendKeys: false },
    });
    return { taken_at: Date.parse(header.taken_at), recorded_at: overlay.recorded_at };
  } finally {
    overlay.close();
  }
}

type NewGround = (test: TestContext) => Promise<Ground>;

interface World {
  readonly folder: string;
  readonly store: Store;
  readonly follow: () => Promise<void>;
  readonly now: () => number;
  /** Lets the clock go on, and notes what the store holds now. */
  readonly see: () => Promise<Seen>;
}

/** A store whose clock goes on when something was done, and the folder that it is followed into. */
async function world(
  test: TestContext,
  newGround: NewGround,
  { historyDays = 400, ticks = 0 }: { historyDays?: number; ticks?: number } = {},
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'moment-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  let time = BEGAN;
  const now = () => {
    time += ticks;
    return time;
  };
  const { remove: _, ...where } = await newGround(test);
  const how = { create: true, serve: false, historyDays, now };
  const store = await openStore({ ...where, ...how, shapes });
  test.after(() => store.close());
  const followed = { store, folder, parts, version: '0.0.0', keepMs: 7 * 86_400_000 };
  const follower = await BackupFollower.open(followed);
  return {
    ...{ folder, store, now },
    follow: async () => {
      time += 10;
      await follower.step();
      time += 10;
    },
    see: async () => {
      const contents = await contentsOf(store);
      const seen = { at: time + 3, contents };
      time += 7;
      return seen;
    },
  };
}

function promises(name: string, newGround: NewGround, ring = {}): void {
  it(
    `each moment between increments comes back as the store stood, on ${name}`,
    ring,
    async (test) => {
      const { folder, store, follow, see } = await world(test, newGround);
      const { unique_identifier: one } = await store.accounts.create({
        name: 'One',
        livemode: true,
      });
      const { unique_identifier: two } = await store.accounts.create({
        name: 'Two',
        livemode: true,
      });
      const home = await write(store, placeDraft(one, 'home', { title: 'Home' }));
      const far = await write(store, placeDraft(two, 'far', { title: 'Far' }));
      await store.commit([thingDraft(home, 't0', { label: 'before' })]);
      await follow();
      const seen: Seen[] = [];
      const doing: readonly (() => Promise<unknown>)[] = [
        () => store.commit([thingDraft(home, 't0', { label: 'a', maker: { name: 'M' } })]),
        () => store.commit([thingDraft(far, 'f1', { label: 'far' })]),
        () => store.commit([thingDraft(home, 't1', { label: 'new' })]),
        () => store.commit([thingDraft(home, 't0', { label: 'b', maker: null })]),
        () => store.accounts.rename(two, 'Two renamed'),
        () => store.commit([thingDraft(home, 't1', { label: 'newer' })]),
        async () => {
          const made = await write(store, thingDraft(home, 'passing', { label: 'p' }));
          return made;
        },
        async () => {
          const found = await named(store, one, 'passing');
          await remove(store, thing, found);
        },
        () => store.commit([thingDraft(home, 'passing', { label: 'another one' })]),
        async () => {
          const guests = await named(store, one, 't1');
          await store.commit([visitDraft(guests, 'v1', { person: { name: 'Ann' } })]);
        },
        async () => {
          const gone = await named(store, one, 't0');
          await remove(store, thing, gone);
        },
        () => store.commit([thingDraft(far, 'f1', { label: 'far away' })]),
        async () => {
          const { unique_identifier } = await store.accounts.create({
            name: 'Three',
            livemode: false,
          });
          await write(store, placeDraft(unique_identifier, 'third', { title: 'Third' }));
        },
        () => store.commit([thingDraft(far, 'f2', { label: 'two' })]),
      ];
      for (const [nth, act] of doing.entries()) {
        await act();
        seen.push(await see());
        if (nth === 6) await follow();
      }
      await follow();
      for (const { at, contents } of seen) {
        const ground = await newGround(test);
        const told = await restoreAt(ground, folder, at);
        assert.equal(told.taken_at, at);
        assert.ok(told.recorded_at <= at);
        const back = await openAt(ground);
        assert.deepEqual(await contentsOf(back), contents, new Date(at).toISOString());
        const snapshot = await back.snapshot();
        assert.deepEqual((await verifyStore(snapshot, parts, resources)).faults, []);
        await snapshot.close();
        await back.close();
      }
    },
  );

  it(
    `what is below a record goes with it at any moment, also where a store removes it later, on ${name}`,
    ring,
    async (test) => {
      // Each piece of work has a time of its own, and so has each sweep of what a removal has left.
      const { folder, store, follow, see } = await world(test, newGround, { ticks: 1 });
      const { unique_identifier: one } = await store.accounts.create({
        name: 'One',
        livemode: true,
      });
      const home = await write(store, placeDraft(one, 'home', { title: 'Home' }));
      const top = await write(store, thingDraft(home, 'top', { label: 'top' }));
      await store.commit(
        Array.from({ length: 30 }, (_, at) =>
          visitDraft(top, `v${at}`, { person: { name: 'Ann' } }),
        ),
      );
      await follow();
      await store.commit([visitDraft(top, 'v31', { person: { name: 'Bob' } })]);
      const before = await see();
      await remove(store, thing, top);
      const after = await see();
      await store.commit([thingDraft(home, 'later', {})]);
      await follow();
      const snapshot = await store.snapshot();
      const changes = (await Array.fromAsync(snapshot.changes())).flat();
      await snapshot.close();
      const removal = changes.find(
        ({ record, outcome }) => record === top.unique_identifier && outcome === 'deleted',
      );
      assert.ok(removal !== undefined);
      const seen = [before, after, { at: removal.occurred_at, contents: after.contents }];
      for (const { at, contents } of seen) {
        const ground = await newGround(test);
        assert.equal((await restoreAt(ground, folder, at)).taken_at, at);
        const back = await openAt(ground);
        const found = await contentsOf(back);
        assert.deepEqual(standing(found), standing(contents));
        // Of the log and of what was removed as many, by the commit of what it belonged to.
        assert.deepEqual(counts(found), counts(contents));
        const looked = await back.snapshot();
        assert.deepEqual((await verifyStore(looked, parts, resources)).faults, []);
        await looked.close();
        await back.close();
      }
    },
  );

  it(
    `where no history is kept, the moment before that was recorded comes back, and is told, on ${name}`,
    ring,
    async (test) => {
      const { folder, store, follow, see, now } = await world(test, newGround, { historyDays: 0 });
      const { unique_identifier: one } = await store.accounts.create({
        name: 'One',
        livemode: true,
      });
      const home = await write(store, placeDraft(one, 'home', { title: 'Home' }));
      await store.commit([thingDraft(home, 't', { label: 'a' })]);
      await follow();
      const recorded = now() - 10;
      const { contents } = await see();
      await store.commit([thingDraft(home, 't', { label: 'b' })]);
      const { at } = await see();
      await store.commit([thingDraft(home, 't', { label: 'c' })]);
      await follow();
      const ground = await newGround(test);
      const told = await restoreAt(ground, folder, at);
      assert.deepEqual(told, { taken_at: recorded, recorded_at: recorded });
      const back = await openAt(ground);
      test.after(() => back.close());
      assert.deepEqual(await contentsOf(back), contents);
    },
  );
}

async function named(store: Store, account: string, external_identifier: string) {
  const page = await store.list({
    ...{ shape: thing, scope: within(account), order: 'newest' as const, limit: 200 },
  });
  const found = page?.records.find((one) => one.external_identifier === external_identifier);
  assert.ok(found !== undefined);
  return found;
}

promises('SQLite', (test) => sqliteGround(test));
await onPostgres(({ name, url }) => {
  promises(
    name,
    async (test) => {
      const ground = await postgresGround(url);
      test.after(() => ground.remove());
      return ground;
    },
    withAll,
  );
});

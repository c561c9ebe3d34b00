/** Holds: what is held is not forgotten, whoever asks and whatever was seen before; and everything else is. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { Client } from 'pg';
import type { StoredHold } from '../../../src/features/holds/declares.ts';
import type { Draft, Store, StoredRecord } from '../../../src/store/promises/store.ts';
import { ask } from '../../support/ask.ts';
import { thing, visit } from '../../support/store-shapes.ts';
import {
  erasing,
  type Proves,
  placeDraft,
  refused,
  remove,
  removing,
  shapeOf,
  thingDraft,
  visitDraft,
  type World,
  within,
  write,
} from '../../support/store-world.ts';
import { until } from '../../support/until.ts';
import { wipe } from '../../support/wipe.ts';

const DAY = 86_400_000;
const YEARS = 10 * 365 * DAY;

let count = 0;

/** A hold on a record, or on the account. */
function holdOn(account: string, record = account, more: Partial<StoredHold> = {}): StoredHold {
  count += 1;
  return {
    unique_identifier: `hld_${String(count).padStart(6, '0')}`,
    ...{ account, record, resource: 'thing', matter: 'Case', reason: null, until: null },
    ...{ released_at: null, released_because: null, released_by: null },
    ...{ placed_by: 'key_1', inserted_at: 1, ...more },
  };
}

/** Places one. */
async function held(
  { store, clock, account }: Pick<World, 'store' | 'clock' | 'account'>,
  record: StoredRecord | undefined,
  above: readonly StoredRecord[] = [],
  until: number | null = null,
): Promise<string> {
  const hold = holdOn(account, record?.unique_identifier, { until, inserted_at: clock.now });
  const ids = above.map(({ unique_identifier }) => unique_identifier);
  const path = record === undefined ? [] : [...ids, account];
  assert.equal(await store.holds.place(hold, path), true);
  return hold.unique_identifier;
}

const release = (store: Store, hold: string) =>
  store.holds.release(hold, { at: 1, by: 'key_1', because: 'over' });

async function holdOf(outcome: ReturnType<typeof removing>): Promise<string | undefined> {
  const error = refused(await outcome);
  assert.equal(error.code, 'record_held');
  return /hld_\d+/.exec(error.message)?.[0];
}

/** The earlier contents that the log has of a record. */
async function contentsOf(store: Store, { account, unique_identifier: record }: StoredRecord) {
  const position = (await store.log.positions([account])).get(account) ?? 0;
  const found: (string | null)[] = [];
  for (let at = position; at > 0; at -= 1) {
    const changes = await store.log.of({ account, record, position: at, limit: 100, bytes: 1e6 });
    if (changes.length === 0) continue;
    found.push(...changes.map(({ content }) => content));
    break;
  }
  return found;
}

async function sweep(store: Store): Promise<void> {
  while (await store.log.sweep());
}

export function describePromises(proves: Proves): void {
  describe('Holds', () => {
    proves('keep what they cover at every depth, later arrivals, and no more', async (world) => {
      const { store, home } = world;
      const at = await write(store, thingDraft(home, 'held', {}));
      const below = await write(store, visitDraft(at, 'one', {}));
      const other = await write(store, thingDraft(home, 'other', {}));
      const hold = await held(world, at, [home]);
      const later = await write(store, visitDraft(at, 'later', {}));
      for (const record of [home, at, below, later]) {
        assert.equal(await holdOf(removing(store, record)), hold);
        assert.equal(await holdOf(removing(store, record, { rehearse: true })), hold);
      }
      for (const record of [at, below, later]) {
        assert.equal(await erasing(store, record), 'held');
        const { account, unique_identifier, position } = record;
        const { resource } = shapeOf(unique_identifier);
        const past = { account, resource, record: unique_identifier, position };
        await assert.rejects(store.erasing.dropHistory(past), { code: 'record_held' });
      }
      // It can be changed.
      const changed = await write(
        store,
        visitDraft(at, 'one', { person: { name: 'A', phone: '1' } }),
      );
      assert.equal(changed.version, 2);
      assert.equal((await removing(store, other)).outcome, 'deleted');
      await release(store, hold);
      assert.equal(await erasing(store, later), 'erased');
      assert.equal((await removing(store, home)).outcome, 'deleted');
    });

    proves('come before or after what is emptied of a past, never in between', async (world) => {
      const { store, home, account, url, distribution } = world;
      const person = (name: string) => ({ person: { name, phone: '1' } });
      const at = await write(store, thingDraft(home, 'service', {}));
      await write(store, visitDraft(at, 'one', person('old')));
      const record = await write(store, visitDraft(at, 'one', person('new')));
      const process = await world.another();
      const { unique_identifier, position } = record;
      const past = { account, resource: visit.resource, record: unique_identifier, position };
      // On SQLite one thing follows the other: nothing can be in between.
      if (!url.startsWith('postgres') || distribution !== undefined) return;
      const client = new Client(url);
      await client.connect();
      const blocked = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      const waiting = async () => (await ask(url, blocked)).length;
      try {
        // What is emptied stops after it has asked for holds.
        await client.query('BEGIN');
        await client.query('SELECT FROM change WHERE account = $1 FOR UPDATE', [account]);
        const forgotten = store.erasing.dropHistory(past);
        await until(async () => (await waiting()) >= 1);
        let placed = false;
        const placing = held({ ...world, store: process }, at, [home]).then(() => {
          placed = true;
        });
        await until(async () => placed || (await waiting()) >= 2);
        const wasFirst = placed;
        await client.query('COMMIT');
        const { status } = await Promise.allSettled([forgotten]).then(([one]) => one);
        await placing;
        const left = (await contentsOf(store, record)).filter(Boolean);
        assert.deepEqual([left.length, status], wasFirst ? [1, 'rejected'] : [0, 'fulfilled']);
      } finally {
        await client.end();
      }
    });

    proves('count in every process at once, and are of one account', async (world) => {
      const { store, home, account, another } = world;
      const at = await write(store, thingDraft(home, 'a', {}));
      const process = await another();
      const whole = await held({ ...world, store: process }, undefined);
      assert.equal(await holdOf(removing(store, at)), whole);
      assert.equal(await holdOf(removing(process, at)), whole);
      assert.equal(await erasing(store, at), 'held');
      await assert.rejects(wipe(store, account), { code: 'record_held' });
      await assert.rejects(store.accounts.beginEmptying(account, true), { code: 'record_held' });
      assert.ok(await store.find(thing, at.unique_identifier, within(account)), 'it is open');
      const next = await store.accounts.create({ name: 'Other', livemode: false });
      assert.ok(await wipe(store, next.unique_identifier));
      await release(store, whole);
      assert.equal((await removing(process, at)).outcome, 'deleted');
      assert.ok(await wipe(store, account));
    });

    proves('are not placed in an account that is emptied or missing', async (world) => {
      const { store, account } = world;
      assert.equal(await store.accounts.beginEmptying(account, false), true);
      for (const owner of [account, 'own_none'])
        assert.equal(await store.holds.place(holdOn(owner), []), false);
      assert.equal(await store.holds.count(), 0);
    });

    proves('keep the whole log of their account, until the last one ends', async (world) => {
      const { store, home, account, clock } = world;
      const at = await write(store, thingDraft(home, 'held', { label: 'old' }));
      const free = await write(store, thingDraft(home, 'free', { label: 'old' }));
      const person = (name: string) => ({ person: { name, phone: '1' } });
      const one = await write(store, visitDraft(at, 'one', person('old')));
      const two = await write(store, visitDraft(free, 'two', person('old')));
      // One row of the log has changes of both.
      const both: Draft[] = [
        visitDraft(at, 'one', person('new')),
        visitDraft(free, 'two', person('new')),
      ];
      await store.commit([...both, thingDraft(home, 'held', { label: 'new' })]);
      const goneHeld = await write(store, visitDraft(at, 'gone', person('gone')));
      const goneFree = await write(store, visitDraft(free, 'gone', person('gone')));
      for (const record of [goneHeld, goneFree]) await remove(store, record);
      const { unique_identifier: other } = await store.accounts.create({
        ...{ name: 'Without holds', livemode: false },
      });
      await write(store, placeDraft(other, 'old', {}));
      const [hold, last] = [await held(world, at, [home]), await held(world, home)];
      const before = await store.log.read({ account, limit: 100, bytes: 1e6 });
      clock.now += YEARS;
      await write(store, placeDraft(other, 'today', {}));
      await sweep(store);
      assert.deepEqual(await store.log.read({ account, limit: 100, bytes: 1e6 }), before);
      const swept = await store.log.read({ account: other, limit: 100, bytes: 1e6 });
      assert.equal(typeof swept === 'string' || swept.changes.length, 1);
      const gone = ({ unique_identifier }: StoredRecord) =>
        store.log.gone(visit.resource, unique_identifier, [account]);
      for (const record of [one, at, two])
        assert.equal((await contentsOf(store, record)).filter(Boolean).length, 1);
      for (const record of [goneHeld, goneFree]) assert.ok(await gone(record));
      await release(store, hold);
      // A process that begins later does the same.
      const again = await world.reopen();
      await sweep(again);
      assert.ok(await again.log.gone(visit.resource, goneHeld.unique_identifier, [account]));
      await release(again, last);
      await write(again, thingDraft(home, 'today', {}));
      await sweep(again);
      assert.deepEqual((await contentsOf(again, one)).filter(Boolean), []);
      assert.equal(
        await again.log.gone(visit.resource, goneHeld.unique_identifier, [account]),
        undefined,
      );
      const left = await again.log.read({ account, limit: 100, bytes: 1e6 });
      assert.equal(typeof left === 'string' || left.changes.length, 1);
    });

    proves('keep the history of what was removed before', async (world) => {
      const { store, home, account, clock } = world;
      const at = await write(store, thingDraft(home, 'held', { label: 'old' }));
      const below = await write(store, visitDraft(at, 'one', {}));
      await remove(store, at);
      await held(world, at, [home]);
      clock.now += YEARS;
      await write(store, thingDraft(home, 'today', {}));
      await sweep(store);
      for (const [shape, { unique_identifier }] of [
        [thing, at],
        [visit, below],
      ] as const) {
        assert.ok(await store.log.gone(shape.resource, unique_identifier, [account]));
      }
      for (const record of [at, below]) assert.equal(await erasing(store, record), 'held');
    });

    proves('end with their time, and never before', async (world) => {
      const { store, home, clock } = world;
      const at = await write(store, thingDraft(home, 'held', {}));
      const until = clock.now + 1_000;
      const hold = await held(world, at, [home], until);
      await store.holds.lapse(until - 1);
      assert.equal(await holdOf(removing(store, at)), hold);
      await store.holds.lapse(until);
      // A clock that is put back brings none back.
      await store.holds.lapse(until - 1_000);
      const { released_at, released_because } = (await store.holds.find(hold)) ?? {};
      assert.deepEqual([released_at, released_because], [until, null]);
      assert.equal((await removing(store, at)).outcome, 'deleted');
    });

    proves('go two years after they end, and not while they last', async (world) => {
      const { store, home, clock } = world;
      const [ended, lasts] = [await held(world, home), await held(world, undefined)];
      await store.holds.release(ended, { at: clock.now, by: 'key_1', because: 'over' });
      assert.equal(await store.holds.purge(clock.now + 729 * DAY), false);
      assert.ok(await store.holds.find(ended));
      assert.equal(await store.holds.purge(clock.now + YEARS), false);
      assert.equal(await store.holds.find(ended), undefined);
      assert.ok(await store.holds.find(lasts));
    });
  });
}

/** Lists of records that meet conditions: what is in them, in which order, page by page. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Filter, StoredRecord } from '../../src/store/promises/store.ts';
import { parseDocument, storedKeys } from '../../src/store/records/records.ts';
import { meetsAll } from '../../src/store/records/requirements.ts';
import { pluck } from '../support/pluck.ts';
import { owner, place, thing, visit } from '../support/store-shapes.ts';
import { walk } from '../support/store-walk.ts';
import {
  below,
  idsOf,
  listed,
  namesOf,
  newAccount,
  type Proves,
  placeDraft,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

const phone = { key: 'phone' };
const welcome = { key: 'welcome' };

/** Whether a visit meets a filter, by a look at the record itself. */
function meets(record: StoredRecord, { by, is, value }: Filter): boolean {
  const { person } = JSON.parse(record.document);
  const keys: Record<string, string | undefined> = {
    ...{ person: person?.name?.toLowerCase(), phone: person?.phone },
    welcome: person?.welcome === true ? 'true' : undefined,
  };
  const found = typeof by === 'string' ? record[by] : keys[by.key];
  if (found === undefined || found === null) return false;
  if (is === '=') return found === value;
  if (is === '>') return found > value;
  if (is === '<') return found < value;
  return is === '>=' ? found >= value : found <= value;
}

const ORDERS = ['newest', { key: 'person' }, { key: 'person', descending: true }] as const;

export function describePromises(proves: Proves): void {
  describe('Filters', () => {
    proves('find every record that meets them, and no other', async (world) => {
      const { store, home, account, clock } = world;
      const away = await write(store, placeDraft(account, 'away', {}));
      const parents: StoredRecord[] = [];
      for (const at of [home, away, home]) {
        parents.push(await write(store, thingDraft(at, `p${parents.length}`, {})));
      }
      const start = clock.now;
      for (let i = 0; i < 90; i++) {
        clock.now += 10;
        const person =
          i % 4 === 0 ? {} : { name: `N${i % 7}`, phone: `+${i % 5}`, welcome: i % 3 === 0 };
        await write(store, visitDraft(parents[i % 3] as StoredRecord, `v${i % 20}`, { person }));
      }
      const scope = within(account);
      const query = { shape: visit, scope, limit: 1_000 };
      const everything = (await store.list({ ...query, order: 'newest' })).records;
      const at = (ms: number) => start + ms;
      const where = (by: Filter['by'], is: Filter['is'], value: Filter['value']) =>
        ({ by, is, value }) as Filter;
      const person = { key: 'person' };
      const [first, second] = idsOf(parents) as [string, string];
      const atHome = where('anchor', '=', home.unique_identifier);
      const welcomed = where(welcome, '=', 'true');
      const wheres: Filter[][] = [
        [where('parent', '=', second)],
        [atHome],
        ...['v3', 'nothing'].map((name) => [where('external_identifier', '=', name)]),
        ...(['=', '>=', '<'] as const).map((is) => [where(phone, is, '+2')]),
        [where(person, '=', 'n3')],
        [welcomed],
        [welcomed, where('parent', '=', second)],
        [welcomed, where(phone, '=', '+2'), atHome],
        [where(person, '>', 'n1'), where(person, '<=', 'n4')],
        ...(['inserted_at', 'updated_at'] as const).flatMap((by): Filter[][] => [
          ...(['=', '>=', '>', '<=', '<'] as const).map((is) => [where(by, is, at(330))]),
          [where(by, '>', at(200)), where(by, '<', at(500)), where(phone, '=', '+3')],
          [where(by, '>', at(100)), atHome],
        ]),
        [
          ...[where('inserted_at', '>=', at(100)), where('updated_at', '<', at(800))],
          where('parent', '=', first),
        ],
      ];
      for (const where of wheres) {
        const met = everything.filter((record) => where.every((filter) => meets(record, filter)));
        // What judges a record by itself, as retention does, agrees.
        const judged = everything.filter((record) => {
          const keys = () => storedKeys(visit, parseDocument(record.document));
          return meetsAll(where, { shape: visit, record, keys });
        });
        assert.deepEqual(judged, met, JSON.stringify(where));
        for (const limited of [scope, below(account, home.unique_identifier)]) {
          const expected = met.filter(({ anchor }) => limited.anchors?.has(anchor ?? '') ?? true);
          const newest = { ...query, scope: limited, order: 'newest', where } as const;
          assert.deepEqual((await store.list(newest)).records, expected, JSON.stringify(where));
          for (const limit of [3, expected.length, 1_000]) {
            const count = await store.count({ ...query, scope: limited, where, limit });
            assert.equal(count, Math.min(expected.length, limit + 1), JSON.stringify(where));
          }
          for (const order of ORDERS) {
            const whole = (await store.list({ ...newest, order })).records;
            assert.deepEqual(new Set(whole), new Set(expected), JSON.stringify(where));
            for (const side of ['after', 'before'] as const) {
              const seen = await walk(store, { ...newest, order, side, limit: 7 });
              assert.deepEqual(seen, whole);
            }
          }
        }
      }
    });

    proves('by time find a few among many, near and far', async ({ store, home, clock }) => {
      const names = Array.from({ length: 5_000 }, (_, i) => `t${i}`);
      const start = clock.now;
      for (let made = 0; made < names.length; made += 500) {
        clock.now += 1_000;
        await store.commit(names.slice(made, made + 500).map((name) => thingDraft(home, name, {})));
      }
      clock.now += 1_000;
      const changed = ['t3', 't4', 't2500', 't4999'];
      await store.commit(changed.map((name) => thingDraft(home, name, { label: 'new' })));
      const query = { shape: thing, scope: within(home.account), order: 'newest' } as const;
      const list = (where: Filter[]) => walk(store, { ...query, where, side: 'after', limit: 100 });
      const since = clock.now;
      const found = await list([{ by: 'updated_at', is: '>=', value: since }]);
      assert.deepEqual(pluck(found, 'external_identifier'), changed.toReversed());
      const oldest = await list([
        { by: 'inserted_at', is: '<=', value: start + 1_000 },
        { by: 'updated_at', is: '<', value: since },
      ]);
      assert.equal(oldest.length, 498);
      const latest = await list([{ by: 'inserted_at', is: '>', value: start + 9_000 }]);
      assert.equal(latest.length, 500);
      const between = await list([
        { by: 'inserted_at', is: '>', value: start + 4_000 },
        { by: 'inserted_at', is: '<', value: start + 6_000 },
      ]);
      assert.equal(between.length, 500);
    });

    proves('by time keep to the times of records when the clock goes back', async (world) => {
      const { store, home, clock } = world;
      const start = clock.now;
      for (const [index, ms] of [50_000, 10_000, -30_000, 20_000, -5].entries()) {
        clock.now = start + ms;
        await write(store, thingDraft(home, `t${index}`, {}));
      }
      clock.now = start - 60_000;
      const changed = await write(store, thingDraft(home, 't0', { label: 'back' }));
      assert.equal(changed.updated_at, changed.inserted_at, 'not before it was there');
      const scope = within(home.account);
      const list = async (by: 'inserted_at' | 'updated_at', is: Filter['is'], value: number) =>
        namesOf(await listed(store, thing, scope, { where: [{ by, is, value }] })).sort();
      for (const by of ['inserted_at', 'updated_at'] as const) {
        assert.deepEqual(await list(by, '>=', start + 10_000), ['t0', 't1', 't3']);
        assert.deepEqual(await list(by, '<', start), ['t2', 't4']);
        assert.deepEqual(await list(by, '=', start + 20_000), ['t3']);
      }
    });

    proves('follow what changes', async ({ store, home }) => {
      const made = await write(store, thingDraft(home, 'a', {}));
      const scope = within(home.account);
      const list = async (value: string) =>
        namesOf(await listed(store, visit, scope, { where: [{ by: phone, is: '=', value }] }));
      await write(store, visitDraft(made, 'v', { person: { phone: 'ONE' } }));
      assert.deepEqual([await list('ONE'), await list('one')], [['v'], []], 'plain, not folded');
      await write(store, visitDraft(made, 'v', { person: { phone: 'two' } }));
      assert.deepEqual([await list('ONE'), await list('two')], [[], ['v']]);
      await write(store, visitDraft(made, 'v', { person: { phone: null } }));
      assert.deepEqual([await list('two'), await list('')], [[], []]);
    });

    proves('of several accounts give one list, and none of others', async (world) => {
      const { store, home, account, clock } = world;
      const accounts = [account];
      for (const name of ['X', 'Y']) {
        clock.now += 1;
        const next = await newAccount(store, name, true);
        accounts.push(next);
        await write(store, placeDraft(next, 'home', { title: name }));
      }
      const where: Filter[] = [{ by: 'external_identifier', is: '=', value: 'home' }];
      const some = accounts.slice(0, 2);
      const two = await listed(store, place, within(...some), { order: { key: 'title' }, where });
      assert.deepEqual(pluck(two, 'account'), some);
      assert.deepEqual(two[0], home);
      const since: Filter[] = [{ by: 'inserted_at', is: '>', value: home.inserted_at }];
      const byName = { order: { key: 'name' }, where: since };
      const found = await listed(store, owner, within(...accounts), byName);
      assert.deepEqual(idsOf(found), accounts.slice(1));
    });

    proves('walked page by page while others write, give each record once', async (world) => {
      const { store, home, clock } = world;
      const other = await world.another();
      const made = await write(store, thingDraft(home, 'a', {}));
      const drafts = (name: string, count: number, number: string) =>
        Array.from({ length: count }, (_, i) =>
          visitDraft(made, `${name} ${i}`, { person: { name: `P${i % 9}`, phone: number } }),
        );
      const start = clock.now;
      for (const order of ORDERS) {
        for (const side of ['after', 'before'] as const) {
          const name = `${side} ${JSON.stringify(order)}`;
          const steady = await store.commit(drafts(name, 60, name));
          let round = 0;
          const where: Filter[] = [
            { by: phone, is: '=', value: name },
            { by: 'updated_at', is: '>=', value: start },
          ];
          const query = { shape: visit, scope: within(home.account), order, where, side, limit: 7 };
          const seen = await walk(store, query, async () => {
            round += 1;
            clock.now += 1;
            await other.commit(drafts(`other ${name}`, 20, `${round}`));
            if (round < 5) await other.commit(drafts(`new ${name} ${round}`, 3, name));
          });
          const identifiers = idsOf(seen);
          for (const outcome of steady) {
            assert.ok(outcome.outcome === 'created');
            const one = outcome.record.unique_identifier;
            assert.equal(identifiers.filter((each) => each === one).length, 1);
          }
        }
      }
    });
  });

  describe('Several records by their unique identifiers', () => {
    proves('are found as one is, each once', async ({ store, home, account }) => {
      const away = await write(store, placeDraft(account, 'away', {}));
      const a = await write(store, thingDraft(home, 'a', {}));
      const b = await write(store, thingDraft(away, 'b', {}));
      const asked = [...idsOf([a, b, a, home]), 'nothing'];
      const found = await store.findAll(thing, asked, within(account));
      assert.equal(found.length, 2);
      assert.deepEqual(new Set(found), new Set([a, b]));
      assert.deepEqual(await store.findAll(thing, asked, below(account, `${a.anchor}`)), [a]);
      assert.deepEqual(await store.findAll(thing, asked, within()), []);
      assert.deepEqual(await store.findAll(thing, [], within(account)), []);
      assert.equal((await store.findAll(owner, [account], within(account))).length, 1);
      await store.accounts.close(account);
      assert.deepEqual(await store.findAll(owner, [account], within(account)), []);
    });
  });
}

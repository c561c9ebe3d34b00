/** Promise 10: lists that are walked page by page while others write. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { pagesOf, placeIn } from '../../src/store/pages.ts';
import { place } from '../support/store-shapes.ts';
import { walk } from '../support/store-walk.ts';
import {
  idsOf,
  newAccount,
  type Proves,
  placeDraft,
  remove,
  within,
  write,
} from '../support/store-world.ts';

export function describePromises(proves: Proves): void {
  describe('10. Steady lists', () => {
    const orders = {
      'by a key': { key: 'title' },
      'by a key, descending': { key: 'title', descending: true },
      'the newest first': 'newest',
    } as const;
    for (const [named, order] of Object.entries(orders)) {
      for (const side of ['after', 'before'] as const) {
        proves(`${named}, walked ${side} each page, while others write`, async (world) => {
          const { store, account, clock } = world;
          const other = await world.another();
          const titles = Array.from({ length: 40 }, (_, index) => `t${index % 7} ${index % 3}`);
          const draftsOf = (name: string) =>
            titles.map((title, index) => placeDraft(account, `${name} ${index}`, { title }));
          const steady = await store.commit(draftsOf('steady'));
          const moving = draftsOf('moves');
          await other.commit(moving);
          let round = 0;
          const query = { shape: place, scope: within(account), order, side, limit: 3 };
          const seen = await walk(store, query, async (so) => {
            round += 1;
            clock.now += 1;
            const ends = [so[0], so.at(-1)].map((record) => record?.external_identifier);
            const title = `t${(round * 3) % 8}`;
            const changes = moving
              .filter((_, index) => index % 5 === round % 5)
              .filter(({ external_identifier }) => !ends.includes(external_identifier))
              .map((draft) => ({ ...draft, patch: { title } }));
            // Few enough for the walk to come to an end.
            const additions = round > 10 ? [] : [placeDraft(account, `new ${round}`, { title })];
            await other.commit([...changes, ...additions]);
          });
          const identifiers = idsOf(seen);
          const times = (one: string) => identifiers.filter((each) => each === one).length;
          for (const outcome of steady) {
            assert.ok(outcome.outcome === 'created');
            assert.equal(times(outcome.record.unique_identifier), 1);
          }
        });
      }
    }

    for (const [named, order] of Object.entries(orders)) {
      proves(`${named}, walked on after records that are gone`, async (world) => {
        const { store, account } = world;
        const other = await world.another();
        const beside = await newAccount(other, 'Beside');
        const titles = Array.from({ length: 24 }, (_, index) => `t${index % 5}`);
        const drafts = titles.flatMap((title, index) =>
          [account, beside].map((one) => placeDraft(one, `${index}`, { title })),
        );
        await store.commit(drafts);
        const accounts = new Set([account, beside]);
        for (const scope of [within(account), { accounts, anchors: undefined }]) {
          const query = { shape: place, scope, order, limit: 5 };
          const all = (await store.list({ ...query, limit: 100 })).records;
          const seen = [];
          for await (const { records } of pagesOf(store, query)) {
            seen.push(...records);
            for (const one of [records.at(-1), records[1]]) {
              if (one !== undefined && one.account === account) await remove(other, one);
            }
          }
          assert.deepEqual(seen, all);
          for (const one of all) {
            const after = placeIn(query, one);
            const page = await store.list({ ...query, after });
            const [next] = all.slice(all.indexOf(one) + 1);
            const isThere = next && (await store.find(place, next.unique_identifier, scope));
            if (isThere) assert.deepEqual(page?.records[0], next);
          }
        }
      });
    }

    proves('the newest first, walked from before all records and after them', async (world) => {
      const { store, account } = world;
      const { unique_identifier: id } = await write(store, placeDraft(account, 'b', {}));
      const query = { shape: place, scope: within(account), order: 'newest', limit: 9 } as const;
      const all = await store.list(query);
      const from = (unique_identifier: string) =>
        store.list({ ...query, after: { unique_identifier } });
      assert.deepEqual(await from('plc_zzzzzzzzzzzzzzzzzzzzzz'), all);
      assert.deepEqual((await from('plc_0'))?.records, []);
      assert.deepEqual((await from(`${id}0`))?.records[0]?.unique_identifier, id);
    });
  });
}

/** Promise 10: lists that are walked page by page while others write. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { place } from '../support/store-shapes.ts';
import { walk } from '../support/store-walk.ts';
import { type Proves, placeDraft, within, write } from '../support/store-world.ts';

export function describeWalks(proves: Proves): void {
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
          const steady = await store.commit(
            titles.map((title, index) => placeDraft(account, `steady ${index}`, { title })),
          );
          const moving = titles.map((title, index) =>
            placeDraft(account, `moves ${index}`, { title }),
          );
          await other.commit(moving);
          let round = 0;
          const query = { shape: place, scope: within(account), order, side, limit: 3 };
          const seen = await walk(store, query, async (so) => {
            round += 1;
            clock.now += 1;
            const cursors = new Set(
              [so[0], so.at(-1)].map((record) => record?.external_identifier),
            );
            const title = `t${(round * 3) % 8}`;
            const changes = moving
              .filter(
                ({ external_identifier }, index) =>
                  index % 5 === round % 5 && !cursors.has(external_identifier),
              )
              .map((draft) => ({ ...draft, patch: { title } }));
            // Few enough for the walk to come to an end.
            const additions = round > 10 ? [] : [placeDraft(account, `new ${round}`, { title })];
            await other.commit([...changes, ...additions]);
          });
          const identifiers = seen.map((record) => record.unique_identifier);
          const times = (one: string) => identifiers.filter((each) => each === one).length;
          for (const outcome of steady) {
            assert.ok(outcome.outcome === 'created');
            assert.equal(times(outcome.record.unique_identifier), 1);
          }
        });
      }
    }

    proves(
      'a cursor that has moved goes on from where it stands now',
      async ({ store, account }) => {
        const drafts = ['a', 'b', 'c', 'd'].map((title) => placeDraft(account, title, { title }));
        await store.commit(drafts);
        const moved = await write(store, placeDraft(account, 'a', { title: 'c2' }));
        const page = await store.list({
          shape: place,
          scope: within(account),
          order: { key: 'title' },
          limit: 1,
          cursor: { side: 'after', unique_identifier: moved.unique_identifier },
        });
        assert.equal(page?.records[0]?.external_identifier, 'd');
      },
    );
  });
}

/** The journal of erasures: its lines in order, each once, with what the store knows of the records that they tell of. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Store } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';
import { visit } from '../support/store-shapes.ts';
import {
  became,
  erasing,
  idsOf,
  type Proves,
  thingDraft,
  visitDraft,
  write,
} from '../support/store-world.ts';

const textsAfter = async (store: Store, line: number) =>
  pluck(await store.journal.after(line, 10), 'text');

export function describePromises(proves: Proves): void {
  describe('The journal of erasures', () => {
    proves('tells of each erased record once, in order', async ({ store, home, clock }) => {
      const at = await write(store, thingDraft(home, 'service', {}));
      assert.equal(await store.journal.last(), undefined);
      const one = await write(store, visitDraft(at, 'one', {}));
      const two = await write(store, visitDraft(at, 'two', {}));
      await erasing(store, two);
      clock.now += 1;
      await erasing(store, one);
      const unlisted = await store.journal.unlisted(10);
      assert.deepEqual(pluck(unlisted, 'record'), idsOf([two, one]));
      assert.equal(await store.journal.listedUpTo('ers_1'), undefined);
      const [first, second] = unlisted;
      assert.ok(first !== undefined && second !== undefined);
      assert.deepEqual(
        [first.parent, first.resource, first.key.length, first.probe.length, first.mark.length],
        [at.unique_identifier, visit.resource, 8, 22, 22],
      );
      const lines = [
        { line: 1, text: 'a' },
        { line: 2, text: 'b', lists: first },
      ];
      assert.equal(await store.journal.append(lines), true);
      assert.equal(await store.journal.append(lines), false);
      assert.deepEqual(await store.journal.unlisted(10), [second]);
      assert.equal(await store.journal.append([{ line: 3, text: 'c', lists: second }]), true);
      assert.equal(await store.journal.listedUpTo('ers_1'), 3);
      assert.equal(await store.journal.listedUpTo('ers_2'), 0);
      assert.deepEqual(await store.journal.last(), { line: 3, text: 'c' });
      assert.deepEqual(await textsAfter(store, 1), ['b', 'c']);
      assert.deepEqual(await store.journal.after(0, 1), [{ line: 1, text: 'a' }]);
      assert.deepEqual(await store.journal.unapplied(10), []);
    });

    proves('has one next line, whatever adds it', async ({ store, another }) => {
      const process = await another();
      const added = await Promise.all(
        [store, process, store, process].map((one, at) =>
          one.journal.append([{ line: 1, text: `of ${at}` }]),
        ),
      );
      assert.equal(added.filter(Boolean).length, 1);
      assert.deepEqual(await textsAfter(process, 0), [`of ${added.indexOf(true)}`]);
    });

    proves('lets a record be made again with the line that says so', async (world) => {
      const { store, home, account } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const draft = visitDraft(at, 'one', {});
      const { unique_identifier: record } = await write(store, draft);
      const other = await write(store, visitDraft(at, 'two', {}));
      await erasing(store, { ...at, unique_identifier: record });
      await erasing(store, other);
      const { journal } = store;
      assert.deepEqual(await became(store, [draft]), ['erased']);
      const lifts = { account, record };
      assert.equal(await journal.append([{ line: 1, text: 'lifted', lifts }]), true);
      assert.deepEqual(pluck(await journal.unlisted(10), 'record'), [other.unique_identifier]);
      assert.deepEqual(await became(store, [draft]), ['created']);
    });

    proves('keeps lines of a file until they are done, and does each once', async (world) => {
      const { store, home, account, clock } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const draft = visitDraft(at, 'one', {});
      const { unique_identifier: record } = await write(store, draft);
      await erasing(store, { ...at, unique_identifier: record });
      const [tombstone] = await store.journal.unlisted(1);
      assert.ok(tombstone !== undefined);
      const named = { account, record };
      await store.journal.append([
        { line: 1, text: 'a' },
        { line: 2, text: 'erased', unapplied: true },
        { line: 3, text: 'lifted', unapplied: true },
        { line: 4, text: 'erased', unapplied: true },
      ]);
      const left = async () => (await store.journal.unapplied(10)).map(({ line }) => line);
      assert.deepEqual(await left(), [2, 3, 4]);
      await store.journal.applied(2, { erased: named });
      assert.deepEqual(await store.journal.unlisted(10), []);
      await store.journal.applied(3, { lifts: named });
      assert.deepEqual(await left(), [4]);
      const here = async () => (await store.erasing.find([record], [account])).length;
      assert.equal(await here(), 0);
      // Of a record that this state of the store does not know.
      await store.journal.applied(4, { remembers: tombstone });
      assert.deepEqual(await left(), []);
      assert.equal(await store.journal.listedUpTo('ers_1'), 4);
      assert.deepEqual(await became(store, [draft]), ['erased']);
      // A second process that read the same lines before.
      await store.journal.applied(3, { lifts: named });
      assert.equal(await here(), 1);
      clock.now += 1;
    });
  });
}

/** Sources: who sends, across keys, processes and restores; and which records they made and changed last. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { NewKey, StoredKey } from '../../src/store/promises/keys.ts';
import type { Draft, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';
import { place, thing } from '../support/store-shapes.ts';
import {
  bytesOf,
  listed,
  namesOf,
  newKey,
  type Proves,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

let keys = 0;

async function makeKey(store: Store, account: string, more: Partial<NewKey> = {}) {
  keys += 1;
  return store.keys.create(newKey({ accounts: [account], hash: bytesOf(keys), ...more }));
}

async function nameOf(store: Store, account: string, number: number): Promise<string | undefined> {
  return (await store.sources.list([account])).find((one) => one.number === number)?.name;
}

async function from(store: Store, by: Pick<StoredKey, 'unique_identifier'>, draft: Draft) {
  const source = await store.sources.numberOf(draft.account, by.unique_identifier);
  return write(store, { ...draft, by: by.unique_identifier, source });
}

function made({ created_by, changed_by }: StoredRecord) {
  return [created_by, changed_by];
}

export function describePromises(proves: Proves): void {
  describe('Sources', () => {
    proves('are one for each key, and one for all people', async ({ store, account, another }) => {
      const [one, two, nameless] = await Promise.all([
        makeKey(store, account, { name: 'Tablets' }),
        makeKey(store, account, { name: 'Tablets' }),
        makeKey(store, account),
      ]);
      const other = await another();
      const both = await Promise.all(
        [store, other, store, other].map((each) =>
          each.sources.numberOf(account, one.unique_identifier),
        ),
      );
      assert.equal(new Set(both).size, 1, 'processes that make it at the same time make one');
      const [number = 0] = both;
      assert.equal(await nameOf(store, account, number), 'Tablets');
      const second = await other.sources.numberOf(account, two.unique_identifier);
      assert.equal(await nameOf(store, account, second), 'Tablets 2');
      const third = await store.sources.numberOf(account, nameless.unique_identifier);
      assert.equal(await nameOf(store, account, third), 'Key …last');
      const [ann, ben] = await Promise.all([
        store.sources.numberOf(account, 'stf_ann'),
        other.sources.numberOf(account, 'stf_ben'),
      ]);
      assert.equal(ann, ben);
      assert.equal(await nameOf(store, account, ann), 'Console');
      assert.equal(store.sources.numberOf(account, 'stf_ann'), ann, 'known without a look');
    });

    proves('are named with a key, and go on with its rotation', async ({ store, account }) => {
      const source = { name: 'Passare' };
      const key = await makeKey(store, account, { name: 'First', source });
      const number = await store.sources.numberOf(account, key.unique_identifier);
      assert.equal(await nameOf(store, account, number), 'Passare');
      const beside = await makeKey(store, account, { name: 'Second', source });
      assert.equal(await store.sources.numberOf(account, beside.unique_identifier), number);

      const quiet = await makeKey(store, account, { name: 'Quiet' });
      for (const old of [key, quiet]) {
        const of = old.unique_identifier;
        const next = await makeKey(store, account, { name: old.name, source: { of } });
        assert.equal(
          await store.sources.numberOf(account, next.unique_identifier),
          await store.sources.numberOf(account, of),
        );
      }
    });

    proves('are renamed, and merged with others of the account', async ({ store, account }) => {
      const [one, two] = await Promise.all([
        makeKey(store, account, { source: { name: 'One' } }),
        makeKey(store, account, { source: { name: 'Two' } }),
      ]);
      const numbers = [
        await store.sources.numberOf(account, one.unique_identifier),
        await store.sources.numberOf(account, two.unique_identifier),
      ];
      const all = await store.sources.list([account]);
      const [first = '', second = ''] = numbers.map(
        (number) => all.find((each) => each.number === number)?.unique_identifier,
      );
      assert.equal(await store.sources.rename(first, 'Two'), 'name_taken');
      assert.equal(await store.sources.rename('src_none', 'Three'), 'missing');
      const renamed = await store.sources.rename(first, 'Three');
      assert.ok(typeof renamed === 'object' && renamed.name === 'Three');
      assert.equal(await store.sources.merge(first, first), 'same');
      const elsewhere = await store.accounts.create({ name: 'Them', livemode: false });
      await store.sources.assign(elsewhere.unique_identifier, 'key_other', 'Other');
      const [foreign] = await store.sources.list([elsewhere.unique_identifier]);
      const into = foreign?.unique_identifier ?? '';
      assert.equal(await store.sources.merge(first, into), 'other_account');
      const merged = await store.sources.merge(first, second);
      assert.ok(typeof merged === 'object' && merged.unique_identifier === second);
      assert.equal(await store.sources.merge(first, second), 'missing', 'it is part of the other');
      const after = await store.sources.list([account]);
      const part = after.filter(({ merged_into }) => merged_into !== null);
      assert.deepEqual(pluck(part, 'number'), numbers.slice(0, 1));
      const free = await store.sources.assign(account, 'key_late', 'Three');
      assert.ok(!numbers.includes(free), 'the name of a merged source is free');
    });

    proves('stand on records, in and out of a removal', async (world) => {
      const { store, account, home, reopen } = world;
      const [one, two] = await Promise.all([makeKey(store, account), makeKey(store, account)]);
      const [first, second] = await Promise.all(
        [one, two].map((key) => store.sources.numberOf(account, key.unique_identifier)),
      );
      assert.deepEqual(made(home), [null, null], 'nobody is known to have made it');
      const record = await from(store, one, thingDraft(home, 'a', { label: 'A' }));
      assert.deepEqual(made(record), [first, first]);
      const same = await from(store, two, thingDraft(home, 'a', { label: 'A' }));
      assert.deepEqual(same, record, 'what changes nothing leaves no trace');
      const changed = await from(store, two, thingDraft(home, 'a', { label: 'B' }));
      assert.deepEqual(made(changed), [first, second]);
      const again = await reopen();
      const scope = within(account);
      assert.deepEqual(await again.find(thing, changed.unique_identifier, scope), changed);
      const twice = await from(again, one, thingDraft(home, 'a', { label: 'C' }));
      assert.deepEqual(made(twice), [first, first]);

      await remove(again, twice);
      const gone = await again.log.gone('thing', twice.unique_identifier, [account]);
      assert.ok(gone !== undefined && gone.created_by === first);
      const { unique_identifier, position, inserted_at, created_by } = twice;
      const removal = { version: twice.version + 1, position: gone.position };
      const back = await from(again, two, {
        ...thingDraft(home, 'a', { label: 'C' }),
        restores: { gone: { unique_identifier, inserted_at, created_by, ...removal } },
      });
      assert.deepEqual(made(back), [first, second], 'it was made by the one, and brought back');
      assert.ok(back.position > position);
    });

    proves('filter lists', async ({ store, account, home }) => {
      const [one, two] = await Promise.all([makeKey(store, account), makeKey(store, account)]);
      const numbers: number[] = [];
      for (const key of [one, two]) {
        numbers.push(await store.sources.numberOf(account, key.unique_identifier));
        for (const name of ['x', 'y']) {
          await from(store, key, thingDraft(home, `${numbers.length}${name}`, {}));
        }
      }
      const ofSources = async (some: readonly number[]) => {
        const where = [{ by: 'created_by', is: '=', value: some.join() } as const];
        const scope = within(account);
        const found = await listed(store, thing, scope, { where });
        assert.equal(await store.count({ shape: thing, scope, where, limit: 10 }), found.length);
        return namesOf(found);
      };
      assert.deepEqual(await ofSources(numbers.slice(0, 1)), ['1y', '1x']);
      assert.deepEqual(await ofSources(numbers), ['2y', '2x', '1y', '1x']);
      assert.deepEqual(await ofSources([]), []);
    });

    proves('are written in commits of several records', async ({ store, account, home }) => {
      const key = await makeKey(store, account);
      const by = key.unique_identifier;
      const source = await store.sources.numberOf(account, by);
      const at = await write(store, thingDraft(home, 'at', {}));
      const drafts = [
        placeDraft(account, 'other', { title: 'Other' }),
        thingDraft(home, 'one', { label: '1' }),
        thingDraft(home, 'at', { label: '2' }),
        thingDraft(home, 'one', { label: '3' }),
        visitDraft(at, 'visit', {}),
      ].map((draft) => ({ ...draft, by, source }));
      await store.commit(drafts);
      const scope = within(account);
      const things = await listed(store, thing, scope);
      assert.deepEqual(namesOf(things), ['one', 'at']);
      assert.deepEqual(things.map(made), [
        [source, source],
        [null, source],
      ]);
      assert.deepEqual((await listed(store, place, scope)).map(made), [
        [source, source],
        [null, null],
      ]);
    });

    proves('go with their account, and stay where it is wiped', async ({ store, account }) => {
      const number = await store.sources.numberOf(account, 'stf_ann');
      await wipe(store, account);
      assert.deepEqual(await store.sources.writers([account]), [
        { account, writer: 'console', source: number },
      ]);
      await wipe(store, account, true);
      assert.deepEqual(await store.sources.list([account]), []);
      assert.deepEqual(await store.sources.writers([account]), []);
    });
  });
}

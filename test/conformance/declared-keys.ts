/** Declared keys come and go with the versions of the program, and have what the documents say. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { whenOver } from '../support/at-end.ts';
import { opened } from '../support/opened.ts';
import { pendingSteps } from '../support/pending.ts';
import { pluck } from '../support/pluck.ts';
import { place, shapes } from '../support/store-shapes.ts';
import {
  type FindGround,
  newAccount,
  type Proves,
  placeDraft,
  within,
} from '../support/store-world.ts';

const keyless = shapes.map((shape): RecordShape => ({ ...shape, keys: [] }));
const plain = shapes.map((shape) =>
  shape === place
    ? { ...shape, keys: shape.keys.map((key) => ({ ...key, as: 'plain' as const })) }
    : shape,
);

export function describePromises(_: Proves, name: string, findGround: FindGround): void {
  describe(`declared keys on ${name}`, () => {
    it('are told before they are made, and filled from the documents, of accounts too', async () => {
      const { open, pending } = await world(findGround);
      const first = await open(keyless);
      const account = await newAccount(first, 'zz', true);
      await first.accounts.create({ name: 'Ä', livemode: true });
      const write = (store: Store, ...names: string[]) =>
        store.commit(
          names.map((title) => {
            return { ...placeDraft(account, title, { title }), shape: { ...place, keys: [] } };
          }),
        );
      await write(first, 'é', 'F', 'd');
      await first.close();
      assert.deepEqual(await pending(shapes), [
        'declared key name of account',
        'declared key title of place',
        'declared key person of visit "order"',
        'declared key phone of visit "order"',
        'declared key welcome of visit "order"',
      ]);
      const second = await open(shapes);
      assert.deepEqual(await titles(second, account), ['d', 'é', 'F']);
      assert.deepEqual(pluck(await second.accounts.list(), 'name'), ['Ä', 'zz']);
      await second.close();
      assert.deepEqual(await pending(shapes), []);

      // A version that knows no such key writes, and is left again.
      const third = await open(keyless);
      await write(third, 'e');
      await third.close();
      assert.deepEqual(await titles(await open(shapes), account), ['d', 'é', 'e', 'F']);
    });

    it('are filled again where they take their value from elsewhere', async () => {
      const { open, pending } = await world(findGround);
      const first = await open(shapes);
      const account = await newAccount(first, 'A', true);
      await first.commit(['b', 'C', 'a'].map((title) => placeDraft(account, title, { title })));
      assert.deepEqual(await titles(first, account), ['a', 'b', 'C']);
      await first.close();
      assert.deepEqual(await pending(plain), ['declared key title of place']);
      assert.deepEqual(await titles(await open(plain), account), ['C', 'a', 'b']);
    });
  });
}

async function world(findGround: FindGround) {
  const { remove, ...ground } = await findGround();
  whenOver(remove);
  return {
    open: (those: readonly RecordShape[]) =>
      opened({ ...ground, shapes: those, create: true, serve: false }),
    pending: (those: readonly RecordShape[]) => pendingSteps({ ...ground, shapes: those }),
  };
}

async function titles(store: Store, account: string) {
  const query = { shape: place, scope: within(account), order: { key: 'title' }, limit: 100 };
  return pluck((await store.list(query)).records, 'external_identifier');
}

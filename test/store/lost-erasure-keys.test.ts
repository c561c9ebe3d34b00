/** Where records were erased with a key that is lost, nothing is made in their account: it might be they. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { StoreUnavailable } from '../../src/store/promises/store.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { newAccount, outcomesOf, placeDraft, write } from '../support/store-world.ts';

await onPostgres(({ name, ground }) => {
  describe(`Records that were erased with a key that is lost, on ${name}`, () => {
    it('are made again by no draft, and other accounts are served', async () => {
      const { url, distribution } = await ground();
      const key = (byte: number) => new Uint8Array(32).fill(byte);
      const open = (...erasureKeys: readonly Uint8Array[]) =>
        openStore({ url, distribution, shapes, create: true, serve: true, erasureKeys });
      const store = await open(key(1));
      const account = await newAccount(store);
      const other = await newAccount(store, 'B');
      const draft = placeDraft(account, 'one', {});
      const { unique_identifier: record } = await write(store, draft);
      const { resource } = place;
      const request = { resource, account, record, erasure: 'ers_1', by: 'key_1' };
      assert.deepEqual(await store.erasing.erase([request]), ['erased']);
      await store.close();

      const without = await open(key(2));
      assert.equal(await without.erasing.hasLostKeys(), true);
      const refused = (error: unknown) =>
        error instanceof StoreUnavailable && /SECRET_KEY_FILE/.test(error.message);
      for (const title of ['one', 'two']) {
        await assert.rejects(without.commit([placeDraft(account, title, {})]), refused);
      }
      const outcomes = await without.commit([placeDraft(other, 'one', {})]);
      assert.deepEqual(outcomesOf(outcomes), ['created']);
      await without.close();

      const rotated = await open(key(2), key(1));
      assert.equal(await rotated.erasing.hasLostKeys(), false);
      assert.deepEqual(outcomesOf(await rotated.commit([draft])), ['erased']);
      await rotated.close();
    });
  });
});

/** What stores promise of the register: an entry outlives its record, and less of it the person. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { LAST_IDENTIFIER } from '../../../src/core/schema/id.ts';
import type { NoContact } from '../../../src/features/do-not-contact/declares.ts';
import type { SaidNo } from '../../../src/features/do-not-contact/store/said.ts';
import { pluck } from '../../support/pluck.ts';
import { thing } from '../../support/store-shapes.ts';
import { type Proves, thingDraft, write } from '../../support/store-world.ts';
import { wipe } from '../../support/wipe.ts';

const PHONE = '+14155550123';

export function describePromises(proves: Proves): void {
  describe('Whom nobody is to contact', () => {
    const said = (account: string, more: Partial<NoContact> = {}): SaidNo => {
      return { account, kind: 'phone', value: PHONE, said_by: 'key_1', source: 'request', ...more };
    };
    const signs = { values: [PHONE], marks: [] };

    proves('stands once, and is said anew', async ({ store, account, clock }) => {
      const book = store.doNotContact;
      const until = clock.now + 1_000;
      const add = (more: Partial<NoContact>) => book.add(account, [said(account, more)]);
      await Promise.all([add({ until, channels: ['texts'] }), add({ until, channels: ['texts'] })]);
      const all = await book.known(account, signs);
      assert.deepEqual(pluck(all, 'until', 'channels'), [[until, ['texts']]]);
      assert.equal(await add({ reason: 'again', channels: ['calls'] }), true);
      assert.deepEqual(await book.saying(account, signs), [null]);
      const [one] = await book.known(account, signs);
      assert.deepEqual([one?.until, one?.channels, one?.reason], [null, null, 'again']);
      assert.equal(await book.add('acct_1', [said('acct_1')]), false, 'there is no such account');
      assert.ok(one && (await book.lift(one, { at: 9, by: 'key_1', because: 'over' })));
      assert.deepEqual(await book.known(account, signs), []);
      assert.equal(await book.some([account]), false);
      await add({});
      const page = { account, isLifted: true, before: LAST_IDENTIFIER, limit: 9 };
      assert.equal((await book.list([page])).length, 1);
      assert.equal((await book.list([{ ...page, isLifted: false }])).length, 1);
      await wipe(store, account);
      assert.equal(await book.some([account]), false);
    });

    proves('outlives its record by its age, and the person by a hash', async (on) => {
      const { store, home, account } = on;
      const book = store.doNotContact;
      const [aged, erased] = await Promise.all(
        ['aged', 'erased'].map((name) => write(store, thingDraft(home, name, {}))),
      );
      assert.ok(aged && erased);
      const all = [aged, erased].map(({ unique_identifier: record }, at) =>
        said(account, { record, value: `+1415555013${at}`, reason: 'she asked' }),
      );
      await book.add(account, all);
      const request = { account, resource: thing.resource, erasure: 'ers_1', by: 'key_1' };
      for (const [record, more] of [
        [aged, { aged: 'marked', erasure: 'rtr_1' }],
        [erased, {}],
      ] as const) {
        const { unique_identifier, version } = record;
        const wanted = { ...request, record: unique_identifier, version, ...more };
        assert.deepEqual(await store.erasing.erase([wanted]), ['erased']);
      }
      const contacts = all.map(({ value }) => ({ as: 'digits', text: String(value) }) as const);
      const left = await book.known(account, book.signsFor(contacts));
      assert.deepEqual(
        pluck(left, 'value', 'reason', 'record').toSorted(),
        [
          ['+14155550130', 'she asked', aged.unique_identifier],
          [null, null, null],
        ].toSorted(),
      );
      assert.equal(await store.countAbout(account, [erased.unique_identifier]), 0);
      assert.deepEqual(await book.lostKeys(), []);
    });
  });
}

/** The accounts: made, named, closed and emptied. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { hashSecret, issueKey } from '../../src/records/auth/issue-key.ts';
import { pluck } from '../support/pluck.ts';
import { owner, place, thing, visit } from '../support/store-shapes.ts';
import {
  listed,
  newAccount,
  type Proves,
  placeDraft,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

export function describePromises(proves: Proves): void {
  describe('Accounts', () => {
    proves('are created, and are records of the root', async ({ store, clock }) => {
      clock.now += 7;
      const made = await store.accounts.create({ name: 'Émile & Co', livemode: true });
      const { unique_identifier, ...account } = made;
      assert.match(unique_identifier, /^own_[0-9A-Za-z]{22}$/);
      const times = { inserted_at: clock.now, updated_at: clock.now };
      assert.deepEqual(account, {
        ...{ name: 'Émile & Co', livemode: true, ...times },
        ...{ closed_at: null, becomes: null, pins: null },
      });
      const found = await store.find(owner, unique_identifier, within(unique_identifier));
      const { position = 0, ...record } = found ?? {};
      assert.deepEqual(record, {
        ...{ unique_identifier, account: unique_identifier, anchor: null, parent: null },
        ...{ external_identifier: null, document: '{"name":"Émile & Co"}', version: 1 },
        ...{ ...times, created_by: null, changed_by: null },
      });
      assert.ok(position > 0);
    });

    proves('are never updated before they were made, even if the clock goes back', async (on) => {
      const { store, account, clock } = on;
      clock.now -= 60_000;
      const { updated_at, inserted_at } = (await store.accounts.rename(account, 'Later')) ?? {};
      assert.equal(updated_at, inserted_at);
    });

    proves('are listed by name, the closed ones too', async ({ store, account, reopen }) => {
      const zoe = await store.accounts.create({ name: 'zoe', livemode: true });
      await store.accounts.create({ name: 'Ämilie', livemode: false });
      await store.accounts.close(zoe.unique_identifier);
      const all = await (await reopen()).accounts.list();
      const told = all.map((one) => `${one.name} ${one.livemode} ${one.closed_at !== null}`);
      assert.deepEqual(told, ['Ämilie false false', 'Us false false', 'zoe true true']);
      assert.equal(all[1]?.unique_identifier, account);
    });

    proves('are renamed, and sorted again', async ({ store, account, clock }) => {
      await store.accounts.create({ name: 'V', livemode: true });
      clock.now += 9;
      const renamed = await store.accounts.rename(account, 'We');
      assert.equal(renamed?.name, 'We');
      assert.equal(renamed?.updated_at, clock.now);
      assert.deepEqual(pluck(await store.accounts.list(), 'name'), ['V', 'We']);
      clock.now += 9;
      assert.deepEqual(await store.accounts.rename(account, 'We'), renamed, 'no change');
      assert.equal((await store.find(owner, account, within(account)))?.version, 2);
    });

    proves('are closed and reopened once', async ({ store, account, clock }) => {
      clock.now += 1;
      const closed = await store.accounts.close(account);
      assert.equal(closed?.closed_at, clock.now);
      clock.now += 1;
      assert.deepEqual(await store.accounts.close(account), closed);
      const opened = await store.accounts.reopen(account);
      assert.equal(opened?.closed_at, null);
      clock.now += 1;
      assert.deepEqual(await store.accounts.reopen(account), opened);
    });

    proves('that do not exist are undefined', async ({ store, home }) => {
      for (const unknown of ['own_nothing', home.unique_identifier]) {
        assert.equal(await store.accounts.rename(unknown, 'X'), undefined);
        assert.equal(await store.accounts.close(unknown), undefined);
        assert.equal(await store.accounts.reopen(unknown), undefined);
        assert.equal(await wipe(store, unknown), undefined);
      }
    });

    proves('are wiped: records go, they and their keys stay, others keep theirs', async (world) => {
      const { store, home, account } = world;
      const other = await newAccount(store);
      const theirs = await write(store, placeDraft(other, 'p', { title: 'P' }));
      const made = await write(store, thingDraft(home, 'a', {}));
      await store.commit([visitDraft(made, '1', {}), visitDraft(made, '2', {})]);
      const { secret } = await issueKey(store.keys, false, { accounts: [account] });
      const wiped = Object.fromEntries((await wipe(store, account)) ?? []);
      assert.deepEqual(wiped, { place: 1, thing: 1, [visit.resource]: 2 });
      for (const shape of [place, thing, visit]) {
        assert.deepEqual(await listed(store, shape, within(account)), []);
        const rest = await listed(store, shape, within(other));
        assert.deepEqual(rest, shape === place ? [theirs] : []);
      }
      assert.equal((await store.keys.authenticate(hashSecret(secret))).is, 'valid');
      const again = await wipe(store, account);
      assert.deepEqual([...(again?.values() ?? [])], [0, 0, 0]);
      const next = await write(store, placeDraft(account, 'home', {}));
      assert.equal(next.version, 1);
      assert.notEqual(next.unique_identifier, home.unique_identifier);
    });
  });
}

/** The API keys: made, listed, ended, and told by the hash of their secret. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { bytesOf, idsOf, newAccount, newKey, type Proves } from '../support/store-world.ts';

export function describePromises(proves: Proves): void {
  describe('Keys', () => {
    proves('are changed together, all or none, and replaced in one commit', async (world) => {
      const { store, account } = world;
      const made = await store.keys.createAll(
        [1, 2, 3].map((of) => newKey({ accounts: [account], hash: bytesOf(of) })),
      );
      const [one = '', two = '', three = ''] = made.map((key) => key.unique_identifier);
      const changed = await store.keys.changeAll([
        { unique_identifier: three, does: 'suspend' },
        { unique_identifier: one, does: 'grant', permissions: ['read'], allow: ['a right'] },
        { unique_identifier: two, does: 'revoke' },
        { unique_identifier: two, does: 'rename', name: 'Hall tablet' },
      ]);
      assert.deepEqual(pluck(changed, 'unique_identifier'), [three, one, two, two]);
      assert.equal(changed[3]?.name, 'Hall tablet');
      assert.notEqual(changed[0]?.suspended_at, null);
      assert.deepEqual([changed[1]?.permissions, changed[1]?.allow], [['read'], ['a right']]);
      assert.notEqual(changed[2]?.revoked_at, null);

      const before = await store.keys.list();
      const changes = [three, 'key_nothing'].map((unique_identifier) => ({
        ...{ unique_identifier, does: 'resume' as const },
      }));
      await assert.rejects(store.keys.changeAll(changes), RangeError);
      const unknown = newKey({ accounts: ['acct_nothing'], hash: bytesOf(4) });
      const ends = { unique_identifier: one, does: 'expire', at: 5 } as const;
      await assert.rejects(store.keys.createAll([unknown], [ends]), RangeError);
      assert.deepEqual(await store.keys.list(), before, 'nothing of either was done');

      const next = newKey({ accounts: [account], hash: bytesOf(4) });
      await store.keys.createAll([next], [ends]);
      const old = (await store.keys.list()).find((key) => key.unique_identifier === one);
      assert.equal((await store.keys.authenticate(bytesOf(4))).is, 'valid');
      assert.equal(old?.expires_at, 5);
    });

    proves('are created and listed, the newest first', async (world) => {
      const { store, account, home, clock, reopen } = world;
      const one = await store.keys.create(newKey({ accounts: [account], hash: bytesOf(1) }));
      clock.now += 5;
      const all = newKey({
        ...{ name: 'Tablet “Foyer”', hash: bytesOf(2), accounts: [account] },
        ...{ anchors: [home.unique_identifier], permissions: ['write'] },
        ...{ resources: ['events', 'locations'], allow: ['a right', 'another'] },
        ...{ from: ['203.0.113.0/24', '2001:db8::7'], requests_a_second: 100 / 60 },
        ...{ requests_at_once: 20, expires_at: clock.now + 50 },
      });
      const two = await store.keys.create(all);
      const { hash: _secret, ...told } = all;
      assert.match(two.unique_identifier, /^key_[0-9A-Za-z]{22}$/);
      const { unique_identifier } = two;
      assert.deepEqual(two, {
        ...{ ...told, unique_identifier, livemode: false, inserted_at: clock.now },
        ...{ suspended_at: null, revoked_at: null, last_used_at: null },
      });
      assert.deepEqual(await (await reopen()).keys.list(), [two, one]);
    });

    proves('are all live or all test, as their accounts are', async ({ store, account }) => {
      const live = await newAccount(store, 'L', true);
      const more = await newAccount(store, 'M', true);
      const key = await store.keys.create(newKey({ accounts: [live, more] }));
      assert.equal(key.livemode, true);
      for (const accounts of [[], [live, account], [live, 'own_nothing']]) {
        await assert.rejects(store.keys.create(newKey({ accounts, hash: bytesOf(9) })), RangeError);
      }
      assert.equal((await store.keys.list()).length, 1);
    });

    proves('are made all or not at all, in their order', async ({ store, account }) => {
      const live = await newAccount(store, 'L', true);
      const wanted = Array.from({ length: 20 }, (_, index) =>
        newKey({ accounts: [index % 2 ? live : account], hash: bytesOf(index), name: `${index}` }),
      );
      for (const wrong of [
        newKey({ accounts: ['own_nothing'], hash: bytesOf(99) }),
        newKey({ accounts: [account], hash: bytesOf(3) }),
      ]) {
        await assert.rejects(store.keys.createAll([...wanted, wrong]));
        assert.deepEqual(await store.keys.list(), []);
      }
      const made = await store.keys.createAll(wanted);
      assert.deepEqual(
        pluck(made, 'name', 'accounts', 'livemode'),
        wanted.map(({ name, accounts }) => [name, accounts, accounts[0] === live]),
      );
      assert.deepEqual(await store.keys.list(), made.toReversed());
      assert.deepEqual(await store.keys.authenticate(bytesOf(7)), { is: 'valid', key: made[7] });
      assert.deepEqual(await store.keys.createAll([]), []);
    });

    proves('authenticate by their hash', async ({ store, account }) => {
      const key = await store.keys.create(newKey({ accounts: [account] }));
      assert.deepEqual(await store.keys.authenticate(bytesOf(1)), { is: 'valid', key });
      assert.deepEqual(await store.keys.authenticate(bytesOf(2)), { is: 'unknown' });
      assert.deepEqual(await store.keys.authenticate(new Uint8Array()), { is: 'unknown' });
    });

    proves('end when they are revoked, once', async ({ store, account, clock, another }) => {
      const { unique_identifier } = await store.keys.create(newKey({ accounts: [account] }));
      const revoked = await (await another()).keys.revoke(unique_identifier);
      assert.equal(revoked?.revoked_at, clock.now);
      const found = await store.keys.authenticate(bytesOf(1));
      assert.deepEqual(found, { is: 'revoked', key: revoked });
      clock.now += 1;
      assert.deepEqual(await store.keys.revoke(unique_identifier), revoked);
      assert.equal(await store.keys.revoke('key_nothing'), undefined);
      assert.deepEqual(await store.keys.list(), [revoked]);
    });

    proves('do nothing while they are suspended, and are the same when resumed', async (world) => {
      const { store, account, clock, another } = world;
      const key = await store.keys.create(newKey({ accounts: [account] }));
      const { unique_identifier } = key;
      const other = await another();
      const suspended = await other.keys.suspend(unique_identifier);
      assert.deepEqual(suspended, { ...key, suspended_at: clock.now });
      const found = await store.keys.authenticate(bytesOf(1));
      assert.deepEqual(found, { is: 'suspended', key: suspended });
      clock.now += 1;
      assert.deepEqual(await store.keys.suspend(unique_identifier), suspended);
      assert.deepEqual(await store.keys.list(), [suspended]);
      assert.deepEqual(await other.keys.resume(unique_identifier), key);
      assert.deepEqual(await store.keys.authenticate(bytesOf(1)), { is: 'valid', key });
      assert.deepEqual(await store.keys.resume(unique_identifier), key);
      for (const change of ['suspend', 'resume'] as const)
        assert.equal(await store.keys[change]('key_nothing'), undefined);
    });

    proves('stay revoked, whoever resumes them', async ({ store, account }) => {
      const { unique_identifier } = await store.keys.create(newKey({ accounts: [account] }));
      await store.keys.suspend(unique_identifier);
      await store.keys.revoke(unique_identifier);
      await store.keys.resume(unique_identifier);
      assert.equal((await store.keys.authenticate(bytesOf(1))).is, 'revoked');
    });

    proves('end when they expire, and that comes only sooner', async (world) => {
      const { store, account, clock } = world;
      const { unique_identifier } = await store.keys.create(newKey({ accounts: [account] }));
      const at = clock.now + 100;
      const ends = async (time: number) =>
        (await store.keys.expire(unique_identifier, time))?.expires_at;
      assert.equal(await ends(at + 5), at + 5);
      assert.equal(await ends(at), at);
      assert.equal(await ends(at + 9), at);
      assert.equal(await store.keys.expire('key_nothing', at), undefined);
      clock.now = at - 1;
      assert.equal((await store.keys.authenticate(bytesOf(1))).is, 'valid');
      clock.now = at;
      assert.equal((await store.keys.authenticate(bytesOf(1))).is, 'expired');
    });

    proves('know their open accounts, and are nothing without one', async ({ store, account }) => {
      const other = await newAccount(store, 'O');
      const key = await store.keys.create(newKey({ accounts: [other, account] }));
      const valid = (accounts: readonly string[]) => ({ is: 'valid', key: { ...key, accounts } });
      assert.deepEqual(await store.keys.authenticate(bytesOf(1)), valid([other, account]));
      await store.accounts.close(account);
      assert.deepEqual(await store.keys.authenticate(bytesOf(1)), valid([other]));
      await store.accounts.close(other);
      assert.deepEqual(await store.keys.authenticate(bytesOf(1)), { is: 'account_closed', key });
      const [listed] = await store.keys.list();
      assert.deepEqual(listed?.accounts, [other, account], 'for the operator');
      await store.accounts.reopen(account);
      assert.deepEqual(await store.keys.authenticate(bytesOf(1)), valid([account]));
    });

    proves('remember when they were last used, and never go back', async ({ store, account }) => {
      const one = await store.keys.create(newKey({ accounts: [account], hash: bytesOf(1) }));
      const two = await store.keys.create(newKey({ accounts: [account], hash: bytesOf(2) }));
      const [first, second] = idsOf([one, two]) as [string, string];
      /** When each was used, the newest key first. */
      const touched = async (of: Readonly<Record<string, number>>) => {
        await store.keys.touch(new Map(Object.entries(of)));
        return pluck(await store.keys.list(), 'last_used_at');
      };
      assert.deepEqual(await touched({ [first]: 50, key_nothing: 1 }), [null, 50]);
      assert.deepEqual(await touched({ [first]: 40, [second]: 60 }), [60, 50]);
      await store.keys.touch(new Map());
    });

    proves('have hashes of their own', async ({ store, account }) => {
      await store.keys.create(newKey({ accounts: [account] }));
      await assert.rejects(store.keys.create(newKey({ accounts: [account] })));
      assert.equal((await store.keys.list()).length, 1);
    });
  });
}

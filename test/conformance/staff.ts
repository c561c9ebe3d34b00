/** People who sign in, and their sessions. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import {
  MAX_SESSIONS,
  type NewInvitation,
  type NewPasskey,
} from '../../src/store/promises/staff.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';
import type { Proves } from '../support/store-world.ts';

const HOUR = 3_600_000;

const session = (hash: string) => ({
  ...{ hash, method: 'password' as const, address: '203.0.113.7', browser: null },
});
const passkey = (credential: string): NewPasskey => ({
  ...{ credential, public_key: 'a2V5', counter: 0, transports: ['internal'], name: null },
});

function invitation(now: number, more: Partial<NewInvitation> = {}): NewInvitation {
  return {
    ...{ email: 'a@example.com', name: 'A', role: 'editor', accounts: ['acct_1'] },
    ...{ anchors: null, region: null, allow: [], hash: 'invitation', expires_at: now + HOUR },
    ...more,
  };
}

/** Somebody who has redeemed an invitation with a password, in the session `first`. */
async function member(store: Store, now: number, email = 'a@example.com'): Promise<string> {
  const { unique_identifier } = await store.staff.invite(
    invitation(now, { email, hash: `of ${email}` }),
  );
  const proof = { password: 'hash', name: null };
  const first = session(`first of ${email}`);
  assert.ok(await store.staff.redeem(`of ${email}`, unique_identifier, proof, first));
  return unique_identifier;
}

export function describePromises(proves: Proves): void {
  describe('People', () => {
    proves('are kept as they were invited', async ({ store, clock, reopen }) => {
      const grant = { role: 'viewer' as const, accounts: ['acct_1', 'acct_2'], anchors: ['loc_1'] };
      const made = await store.staff.invite(invitation(clock.now, grant));
      assert.match(made.unique_identifier, /^stf_\w{22}$/);
      const again = await reopen();
      const found = await again.staff.withEmail('a@example.com');
      assert.deepEqual(found, made);
      assert.deepEqual([found?.role, found?.accounts, found?.anchors], Object.values(grant));
      assert.deepEqual(await again.staff.list(), [made]);
      assert.equal(found?.inserted_at, clock.now);
    });

    proves('redeem an invitation once, also at the same time', async (world) => {
      const { store, another, clock } = world;
      const other = await another();
      const { unique_identifier: staff } = await store.staff.invite(invitation(clock.now));
      const won = await Promise.all(
        [store, other, store, other].map(({ staff: book }, nth) => {
          const proof = { passkey: passkey(`of ${nth}`), name: null };
          return book.redeem('invitation', staff, proof, session(`of ${nth}`));
        }),
      );
      assert.equal(won.filter(Boolean).length, 1);
      assert.equal((await store.staff.passkeys(staff)).length, 1);
      assert.equal((await store.staff.sessions(staff)).length, 1);
      assert.equal(await store.staff.invited('invitation'), undefined);
    });

    proves('cannot redeem what has expired, was replaced, or is of others', async (world) => {
      const { store, clock } = world;
      const { unique_identifier: staff } = await store.staff.invite(invitation(clock.now));
      const proof = { password: 'hash', name: null };
      assert.equal(await store.staff.redeem('invitation', 'stf_1', proof, session('a')), false);
      await store.staff.invite(invitation(clock.now, { hash: 'second' }));
      assert.equal(await store.staff.redeem('invitation', staff, proof, session('b')), false);
      clock.now += HOUR;
      assert.equal(await store.staff.invited('second'), undefined);
      assert.equal(await store.staff.redeem('second', staff, proof, session('c')), false);
      assert.equal((await store.staff.find(staff))?.password, null);
      assert.deepEqual(await store.staff.sessions(staff), []);
    });

    proves('are for something else from one moment to the next', async ({ store, clock }) => {
      const staff = await member(store, clock.now);
      const found = async () => {
        const { role, accounts, anchors, region, allow, invited_by } =
          (await store.staff.find(staff)) ?? {};
        return { role, accounts, anchors, region, allow, invited_by };
      };
      const narrow = { accounts: ['acct_2'], anchors: ['loc_1'], region: 'East', allow: [] };
      const grant = { role: 'viewer', ...narrow } as const;
      await store.staff.grant(staff, grant);
      assert.deepEqual(await found(), { ...grant, invited_by: null });
      assert.equal((await store.staff.sessions(staff)).length, 1);
      const wide = { accounts: ['acct_2'], anchors: null, region: null, allow: ['erase'] };
      const risen = { role: 'administrator', ...wide } as const;
      await store.staff.grant(staff, risen, true);
      assert.deepEqual(await found(), { ...risen, invited_by: null });
      assert.deepEqual(await store.staff.sessions(staff), []);
      await store.staff.invite({ ...invitation(clock.now), invited_by: 'stf_1' });
      assert.equal((await found()).invited_by, 'stf_1');
    });

    proves('who are invited again start over, as themselves', async ({ store, clock }) => {
      const staff = await member(store, clock.now);
      await store.staff.addPasskey(staff, passkey('mine'));
      await store.staff.disable(staff);
      const again = await store.staff.invite(invitation(clock.now, { role: 'viewer', name: null }));
      assert.equal(again.unique_identifier, staff);
      const told = pluck([again], 'name', 'role', 'password', 'passkeys', 'disabled_at');
      assert.deepEqual(told, [['A', 'viewer', null, 0, null]]);
      assert.equal(await store.staff.passkey('mine'), undefined);
      assert.equal(await store.staff.session('first of a@example.com'), undefined);
    });

    proves('have sessions, which end one by one, together, or with the person', async (world) => {
      const { store, another, clock } = world;
      const other = await another();
      const staff = await member(store, clock.now);
      const stranger = await member(store, clock.now, 'b@example.com');
      for (const hash of ['second', 'third']) await store.staff.openSession(staff, session(hash));
      const found = await other.staff.session('second');
      assert.equal(found?.staff.unique_identifier, staff);
      assert.equal(found?.session.address, '203.0.113.7');
      const second = found?.session.unique_identifier ?? '';

      await other.staff.endSession(stranger, second);
      assert.ok(await store.staff.session('second'), 'nobody ends those of others');
      await other.staff.endSession(staff, second);
      assert.equal(await store.staff.session('second'), undefined);
      const third = (await store.staff.session('third'))?.session.unique_identifier;
      await other.staff.endSessions(staff, third);
      assert.deepEqual(pluck(await store.staff.sessions(staff), 'unique_identifier'), [third]);
      assert.ok(await store.staff.openSession(staff, session('fourth'), 'third'));
      assert.equal(await store.staff.session('third'), undefined, 'the one before it');
      await store.staff.disable(staff);
      assert.equal(await other.staff.session('fourth'), undefined);
      assert.equal(await store.staff.openSession(staff, session('fifth')), false);
      assert.ok(await store.staff.session('first of b@example.com'));
    });

    proves('have so many sessions at the most, and none that has ended', async (world) => {
      const { store, clock } = world;
      const staff = await member(store, clock.now);
      for (let nth = 0; nth < MAX_SESSIONS; nth++)
        await store.staff.openSession(staff, session(`session ${nth}`));
      assert.equal((await store.staff.sessions(staff)).length, MAX_SESSIONS);
      assert.equal(await store.staff.session('first of a@example.com'), undefined, 'the oldest');
      const { session: last } = (await store.staff.session(`session ${MAX_SESSIONS - 1}`)) ?? {};
      await store.staff.touchSession(last?.unique_identifier ?? '', clock.now + HOUR);
      await store.staff.purge({ insertedBefore: 0, seenBefore: clock.now + 1 });
      assert.equal((await store.staff.sessions(staff)).length, 1);
      await store.staff.purge({ insertedBefore: clock.now + 1, seenBefore: 0 });
      assert.deepEqual(await store.staff.sessions(staff), []);
    });

    proves('have passkeys, whose counters only rise', async ({ store, clock }) => {
      const staff = await member(store, clock.now);
      const { unique_identifier } = await store.staff.addPasskey(staff, passkey('mine'));
      assert.ok(await store.staff.usePasskey(unique_identifier, 0), 'it does not count');
      assert.ok(await store.staff.usePasskey(unique_identifier, 7));
      for (const counter of [7, 3, 0])
        assert.equal(await store.staff.usePasskey(unique_identifier, counter), false);
      const found = await store.staff.passkey('mine');
      assert.deepEqual([found?.counter, found?.used_at], [7, clock.now]);
      await store.staff.removePasskey(unique_identifier);
      assert.deepEqual(await store.staff.passkeys(staff), []);
    });

    proves('are known at their provider by issuer and subject', async ({ store, clock }) => {
      const { unique_identifier: staff } = await store.staff.invite(invitation(clock.now));
      const identity = { issuer: 'https://sso.example.com', subject: '1' };
      const proof = { identity, name: null };
      assert.ok(await store.staff.redeem('invitation', staff, proof, session('a')));
      const found = await store.staff.withIdentity(identity.issuer, identity.subject);
      assert.deepEqual([found?.unique_identifier, found?.identities], [staff, 1]);
      assert.equal(await store.staff.withIdentity('https://other.example.com', '1'), undefined);
    });

    proves('are found in the log of requests by who has all of their accounts', async (world) => {
      const { store, clock } = world;
      const both = ['acct_1', 'acct_2'];
      const member = await store.staff.invite(invitation(clock.now, { accounts: both }));
      const { unique_identifier: key } = member;
      const done = { account: '', key, anchor: '', resource: 'event', outcome: 'read' };
      await store.requests.note([], [{ ...done, hour: 0, count: 1, last_at: 5 }]);
      const seen = async (seenBy: readonly string[]): Promise<number> =>
        (await store.requests.activity({ seenBy: new Set(seenBy), limit: 9 })).length;
      const ofAll = [seen([...both, 'acct_3']), seen(both), seen(['acct_2', 'acct_3'])];
      assert.deepEqual(await Promise.all(ofAll), [1, 1, 0]);
      const of = async (account: string): Promise<number> =>
        (await store.requests.activity({ account, limit: 9 })).length;
      assert.deepEqual(await Promise.all([of('acct_2'), of('acct_3')]), [1, 0]);
    });

    proves('answer what was asked of them once', async ({ store, another, clock }) => {
      const other = await another();
      const answer = { hash: 'a', purpose: 'answered', content: '', expires_at: clock.now + 1 };
      const all = [store, other, store].map(({ staff }) => staff.onlyOnce(answer));
      assert.deepEqual((await Promise.all(all)).sort(), [false, false, true]);
      assert.equal(await other.staff.onlyOnce({ ...answer, hash: 'b' }), true);
    });

    proves('are asked with a key that all processes share', async ({ store, another, clock }) => {
      const other = await another();
      const ends = clock.now + 2;
      const shared = await Promise.all(
        [store, other].map(({ staff }, at) => staff.sharedKey('key 1', `made ${at}`, ends)),
      );
      assert.equal(new Set(shared).size, 1);
      assert.notEqual(await store.staff.sharedKey('key 2', 'made 2', ends), shared[0]);
      // However many questions are answered, the keys of those that end later stay.
      assert.equal(await other.staff.sharedKey('key 1', 'another', ends), shared[0]);
    });
  });
}

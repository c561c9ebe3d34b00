/** The emptying of an account is a job: another process goes on with it, and knows what there was. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createEmptying, emptyAccount } from '../../src/services/emptying.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { place, thing, visit } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  createProves,
  type FindGround,
  placeDraft,
  thingDraft,
  within,
  write,
} from '../support/store-world.ts';
import { until } from '../support/until.ts';

const THINGS = 10_000;
const CONTENTS = { place: 1, thing: THINGS, [visit.resource]: 0 };

function proveOn(name: string, findGround: FindGround): void {
  const proves = createProves(findGround);
  describe(`An account that is emptied on ${name}`, () => {
    for (const isRemoved of [false, true]) {
      proves(`${isRemoved ? 'and goes' : 'and stays'} is emptied further`, async (world) => {
        const { store, account, home } = world;
        const other = await world.another();
        const drafts = Array.from({ length: THINGS }, (_, at) => thingDraft(home, `${at}`, {}));
        for (let at = 0; at < THINGS; at += 500) await store.commit(drafts.slice(at, at + 500));
        const subject = { account, unique_identifier: account, isRemoved, isBegun: false };
        const first = createEmptying(other, place);
        const ended = first.run(subject, () => void first.close());
        assert.equal(await ended, undefined, 'this process ends in the middle');
        const [job, ...none] = await store.jobs.list();
        assert.deepEqual([job?.kind, job?.object, none], ['emptying', account, []]);
        assert.deepEqual(job?.counts, CONTENTS);
        const [one] = await store.accounts.list();
        assert.ok(one?.becomes);
        // A command finds out what there was, whoever goes on.
        const second = createEmptying(store, place);
        const commanded = emptyAccount(other, place, account, { isRemoved });
        while (await second.resume());
        assert.deepEqual(await commanded, CONTENTS);
        await until(async () => (await store.jobs.list()).length === 0);
        const [left] = await store.accounts.list();
        assert.deepEqual(left?.becomes, isRemoved ? undefined : null);
        const query = { shape: thing, scope: within(account), order: 'newest', limit: 1 } as const;
        assert.deepEqual((await store.list(query)).records, []);
      });
    }

    proves('and stays is not emptied again by who found it begun', async (world) => {
      const { store, account, home } = world;
      await store.commit([thingDraft(home, 'before', {})]);
      await store.accounts.beginEmptying(account, false);
      const begun = await store.accounts.list();
      while ((await store.accounts.emptySome(account)) !== undefined);
      const after = await write(store, placeDraft(account, 'after', {}));
      let first = true;
      const list = async () => {
        if (!first) return store.accounts.list();
        first = false;
        return begun;
      };
      const late = createEmptying({ ...store, accounts: { ...store.accounts, list } }, place);
      while (await late.resume());
      assert.ok(await store.find(place, after.unique_identifier, within(account)));
      assert.deepEqual(await store.jobs.list(), []);
    });

    proves('and stays is not emptied again by a command that waited for it', async (world) => {
      const { store, account, home } = world;
      await store.commit([thingDraft(home, 'before', {})]);
      const lease = { account, kind: 'emptying', object: account, owner: 'another process' };
      await store.jobs.take(lease);
      await store.accounts.beginEmptying(account, false);
      const waits = Promise.withResolvers<void>();
      const jobs = new Proxy(store.jobs, {
        get: (target, name) => {
          if (name === 'take') waits.resolve();
          const member = Reflect.get(target, name);
          return typeof member === 'function' ? member.bind(target) : member;
        },
      });
      const commanded = emptyAccount({ ...store, jobs }, place, account, { isRemoved: false });
      await waits.promise;
      while ((await store.accounts.emptySome(account)) !== undefined);
      const after = await write(store, placeDraft(account, 'after', {}));
      await store.jobs.end(lease);
      assert.ok(await commanded);
      assert.ok(await store.find(place, after.unique_identifier, within(account)));
    });

    proves(
      'and is gone leaves no job, though its process was killed at the very end',
      async (world) => {
        const { store, account } = world;
        await emptyAccount(store, place, account, { isRemoved: true });
        const lease = { account, kind: 'emptying', object: account, owner: 'killed' };
        await store.jobs.take(lease);
        await store.jobs.release(lease);
        const other = createEmptying(store, place);
        while (await other.resume());
        assert.deepEqual(await store.jobs.list(), []);
      },
    );
  });
}

proveOn('SQLite', sqliteGround);
await onPostgres(({ name, ground }) => proveOn(name, ground), [NEWEST]);

/** Small accounts share a commit on PostgreSQL, and none of them pays for another's trouble. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Outcome, StoreUnsure } from '../../src/store/promises/store.ts';
import { connected } from '../support/ask.ts';
import { cutWire } from '../support/cut-wire.ts';
import { opened } from '../support/opened.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { newAccount, outcomesOf, placeDraft, removing, written } from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { isWaitedFor } from '../support/waited-for.ts';

const COMMITTED = 'COMMIT\0';

await onPostgres(({ name, ground }) => {
  const skip = process.env.TEST_DISTRIBUTION !== undefined && 'accounts lie on several servers';
  describe(`Batches of several accounts on ${name}`, { skip }, () => {
    it('share one commit, which has a number of its own in each account', async () => {
      const { each, tokens, a, b, c } = await world(ground);
      await each([a, 'one'], [b, 'one'], [c, 'one']);
      const [ofA, ofB, ofC] = await each([a, 'one', 'two'], [b, 'one', 'three'], [c, 'four']);
      assert.deepEqual(ofA, ['unchanged', 'created']);
      assert.deepEqual(ofB, ['unchanged', 'created']);
      assert.deepEqual(ofC, ['created']);
      const [last, ...others] = await Promise.all([a, b, c].map(tokens));
      for (const other of others) assert.equal(other.at(-1), last?.at(-1));
      assert.equal(new Set(last).size, 3, 'made, and two commits');
    });

    it('are written in their order, so that pages of indexes are filled', async () => {
      const { each, holder, a } = await world(ground);
      await each([a, ...Array.from({ length: 300 }, (_, at) => `row ${at}`)]);
      for (const sql of [
        'SELECT place AS at FROM change ORDER BY ctid',
        `SELECT unique_identifier AS at FROM ${place.resource} ORDER BY ctid`,
      ]) {
        const { rows } = await holder.query<{ at: string }>(sql);
        const written = rows.map(({ at }) => at.padStart(30, '0'));
        assert.deepEqual(written, written.toSorted(), sql);
      }
    });

    it('do not wait for a locked account, which is done when it is free', async () => {
      const { each, holder, a, b, c } = await world(ground);
      await holder.query('BEGIN');
      await holder.query('SELECT FROM account WHERE account = $1 FOR NO KEY UPDATE', [b]);
      let isDone = false;
      const [ofA, ofB, ofC] = each.begin([a, 'one'], [b, 'one', 'two'], [c, 'one']);
      ofB?.then(() => {
        isDone = true;
      });
      for (const free of [ofA, ofC]) assert.deepEqual(outcomesOf((await free) ?? []), ['created']);
      // It has gone on with the locked one, and waits.
      await until(() => isWaitedFor(holder));
      assert.equal(isDone, false);
      await holder.query('COMMIT');
      assert.deepEqual(outcomesOf((await ofB) ?? []), ['created', 'created']);
    });

    it('of one commit are unsure where one account fails and another was done', async () => {
      const { store, holder, a, b } = await world(ground);
      await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
      await holder.query('SELECT FROM account WHERE account = $1 FOR UPDATE', [b]);
      const drafts = [a, b].map((account) => placeDraft(account, 'one', {}));
      await assert.rejects(store.commit(drafts), StoreUnsure);
      await holder.query('COMMIT');
      assert.deepEqual(outcomesOf(await store.commit(drafts)), ['unchanged', 'created']);
    });

    it('have the first of each judged before time runs out for the largest', async () => {
      const { store, a, b } = await world(ground);
      const notes = { rows: Array.from({ length: 2_000 }, (_, at) => ({ [`k${at}`]: at })) };
      const dear = Array.from({ length: 512 }, (_, at) => placeDraft(a, `${at}`, { notes }));
      const [ofA, ofB] = await Promise.all(
        store.commitEach?.([dear, [placeDraft(b, 'one', {})]], { withinMs: 30 }) ?? [],
      );
      assert.equal(outcomesOf(ofA ?? []).at(-1), 'postponed');
      assert.deepEqual(outcomesOf(ofB ?? []), ['created']);
    });

    it('are refused where the account is closed, and written where it is not', async () => {
      const { each, store, a, b, c } = await world(ground);
      await store.accounts.close(b);
      const done = await each([a, 'one'], [b, 'one'], [c, 'one']);
      assert.deepEqual(done, [['created'], ['refused'], ['created']]);
    });

    it('are merged with what others have written since', async () => {
      const { each, other, a, b } = await world(ground);
      await each([a, 'one'], [b, 'one']);
      await other.commit([placeDraft(a, 'one', { notes: { by: 'them' } })]);
      const [ofA] = await Promise.all(each.begin([a, 'one'], [b, 'one']));
      const [changed] = ofA ?? [];
      assert.match(written(changed).record.document, /them/);
      assert.equal(written(changed).record.version, 2, 'it was there as they left it');
    });

    it('share one commit also where their records must be read first', async () => {
      const { each, other, tokens, a, b, c } = await world(ground);
      const names = Array.from({ length: 100 }, (_, at) => `${at}`);
      for (const account of [a, b, c]) {
        const notes = { by: 'them' };
        await other.commit(names.map((name) => placeDraft(account, name, { notes })));
      }
      await each([a, ...names]);
      const some: Names = ['1', '2', '3', '4'];
      const done = await each([b, ...some, 'new'], [c, ...some, 'new']);
      const [ofB, ofC] = await Promise.all([b, c].map(tokens));
      for (const outcomes of done) {
        assert.deepEqual(outcomes, [...some.map(() => 'updated'), 'created']);
      }
      assert.equal(ofB?.at(-1), ofC?.at(-1));
      assert.deepEqual([ofB?.length, ofC?.length], [3, 3], 'made, filled, and one commit');
    });

    it('are answered as if nothing had happened where the answer is lost after it was done', async () => {
      const { each, store, wire, a, b, c } = await world(ground);
      wire.cutAt('back', COMMITTED);
      const done = await each([a, 'one'], [b, 'one', 'two'], [c, 'one']);
      assert.deepEqual(done, [['created'], ['created', 'created'], ['created']]);
      for (const account of [a, b, c]) {
        const pair = { account, parent: account, external_identifier: 'one' };
        assert.equal((await store.findPair(place, pair))?.version, 1);
      }
    });

    it('are tried once where the server refuses them, and say why', async () => {
      const { store, holder, a } = await world(ground);
      const [made] = await store.commit([placeDraft(a, 'one', {})]);
      await holder.query(`CREATE SEQUENCE tries;
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN PERFORM nextval('tries'); RAISE 'refused' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER refused BEFORE DELETE ON place EXECUTE FUNCTION refuse()`);
      await assert.rejects(removing(store, written(made).record), /the disk is full/);
      const { rows } = await holder.query("SELECT nextval('tries')::int AS next");
      assert.deepEqual(rows, [{ next: 2 }]);
    });

    it('whose commit comes late, through a pooler, are not done a second time', async () => {
      const { each, tokens, wire, a, b } = await world(ground);
      await each([a, 'before'], [b, 'before']);
      const title = 'a title that comes late';
      const late = wire.holdAt(title);
      const send = () => each([a, title], [b, 'one']);
      assert.deepEqual(await send(), [['created'], ['created']]);
      const before = await Promise.all([a, b].map(tokens));
      await (await late)();
      assert.deepEqual(await Promise.all([a, b].map(tokens)), before);
      assert.deepEqual(await send(), [['unchanged'], ['unchanged']]);
    });
  });
});

type Names = readonly [account: string, ...names: string[]];

/** A store over a wire that can be cut, another one past it, and three accounts. */
async function world(ground: PostgresCase['ground']) {
  const { url } = await ground();
  const wire = await cutWire(Number(new URL(url).port));
  const { href } = Object.assign(new URL(url), { port: wire.port });
  const options = { shapes, create: true, serve: true };
  const other = await opened({ ...options, url });
  const store = await opened({ ...options, url: href });
  const holder = await connected(url);
  const accounts = ['A', 'B', 'C'].map((name) => newAccount(other, name));
  const [a = '', b = '', c = ''] = await Promise.all(accounts);
  const begin = (...batches: Names[]): readonly Promise<readonly Outcome[]>[] => {
    const drafts = batches.map(([account, ...names]) =>
      names.map((name) => placeDraft(account, name, { title: name })),
    );
    return store.commitEach?.(drafts) ?? assert.fail('the store takes batches by account');
  };
  const each = async (...batches: Names[]): Promise<string[][]> =>
    (await Promise.all(begin(...batches))).map(outcomesOf);
  const tokens = async (account: string): Promise<string[]> => {
    const text = 'SELECT token FROM commit WHERE account = $1 ORDER BY position';
    return (await holder.query<{ token: string }>(text, [account])).rows.map(({ token }) => token);
  };
  return { each: Object.assign(each, { begin }), tokens, store, other, wire, holder, a, b, c };
}

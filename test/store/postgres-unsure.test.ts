/** A commit whose answer is lost on the wire to PostgreSQL: what is answered is what was done. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailable, StoreUnsure } from '../../src/store/promises/store.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { place } from '../support/store-shapes.ts';
import { storeOverWire } from '../support/store-wire.ts';
import { outcomesOf, placeDraft, remove, write, written } from '../support/store-world.ts';
import { until } from '../support/until.ts';

/** What the server says when it has committed. */
const COMMITTED = 'COMMIT\0';

await onPostgres(({ name, ground }) => {
  describe(`A commit on ${name} whose connection is lost`, () => {
    it('after it was done is answered as if nothing had happened', async () => {
      const { store, account, wire, look } = await overWire(ground);
      wire.cutAt('back', COMMITTED);
      const [made] = await store.commit([placeDraft(account, 'a', { title: 'A' })]);
      assert.equal(made?.outcome, 'created');
      assert.deepEqual(await look('a'), written(made).record);

      wire.cutAt('back', COMMITTED);
      const [changed] = await store.commit([placeDraft(account, 'a', { title: 'B' })]);
      assert.equal(changed?.outcome, 'updated');
      assert.deepEqual(await look('a'), written(changed).record);
      assert.equal(written(changed).record.version, 2);
    });

    it('after it was done is answered from its receipt where nothing else was to be written', async () => {
      const { store, account, wire } = await overWire(ground);
      const receipt = {
        owner: 'key_one',
        idempotency_key: 'one',
        fingerprint: new Uint8Array(32).fill(7),
        expires_at: Date.now() + 60_000,
      };
      await store.commit([placeDraft(account, 'a', { title: 'A' })]);
      wire.cutAt('back', COMMITTED);
      const draft = { ...placeDraft(account, 'a', { title: 'A' }), receipt };
      assert.deepEqual(outcomesOf(await store.commit([draft])), ['unchanged']);
      assert.deepEqual(outcomesOf(await store.commit([draft])), ['repeated']);
    });

    it('after it was done in part is answered for that part, and done for the rest', async () => {
      const { store, direct, account, wire, look } = await overWire(ground);
      const draftsOf = (title: string) =>
        ['a', 'b', 'c'].map((name) => placeDraft(account, name, { title }));
      await store.commit(draftsOf('one'));
      await direct.commit([placeDraft(account, 'b', { title: 'theirs', notes: { by: 'them' } })]);
      wire.cutAt('back', COMMITTED);
      const outcomes = await store.commit(draftsOf('two'));
      assert.deepEqual(outcomesOf(outcomes), ['updated', 'updated', 'updated']);
      assert.deepEqual(
        outcomes.map((one) => written(one).record.version),
        [2, 3, 2],
      );
      for (const [at, name] of ['a', 'b', 'c'].entries()) {
        assert.deepEqual(await look(name), written(outcomes[at]).record);
      }
    });

    it('before it was done is refused, and can be repeated', async () => {
      const { store, account, wire, look } = await overWire(ground);
      const draft = placeDraft(account, 'a', { title: 'a title that is not carried' });
      wire.cutAt('there', 'a title that is not carried');
      await assert.rejects(store.commit([draft]), StoreUnavailable);
      assert.equal(await look('a'), undefined);
      assert.deepEqual(outcomesOf(await store.commit([draft])), ['created']);
    });

    it('before anything was written is done on another connection', async () => {
      const { store, account, wire } = await overWire(ground);
      await store.commit([placeDraft(account, 'a', { title: 'A' })]);
      wire.cutAt('there', 'a name that is not carried');
      const draft = placeDraft(account, 'a name that is not carried', {});
      assert.deepEqual(outcomesOf(await store.commit([draft])), ['created']);
    });

    it('and comes late, through a pooler, is not done a second time', async () => {
      const { store, direct, account, wire, look } = await overWire(ground);
      await store.commit([placeDraft(account, 'before', {})]);
      const late = wire.holdAt('a title that comes late');
      const draft = placeDraft(account, 'a', { title: 'a title that comes late' });
      // What was made is removed by others, and the account is closed and reopened, before the late one comes.
      const [made] = await store.commit([draft]);
      assert.equal(made?.outcome, 'created');
      assert.deepEqual(await look('a'), written(made).record);
      await remove(direct, written(made).record);
      await direct.accounts.close(account);
      await direct.accounts.reopen(account);
      const before = await write(direct, placeDraft(account, 'b', {}));
      await (await late)();
      assert.equal(await look('a'), undefined, 'it would have been made once more');
      const next = await write(direct, placeDraft(account, 'b', { title: 'B' }));
      assert.equal(next.position, before.position + 1, 'and no commit was numbered');
    });

    it('after it made a record that others have removed is answered, and not done again', async () => {
      const { store, direct, account, wire, look } = await overWire(ground);
      wire.delayCutAt(COMMITTED);
      const commit = store.commit([placeDraft(account, 'a', { title: 'A' })]);
      const made = await found(() => look('a'));
      await remove(direct, made);
      wire.cutNow();
      const [outcome] = await commit;
      assert.equal(outcome?.outcome, 'created');
      assert.equal(written(outcome).record.unique_identifier, made.unique_identifier);
      assert.equal(await look('a'), undefined);
    });

    it('after it changed a record that others have changed since is answered as it was done', async () => {
      const { store, direct, account, wire, look } = await overWire(ground);
      await store.commit([placeDraft(account, 'a', { title: 'A' })]);
      wire.delayCutAt(COMMITTED);
      const commit = store.commit([placeDraft(account, 'a', { title: 'B' })]);
      await until(async () => (await look('a'))?.version === 2);
      await direct.commit([placeDraft(account, 'a', { title: 'C' })]);
      wire.cutNow();
      const [outcome] = await commit;
      assert.equal(outcome?.outcome, 'updated');
      assert.equal(written(outcome).record.version, 2);
      assert.match((await look('a'))?.document ?? '', /"C"/);
    });

    it('and cannot be made again is refused, and not tried for ever', async () => {
      const { store, account, wire, look } = await overWire(ground);
      wire.staysCut = true;
      wire.cutAt('back', COMMITTED);
      const commit = store.commit([placeDraft(account, 'a', { title: 'A' })]);
      await assert.rejects(commit, StoreUnsure);
      assert.ok(await look('a'), 'it was done, but nobody could tell');
    });
  });
});

/** What there is as soon as there is something. */
async function found<T>(look: () => Promise<T | undefined>): Promise<T> {
  let seen: T | undefined;
  await until(async () => {
    seen = await look();
    return seen !== undefined;
  });
  return seen as T;
}

/** A store over a wire that can be cut, and a look at its records past it. */
async function overWire(ground: PostgresCase['ground']) {
  const { store, direct, account, wire } = await storeOverWire(ground);
  const look = (external_identifier: string) =>
    direct.findPair(place, { account, parent: account, external_identifier });
  return { store, direct, account, wire, look };
}

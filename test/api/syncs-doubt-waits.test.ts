/** A doubt that the store does not take yet is kept: nobody finishes its sync before it is written, and none is lost. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createDoubts } from '../../src/services/syncs/doubts.ts';
import { StoreUnavailable } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';
import { eventBody } from '../support/sent.ts';
import { until } from '../support/until.ts';
import { refused, served } from '../support/world.ts';

const service = served();
const MANY = '/v1/events/upsert_many';
const NAMES = ['1001', '1002', '1003'];
let grounds = 0;

/** A place at which three services are, and a sync that saw the first two, or as yet nothing. */
async function ground(isNew = false) {
  grounds += 1;
  const location = await service.location(`waiting ${grounds}`);
  const { secret: key, key: stored } = await service.newKey({ name: `Nightly ${grounds}` });
  const rows = NAMES.map((name) => eventBody(location, name));
  await service.json(MANY, rows, { key });
  const at = { resource: 'event', location, at_most: '100%' };
  const { body } = await service.json('/v1/syncs', at, { key });
  const sync = body.unique_identifier as string;
  const send = (some: readonly object[], headers = {}) =>
    service.json(MANY, some, { key, headers: { 'Ledgerstone-Sync': sync, ...headers } });
  if (!isNew) await send(rows.slice(0, 2));
  const path = `/v1/syncs/${sync}`;
  return {
    ...{ sync, rows, send },
    key: stored.unique_identifier,
    account: body.account as string,
    shown: async () => (await service.get(path, { key })).body,
    finish: (more = {}) => service.json(`${path}/finish`, more, { key }),
    there: async () => {
      const { body: page } = await service.get(
        `/v1/events?location_unique_identifier=${location}&limit=100`,
      );
      return pluck(page.data, 'external_identifier').sort();
    },
  };
}

const trouble = () => new StoreUnavailable('The disk takes nothing.');

/** What the store does while it is in trouble, each as it is: nothing can be looked up, written, or both. */
const TROUBLES = {
  'nothing can be read of the sync': ['find'],
  'nothing can be noted': ['note'],
  'neither of both': ['find', 'note'],
} as const;

/** Keeps the store from these until it is called. */
function broken(ways: readonly ('find' | 'note')[], error: () => Error = trouble): () => void {
  const { syncs, syncDoubts } = service.app.store;
  const all = ways.map((way) =>
    way === 'find'
      ? mock.method(syncs, 'find', () => Promise.reject(error()))
      : mock.method(syncDoubts, 'note', () => Promise.reject(error())),
  );
  return () => {
    for (const one of all) one.mock.restore();
  };
}

/** The end of a request that a test notes itself. */
const ended = (at: number, more = {}) => ({
  request: `req_${String(at).padStart(22, '0')}`,
  ...({ name: '', reason: 'refused', status: 503, code: 'service_unavailable' } as const),
  ...{ rows: 0, unnamed: 0, lines: [], answers: { requests: [], names: [] } },
  ...more,
});

describe('Doubts that wait', () => {
  afterEach(() => mock.restoreAll());

  for (const [what, ways, isNew] of Object.entries(TROUBLES).flatMap(
    ([name, all]) =>
      [
        [name, all, false],
        [`${name}, and the sync is new`, all, true],
      ] as const,
  ))
    it(`are there for who finishes as soon as the store is well: ${what}`, async () => {
      const g = await ground(isNew);
      const mend = broken(ways);
      const answer = await g.send(g.rows.slice(2), { 'Ledgerstone-Account': 'act_none' });
      assert.ok(answer.status >= 400, answer.text);
      mend();
      refused(await g.finish(), 409, 'sync_in_doubt');
      assert.deepEqual(await g.there(), NAMES);
      const [{ request }] = (await g.shown()).doubts;
      assert.equal(request, answer.headers.get('Request-Id'));
      // The same again, taken.
      await g.send(g.rows, { 'Ledgerstone-Instead-Of': request });
      assert.equal((await g.finish()).body.status, 'finished');
      assert.deepEqual(await g.there(), NAMES);
    });

  it('keep the sync from being finished while the store takes none', async () => {
    const g = await ground();
    const mend = broken(['note']);
    await g.send([7 as unknown as object]);
    refused(await g.finish(), 503, 'service_unavailable');
    refused(await g.finish({ despite: 'all' }), 503, 'service_unavailable');
    // It is shown all the same.
    assert.equal((await g.shown()).status, 'open');
    mend();
    refused(await g.finish(), 409, 'sync_in_doubt');
    assert.deepEqual(await g.there(), NAMES);
  });

  it('are all counted, where more wait than are kept', async () => {
    for (const ways of Object.values(TROUBLES)) {
      const g = await ground();
      const { store } = service.app;
      const doubts = createDoubts({ store, now: Date.now });
      const sender = { key: g.key, scope: { accounts: new Set([g.account]), anchors: undefined } };
      const mend = broken(ways);
      const all = Array.from({ length: 10_205 }, (_, at) => at);
      const noted = all.map((at) => doubts.note(sender, g.sync, ended(at), false));
      const done = await Promise.allSettled(noted);
      assert.ok(done.every(({ status }) => status === 'rejected'));
      mend();
      await until(async () => (await g.shown()).doubts_count === all.length);
      refused(await g.finish(), 409, 'sync_in_doubt');
      const finished = await g.finish({ despite: 'all' });
      assert.deepEqual(finished.body.removed, { event: 1 }, finished.text);
    }
  });

  it('are all counted, where more come while some are written', async () => {
    const g = await ground();
    const doubts = createDoubts({ store: service.app.store, now: Date.now });
    const sender = { key: g.key, scope: { accounts: new Set([g.account]), anchors: undefined } };
    await doubts.note(sender, g.sync, ended(0), false);
    const { promise, resolve } = Promise.withResolvers<void>();
    const { syncDoubts: book } = service.app.store;
    const { note } = book;
    const held = mock.method(book, 'note', async (...some: Parameters<typeof note>) => {
      await promise;
      return note.apply(book, some);
    });
    const noted = [doubts.note(sender, g.sync, ended(1), false)];
    await until(() => held.mock.callCount() === 1);
    for (let at = 2; at < 10_302; at += 1)
      noted.push(doubts.note(sender, g.sync, ended(at), false));
    resolve();
    await Promise.all(noted);
    assert.equal((await g.shown()).doubts_count, 10_302);
  });

  it('are counted where the store refuses one for good, and the others are taken', async () => {
    const g = await ground();
    const { syncDoubts: book } = service.app.store;
    const { note } = book;
    mock.method(book, 'note', async (...some: Parameters<typeof note>) => {
      if (some[1].length > 0) throw new TypeError('No store can hold this.');
      return note.apply(book, some);
    });
    await g.send([7 as unknown as object]);
    mock.restoreAll();
    const count = async () => (await g.shown()).doubts_count;
    await until(async () => (await count()) > 0);
    refused(await g.finish(), 409, 'sync_in_doubt');
    const before = await count();
    await g.send([7 as unknown as object]);
    assert.equal(await count(), before + 1);
  });

  it('are tried once in a second, however many wait', async () => {
    const g = await ground();
    const doubts = createDoubts({ store: service.app.store, now: Date.now });
    const sender = { key: g.key, scope: { accounts: new Set([g.account]), anchors: undefined } };
    await doubts.note(sender, g.sync, ended(0), false);
    const { syncDoubts: book } = service.app.store;
    const tried = mock.method(book, 'note', () => Promise.reject(trouble()));
    for (let at = 1; at <= 50; at += 1)
      await assert.rejects(doubts.note(sender, g.sync, ended(at), false));
    const before = tried.mock.callCount();
    await pause(3_500);
    const more = tried.mock.callCount() - before;
    assert.ok(more <= 4, `${more} tries`);
    mock.restoreAll();
    await until(async () => (await g.shown()).doubts_count === 51);
  });
});

/** `api.sync` sends all that a source has, and removes what it left out; where it fails, it can be gone on with. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sync } from '../../client/src/index.ts';
import { all, clientOf, errorOf } from '../support/client.ts';
import { pluck } from '../support/pluck.ts';
import { joinService } from '../support/service.ts';

const service = await joinService();
let grounds = 0;

async function ground() {
  grounds += 1;
  const name = `Nightly ${grounds}`;
  const location = await service.location(name);
  const { secret: key } = await service.newKey({ name });
  const { api, tries } = clientOf({ ...service, key });
  const row = (external_identifier: string, event_name = 'A service') => ({
    ...{ location_unique_identifier: location, external_identifier, event_name },
    event_datetime: '2027-03-20T14:30:00Z',
  });
  const rowsOf = (...names: readonly string[]) => names.map((name) => row(name));
  const there = async () => {
    const found = await all(api.events.list({ location_unique_identifier: location }));
    return found.map((one) => one.external_identifier).sort();
  };
  return { api, tries, location, row, rowsOf, there, of: { resource: 'event', location } as const };
}

describe('api.sync', { concurrency: true }, () => {
  it('sends rows as they come, removes the rest, and tells what became of each', async () => {
    const { api, tries, row, rowsOf, there, of } = await ground();
    await api.sync(of, rowsOf('a', 'b', 'c', 'wrong'));
    assert.deepEqual(await there(), ['a', 'b', 'c', 'wrong']);
    async function* rows() {
      yield row('a');
      yield row('b', 'Another name');
      yield row('d');
      yield { ...row('wrong'), event_datetime: 'soon' };
    }
    const before = tries.length;
    const done = await api.sync(of, rows(), { atMost: '5%', rows: 2 });
    assert.deepEqual(await there(), ['a', 'b', 'd', 'wrong']);
    const { created, updated, unchanged, refused, removed, left, sync, refusals } = done;
    assert.deepEqual(
      { created, updated, unchanged, refused, removed, left },
      { created: 1, updated: 1, unchanged: 1, refused: 1, removed: { event: 1 }, left: 0 },
    );
    assert.equal(sync.status, 'finished');
    assert.deepEqual(pluck(sync.records, 'external_identifier'), ['c']);
    const faults = refusals.map(({ index, error }) => [index, error.param]);
    assert.deepEqual(faults, [[3, 'event_datetime']]);
    const sent = tries.slice(before).filter(({ url }) => url.pathname.endsWith('upsert_many'));
    const { unique_identifier: id } = sync;
    const told = sent.map(({ headers }) => headers.get('Ledgerstone-Sync'));
    assert.deepEqual(told, [id, id]);
  });

  it('says when its data was taken, by a date or a text', async () => {
    for (const asOf of [new Date(Date.now() - 60_000), '2026-01-01T00:00:00Z']) {
      const { api, row, of } = await ground();
      await api.events.upsert(row('live'));
      const { sync, left } = await api.sync(of, [], { asOf, atMost: '100%' });
      const { as_of, left: named } = sync;
      assert.deepEqual([as_of, left, named[0]?.reason], [new Date(asOf).toISOString(), 1, 'newer']);
    }
    const { api, of } = await ground();
    await assert.rejects(api.sync(of, [], { asOf: new Date('x') }), /asOf is no valid date/);
  });

  it('removes nothing where the rows break off, and goes on with the sync', async () => {
    const { api, row, rowsOf, there, of } = await ground();
    await api.sync(of, rowsOf('a', 'b', 'c'));
    const begun: Sync[] = [];
    async function* broken() {
      yield row('a');
      throw new Error('the export broke off');
    }
    const failed = api.sync(of, broken(), { begun: (sync) => void begun.push(sync) });
    await assert.rejects(failed, /the export broke off/);
    assert.deepEqual(await there(), ['a', 'b', 'c']);
    const [open] = begun;
    assert.ok(open);
    const { unique_identifier } = open;
    const done = await api.sync({ resource: 'event', unique_identifier }, [row('b')]);
    assert.equal(done.sync.unique_identifier, unique_identifier);
    assert.deepEqual(done.removed, { event: 1 });
    assert.deepEqual(await there(), ['a', 'b']);
  });

  it('throws where more would go than is allowed, and finishes with a larger share', async () => {
    const { api, row, rowsOf, there, of } = await ground();
    const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
    await api.sync(of, rowsOf(...names));
    let id = '';
    const begun = ({ unique_identifier }: Sync) => {
      id = unique_identifier;
    };
    const error = await errorOf(api.sync(of, [row('n0')], { atMost: '10%', begun }));
    assert.deepEqual([error.code, error.param], ['sync_removes_too_much', 'at_most']);
    assert.equal((await there()).length, 20);
    const would = await api.syncs.finish(id, { dry_run: true });
    assert.deepEqual([would.status, would.removed], ['open', { event: 19 }]);
    const finished = await api.syncs.finish(id, { at_most: '95%' });
    assert.deepEqual(finished.removed, { event: 19 });
    const undone = await api.syncs.undo(id);
    assert.deepEqual([undone.status, undone.restored], ['undone', 19]);
    assert.equal((await there()).length, 20);
  });
});

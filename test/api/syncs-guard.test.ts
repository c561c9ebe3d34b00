/** What finishing a sync would remove is weighed at each location, with what is below it, and against all that there was. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyed } from '../support/secret-key.ts';
import { eventBody, locationBody, visitorBody } from '../support/sent.ts';
import { refused, served } from '../support/world.ts';

const service = served({ settings: keyed() });
let grounds = 0;

const named = (length: number, of = 'n') => Array.from({ length }, (_, at) => `${of}${at}`);

/** An account's locations with so many services each. */
async function ground(...sizes: readonly number[]) {
  grounds += 1;
  const { secret: key } = await service.newKey({ name: `Group ${grounds}` });
  const account = service.account.unique_identifier;
  const names = named(sizes.length, `home-${grounds}-`);
  const sendAll = async (path: string, rows: readonly object[], sync?: string) => {
    const headers = { headers: { ...(sync && { 'Ledgerstone-Sync': sync }) } };
    for (let from = 0; from === 0 || from < rows.length; from += 1_000) {
      const some = rows.slice(from, from + 1_000);
      const sent = await service.json(`/v1/${path}/upsert_many`, some, { key, ...headers });
      assert.equal(sent.body.summary?.failed, 0, sent.text.slice(0, 300));
      if (from + 1_000 >= rows.length)
        return sent.body.data.map((one: { unique_identifier: string }) => one.unique_identifier);
    }
  };
  const homes = names.map((name) => locationBody(account, name));
  const ids: readonly string[] = await sendAll('locations', homes);
  const rowsAt = (at: number, some: readonly string[]) =>
    some.map((one) => eventBody(ids[at], one));
  const all = sizes.map((size, at) => rowsAt(at, named(size)));
  await sendAll('events', all.flat());
  const night = async (
    rows: readonly object[],
    more: object = {},
    how: object = {},
    path = 'events',
  ) => {
    const resource = path.slice(0, -1);
    const begun = await service.json('/v1/syncs', { resource, account, ...more }, { key });
    const sync = begun.body.unique_identifier;
    await sendAll(path, rows, sync);
    const finish = async (with_: object) => {
      let done = await service.json(`/v1/syncs/${sync}/finish`, with_, { key });
      while (done.body.status === 'finishing')
        done = await service.json(`/v1/syncs/${sync}/finish`, with_, { key });
      return done;
    };
    const dry = await finish({ ...how, dry_run: true });
    const done = await finish(how);
    assert.equal(dry.body.refusal, done.body.error?.message ?? null, 'a dry run says the same');
    return { done, finish };
  };
  return { key, account, names, homes, ids, all, rowsAt, night, sendAll };
}

describe('A sync that would remove much', () => {
  it('is asked about at each location that would keep none, however few they are', async () => {
    for (const few of [3, 8, 20]) {
      const { all, names, ids, night } = await ground(...Array(40).fill(20), few);
      const { done, finish } = await night(all.slice(0, 40).flat());
      refused(done, 409, 'sync_removes_too_much', 'at_most');
      assert.ok(
        done.body.error.message.includes(`${names[40]} (${ids[40]}) would lose all ${few}`),
        done.body.error.message,
      );
      refused(await finish({ at_most: '99%' }), 409, 'sync_removes_too_much');
      assert.deepEqual((await finish({ at_most: '100%' })).body.removed, { event: few });
    }
  });

  it('is asked about where a location would lose more than at_most, and more than ten', async () => {
    const { all, rowsAt, names, ids, night } = await ground(40, 400);
    const { done, finish } = await night([...rowsAt(0, named(28)), ...(all[1] ?? [])]);
    refused(done, 409, 'sync_removes_too_much');
    assert.ok(done.body.error.message.includes(`${names[0]} (${ids[0]}) would lose 12 of 40`));
    assert.match(done.body.error.message, /such as 30%/);
    assert.deepEqual((await finish({ at_most: '30%' })).body.removed, { event: 12 });
  });

  it('goes without a word where ten or fewer go, and others of the location stay', async () => {
    const { rowsAt, night } = await ground(12);
    assert.deepEqual((await night(rowsAt(0, named(2)))).done.body.removed, { event: 10 });
    const two = await ground(2, 20);
    const { done } = await two.night(two.all.slice(1).flat());
    assert.deepEqual(done.body.removed, { event: 2 }, 'a place that had two is not asked about');
  });

  it('keeps none of what it had where new records take the place of all', async () => {
    const { rowsAt, night, ids } = await ground(9);
    const { done } = await night(rowsAt(0, named(9, 'renumbered-')), {
      account: undefined,
      location: ids[0],
    });
    refused(done, 409, 'sync_removes_too_much');
  });

  it('removes nothing with at_most=0%', async () => {
    const { rowsAt, night } = await ground(100);
    const { done, finish } = await night(rowsAt(0, named(99)), { at_most: '0%' });
    refused(done, 409, 'sync_removes_too_much');
    assert.deepEqual((await finish({ at_most: '1%' })).body.removed, { event: 1 });
    const { done: none } = await night(rowsAt(0, named(99)), { at_most: '0%' });
    assert.deepEqual(none.body.removed, {}, none.text);
  });

  it('counts what is at a location like the location', async () => {
    const { key, homes, ids, night, sendAll } = await ground(...Array(100).fill(0), 0);
    const events = ids.slice(0, 4).flatMap((id) => named(24).map((one) => eventBody(id, one)));
    const made = await sendAll('events', events);
    await sendAll(
      'event_check_in_records',
      made.flatMap((id: string) => named(9).map((one) => visitorBody(id, one))),
    );
    const { done } = await night(homes.slice(4), { resource: 'location' }, {}, 'locations');
    refused(done, 409, 'sync_removes_too_much');
    assert.match(done.body.error.message, /964 of/, done.body.error.message);
    const { body } = await service.get('/v1/locations?limit=1000', { key });
    assert.ok(
      ids.every((id) =>
        body.data.some((one: { unique_identifier: string }) => one.unique_identifier === id),
      ),
    );
  });
});

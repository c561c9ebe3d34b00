/** What was removed comes back below the records that have the places of those it belonged to, in every way of bringing back; what cannot is named. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pluck } from '../support/pluck.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import { type Body, joinService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const VISITORS = 'event_check_in_records';
const DATA = { event_datetime: '2027-01-01T10:00:00Z' };
let count = 0;

async function ground() {
  const service = await joinService();
  count += 1;
  const name = `returns ${count}`;
  const account = service.account.unique_identifier;
  const place = { account_unique_identifier: account, external_identifier: name };
  const home = async (): Promise<string> => {
    const sent = { ...place, location_name: 'Hill' };
    return (await service.json('/v1/locations/upsert', sent)).body.unique_identifier;
  };
  const event = async (location: string, id: string): Promise<Body> =>
    (await service.json('/v1/events/upsert', eventBody(location, id, DATA))).body;
  const visitor = async (event: string, id: string): Promise<Body> =>
    (await service.json(`/v1/${VISITORS}/upsert`, visitorBody(event, id))).body;
  const remove = async (path: string, id: string): Promise<string> => {
    const answer = await service.send('DELETE', `/v1/${path}/${id}?cascade=true`);
    assert.equal(answer.status, 200, answer.text);
    return answer.headers.get('ledgerstone-removal') ?? '';
  };
  const restore = async (removal: string, query = '', key?: string): Promise<Body> => {
    const path = `/v1/removals/${removal}/restore${query}`;
    const answer = await service.send('POST', path, key === undefined ? {} : { key });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  return { service, home, event, visitor, remove, restore };
}

/** The external identifiers of a location's visitors, each behind that of its event. */
async function visitorsAt(service: Service, location: string): Promise<readonly string[]> {
  const list = (path: string, more = '') =>
    service.get(`/v1/${path}?location_unique_identifier=${location}&limit=1000${more}`);
  const found: string[] = [];
  for (const { unique_identifier, external_identifier } of (await list('events')).body.data) {
    const { body } = await list(VISITORS, `&event_unique_identifier=${unique_identifier}`);
    for (const one of body.data) found.push(`${external_identifier}/${one.external_identifier}`);
  }
  const { body } = await list(VISITORS);
  assert.equal(body.data.length, found.length, 'each is at the location of what it belongs to');
  return found.sort();
}

describe('What was removed comes back', () => {
  it('below a location that was sent again, and the services that were', async () => {
    const { service, home, event, visitor, remove, restore } = await ground();
    const before = await home();
    for (const id of ['a', 'b']) await visitor((await event(before, id)).unique_identifier, 'v');
    const removal = await remove('locations', before);
    const after = await home();
    const b = await event(after, 'b');
    await visitor(b.unique_identifier, 'w');
    const done = await restore(removal);
    assert.deepEqual(pluck(done.left, 'resource', 'code'), [
      ['location', 'record_exists'],
      ['event', 'record_exists'],
    ]);
    assert.deepEqual(await visitorsAt(service, after), ['a/v', 'b/v', 'b/w']);
  });

  it('by itself, below the record that has the place of the one it belonged to', async () => {
    const { service, home, event, visitor, remove } = await ground();
    const location = await home();
    const { unique_identifier: a } = await event(location, 'a');
    const one = await visitor(a, 'v');
    await remove(VISITORS, one.unique_identifier);
    await remove('events', a);
    const path = `/v1/${VISITORS}/${one.unique_identifier}/restore`;
    const early = await service.json(path, { version: 1 });
    assert.deepEqual([early.status, early.body.error.code], [404, 'resource_missing']);
    assert.match(early.body.error.message, /restore the event first, or send it again/);
    await event(location, 'a');
    for (const query of ['?dry_run=true', ''])
      assert.equal((await service.json(`${path}${query}`, { version: 1 })).status, 200, query);
    assert.deepEqual(await visitorsAt(service, location), ['a/v']);
  });

  it('nowhere that the key may not see', async () => {
    const { service, home, event, visitor, remove, restore } = await ground();
    const before = await home();
    const { unique_identifier: a } = await event(before, 'a');
    await visitor(a, 'v');
    const { secret } = await service.newKey({ anchors: [before], permissions: ['read', 'write'] });
    const removal = await remove('events', a);
    await remove('locations', before);
    const after = await home();
    const done = await restore(removal, '', secret);
    assert.deepEqual(pluck(done.left, 'code'), ['resource_missing', 'resource_missing']);
    assert.deepEqual(await visitorsAt(service, after), []);
    assert.equal((await restore(removal)).restored, 2);
    assert.deepEqual(await visitorsAt(service, after), ['a/v']);
  });

  it('all of it or named, as a dry run says, whatever was sent again', async () => {
    const { service, home, event, visitor, remove, restore } = await ground();
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
    const tree = fc.dictionary(fc.constantFrom('a', 'b', 'c'), names);
    await fc.assert(
      fc.asyncProperty(tree, tree, fc.boolean(), async (had, again, isHome) => {
        const make = async (location: string, tree: Readonly<Record<string, string[]>>) => {
          for (const [id, visitors] of Object.entries(tree)) {
            const { unique_identifier } = await event(location, id);
            for (const one of visitors) await visitor(unique_identifier, one);
          }
        };
        const location = await home();
        await make(location, had);
        const removals: string[] = [];
        if (isHome) removals.push(await remove('locations', location));
        else
          for (const { unique_identifier } of (
            await service.get(`/v1/events?location_unique_identifier=${location}`)
          ).body.data)
            removals.push(await remove('events', unique_identifier));
        const now = await home();
        await make(now, again);
        for (const removal of removals) {
          const said = await restore(removal, '?dry_run=true');
          const done = await restore(removal);
          assert.deepEqual(said, done);
        }
        const all = new Set(
          [had, again].flatMap((tree) =>
            Object.entries(tree).flatMap(([id, visitors]) => visitors.map((one) => `${id}/${one}`)),
          ),
        );
        assert.deepEqual(await visitorsAt(service, now), [...all].sort());
        await remove('locations', now);
      }),
      { numRuns: 15 },
    );
  });
});

describe('An undone sync', () => {
  it('puts back what went with records that the next one sent again, and names what stays removed', async () => {
    const { service, home, event, visitor } = await ground();
    const location = await home();
    const { secret: key } = await service.newKey({ name: 'Nightly' });
    const sync = async (ids: readonly string[]): Promise<string> => {
      const { body } = await service.json('/v1/syncs', { resource: 'event', location }, { key });
      const headers = { 'Ledgerstone-Sync': body.unique_identifier };
      const rows = ids.map((id) => eventBody(location, id, DATA));
      await service.json('/v1/events/upsert_many', rows, { key, headers });
      const path = `/v1/syncs/${body.unique_identifier}/finish`;
      await until(async () => {
        const done = await service.json(path, { at_most: '100%' }, { key });
        return done.body.status === 'finished';
      });
      return body.unique_identifier;
    };
    await sync(['a', 'b', 'c', 'd']);
    const { data } = (await service.get(`/v1/events?location_unique_identifier=${location}`)).body;
    for (const one of data) {
      const sent = visitorBody(one.unique_identifier, 'v');
      await service.json(`/v1/${VISITORS}/upsert`, sent, { key });
    }
    const bad = await sync(['a']);
    await sync(['a', 'b', 'c']);
    // Somebody has come again meanwhile.
    await visitor((await event(location, 'b')).unique_identifier, 'v');
    let undone = await service.send('POST', `/v1/syncs/${bad}/undo`, { key });
    await until(async () => {
      undone = await service.send('POST', `/v1/syncs/${bad}/undo`, { key });
      return undone.body.status !== 'undoing';
    });
    const { status, restored, left_count, left } = undone.body;
    assert.deepEqual([status, restored, left_count], ['undone', 3, 3], undone.text);
    assert.deepEqual(pluck(left, 'resource', 'external_identifier', 'reason').sort(), [
      ['event', 'b', 'replaced'],
      ['event', 'c', 'replaced'],
      ['event_check_in_record', 'v', 'replaced'],
    ]);
    assert.deepEqual(await visitorsAt(service, location), ['a/v', 'b/v', 'c/v', 'd/v']);
  });
});

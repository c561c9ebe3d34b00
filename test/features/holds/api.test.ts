/** What a person holds is kept by every way in, until it is released or its time has passed. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withAll } from '../../support/all.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { served } from '../../support/world.ts';

describe('Holds', () => {
  let officer: string;
  let account: string;
  let location: string;
  const clock = { now: Date.parse('2027-01-10T12:00:00Z') };

  const send = (path: string, body: object, key?: string) =>
    service.json(path, body, key === undefined ? {} : { key });
  const ok = async (answer: ReturnType<typeof send>): Promise<Body> => {
    const { status, body, text } = await answer;
    assert.equal(status, 200, text);
    return body;
  };
  const place = (more: object) => send('/v1/holds', { account, matter: 'Case', ...more }, officer);
  const release = (id: string) =>
    ok(send(`/v1/holds/${id}/release`, { reason: 'closed' }, officer));
  const made = (name: string) =>
    ok(
      send('/v1/events/upsert', {
        ...{ location_unique_identifier: location, external_identifier: name, event_name: name },
        event_datetime: '2027-03-20T14:30:00Z',
      }),
    );
  const remove = async ({ unique_identifier }: Body, query = '?cascade=true') => {
    const path = `/v1/events/${unique_identifier}${query}`;
    const { status, body } = await service.send('DELETE', path);
    return [status, body.error?.code];
  };

  const service = served({ now: () => clock.now }, async () => {
    account = service.account.unique_identifier;
    officer = (await service.newKey({ permissions: ['read'], allow: ['hold'] })).secret;
    location = await service.location();
  });

  it('are placed, listed, read and released', async () => {
    const event = await made('listed');
    const placed = await ok(
      place({ record: event.unique_identifier, reason: 'letter', until: '2028-01-01T00:00:00Z' }),
    );
    assert.deepEqual(
      { ...placed, unique_identifier: '', inserted_at: '' },
      {
        ...{ object: 'hold', unique_identifier: '', account, resource: 'event' },
        ...{ record: event.unique_identifier, matter: 'Case', reason: 'letter', status: 'active' },
        ...{ until: '2028-01-01T00:00:00Z', released_at: null, released_because: null },
        ...{ placed_by: placed.placed_by, released_by: null, inserted_at: '' },
      },
    );
    const path = `/v1/holds/${placed.unique_identifier}`;
    assert.deepEqual((await service.get(path, { key: officer })).body, placed);
    const whole = await ok(place({}));
    assert.deepEqual([whole.resource, whole.record], ['account', account]);
    const list = async (query: string) =>
      (await service.get(`/v1/holds${query}`, { key: officer })).body.data.map(
        (one: Body) => one.unique_identifier,
      );
    const [newer, older] = [whole.unique_identifier, placed.unique_identifier];
    assert.deepEqual(await list(''), [newer, older]);
    assert.deepEqual(await list('?limit=1'), [newer]);
    assert.deepEqual(await list(`?limit=1&starting_after=${newer}`), [older]);
    assert.deepEqual(await list(`?record=${event.unique_identifier}`), [newer, older]);
    assert.deepEqual(await list(`?record=${location}`), [newer]);
    assert.match(placed.placed_by, /^key_/);
    const released = await release(older);
    assert.deepEqual([released.status, released.released_because], ['released', 'closed']);
    assert.deepEqual([placed.released_by, released.released_by], [null, placed.placed_by]);
    assert.deepEqual(await release(older), released, 'again does nothing');
    assert.deepEqual(await list(`?record=${event.unique_identifier}`), [newer]);
    await release(newer);
  });

  it('say what is wrong with them', async () => {
    const faults = async (more: object) => {
      const { status, body } = await place(more);
      return [status, body.error.code, body.error.param];
    };
    assert.deepEqual(await faults({ record: 'evt_036Vq1rXbU9kTqPpLw3aZc' }), [
      404,
      'resource_missing',
      'record',
    ]);
    assert.deepEqual(await faults({ record: 'x' }), [404, 'resource_missing', 'record']);
    assert.deepEqual(await faults({ until: '2020-01-01T00:00:00Z' }), [
      400,
      'value_invalid',
      'until',
    ]);
  });

  it('refuse every removal, say so in a dry run, and take changes', async () => {
    const event = await made('kept');
    const hold = await ok(place({ record: location }));
    const { body } = await service.send('DELETE', `/v1/locations/${location}?cascade=true`);
    assert.match(body.error.message, new RegExp(hold.unique_identifier));
    assert.deepEqual(await remove(event), [409, 'record_held']);
    assert.deepEqual(await remove(event, '?cascade=true&dry_run=true'), [409, 'record_held']);
    const pair = `?location_unique_identifier=${location}&external_identifier=kept`;
    const { status } = await service.send('DELETE', `/v1/events${pair}`);
    assert.equal(status, 409);
    const later = await made('later');
    assert.deepEqual(await remove(later), [409, 'record_held']);
    await ok(
      send('/v1/events/upsert', {
        ...{ location_unique_identifier: location, external_identifier: 'kept' },
        ...{ event_name: 'Changed', event_datetime: '2027-03-20T14:30:00Z' },
      }),
    );
    const path = `/v1/events/${event.unique_identifier}/history`;
    const history = await service.get(path);
    assert.deepEqual([history.body.held_by, history.body.data.length], [hold.unique_identifier, 2]);
    await assert.rejects(service.app.store.accounts.wipe(account), {
      code: 'record_held',
      message: /keeps this account, or a record of it/,
    });
    await release(hold.unique_identifier);
    assert.ok(!('held_by' in (await service.get(path)).body));
    assert.deepEqual(await remove(event), [200, undefined]);
    const removed = await ok(place({ record: location }));
    assert.equal((await service.get(path)).body.held_by, removed.unique_identifier);
    await release(removed.unique_identifier);
  });

  it('end with their time', withAll, async () => {
    const event = await made('timed');
    await ok(place({ record: event.unique_identifier, until: '2027-01-11T00:00:00Z' }));
    assert.deepEqual(await remove(event), [409, 'record_held']);
    clock.now = Date.parse('2027-01-11T00:00:00Z');
    await until(async () => (await remove(event))[0] === 200, 60_000);
  });
});

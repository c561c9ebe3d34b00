/** What a person holds is kept by every way in, until it is released or its time has passed. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withAll } from '../../support/all.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { wipe } from '../../support/wipe.ts';
import { refused, world } from '../../support/world.ts';

describe('Holds', () => {
  const clock = { now: Date.parse('2027-01-10T12:00:00Z') };
  const on = world({ now: () => clock.now });
  const { service, funeral: made, release } = on;
  const place = (hold: object) =>
    service.json(
      '/v1/holds',
      { account: on.account, matter: 'Case', ...hold },
      { key: on.officer },
    );
  const remove = async ({ unique_identifier }: Body, query = '?cascade=true') => {
    const path = `/v1/events/${unique_identifier}${query}`;
    const { status, body } = await service.send('DELETE', path);
    return [status, body.error?.code];
  };

  it('are placed, listed, read and released', async () => {
    const event = await made('listed');
    const placed = await on.place({
      record: event.unique_identifier,
      reason: 'letter',
      until: '2028-01-01T00:00:00Z',
    });
    assert.deepEqual(
      { ...placed, unique_identifier: '', inserted_at: '' },
      {
        ...{ object: 'hold', unique_identifier: '', account: on.account, resource: 'event' },
        ...{ record: event.unique_identifier, matter: 'Case', reason: 'letter', status: 'active' },
        ...{ until: '2028-01-01T00:00:00Z', released_at: null, released_because: null },
        ...{ placed_by: placed.placed_by, released_by: null, inserted_at: '' },
      },
    );
    const path = `/v1/holds/${placed.unique_identifier}`;
    assert.deepEqual(await on.read(path), placed);
    const whole = await on.place({});
    assert.deepEqual([whole.resource, whole.record], ['account', on.account]);
    const list = async (query: string) =>
      (await on.read(`/v1/holds${query}`)).data.map((one: Body) => one.unique_identifier);
    const [newer, older] = [whole.unique_identifier, placed.unique_identifier];
    assert.deepEqual(await list(''), [newer, older]);
    assert.deepEqual(await list(`?record=${event.unique_identifier}`), [newer, older]);
    assert.deepEqual(await list(`?record=${on.location}`), [newer]);
    assert.match(placed.placed_by, /^key_/);
    const released = await release(older);
    assert.deepEqual([released.status, released.released_because], ['released', 'closed']);
    assert.deepEqual([placed.released_by, released.released_by], [null, placed.placed_by]);
    assert.deepEqual(await release(older), released, 'again does nothing');
    assert.deepEqual(await list(`?record=${event.unique_identifier}`), [newer]);
    await release(newer);
  });

  it('say what is wrong with them', async () => {
    refused(await place({ record: 'x' }), 404, 'resource_missing', 'record');
    refused(await place({ until: '2020-01-01T00:00:00Z' }), 400, 'value_invalid', 'until');
  });

  it('refuse every removal, say so in a dry run, and take changes', async () => {
    const event = await made('kept');
    const hold = await on.place({ record: on.location });
    const { body } = await service.send('DELETE', `/v1/locations/${on.location}?cascade=true`);
    assert.match(body.error.message, new RegExp(hold.unique_identifier));
    assert.deepEqual(await remove(event), [409, 'record_held']);
    assert.deepEqual(await remove(event, '?cascade=true&dry_run=true'), [409, 'record_held']);
    const pair = `?location_unique_identifier=${on.location}&external_identifier=kept`;
    assert.equal((await service.send('DELETE', `/v1/events${pair}`)).status, 409);
    assert.deepEqual(await remove(await made('later')), [409, 'record_held']);
    await made('kept', { event_name: 'Changed' });
    const path = `/v1/events/${event.unique_identifier}/history`;
    const history = await service.get(path);
    assert.deepEqual([history.body.held_by, history.body.data.length], [hold.unique_identifier, 2]);
    await assert.rejects(wipe(service.app.store, on.account), {
      code: 'record_held',
      message: /keeps this account, or a record of it/,
    });
    await release(hold.unique_identifier);
    assert.ok(!('held_by' in (await service.get(path)).body));
    assert.deepEqual(await remove(event), [200, undefined]);
    const removed = await on.place({ record: on.location });
    assert.equal((await service.get(path)).body.held_by, removed.unique_identifier);
    await release(removed.unique_identifier);
  });

  it('end with their time', withAll, async () => {
    const event = await made('timed');
    await on.place({ record: event.unique_identifier, until: '2027-01-11T00:00:00Z' });
    assert.deepEqual(await remove(event), [409, 'record_held']);
    clock.now = Date.parse('2027-01-11T00:00:00Z');
    await until(async () => (await remove(event))[0] === 200, 60_000);
  });
});

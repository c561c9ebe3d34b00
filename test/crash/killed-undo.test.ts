/** `kill -9` after every statement with which a sync is undone: all that it removed is there again, and counted once. */
// needs: program, waits
import assert from 'node:assert/strict';
import { killedAtEachStep } from '../support/killed-steps.ts';
import { until } from '../support/until.ts';

const SERVICES = [0, 1, 2];

let count = 0;

await killedAtEachStep('The undoing of a sync', [], async ({ account, ok, send }) => {
  count += 1;
  const { unique_identifier: location } = await ok('/v1/locations/upsert', {
    ...{ account_unique_identifier: account, external_identifier: `home ${count}` },
    location_name: 'Home',
  });
  const records: [string, string][] = [];
  for (const at of SERVICES) {
    const { unique_identifier: event } = await ok('/v1/events/upsert', {
      ...{ location_unique_identifier: location, external_identifier: `service ${at}` },
      ...{ event_name: 'A service', event_datetime: '2027-03-20T14:30:00Z' },
    });
    const guest = await ok('/v1/event_check_in_records/upsert', {
      ...{ event_unique_identifier: event, external_identifier: 'guest' },
      ...{ visitor_full_name: 'Nora Lane', visitor_phone_number: '+12175550153' },
    });
    records.push(['events', event], ['event_check_in_records', guest.unique_identifier]);
  }
  const { unique_identifier: sync } = await ok('/v1/syncs', { resource: 'event', location });
  const path = `/v1/syncs/${sync}`;
  await send(`${path}/finish`, {});
  await until(async () => (await ok(path)).status === 'finished');
  const undo = () => send(`${path}/undo`, undefined, { method: 'POST' });
  const isUndone = () => until(async () => (await ok(path)).status === 'undone');

  return {
    async act() {
      await undo();
      await isUndone();
    },
    async check() {
      if ((await ok(path)).status === 'finished') await undo();
      await isUndone();
      for (const [resource, id] of records) {
        const { status } = await send(`/v1/${resource}/${id}`);
        assert.equal(status, 200, `${resource} is there again`);
      }
      assert.equal((await ok(path)).restored, records.length);
    },
  };
});

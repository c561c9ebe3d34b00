/** `kill -9` after every statement with which a sync is undone: all that it removed is there again, and counted once. */
// needs: program, waits
import assert from 'node:assert/strict';
import { killedAtEachStep } from '../support/killed-steps.ts';
import { until } from '../support/until.ts';

const SERVICES = [0, 1, 2];

await killedAtEachStep('The undoing of a sync', [], async ({ home, funeral, visit, ok, send }) => {
  const location = await home();
  const records: [string, string][] = [];
  for (const at of SERVICES) {
    const event = await funeral(`service ${at}`, {}, location);
    records.push(['events', event], ['event_check_in_records', await visit(event, 'guest')]);
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

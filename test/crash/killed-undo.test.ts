/** `kill -9` after every statement with which rows of a sync are saved, or a sync is undone: nothing is lost or counted twice. */
// needs: program, waits
import assert from 'node:assert/strict';
import { killedAtEachStep } from '../support/killed-steps.ts';
import { inShort } from '../support/rows.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
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

await killedAtEachStep('The rows of a sync', [], async ({ home, ok, send }) => {
  const location = await home();
  const { unique_identifier: sync } = await ok('/v1/syncs', { resource: 'event', location });
  const row = (name: string, event_name: string) => eventBody(location, name, { event_name });
  const names = ['a', 'b', 'c'];
  const rows = [...names.map((name) => row(name, 'First')), row('a', 'Second'), row('b', 'Second')];
  const save = async () => {
    const headers = { 'Ledgerstone-Sync': sync };
    const { body, text } = await send('/v1/events/upsert_many', rows, { headers });
    assert.equal(body.summary?.failed, 2, text);
    return inShort(body.data);
  };
  const there = async () => {
    const { data } = await ok(`/v1/events?location_unique_identifier=${location}`);
    return data.map(({ external_identifier, event_name }: Body) => [
      ...[external_identifier, event_name],
    ]);
  };

  return {
    act: save,
    async check() {
      for (const [, says] of await there()) assert.equal(says, 'First');
      await save();
      assert.deepEqual(await save(), [
        ...names.map(() => 'unchanged'),
        ...['row_repeated', 'row_repeated'],
      ]);
      const found = (await there()).toSorted();
      assert.deepEqual(
        found,
        names.map((name) => [name, 'First']),
      );
      assert.deepEqual((await ok(`/v1/syncs/${sync}/finish`, {})).removed, {});
    },
  };
});

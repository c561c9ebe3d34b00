/** `kill -9` after every statement with which rows of a sync are saved: they may be sent again, and the first row of each record stays. */
// needs: program, waits
import assert from 'node:assert/strict';
import { killedAtEachStep } from '../support/killed-steps.ts';
import { inShort } from '../support/rows.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';

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

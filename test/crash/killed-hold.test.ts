/** `kill -9` after every statement with which a hold is released: it is or it is not, and what waited for it is erased. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { killedAtEachStep } from '../support/killed-steps.ts';
import { until } from '../support/until.ts';

const VISITORS = '/v1/event_check_in_records';

let count = 0;

await killedAtEachStep('The release of a hold', ['erase', 'hold'], async (ground) => {
  const { account, allowed, location, ok, send } = ground;
  count += 1;
  const { unique_identifier: event } = await ok('/v1/events/upsert', {
    ...{ location_unique_identifier: location, external_identifier: `case ${count}` },
    ...{ event_name: 'A service', event_datetime: '2027-03-20T14:30:00Z' },
  });
  const { unique_identifier: record } = await ok(`${VISITORS}/upsert`, {
    ...{ event_unique_identifier: event, external_identifier: 'guest' },
    ...{ visitor_full_name: 'Nora Lane', visitor_phone_number: '+12175550153' },
  });
  const hold = await ok('/v1/holds', { account, record: event, matter: 'A' }, allowed.hold);
  const holdPath = `/v1/holds/${hold.unique_identifier}`;
  const begun = await ok('/v1/erasures', { account, records: [record] }, allowed.erase);
  const path = `/v1/erasures/${begun.unique_identifier}`;
  const now = () => ok(path, undefined, allowed.erase);
  const run = () => ok(`${path}/run`, { records: [record] }, allowed.erase);
  const release = () => ok(`${holdPath}/release`, { reason: 'over' }, allowed.hold);
  const isDone = () => until(async () => (await now()).status === 'done');
  assert.equal((await run()).status, 'waiting');

  return {
    async act() {
      await release();
      await run();
      await isDone();
    },
    async check() {
      const { released_at } = await ok(holdPath, undefined, allowed.hold);
      if (released_at === null) {
        assert.equal((await send(`${VISITORS}/${record}`)).status, 200);
        const removed = await send(`${VISITORS}/${record}`, undefined, { method: 'DELETE' });
        assert.equal(removed.body.error.code, 'record_held');
        await release();
        await run();
      }
      await isDone();
      const done = await now();
      assert.deepEqual([done.erased, done.left], [1, []]);
      assert.equal((await send(`${VISITORS}/${record}`)).status, 410);
    },
  };
});

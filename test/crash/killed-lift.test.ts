/** `kill -9` after every statement with which an erasure is lifted: the record may be sent again or not, and the journal says which. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { killedAtEachStep } from '../support/killed-steps.ts';
import { until } from '../support/until.ts';

const VISITORS = '/v1/event_check_in_records';

let count = 0;

await killedAtEachStep('The lift of an erasure', ['erase'], async (ground) => {
  const { account, allowed, location, journal, ok, send } = ground;
  count += 1;
  const { unique_identifier: event_unique_identifier } = await ok('/v1/events/upsert', {
    ...{ location_unique_identifier: location, external_identifier: `case ${count}` },
    ...{ event_name: 'A service', event_datetime: '2027-03-20T14:30:00Z' },
  });
  const sent = {
    ...{ event_unique_identifier, external_identifier: 'guest', visitor_full_name: 'Nora Lane' },
    visitor_phone_number: '+12175550153',
  };
  const { unique_identifier: record } = await ok(`${VISITORS}/upsert`, sent);
  /** Done once the journal tells of it, and of all before. */
  const erased = async (id: string): Promise<string> => {
    const begun = await ok('/v1/erasures', { account, records: [id] }, allowed.erase);
    const path = `/v1/erasures/${begun.unique_identifier}`;
    await ok(`${path}/run`, { records: [id] }, allowed.erase);
    await until(async () => (await ok(path, undefined, allowed.erase)).status === 'done');
    return path;
  };
  const path = await erased(record);
  const lift = () => ok(`${path}/lift`, { record }, allowed.erase);
  const isGone = async () => (await send(`${VISITORS}/${record}`)).status === 410;
  const told = (id: string) =>
    readFileSync(join(journal, 'erasures.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((line) => line.record === id)
      .map(({ did }) => did)
      .join();

  return {
    act: lift,
    async check() {
      const { status } = await send(`${VISITORS}/upsert`, sent);
      const { erased: left } = await ok(path, undefined, allowed.erase);
      assert.deepEqual([status, left], status === 410 ? [410, 1] : [200, 0]);
      assert.equal(await isGone(), status === 410);
      if (status === 410) await lift();
      const { unique_identifier: again } = await ok(`${VISITORS}/upsert`, sent);
      await erased(again);
      assert.deepEqual([told(record), told(again)], ['erased,lifted', 'erased']);
    },
  };
});

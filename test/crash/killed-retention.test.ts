/** `kill -9` after every statement of a run of a retention rule: it comes to its end, and each removal is counted once. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { killedAtEachStep } from '../support/killed-steps.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';

const EVENTS = 3;
/** More than a run removes between two notes of how far it has come. */
const GUESTS = 60;
const RULES = '/v1/retention_rules';
const LONG_MS = 240_000;

await killedAtEachStep('A run of a retention rule', ['erase'], async (ground) => {
  const { account, allowed, ok, send } = ground;
  const officer = allowed.erase;
  const location = await ground.home();
  const { position: from } = await ok('/v1/changes?starting_after=now');
  const events = Array.from({ length: EVENTS }, (_, at) => ({
    ...{ location_unique_identifier: location, external_identifier: `service ${at}` },
    ...{ event_name: 'A service', event_datetime: '2019-03-20T14:30:00Z' },
  }));
  await ok('/v1/events/upsert_many', events);
  const guests = Array.from({ length: GUESTS }, (_, at) => ({
    ...{ location_unique_identifier: location, event_external_identifier: 'service 1' },
    ...{ external_identifier: `guest ${at}`, visitor_full_name: 'Nora Lane' },
    visitor_phone_number: '+12175550153',
  }));
  await ok('/v1/event_check_in_records/upsert_many', guests);
  const rule = { account, location, resource: 'event', after_days: 365, since: 'event_datetime' };
  const made = await ok(RULES, { ...rule, basis: 'policy' }, officer);
  const path = `${RULES}/${made.unique_identifier}`;
  const post = (what: string) =>
    send(`${path}/${what}`, undefined, { as: officer, method: 'POST' });
  const now = () => ok(path, undefined, officer);
  await post('preview');
  await until(async () => (await now()).preview.status === 'ready', LONG_MS);
  const runs = async (): Promise<Body[]> => (await ok(`${path}/runs`, undefined, officer)).data;
  // One process does the work, and another one waits until that has been silent for a while.
  const isDone = () => until(async () => (await runs()).at(-1)?.status === 'done', LONG_MS);

  return {
    async act() {
      await post('enable');
      await isDone();
    },
    async check() {
      if ((await now()).status === 'paused') await post('enable');
      await isDone();
      const run = (await runs()).at(-1);
      assert.deepEqual([run?.goes, run?.removed], [EVENTS + GUESTS, EVENTS + GUESTS]);
      for (const what of ['events', 'event_check_in_records'])
        assert.deepEqual((await ok(`/v1/${what}?location_unique_identifier=${location}`)).data, []);
      const { data } = await ok(`/v1/changes?limit=1000&starting_after=${from}`);
      const gone = data.flatMap(({ outcome, record }: Body) =>
        outcome === 'deleted' ? [record] : [],
      );
      assert.equal(gone.length, EVENTS + GUESTS);
      assert.equal(new Set(gone).size, gone.length, 'each is deleted once');
    },
  };
});

/** Each held record waits for its own hold, however that ends, and is then erased; what is not held does not wait. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keyed } from '../../support/secret-key.ts';
import { type Body, type Service, startService } from '../../support/service.ts';
import { serviceGround } from '../../support/service-ground.ts';
import { until } from '../../support/until.ts';

const VISITORS = '/v1/event_check_in_records';
const HOUR = 3_600_000;

describe('An erasure of what is held', () => {
  let ground: Awaited<ReturnType<typeof serviceGround>>;
  let service: Service;
  let officer: string;
  let keeper: string;
  let key: string;
  let account: string;
  let event: string;
  const settings = keyed();
  const clock = { now: Date.parse('2027-01-10T12:00:00Z') };
  const start = () => startService({ ground, settings, now: () => clock.now });

  const ok = async (path: string, body: object, as = key): Promise<Body> => {
    const answer = await service.json(path, body, { key: as });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const visit = async (name: string): Promise<string> => {
    const body = { event_unique_identifier: event, external_identifier: name };
    const person = { visitor_full_name: name, visitor_phone_number: '+14155550100' };
    return (await ok(`${VISITORS}/upsert`, { ...body, ...person })).unique_identifier;
  };
  const hold = async (more: object): Promise<string> =>
    (await ok('/v1/holds', { account, matter: 'A', ...more }, keeper)).unique_identifier;
  const release = (id: string) => ok(`/v1/holds/${id}/release`, { reason: 'over' }, keeper);
  const begun = async (records: readonly string[]): Promise<string> =>
    `/v1/erasures/${(await ok('/v1/erasures', { account, records }, officer)).unique_identifier}`;
  const run = (path: string, records: readonly string[]) => ok(`${path}/run`, { records }, officer);
  const read = async (path: string): Promise<Body> =>
    (await service.get(path, { key: officer })).body;
  const isDone = (path: string) => until(async () => (await read(path)).status === 'done', 60_000);
  const statusOf = async (record: string) =>
    (await service.get(`${VISITORS}/${record}`, { key })).status;

  before(async () => {
    ground = await serviceGround();
    service = await start();
    account = service.account.unique_identifier;
    key = (await service.newKey()).secret;
    officer = (await service.newKey({ permissions: ['read'], allow: ['erase'] })).secret;
    keeper = (await service.newKey({ permissions: ['read'], allow: ['hold'] })).secret;
    event = await service.event(await service.location());
  });
  after(async () => {
    await service.stop();
    await ground.remove();
  });

  it('goes on after a hold whose time passed while the service was stopped', async () => {
    const record = await visit('Until');
    const over = new Date(clock.now + HOUR).toISOString();
    const held = await hold({ record, until: over });
    const path = await begun([record]);
    const waiting = await run(path, [record]);
    assert.deepEqual([waiting.status, waiting.left[0].held_by], ['waiting', held]);
    await service.stop();
    clock.now += 2 * HOUR;
    service = await start();
    await isDone(path);
    assert.equal(await statusOf(record), 410);
    const { body } = await service.get(`/v1/holds/${held}`, { key: keeper });
    assert.equal(body.status, 'released');
  });

  it('waits for a hold on the whole account, and nothing of it goes before', async () => {
    const records = [await visit('Whole One'), await visit('Whole Two')];
    const whole = await hold({});
    const own = await hold({ record: records[1] });
    const path = await begun(records);
    const waiting = await run(path, records);
    assert.deepEqual(
      [waiting.status, waiting.erased, waiting.left.map((one: Body) => one.held_by)],
      ['waiting', 0, [whole, whole]],
    );
    await release(whole);
    // The other one has a hold of its own.
    const half = await run(path, []);
    const left = [{ record: records[1], code: 'record_held', held_by: own }];
    assert.deepEqual([half.status, half.erased, half.left], ['waiting', 1, left]);
    await release(own);
    assert.equal((await run(path, [])).status, 'done');
  });

  it('leaves what is held from the middle of its run on', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => ({
      ...{ event_unique_identifier: event, external_identifier: `many ${at}` },
      ...{ visitor_full_name: `Many ${at}`, visitor_phone_number: '+14155550100' },
    }));
    const { data } = await ok(`${VISITORS}/upsert_many`, rows);
    const records: string[] = data.map((one: Body) => one.unique_identifier);
    const path = await begun(records);
    const running = run(path, records);
    await until(async () => (await read(path)).erased > 0, 60_000);
    const held = await hold({ record: event });
    const ran = await running;
    assert.equal(ran.erased + ran.left.length, records.length);
    for (const { record, code, held_by } of ran.left) {
      assert.deepEqual([code, held_by], ['record_held', held]);
      assert.equal(await statusOf(record), 200);
    }
    assert.equal(ran.status, ran.left.length > 0 ? 'waiting' : 'done');
    await release(held);
    const done = await run(path, []);
    assert.deepEqual([done.status, done.erased], ['done', records.length]);
  });
});

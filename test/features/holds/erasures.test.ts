/** Each held record waits for its own hold, however that ends, and is then erased; what is not held does not wait. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { serviceGround } from '../../support/service-ground.ts';
import { until } from '../../support/until.ts';
import { world } from '../../support/world.ts';

const VISITORS = '/v1/event_check_in_records';
const HOUR = 3_600_000;

describe('An erasure of what is held', () => {
  const clock = { now: Date.parse('2027-01-10T12:00:00Z') };
  const settings = keyed();
  const on = world({ store: serviceGround, settings, now: () => clock.now });
  const { service, ok, run, read } = on;
  const visit = async (name: string): Promise<string> => (await on.visit(name)).unique_identifier;
  const hold = async (more: object): Promise<string> => (await on.place(more)).unique_identifier;
  const begun = async (records: readonly string[]): Promise<string> =>
    (await on.begin(records)).unique_identifier;
  const isDone = (id: string) =>
    until(async () => (await on.erasure(id)).status === 'done', 60_000);
  const statusOf = async (record: string) => (await service.get(`${VISITORS}/${record}`)).status;

  it('goes on after a hold whose time passed while the service was stopped', async () => {
    const record = await visit('Until');
    const over = new Date(clock.now + HOUR).toISOString();
    const held = await hold({ record, until: over });
    const id = await begun([record]);
    const waiting = await run(id, [record]);
    assert.deepEqual([waiting.status, waiting.left[0].held_by], ['waiting', held]);
    await on.restart(() => {
      clock.now += 2 * HOUR;
    });
    await isDone(id);
    assert.equal(await statusOf(record), 410);
    assert.equal((await read(`/v1/holds/${held}`)).status, 'released');
  });

  it('waits for a hold on the whole account, and nothing of it goes before', async () => {
    const records = [await visit('Whole One'), await visit('Whole Two')];
    const whole = await hold({});
    const own = await hold({ record: records[1] });
    const { unique_identifier: id, matches } = await on.begin(records);
    assert.deepEqual(pluck(matches, 'held_by'), [whole, whole]);
    const waiting = await run(id, records);
    assert.deepEqual(
      [waiting.status, waiting.erased, waiting.left.map((one: Body) => one.held_by)],
      ['waiting', 0, [whole, whole]],
    );
    await on.release(whole);
    // The other one has a hold of its own.
    const half = await run(id, []);
    const left = [{ record: records[1], code: 'record_held', held_by: own }];
    assert.deepEqual([half.status, half.erased, half.left], ['waiting', 1, left]);
    await on.release(own);
    assert.equal((await run(id, [])).status, 'done');
  });

  it('leaves what is held from the middle of its run on', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => on.visitor(`Many ${at}`));
    const { data } = await ok(`${VISITORS}/upsert_many`, rows);
    const records: string[] = data.map((one: Body) => one.unique_identifier);
    const id = await begun(records);
    const running = run(id, records);
    await until(async () => (await on.erasure(id)).erased > 0, 60_000);
    const held = await hold({ record: on.event });
    const ran = await running;
    assert.equal(ran.erased + ran.left.length, records.length);
    for (const { record, code, held_by } of ran.left) {
      assert.deepEqual([code, held_by], ['record_held', held]);
      assert.equal(await statusOf(record), 200);
    }
    assert.equal(ran.status, ran.left.length > 0 ? 'waiting' : 'done');
    await on.release(held);
    const done = await run(id, []);
    assert.deepEqual([done.status, done.erased], ['done', records.length]);
  });
});

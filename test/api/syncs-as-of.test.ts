/** A sync that says when its data was taken removes nothing that its source made or changed since, and puts nothing older over it. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Answer } from '../support/service.ts';
import { until } from '../support/until.ts';
import { refused, served } from '../support/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const iso = (at: number): string => new Date(at).toISOString();

let clock = Date.parse('2026-11-21T00:00:00Z');
let count = 0;
const service = served({ now: () => clock });

/** A source at a location of its own, which had a and b an hour ago. */
async function ground() {
  count += 1;
  const location = await service.location(`as of ${count}`);
  const { secret: key } = await service.newKey({ name: `Nightly ${count}` });
  const { secret: other } = await service.newKey({ name: `Other ${count}` });
  const row = (id: string, event_name = 'A service') =>
    eventBody(location, id, { event_name, event_datetime: '2026-11-20T14:30:00Z' });
  const many = (rows: readonly object[], sync?: string, query = '') =>
    service.json(`/v1/events/upsert_many${query}`, rows, {
      ...{ key, headers: sync === undefined ? {} : { 'Ledgerstone-Sync': sync } },
    });
  const live = async (id: string, name: string, by = key): Promise<string> => {
    const answer = await service.json('/v1/events/upsert', row(id, name), { key: by });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.unique_identifier;
  };
  const begin = async (as_of?: number): Promise<string> => {
    const sent = { resource: 'event', location, at_most: '100%' };
    const body = as_of === undefined ? sent : { ...sent, as_of: iso(as_of) };
    const begun = await service.json('/v1/syncs', body, { key });
    assert.equal(begun.status, 200, begun.text);
    assert.equal(begun.body.as_of, as_of === undefined ? null : iso(as_of));
    return begun.body.unique_identifier;
  };
  const finish = async (sync: string, more = {}): Promise<Answer> => {
    const once = () => service.json(`/v1/syncs/${sync}/finish`, more, { key });
    let answer = await once();
    await until(async () => {
      if (answer.body.status === 'finishing') answer = await once();
      return answer.body.status !== 'finishing';
    });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const named = async (): Promise<readonly string[]> => {
    const path = `/v1/events?location_unique_identifier=${location}&limit=1000`;
    const { data } = (await service.get(path)).body;
    return data
      .map((one: Record<string, string>) => `${one.external_identifier} ${one.event_name}`)
      .sort();
  };
  await many([row('a'), row('b')]);
  clock += HOUR;
  return { location, key, other, row, many, live, begin, finish, named };
}

describe('a sync that says when its data was taken', () => {
  it('keeps what its source made and changed after that, and names it', async () => {
    const { row, many, live, begin, finish, named } = await ground();
    const taken = clock;
    clock += MINUTE;
    await live('new', 'Called in at night');
    await live('a', 'Moved to the chapel');
    clock += MINUTE;
    const sync = await begin(taken);
    const sent = await many([row('c')], sync);
    assert.equal(sent.body.summary.created, 1);
    for (const how of [{ dry_run: true }, {}]) {
      const done = await finish(sync, how);
      assert.deepEqual(done.body.removed, { event: 1 }, done.text);
      assert.deepEqual(pluck(done.body.left, 'external_identifier', 'reason').sort(), [
        ['a', 'newer'],
        ['new', 'newer'],
      ]);
      assert.equal(done.body.left_count, 2);
    }
    assert.deepEqual(await named(), [
      'a Moved to the chapel',
      'c A service',
      'new Called in at night',
    ]);
  });

  it('puts no row over what its source changed after that, by itself and in bulk, and says so', async () => {
    const { key, row, many, live, begin, finish, named } = await ground();
    const taken = clock;
    clock += MINUTE;
    await live('a', 'Newer');
    clock += MINUTE;
    const sync = await begin(taken);
    const rows = [row('a', 'Older'), row('b', 'Older')];
    for (const query of ['?dry_run=true', '']) {
      const { data } = (await many(rows, sync, query)).body;
      assert.deepEqual(pluck(data, 'outcome', 'newer'), [
        ['unchanged', true],
        ['updated', undefined],
      ]);
    }
    const again = (await many(rows, sync)).body.data;
    assert.deepEqual(pluck(again, 'outcome', 'newer'), [
      ['unchanged', true],
      ['unchanged', undefined],
    ]);
    const lines = rows.map((one) => JSON.stringify(one)).join('\n');
    const stream = await service.send('POST', '/v1/events/upsert_many', {
      ...{ key, body: lines },
      headers: { 'Content-Type': 'application/x-ndjson', 'Ledgerstone-Sync': sync },
    });
    assert.equal(JSON.parse(stream.text.split('\n')[0] ?? '').newer, true, stream.text);
    for (const [id, newer] of [
      ['a', 'true'],
      ['b', null],
    ] as const) {
      const headers = { 'Ledgerstone-Sync': sync };
      const one = await service.json('/v1/events/upsert', row(id, 'Older'), { key, headers });
      assert.deepEqual(
        [one.status, one.headers.get('ledgerstone-outcome'), one.headers.get('ledgerstone-newer')],
        [200, 'unchanged', newer],
      );
    }
    assert.equal((await finish(sync)).body.left_count, 0);
    assert.deepEqual(await named(), ['a Newer', 'b Older']);
  });

  it('goes by the order of commits for what is sent while it is open', async () => {
    const { row, many, live, begin, finish, named } = await ground();
    const sync = await begin(clock);
    // The clock goes back meanwhile.
    clock -= 2 * HOUR;
    await live('a', 'Newer');
    const { data } = (await many([row('a', 'Older')], sync)).body;
    assert.deepEqual(pluck(data, 'outcome', 'newer'), [['unchanged', true]]);
    await live('late', 'Newer');
    const done = await finish(sync);
    clock += 2 * HOUR;
    assert.deepEqual(pluck(done.body.left, 'external_identifier', 'reason'), [['late', 'newer']]);
    assert.deepEqual(await named(), ['a Newer', 'late Newer']);
  });

  it('lets what a clock dated ahead be sent again, and removes none of it', async () => {
    const { row, many, live, begin, finish, named } = await ground();
    clock += 100 * HOUR;
    await live('a', 'Ahead');
    await live('b', 'Ahead');
    clock -= 99 * HOUR;
    const sync = await begin(clock - MINUTE);
    await many([row('a', 'Of the export')], sync);
    const done = await finish(sync);
    assert.deepEqual(pluck(done.body.left, 'external_identifier', 'reason'), [['b', 'newer']]);
    assert.deepEqual(await named(), ['a Of the export', 'b Ahead']);
  });

  it('is of what its source sent: others are told from it as ever', async () => {
    const { other, row, many, live, begin, finish, named } = await ground();
    const taken = clock;
    clock += MINUTE;
    await live('a', 'By another', other);
    await live('b', 'By another', other);
    clock += MINUTE;
    const sync = await begin(taken);
    await many([row('a', 'Of the export')], sync);
    const done = await finish(sync);
    assert.deepEqual(pluck(done.body.left, 'external_identifier', 'reason'), [
      ['b', 'changed_by_other'],
    ]);
    assert.deepEqual(await named(), ['a Of the export', 'b By another']);
  });

  it('keeps a record below which its source wrote after that', async () => {
    const { key, live, begin, finish, named } = await ground();
    const [a, b] = [await live('a', 'A service'), await live('b', 'A service')];
    const visitor = (event: string, id: string) =>
      service.json('/v1/event_check_in_records/upsert', visitorBody(event, id), { key });
    await visitor(b, 'before');
    clock += MINUTE;
    const taken = clock;
    clock += MINUTE;
    await visitor(a, 'after');
    clock += MINUTE;
    const sync = await begin(taken);
    for (const how of [{ dry_run: true }, {}]) {
      const done = await finish(sync, how);
      assert.deepEqual(done.body.removed, { event: 1, event_check_in_record: 1 }, done.text);
      assert.deepEqual(pluck(done.body.left, 'external_identifier', 'reason'), [['a', 'newer']]);
    }
    assert.deepEqual(await named(), ['a A service']);
  });

  it('is as of the beginning where it says nothing', async () => {
    const { row, many, live, begin, finish, named } = await ground();
    await live('a', 'Before');
    clock += MINUTE;
    const sync = await begin();
    const { data } = (await many([row('a', 'Of the export')], sync)).body;
    assert.deepEqual(pluck(data, 'outcome', 'newer'), [['updated', undefined]]);
    assert.deepEqual((await finish(sync)).body.removed, { event: 1 });
    assert.deepEqual(await named(), ['a Of the export']);
  });

  it('is refused if that is still to come, by the clock of the service', async () => {
    const { location, key } = await ground();
    const begin = (as_of: unknown) =>
      service.json('/v1/syncs', { resource: 'event', location, as_of }, { key });
    const late = await begin(iso(clock + 2_000));
    refused(late, 400, 'value_invalid', 'as_of');
    assert.match(late.body.error.message, new RegExp(iso(clock).slice(0, 16)));
    assert.equal((await begin(iso(clock))).status, 200);
    refused(await begin('yesterday'), 400, 'datetime_invalid', 'as_of');
  });
});

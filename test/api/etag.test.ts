/** Conditional requests: `Ledgerstone-Mode`, ETags of records, and what is answered to whoever has one already (RFC 9110, sections 8.8.3 and 13.1.2). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Answer } from '../support/service.ts';
import { outcomeOf, refused, world } from '../support/world.ts';

const stage = world();

const rename = (as: string, event_name: string): Promise<Answer> =>
  stage.upsert('events', { as, json: { event_name } });
const read = ({ body }: Answer, query = '', headers = {}): Promise<Answer> =>
  stage.service.get(`/v1/events/${body.unique_identifier}${query}`, { headers });
const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? assert.fail('no ETag');

describe('An ETag', () => {
  it('is the version: it changes with every change, and with nothing else', async () => {
    const event = await rename('versions', 'one');
    assert.equal(tagOf(await read(event)), '"1"');
    await rename('versions', 'two');
    assert.equal(tagOf(await read(event)), '"2"');
    await rename('versions', 'two');
    assert.equal(tagOf(await read(event)), '"2"');
  });

  it('is another one for every set of expansions, and changes when they do', async () => {
    const event = await rename('expanded', 'one');
    const [location, account] = ['expand[]=location', 'expand[]=account'];
    const queries = ['', `?${location}`, `?${account}`, `?${location}&${account}`];
    const tagsNow = async (): Promise<string[]> =>
      Promise.all(queries.map(async (query) => tagOf(await read(event, query))));
    const before = await tagsNow();
    assert.equal(new Set(before).size, queries.length);
    assert.equal(tagOf(await read(event, `?${account}&${location}`)), before[3]);
    await stage.made('locations', 'chapel', { location_name: 'Renamed Chapel' });
    const after = await tagsNow();
    const changed = after.map((tag, at) => tag !== before[at]);
    assert.deepEqual(changed, [false, true, false, true]);
  });
});

describe('If-None-Match', () => {
  const asked = {
    304: ['"1"', 'W/"1"', '"7", "1"', 'W/"7","1" , "x"', '*', ' * '],
    200: ['"2"', '"11"', 'W/"2", "3"', '1', '""', '"1;location=1"', 'x'],
  };
  const each = Object.entries(asked).flatMap(([status, all]) =>
    all.map((sent) => [sent, Number(status)] as const),
  );
  for (const [sent, status] of each) {
    it(`${sent} is ${status} for version 1`, async () => {
      const event = await stage.upsert('events');
      const answer = await read(event, '', { 'If-None-Match': sent });
      assert.equal(answer.status, status);
      assert.equal(tagOf(answer), '"1"');
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
      assert.equal(answer.headers.get('vary'), 'accept-encoding');
      assert.match(answer.headers.get('request-id') ?? '', /^req_/);
      if (status === 200) assert.deepEqual(answer.body, event.body);
      else assert.equal(answer.text, '');
    });
  }

  it('is answered in full once the record has changed', async () => {
    const event = await rename('anew', 'one');
    const headers = { 'If-None-Match': tagOf(await read(event)) };
    assert.equal((await read(event, '', headers)).status, 304);
    await rename('anew', 'two');
    const answer = await read(event, '', headers);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.event_name, 'two');
  });

  it('holds for what is expanded, too', async () => {
    const event = await rename('both', 'one');
    const query = '?expand[]=location';
    const headers = { 'If-None-Match': tagOf(await read(event, query)) };
    assert.equal((await read(event, query, headers)).status, 304);
    assert.equal((await read(event, '', headers)).status, 200);
  });

  it('of HEAD is 304, too', async () => {
    const { body } = await stage.upsert('events');
    const headers = { 'If-None-Match': '"1"' };
    const url = `/v1/events/${body.unique_identifier}`;
    assert.equal((await stage.service.send('HEAD', url, { headers })).status, 304);
  });

  it('does not make a record that is not there', async () => {
    const headers = { 'If-None-Match': '*' };
    const answer = await stage.service.get('/v1/events/nothing', { headers });
    assert.equal(answer.status, 404);
  });

  it('takes the tag of an answer that was compressed', async () => {
    const json = { additional_event_metadata: { long: 'x'.repeat(4000) } };
    const event = await stage.upsert('events', { json });
    const zipped = { 'Accept-Encoding': 'gzip' };
    const answer = await read(event, '', zipped);
    assert.equal(answer.headers.get('content-encoding'), 'gzip');
    assert.equal(answer.headers.get('vary'), 'accept-encoding');
    const again = await read(event, '', { ...zipped, 'If-None-Match': tagOf(answer) });
    assert.equal(again.status, 304);
  });
});

describe('A list', () => {
  it('has no ETag, and is not kept', async () => {
    const { headers } = await stage.service.get('/v1/events');
    assert.equal(headers.get('etag'), null);
    assert.equal(headers.get('cache-control'), 'no-store');
  });
});

const CREATE = { 'Ledgerstone-Mode': 'create_only' };
const UPDATE = { 'Ledgerstone-Mode': 'update_only' };

for (const { path, full } of examples) {
  const { external_identifier: _, ...json } = full;

  describe(`${path}: create_only`, () => {
    it('is 409 where the record is there, and leaves it as it is', async () => {
      const before = await stage.upsert(path, { as: 'there', json });
      const answer = await stage.upsert(path, { as: 'there', headers: CREATE });
      assert.equal(answer.status, 409);
      assert.deepEqual(faultsOf(answer), [[undefined, 'record_exists']]);
      const after = await stage.upsert(path, { as: 'there', json });
      assert.equal(outcomeOf(after), 'unchanged');
      assert.equal(after.text, before.text);
    });

    it('lets one of many at once create', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => stage.upsert(path, { as: 'at once', headers: CREATE })),
      );
      const came = answers.map((answer) => outcomeOf(answer) ?? answer.status);
      assert.deepEqual(came.sort(), [...Array(19).fill(409), 'created']);
    });
  });

  describe(`${path}: update_only`, () => {
    it('merges into the record that is there', async () => {
      await stage.upsert(path, { as: 'known' });
      const same = await stage.upsert(path, { as: 'known', headers: UPDATE });
      assert.equal(outcomeOf(same), 'unchanged', same.text);
      const changed = await stage.upsert(path, { as: 'known', json, headers: UPDATE });
      assert.equal(outcomeOf(changed), 'updated', changed.text);
    });

    it('is 404 where there is none, and makes none', async () => {
      const answer = await stage.upsert(path, { as: 'nobody', headers: UPDATE });
      assert.equal(answer.status, 404);
      assert.deepEqual(faultsOf(answer), [[undefined, 'resource_missing']]);
      assert.equal(outcomeOf(await stage.upsert(path, { as: 'nobody' })), 'created');
    });
  });
}

describe('If-None-Match: *', () => {
  const ANY = { 'If-None-Match': '*' };
  it('only creates: 412 where the record is there, which it names and leaves as it is', async () => {
    const made = await stage.upsert('events', { as: 'http', headers: ANY });
    assert.equal(outcomeOf(made), 'created', made.text);
    const json = { event_name: 'Overwritten' };
    const again = await stage.upsert('events', { as: 'http', json, headers: ANY });
    assert.equal(again.status, 412, again.text);
    assert.deepEqual(faultsOf(again), [[undefined, 'record_present']]);
    assert.ok(again.body.error.message.includes(made.body.unique_identifier));
    const both = await stage.upsert('events', { as: 'http', headers: { ...ANY, ...CREATE } });
    assert.equal(both.status, 412);
    assert.equal((await stage.upsert('events', { as: 'http' })).text, made.text);
  });

  it('with another value, with update_only, or on another write is 400', async () => {
    const made = await stage.upsert('events', { as: 'tagged' });
    const at = `/v1/events/${made.body.unique_identifier}`;
    const answers = [
      await stage.upsert('events', { as: 'x', headers: { 'If-None-Match': '"1"' } }),
      await stage.upsert('events', { as: 'x', headers: { 'If-None-Match': '' } }),
      await stage.upsert('events', { as: 'x', headers: { ...ANY, ...UPDATE } }),
      await stage.service.patch(at, {}, { headers: ANY }),
      await stage.service.send('DELETE', at, { headers: ANY }),
    ];
    for (const answer of answers) refused(answer, 400, 'header_invalid');
    assert.equal((await stage.service.get(at)).status, 200);
  });

  it('holds for each row of many', async () => {
    const rows = `[${stage.text('events', {}, 'tagged')},${stage.text('events', {}, 'row')}]`;
    const { body } = await stage.service.json('/v1/events/upsert_many', rows, { headers: ANY });
    const [there, made] = body.data;
    assert.equal(there.error.code, 'record_exists');
    assert.equal(made.outcome, 'created');
  });
});

describe('the header', () => {
  it('is read without regard to case, and by forms as well', async () => {
    const headers = { 'Ledgerstone-Mode': ' Update_Only ' };
    assert.equal((await stage.upsert('events', { as: 'case', headers })).status, 404);
    assert.equal((await stage.upsert('events', { as: 'case', form: '', headers })).status, 404);
  });

  it('with any other value is 400, and names those that are taken', async () => {
    for (const mode of ['create', '', 'create_only, update_only']) {
      const answer = await stage.upsert('events', { headers: { 'Ledgerstone-Mode': mode } });
      refused(answer, 400, 'header_invalid');
      assert.match(answer.body.error.message, /create_only.*update_only/);
    }
  });

  it('comes after the faults of the body and after the parent', async () => {
    await stage.upsert('events', { as: 'order' });
    const faulty = { as: 'order', headers: CREATE, json: { event_name: '' } };
    refused(await stage.upsert('events', faulty), 400);
    const json = { location_unique_identifier: 'nothing' };
    const orphan = await stage.upsert('events', { headers: UPDATE, json });
    assert.deepEqual(faultsOf(orphan), [['location_unique_identifier', 'resource_missing']]);
  });
});

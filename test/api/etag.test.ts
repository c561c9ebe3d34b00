/** ETags of records, and what is answered to whoever has one already (RFC 9110, sections 8.8.3 and 13.1.2). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from '../support/service.ts';
import { world } from '../support/world.ts';

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

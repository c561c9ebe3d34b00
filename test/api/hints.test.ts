/** What is nearly right is told how it would be right. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { world } from '../support/world.ts';

const stage = world();

describe('A mistake', () => {
  const says = async (
    sent: { readonly path: string; readonly type?: string; readonly body?: string | Buffer },
    status: number,
    message: RegExp,
  ): Promise<void> => {
    const { path, type = 'application/json', body } = sent;
    const headers = { 'Content-Type': type };
    const { service } = stage;
    const answer =
      body === undefined
        ? await service.get(path)
        : await service.send('POST', path, { headers, body });
    assert.equal(answer.status, status, answer.text);
    const { errors } = answer.body.error;
    const messages = errors.map((one: { message: string }) => one.message).join('\n');
    assert.match(messages, message);
    assert.doesNotMatch(messages, /\?\./);
  };

  it('in a query is told in the words of a query', async () => {
    await says({ path: '/v1/search?limit=5' }, 400, /^q is missing, and it is required here/);
    const compared = { path: '/v1/events?event_datetime__gte=2027-01-01T00:00:00Z' };
    await says(compared, 400, /comparisons stand in brackets, event_datetime\[gte\]=/);
    const named = { path: '/v1/events/upsert?event_name=A', body: '{}' };
    await says(named, 400, /event_name is not a parameter here: send it in the body\./);
  });

  it('in how a table was saved is told by what it looks like', async () => {
    const path = '/v1/events/upsert_many';
    const type = 'text/csv';
    const table = 'external_identifier;event_name\n1;A\n';
    await says({ path, type, body: table }, 400, /separated by semicolons.*save it with commas/);
    await says({ path, type, body: table.replaceAll(';', '\t') }, 400, /tab-separated-values/);
    const utf16 = Buffer.from(`\ufeff${table}`, 'utf16le');
    await says({ path, type, body: utf16 }, 400, /looks like UTF-16/);
    await says({ path, type, body: gzipSync(table) }, 400, /compressed with gzip/);
    const one = '/v1/events/upsert';
    await says({ path: one, body: gzipSync('{}') }, 400, /compressed with gzip: send it unpacked/);
  });

  it('in how many rows are sent is told with the number and the way out', async () => {
    const rows = `[${'{},'.repeat(1000)}{}]`;
    const path = '/v1/events/upsert_many';
    await says({ path, body: rows }, 413, /more than 1,000 rows.*application\/x-ndjson/);
  });

  it('in the key that activity is asked of is no empty list', async () => {
    const { secret: key } = await stage.service.newKey({ allow: ['requests'] });
    for (const path of ['/v1/activity', '/v1/requests']) {
      const { status, body } = await stage.service.get(`${path}?key=nope`, { key });
      assert.deepEqual([status, body.error.param], [400, 'key']);
      assert.equal((await stage.service.get(`${path}?key=key_0`, { key })).status, 200);
    }
  });
});

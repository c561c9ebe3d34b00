/** Many upserts while the store accepts no writes: what was committed is answered, what was not says so. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { holdStore } from '../support/hold-store.ts';
import { answersIn, inShort, sendArray } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { rawRequest } from '../support/wire.ts';
import { refused, world } from '../support/world.ts';

const stage = world();
const on = 'event_check_in_records';
const held = { skip: process.env.TEST_STORE === 'postgres' && 'it holds the embedded store' };

describe('a store that accepts no writes', held, () => {
  it('in the middle of a stream: those lines say service_unavailable, and the stream goes on', async () => {
    const { service, text } = stage;
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let arrived = '';
    socket.on('data', (bytes) => (arrived += bytes));
    const type = { 'Content-Type': 'application/x-ndjson' };
    const lines = ['before', 'meanwhile', 'after'].map((as) => `${text(on, {}, as)}\n`);
    const length = { 'Content-Length': String(Buffer.byteLength(lines.join(''))) };
    socket.write(rawRequest(service, `POST /v1/${on}/upsert_many`, { ...type, ...length }));
    const send = async (index: number): Promise<void> => {
      socket.write(lines[index] ?? '');
      await until(() => arrived.includes(`"line":${index + 1}`));
    };
    await send(0);
    const release = holdStore(service);
    await send(1);
    release();
    await send(2);
    await until(() => arrived.includes('"summary"'));
    const rows = arrived.split('\n').filter((line) => line.startsWith('{'));
    const { rows: answered, last } = answersIn(`${rows.join('\n')}\n`);
    assert.deepEqual(inShort(answered), ['created', 'service_unavailable', 'created']);
    assert.equal(answered[1].error.type, 'api_error');
    assert.deepEqual(last.summary, { created: 2, updated: 0, unchanged: 0, failed: 1 });
    const { headers } = await stage.upsert(on, { as: 'meanwhile' });
    assert.equal(headers.get('ledgerstone-outcome'), 'created');
  });

  it('before anything of an array is committed: 503 with Retry-After, as any request', async () => {
    const release = holdStore(stage.service);
    const answer = await sendArray(stage, on, [JSON.parse(stage.text(on, {}, 'of an array'))]);
    release();
    refused(answer, 503, 'service_unavailable');
    assert.equal(answer.headers.get('retry-after'), '1');
  });
});

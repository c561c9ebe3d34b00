/** A caller's trace can be followed into the log: `traceparent` is taken on every request, and never echoed. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptLog } from '../support/kept-log.ts';
import type { Service } from '../support/service.ts';
import { served } from '../support/world.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;

describe('traceparent', () => {
  const { log, lines } = keptLog();
  const service = served({ log });

  /** The line of the one request that `send` sends. */
  async function lineOf(send: () => Promise<{ headers: Headers; text: string }>) {
    const { headers, text } = await send();
    const line = lines.find(({ request_id }) => request_id === headers.get('request-id'));
    assert.ok(line !== undefined);
    const answer = JSON.stringify([...headers]) + text;
    assert.ok(!answer.includes(TRACE) && !answer.includes(SPAN), 'it is echoed');
    return line;
  }

  const requests: readonly [string, string, Parameters<Service['send']>[2]?][] = [
    ['GET', '/v1/accounts'],
    ['GET', '/healthz', { key: null }],
    ['GET', '/v1/accounts', { key: null }],
    ['GET', '/v1/nothing'],
    ['GET', '/v1/%zz'],
    ['POST', '/v1/events/upsert', { headers: { 'Content-Type': 'application/json' }, body: '{' }],
  ];
  for (const [method, path, sent = {}] of requests) {
    it(`is in the log's line of ${method} ${path}${sent.key === null ? ' without a key' : ''}`, async () => {
      const headers = { ...sent.headers, traceparent: TRACEPARENT, tracestate: `a=${SPAN}` };
      const line = await lineOf(() => service.send(method, path, { ...sent, headers }));
      assert.equal(line.trace_id, TRACE);
      assert.equal(line.span_id, SPAN);
      assert.ok(!JSON.stringify(line).includes('tracestate'));
    });
  }

  it('is in no line where it was not sent', async () => {
    const line = await lineOf(() => service.get('/v1/accounts'));
    assert.ok(!('trace_id' in line) && !('span_id' in line));
  });

  for (const wrong of ['x', `00-${TRACE}-${SPAN}`, `00-${TRACE.toUpperCase()}-${SPAN}-01`, '']) {
    it(`that is wrong is passed over: ${JSON.stringify(wrong)}`, async () => {
      const sent = { headers: { traceparent: wrong } };
      const answer = await service.get('/v1/accounts', sent);
      assert.equal(answer.status, 200);
      const line = await lineOf(async () => answer);
      assert.ok(!('trace_id' in line) && !('span_id' in line));
    });
  }
});

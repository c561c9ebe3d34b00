/** Webhooks under load: an endpoint that was down catches up in order, and those that stall hold up nobody else. */
// needs: both stores with --all, waits

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { ALL } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { wantOrder } from '../support/webhook-siege.ts';
import { served } from '../support/world.ts';

const PATH = '/v1/webhook_endpoints';
const MISSED = ALL ? 20_000 : 1_000;
const RECORDS = 500;
const OWNERS = 5;
/** As many as an account may have. */
const ENDPOINTS = 20;

const settings = keyed();

const service = served({ settings });

/** An account with a location, and a key that may have webhooks. */
async function owner() {
  const own = await service.another();
  const { secret: key } = await own.newKey({ allow: ['webhooks'] });
  const location = await own.location();
  const event = (external_identifier: string, event_name: string) =>
    eventBody(location, external_identifier, { event_name });
  const upsert = async (rows: readonly object[]): Promise<void> => {
    const { text, body } = await service.json('/v1/events/upsert_many', rows, { key });
    assert.equal(body.summary.created + body.summary.updated, rows.length, text);
  };
  const endpoint = async (url: string): Promise<string> => {
    const { body, text } = await service.json(PATH, { url }, { key });
    assert.ok(body.unique_identifier, text);
    return body.unique_identifier;
  };
  return { key, event, upsert, endpoint };
}

/** Takes requests, and never answers. */
async function startStalling() {
  let open = 0;
  let ended = 0;
  const server: Server = createServer((request) => {
    open += 1;
    request.socket.once('close', () => {
      ended += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, open: () => open, ended: () => ended };
}

describe('A webhook endpoint that was down', () => {
  it('is told of all that it missed, in order for each record, when it is there again', async () => {
    const receiver = await startReceiver();
    const { key, event, upsert, endpoint } = await owner();
    const at = `${PATH}/${await endpoint(receiver.url)}`;
    const get = async (): Promise<Body> => (await service.get(at, { key })).body;
    receiver.answer = () => 503;
    for (let done = 0; done < MISSED; done += RECORDS) {
      const rows = Array.from({ length: RECORDS }, (_, at) => event(`event ${at}`, `Name ${done}`));
      await upsert(rows);
    }
    await until(async () => (await get()).status === 'failing');
    receiver.answer = () => 200;
    receiver.received.length = 0;
    await service.patch(at, { status: 'enabled' }, { key });
    const { body: feed } = await service.get('/v1/changes?starting_after=now', { key });
    await until(async () => (await get()).position === feed.position, ALL ? 240_000 : 50_000);
    await until(async () => {
      const { body } = await service.get(`${at}/deliveries?status=pending`, { key });
      return body.data.length === 0;
    });
    const { received } = receiver;
    assert.equal(new Set(received.map(({ id }) => id)).size, MISSED);
    wantOrder(received);
  });
});

describe('Webhook endpoints that stall', () => {
  it('do not delay those of another account, regardless of their number', async ({ mock }) => {
    // No try is given up: what stalls does so for as long as this takes.
    mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
    const stalling = await startStalling();
    const receiver = await startReceiver();
    const good = await owner();
    await good.endpoint(receiver.url);
    const rows = (of: typeof good, count: number): object[] =>
      Array.from({ length: count }, (_, index) => of.event(`event ${index}`, 'Name'));
    const bad: (typeof good)[] = [];
    for (let count = 0; count < OWNERS; count++) {
      const one = await owner();
      for (let index = 0; index < ENDPOINTS; index++) await one.endpoint(stalling.url);
      bad.push(one);
    }
    await Promise.all(bad.map((one) => one.upsert(rows(one, 100))));
    await until(() => stalling.open() >= 64);
    await good.upsert(rows(good, 100));
    await until(() => receiver.received.length >= 100);
    assert.equal(stalling.ended(), 0);
  });
});

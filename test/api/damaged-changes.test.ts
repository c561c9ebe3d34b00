/** A change that is damaged in the store stops nobody for ever: it is named, and there is a way past it. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import { spoilChange } from '../support/ask.ts';
import { keptLog } from '../support/kept-log.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { type Body, type Service, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import type { Ground } from '../support/store-world.ts';
import { LONG_MS, until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { refused } from '../support/world.ts';

const settings = keyed();
const { log, lines } = keptLog();
let ground: Ground;
let service: Service;
let key: string;
let location: string;
let event: string;
/** The changes of the event, the oldest first; the third is damaged. */
let ids: readonly string[];

before(async () => {
  ground = await serviceGround();
  service = await startService({ ground, settings, log });
  key = (await service.newKey({ allow: ['webhooks'] })).secret;
  location = await service.location();
  event = await service.event(location);
  for (const event_name of ['Two', 'Three', 'Four', 'Five']) {
    const { status, text } = await service.patch(`/v1/events/${event}`, { event_name });
    assert.equal(status, 200, text);
  }
  const { body } = await service.get('/v1/changes?resource[]=event');
  ids = body.data.map(({ unique_identifier }: Body) => unique_identifier);
  assert.equal(ids.length, 5);
  await spoilChange(ground.url, event, 3);
});
after(async () => {
  await ground?.remove();
});

const damaged = () => ids[2] as string;

it('a page ends before it, the next one names it, and the one behind it goes on', async () => {
  const page = await service.get('/v1/changes?resource[]=event');
  assert.equal(page.status, 200);
  assert.deepEqual([page.body.data.length, page.body.has_more], [2, true]);
  const stopped = await service.get(`/v1/changes?starting_after=${page.body.position}`);
  refused(stopped, 410, 'change_damaged', 'starting_after');
  const { message } = stopped.body.error;
  assert.ok(message.includes(`Send starting_after=${damaged()} to continue after it.`), message);
  const behind = await service.get(`/v1/changes?starting_after=${damaged()}&expand[]=record`);
  assert.deepEqual(pluck(behind.body.data, 'unique_identifier'), ids.slice(3));
});

it('a stream says so and ends, and goes on behind it', async () => {
  const read = async (from: string, accept: string): Promise<string> => {
    const response = await fetch(`${service.url}/v1/changes?starting_after=${from}`, {
      headers: { Authorization: `Bearer ${service.key}`, Accept: accept },
      signal: AbortSignal.timeout(LONG_MS),
    });
    let text = '';
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString();
      if (text.includes(ids[4] as string) || text.includes('"error"')) break;
    }
    return text;
  };
  for (const accept of ['application/x-ndjson', 'text/event-stream']) {
    const text = await read(ids[0] as string, accept);
    assert.ok(text.includes(ids[1] as string), text);
    assert.match(text, /"code":"change_damaged"/);
    assert.match(await read(ids[1] as string, accept), /"code":"change_damaged"/);
    assert.ok((await read(damaged(), accept)).includes(ids[4] as string));
  }
});

it('the history of its record goes up to it, names it, and goes on behind it', async () => {
  const at = `/v1/events/${event}`;
  const newest = await service.get(`${at}/history`);
  assert.deepEqual([newest.status, newest.body.has_more], [200, true]);
  assert.deepEqual(pluck<Body>(newest.body.data, 'version'), [5, 4]);
  const next = await service.get(`${at}/history?starting_after=${ids[3]}`);
  refused(next, 410, 'change_damaged');
  const behind = await service.get(`${at}/history?starting_after=${damaged()}`);
  assert.deepEqual(pluck(behind.body.data, 'version', 'changes'), [
    [2, null],
    [1, null],
  ]);
  assert.equal((await service.get(`${at}?version=4`)).body.event_name, 'Four');
  refused(await service.get(`${at}?version=2`), 410, 'change_damaged');
  assert.equal((await service.get(`${at}?version=9`)).status, 404);
});

it('webhooks pass over it and go on', async () => {
  const receiver = await startReceiver();
  try {
    const made = await service.json('/v1/webhook_endpoints', { url: receiver.url }, { key });
    assert.equal(made.status, 200, made.text);
    const hook = `/v1/webhook_endpoints/${made.body.unique_identifier}`;
    const replay = await service.json(`${hook}/replay`, { starting_after: ids[0] }, { key });
    assert.equal(replay.status, 200, replay.text);
    const told = () => receiver.received.map(({ id }) => id);
    await until(() => told().includes(ids[4] as string));
    assert.ok(told().includes(ids[1] as string) && !told().includes(damaged()));
    await service.send('DELETE', hook, { key });
  } finally {
    await receiver.close();
  }
});

it('search finds what was changed by it', async () => {
  await until(async () => {
    const { body } = await service.get('/v1/search?q=five');
    return JSON.stringify(body).includes(event);
  });
});

it('a record that one commit changes twice is whole', async () => {
  const { unique_identifier: account } = service.account;
  const shape = resources.find(({ name }) => name === 'event')?.shape;
  assert.ok(shape !== undefined);
  const pair = { account, parent: location, external_identifier: 'twice' };
  const outcomes = await service.app.store.commit(
    ['a', 'b', 'c'].map((event_name) => ({
      ...{ shape, ...pair, anchor: location },
      patch: { event_name, event_datetime: '2026-11-20T14:30:00Z' },
    })),
  );
  const [first] = outcomes;
  assert.ok(first !== undefined && 'record' in first);
  const { unique_identifier } = first.record;
  const read = await service.get(`/v1/changes?starting_after=${ids[4]}`);
  const wanted = [1, 2, 3].map((version) => [unique_identifier, version]);
  assert.deepEqual(pluck<Body>(read.body.data, 'record', 'version'), wanted, read.text);
});

it('operators are told once, with its position, and no answer was a fault of ours', () => {
  const told = lines.filter(({ change }) => change !== undefined);
  assert.deepEqual(pluck(told, 'level', 'change', 'account'), [
    [50, damaged(), service.account.unique_identifier],
  ]);
  assert.ok(lines.every(({ level, msg }) => Number(level) < 50 || String(msg).includes('damaged')));
});

/** Limits of a key: how often and how many at once its requests may come, and what it is told of them. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connect } from '../support/cli-request.ts';
import { heldElapsed } from '../support/own-elapsed.ts';
import { pluck } from '../support/pluck.ts';
import { answersIn, LINES_TYPE, sendLines, summary } from '../support/rows.ts';
import { locationBody } from '../support/sent.ts';
import { type Answer, type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

/** By this a key may send more again. */
const elapsed = heldElapsed();
const stage = world();
const UPSERT = '/v1/locations/upsert';

const location = (name: string) => locationBody(stage.account, name);
const list = (key: string) => stage.service.get('/v1/locations', { key });
const limitedTo = async (limits: Parameters<Service['newKey']>[0]) =>
  (await stage.service.newKey(limits)).secret;

/** What the headers tell of a policy: its parameters by name. */
function told(answer: Pick<Answer, 'headers'>, header: string): Record<string, number | string> {
  const value = answer.headers.get(header) ?? assert.fail(`There is no ${header}.`);
  const [, ...parameters] = value.split(';');
  return Object.fromEntries(
    parameters.map((parameter) => {
      const [name = '', text = ''] = parameter.split('=');
      return [name, text.startsWith('"') ? text.slice(1, -1) : Number(text)];
    }),
  );
}

const CONCURRENT = 'concurrency_limited';

function wantLimited(answer: Answer, wanted = 'rate_limited'): number {
  assert.equal(answer.status, 429, answer.text);
  const { type, code, message } = answer.body.error;
  assert.deepEqual([type, code], ['rate_limit_error', wanted]);
  assert.match(message, /Nothing was saved/);
  const after = answer.headers.get('Retry-After') ?? '';
  assert.match(after, /^[1-9]\d*$/);
  return Number(after);
}

/** The first answer that is no refusal: a client that has gone is noticed when its end has arrived. */
async function onceThereIsRoom(key: string): Promise<Answer> {
  let answer = await list(key);
  await until(async () => {
    if (answer.status === 200) return true;
    wantLimited(answer, CONCURRENT);
    answer = await list(key);
    return false;
  });
  return answer;
}

/** Sends with a key until it is limited, so many times at most. */
async function untilLimited(key: string, most: number): Promise<Answer> {
  for (let count = 0; count < most; count++) {
    const answer = await list(key);
    if (answer.status === 429) return answer;
    assert.equal(answer.status, 200);
  }
  return assert.fail(`${most} requests were not limited.`);
}

/** A key that has sent what it may. */
async function exhausted(): Promise<string> {
  const key = await limitedTo({ requests_a_second: 1 / 60 });
  await untilLimited(key, 3);
  return key;
}

/** The text of a request on a connection that stays, or ends. */
function raw(key: string, Connection = 'keep-alive'): string {
  const headers = { Authorization: `Bearer ${key}`, Connection };
  return rawRequest(stage.service, 'GET /v1/locations', headers);
}

describe('a key with a rate', () => {
  it('is told what it may send, and after how many seconds it may send more', async () => {
    const key = await limitedTo({ requests_a_second: 3 });
    const first = await stage.service.json(UPSERT, location('first'), { key });
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('RateLimit-Policy'), '"rate";q=3;w=1');
    assert.deepEqual(told(first, 'RateLimit'), { r: 2, t: 1 });

    const limited = await untilLimited(key, 12);
    const seconds = wantLimited(limited);
    assert.deepEqual(told(limited, 'RateLimit'), { r: 0, t: seconds });
    elapsed.move(seconds * 1000);
    assert.equal((await list(key)).status, 200);
  });

  it('is told of a rate that is no whole number a second by the minute', async () => {
    const key = await limitedTo({ requests_a_second: 90 / 60 });
    const answer = await list(key);
    assert.equal(answer.headers.get('RateLimit-Policy'), '"rate";q=90;w=60');
    assert.deepEqual(told(answer, 'RateLimit'), { r: 89, t: 1 });
  });

  it('does nothing of what is refused, and says so before the body is sent', async () => {
    const key = await exhausted();
    const head = rawRequest(stage.service, `POST ${UPSERT}`, {
      ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      'Content-Length': '100000',
    });
    const [answer] = await exchange(stage.service.url, head);
    assert.equal(answer?.status, 429);
    assert.equal(answer?.headers['retry-after'], '60');
    const found = await stage.service.get('/v1/locations?external_identifier=refused');
    assert.deepEqual(found.body.data, []);
  });

  it('pays for each row of an array, regardless of their number', async () => {
    const key = await limitedTo({ requests_a_second: 1 });
    const rows = Array.from({ length: 40 }, (_, index) => location(`row-${index}`));
    const answer = await stage.service.json('/v1/locations/upsert_many', rows, { key });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.summary.created, 40);
    // The time that the answers took counts.
    const { r, t } = told(answer, 'RateLimit');
    assert.equal(r, 0);
    assert.ok(Number(t) > 20 && Number(t) <= 40, `${t} s`);
    const seconds = wantLimited(await list(key));
    assert.ok(seconds > 20 && seconds <= 40, `${seconds} s`);
  });

  it('pays for the rows of an array that is refused', async () => {
    const key = await limitedTo({ requests_a_second: 1 });
    const rows = Array.from({ length: 30 }, () => ({}));
    const path = '/v1/locations/upsert_many?atomic=true';
    assert.equal((await stage.service.json(path, rows, { key })).status, 409);
    wantLimited(await list(key));
  });
});

describe('a key beyond its rate', { concurrency: true }, () => {
  it('is told so whatever it asks for, and others are not', async () => {
    const key = await exhausted();
    wantLimited(await stage.service.get('/v1/nothing', { key }));
    wantLimited(await stage.service.get('/v1/%zz', { key }));
    wantLimited(await stage.service.send('PUT', UPSERT, { key }));
    const other = await stage.service.get('/v1/locations');
    assert.deepEqual([other.status, other.headers.get('RateLimit')], [200, null]);
    assert.equal(other.headers.get('RateLimit-Policy'), null);
    assert.equal((await stage.service.get('/v1/locations', { key: `${key}x` })).status, 401);
  });

  it('gains nothing by not waiting: its connection is answered later', async () => {
    const key = await exhausted();
    const began = Date.now();
    const answers = await exchange(stage.service.url, raw(key).repeat(2) + raw(key, 'close'));
    assert.deepEqual(pluck(answers, 'status'), [429, 429, 429]);
    const ms = Date.now() - began;
    assert.ok(ms > 900, `the last one after ${ms} ms`);
  });

  it('reads in a later answer, too, what was left when it was refused', async () => {
    const key = await limitedTo({ requests_a_second: 3 });
    const answers = await exchange(stage.service.url, raw(key).repeat(5) + raw(key, 'close'));
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 2, `${refused.length} refused`);
    for (const { headers } of refused) {
      assert.equal(headers.ratelimit, `"rate";r=0;t=${headers['retry-after']}`);
    }
  });

  it('loses a connection on which it sends more and more without reading the answers', async () => {
    const key = await exhausted();
    const answers = await exchange(stage.service.url, raw(key).repeat(1_000));
    assert.ok(answers.length < 30, `${answers.length} answers`);
    assert.ok(answers.every(({ status }) => status === 429));
  });
});

it('a key beyond its rate is slowed where it sends a stream, and its single requests get their turn beside it', async () => {
  const key = await limitedTo({ requests_a_second: 40 });
  const rows = Array.from({ length: 120 }, (_, index) => location(`slowed-${index}`));
  const saved = async (): Promise<number> => {
    const headers = { Accept: LINES_TYPE };
    const { text } = await stage.service.get('/v1/locations', { headers });
    return text.split('"slowed-').length - 1;
  };
  let singles = 0;
  let streaming = true;
  const lines = rows.map((row) => JSON.stringify(row)).join('\n');
  const sending = sendLines(stage, 'locations', lines, { key }).finally(() => {
    streaming = false;
  });
  await until(async () => (await saved()) > 0);
  let ms = 0;
  for (; streaming; ms += 250) {
    const [count, most] = [await saved(), 40 + (40 * ms) / 1000];
    assert.ok(count <= most, `${count} rows after ${ms} ms`);
    elapsed.move(250);
    if ((await list(key)).status === 200) singles += 1;
    // A stream that waits asks for the time, and takes what it may by now.
    const asked = elapsed.asked();
    await until(() => elapsed.asked() > asked || !streaming);
  }
  const answer = await sending;
  assert.equal(answer.status, 200);
  assert.deepEqual(answersIn(answer.text).last, { summary: summary(120, 0, 0, 0) });
  assert.ok(ms > 1_500, `120 rows at 40 a second took ${ms} ms`);
  assert.ok(singles >= 3, `${singles} single requests got their turn`);
});

describe('a key with a bound on requests at once', () => {
  it('gets 429 beyond it, until one of them is answered or its client is gone', async () => {
    const key = await limitedTo({ requests_at_once: 2 });
    const connections = connect(stage.service.url, key, 8);
    const one = await connections.begin(UPSERT, location('one'));
    const other = connect(stage.service.url, key, 8);
    await other.begin(UPSERT, location('gone'));
    assert.equal(wantLimited(await list(key), CONCURRENT), 1);
    other.close();
    const answer = await onceThereIsRoom(key);
    const policy = answer.headers.get('RateLimit-Policy');
    assert.equal(policy, '"concurrent";q=2;qu="concurrent-requests"');
    assert.equal(answer.headers.get('RateLimit'), '"concurrent";r=0');
    const three = await connections.begin(UPSERT, location('three'));
    wantLimited(await list(key), CONCURRENT);
    assert.equal((await one.finish()).status, 200);
    assert.equal((await three.finish()).status, 200);
    assert.equal((await list(key)).status, 200);
    connections.close();
  });

  it('is told of both limits where it has both', async () => {
    const key = await limitedTo({ requests_a_second: 1, requests_at_once: 5 });
    const { headers } = await list(key);
    const policies = '"rate";q=1;w=1, "concurrent";q=5;qu="concurrent-requests"';
    assert.equal(headers.get('RateLimit-Policy'), policies);
    assert.equal(headers.get('RateLimit'), '"rate";r=0;t=1, "concurrent";r=4');
  });
});

it('RATE_LIMIT holds for every key that has no rate of its own', async () => {
  const service = await startService({ settings: { rate_limit: '30/m' } });
  const { headers } = await service.get('/v1/locations');
  assert.equal(headers.get('RateLimit-Policy'), '"rate";q=30;w=60');
  const { secret: key } = await service.newKey({ requests_a_second: 500 });
  const own = await service.get('/v1/locations', { key });
  assert.equal(own.headers.get('RateLimit-Policy'), '"rate";q=500;w=1');
  const health = await service.get('/healthz', { key: null });
  assert.equal(health.headers.get('RateLimit'), null);
});

/** The project's own client sends again what may succeed the next time, and every request is done once. */
// needs: --ci, both stores with --all, waits, long

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { answerOf, ConnectionError, RateLimitError } from '../../client/src/index.ts';
import { clientOf, errorOf } from '../support/client.ts';
import { cutWire } from '../support/cut-wire.ts';
import { holdStore } from '../support/hold-store.ts';
import { localServer } from '../support/local-server.ts';
import { world } from '../support/world.ts';

const stage = world();

const location = (external_identifier: string) => ({
  account_unique_identifier: stage.parents.account,
  external_identifier,
  location_name: 'Main Street Chapel',
});
const servicePort = (): number => Number(new URL(stage.service.url).port);
const keysOf = (tries: readonly { headers: Headers }[]) =>
  tries.map(({ headers }) => headers.get('Idempotency-Key'));

/** A server that answers as told, for what the service itself cannot be brought to. */
const serverThat = async (listener: RequestListener): Promise<number> =>
  Number(new URL(await localServer(listener)).port);
/** Its answer to a request that it refuses. */
const no = (code: string): string =>
  JSON.stringify({ error: { type: 'api_error', code, message: 'Not now.', errors: [] } });
const JSON_TYPE = { 'Content-Type': 'application/json' };

type Api = ReturnType<typeof clientOf>['api'];

describe('a broken connection', () => {
  it('after the commit: an upsert is sent again, and finds its record', async () => {
    const wire = await cutWire(servicePort());
    const { api, tries } = clientOf(stage.service, { port: wire.port });
    wire.cutAt('back', 'HTTP/1.1 200');
    const made = await api.locations.upsert(location('cut'));
    assert.deepEqual([tries.length, answerOf(made)?.outcome], [2, 'unchanged']);
    assert.deepEqual(keysOf(tries), [null, null], 'an upsert needs no Idempotency-Key');
  });

  it('never makes a webhook endpoint twice: it is not sent again, unless it was certainly not done', async () => {
    const answers = [503, 0];
    const port = await serverThat((request, response) => {
      const status = answers.shift();
      if (status === 0) return request.socket.destroy();
      response.writeHead(status ?? 200, JSON_TYPE).end(no('service_unavailable'));
    });
    const { api, tries } = clientOf(stage.service, { port });
    const made = api.webhook_endpoints.create({ url: 'https://example.com/hook' });
    assert.equal((await errorOf(made)).code, 'connection_failed');
    assert.deepEqual([tries.length, answers.length], [2, 0]);
  });

  it('before the request arrived: it is done then', async () => {
    const wire = await cutWire(servicePort());
    const { api } = clientOf(stage.service, { port: wire.port });
    wire.cutAt('there', 'POST /v1');
    assert.equal(answerOf(await api.locations.upsert(location('lost')))?.outcome, 'created');
  });

  for (const [what, send] of Object.entries({
    'a removal': async (api: Api) => {
      const { unique_identifier } = await api.locations.upsert(location('to go'));
      return () => api.locations.remove(unique_identifier);
    },
    'what is only to be created': async (api: Api) => () =>
      api.locations.upsert(location('only once'), { mode: 'create_only' }),
    'what is held to a version': async (api: Api) => {
      const made = await api.locations.upsert(location('version'));
      const { unique_identifier: id } = made;
      const ifMatch = answerOf(made)?.etag;
      return () => api.locations.patch(id, { location_name: 'New' }, { ifMatch });
    },
  })) {
    it(`after the commit of ${what}: its Idempotency-Key gives the first answer`, async () => {
      const wire = await cutWire(servicePort());
      const { api, tries } = clientOf(stage.service, { port: wire.port });
      const again = await send(api);
      tries.length = 0;
      wire.cutAt('back', 'HTTP/1.1 200');
      const answer = answerOf(await again());
      assert.equal(answer?.replayed, true);
      const [first, second] = keysOf(tries);
      assert.match(first ?? '', /^[0-9a-f]{32}$/);
      assert.equal(second, first);
    });
  }

  it('every time: a ConnectionError after as many tries as were allowed', async () => {
    const port = await serverThat(({ socket }) => socket.destroy());
    const { api, tries } = clientOf(stage.service, { port, tries: 3 });
    const error = await errorOf(api.locations.upsert(location('x')));
    assert.ok(error instanceof ConnectionError);
    assert.deepEqual([error.code, error.status, tries.length], ['connection_failed', undefined, 3]);
  });

  it('every time, with time in place of tries: a ConnectionError when the patience is over', async () => {
    const port = await serverThat(({ socket }) => socket.destroy());
    const { api, tries } = clientOf(stage.service, { port, patience: 2_000 });
    const error = await errorOf(api.locations.upsert(location('x')));
    assert.equal(error.code, 'connection_failed');
    // Pauses of a half to one times 0.5, 1, 2 … seconds.
    assert.ok(tries.length >= 2 && tries.length <= 4, `${tries.length} tries`);
  });
});

describe('the manual and the client', () => {
  const page = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../docs', `${name}.md`), 'utf8');
  const [, table = ''] = /## What to retry\n([\s\S]*?)\n## /.exec(page('errors-and-retries')) ?? [];
  const rows = [...table.matchAll(/^\| ([\d, ]+) \|.*\| (.*) \|$/gm)];
  const told = rows.flatMap(([, statuses = '', what = '']) =>
    statuses.split(', ').map((status) => [Number(status), /retry/i.test(what)] as const),
  );

  it('name the statuses that there are', () => {
    const retried = told.filter(([, again]) => again).map(([status]) => status);
    assert.deepEqual(retried.sort(), [408, 429, 500, 502, 503, 504]);
    assert.ok(told.length > 12, String(told));
  });

  for (const [status, again] of told) {
    it(`agree on ${status}: ${again ? 'retried' : 'not retried'}`, async () => {
      const port = await serverThat((_request, answer) => {
        answer.writeHead(status, JSON_TYPE).end(no('internal_error'));
      });
      const { api, tries } = clientOf(stage.service, { port, tries: 2 });
      const error = await errorOf(api.locations.upsert(location('x')));
      assert.deepEqual([error.status, tries.length], [status, again ? 2 : 1]);
    });
  }

  it('agree that what the database refuses is not sent again by itself', async () => {
    assert.match(table, /`store_refused` keep the record, tell the operator/);
    const port = await serverThat((_request, answer) => {
      answer.writeHead(500, JSON_TYPE).end(no('store_refused'));
    });
    const { api, tries } = clientOf(stage.service, { port, tries: 5 });
    const error = await errorOf(api.locations.upsert(location('x')));
    assert.deepEqual([error.code, tries.length], ['store_refused', 1]);
  });

  for (const name of ['quick-start', 'errors-and-retries']) {
    it(`wait alike in the examples of ${name}`, () => {
      const text = page(name);
      assert.match(text, /\[408, 429\]\.includes\(answer\.status\) \|\| answer\.status >= 500/);
      assert.match(text, /wait = 500; ; wait = Math\.min\(2 \* wait, 8_000\)/);
      assert.match(text, /retryAfter \+ wait \* \(0\.5 \+ Math\.random\(\) \/ 2\)/);
      assert.match(text, /status not in \(408, 429\) and status < 500/);
      const slower =
        /retry_after \+ wait \* random\.uniform\(0\.5, 1\)\)\n +wait = min\(2 \* wait, 8\)/;
      assert.match(text, slower);
    });
  }
});

describe('no answer in time', () => {
  it('is a ConnectionError of its own, after as many tries as were allowed', async () => {
    const port = await serverThat(() => {});
    const { api, tries } = clientOf(stage.service, { port, timeout: 100, tries: 2 });
    const error = await errorOf(api.accounts.list().page());
    assert.deepEqual([error.type, error.code], ['connection_error', 'answer_timeout']);
    assert.equal(tries.length, 2);
  });
});

describe('429', () => {
  it('is waited for as long as Retry-After says', async () => {
    const { secret: key } = await stage.service.newKey({ requests_a_second: 1 });
    const { api, tries } = clientOf({ ...stage.service, key });
    // The next comes sooner than a second after the one before, but for a busy machine.
    for (let sent = 1; sent <= 10 && tries.length < sent; sent++) {
      await api.locations.upsert(location(`limited ${sent}`));
      if (tries.length > sent) return;
    }
    assert.fail(`${tries.length} tries, and none was limited`);
  });

  it('uses up no try: it is an appointment', async () => {
    let refused = 0;
    const port = await serverThat((_request, answer) => {
      const isOver = refused === 3;
      if (!isOver) refused += 1;
      answer.writeHead(isOver ? 200 : 429, { 'Retry-After': '0', ...JSON_TYPE });
      answer.end(isOver ? '{"unique_identifier":"loc_1"}' : no('rate_limited'));
    });
    const { api, tries } = clientOf(stage.service, { port, tries: 2 });
    assert.equal((await api.locations.upsert(location('x'))).unique_identifier, 'loc_1');
    assert.equal(tries.length, 4);
  });

  it('is thrown where it would take more than a minute', async () => {
    const { secret: key } = await stage.service.newKey({ requests_a_second: 1 / 3600 });
    const { api, tries } = clientOf({ ...stage.service, key });
    await api.accounts.list().page();
    const error = await errorOf(api.accounts.list().page());
    assert.ok(error instanceof RateLimitError);
    assert.ok((error.retryAfter ?? 0) > 60);
    assert.equal(tries.length, 2);
  });
});

describe('503', () => {
  const held = { skip: process.env.TEST_STORE === 'postgres' && 'it holds the embedded store' };
  it('is tried again until records are taken', held, async () => {
    const release = holdStore(stage.service);
    const { api, tries } = clientOf(stage.service, {
      tries: 6,
      tried: (count) => count === 2 && release(),
    });
    const made = await api.locations.upsert(location('patient'));
    assert.equal(answerOf(made)?.outcome, 'created');
    assert.ok(tries.length >= 2);
  });
});

describe('what is not tried again', () => {
  it('is an error of the request', async () => {
    const { api, tries } = clientOf(stage.service);
    await errorOf(api.locations.retrieve('loc_nothing'));
    assert.equal(tries.length, 1);
  });

  it('is whatever a signal ends while it waits', async () => {
    const port = await serverThat((_request, answer) => {
      answer.writeHead(503, { 'Retry-After': '30', ...JSON_TYPE }).end(no('service_unavailable'));
    });
    const ended = new AbortController();
    const reason = new Error('Enough.');
    // It listens to the signal itself only while it waits.
    const waits = Promise.withResolvers<void>();
    const listen = ended.signal.addEventListener.bind(ended.signal);
    ended.signal.addEventListener = (...given: Parameters<typeof listen>) => {
      listen(...given);
      waits.resolve();
    };
    const { api, tries } = clientOf(stage.service, { port });
    const sent = api.locations.upsert(location('x'), { signal: ended.signal });
    const refused = assert.rejects(sent, (error) => error === reason);
    await waits.promise;
    ended.abort(reason);
    await refused;
    assert.equal(tries.length, 1);
  });
});

describe('an answer of somebody else, such as a proxy', () => {
  for (const [status, expected] of [
    [200, 1],
    [404, 1],
    [502, 2],
  ]) {
    it(`with status ${status} is a ConnectionError that names the status, after ${expected} tries`, async () => {
      const port = await serverThat((_request, answer) => {
        answer.writeHead(status as number, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>');
      });
      const { api, tries } = clientOf(stage.service, { port, tries: 2 });
      const error = await errorOf(api.accounts.list().page());
      assert.deepEqual([error.code, error.status], ['answer_unreadable', status]);
      assert.equal(tries.length, expected);
    });
  }

  it('that leads elsewhere is not followed: the key goes to one address', async () => {
    let asked = 0;
    const other = await serverThat((_request, answer) => {
      asked += 1;
      answer.end('{}');
    });
    const port = await serverThat((_request, answer) => {
      answer.writeHead(307, { Location: `http://127.0.0.1:${other}/v1/accounts` }).end();
    });
    const { api } = clientOf(stage.service, { port, tries: 1 });
    const error = await errorOf(api.accounts.list().page());
    assert.deepEqual([error.code, asked], ['address_redirects', 0]);
  });
});

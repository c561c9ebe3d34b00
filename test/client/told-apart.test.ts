/** The client tells what passes from what lasts, waits as long as it is asked to, and ends when its caller does. */
// needs: waits
import assert from 'node:assert/strict';
import { type RequestListener, STATUS_CODES } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { describe, it, mock } from 'node:test';
import { ConnectionError, Ledgerstone, LedgerstoneError } from '../../client/src/index.ts';
import { Limit } from '../../client/src/limit.ts';
import { sendMany } from '../../client/src/many.ts';
import { wait } from '../../client/src/wait.ts';
import { makeCertificate } from '../support/certificate.ts';
import { errorOf } from '../support/client.ts';
import { listening, localServer } from '../support/local-server.ts';

const KEY = 'sk_test_x';
const FINE = JSON.stringify({ object: 'api_key' });
const DAY_MS = 86_400_000;

/** A server that answers so the first time, and then as the service does. */
async function onceThat(first: RequestListener) {
  let tries = 0;
  const url = await localServer((request, response) => {
    tries += 1;
    if (tries === 1) return first(request, response);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(FINE);
  });
  return { api: new Ledgerstone({ key: KEY, url }), url, tries: () => tries };
}

describe('an answer of anybody', () => {
  const cases: Readonly<Record<string, () => string>> = {
    seconds: () => '120',
    date: () => new Date(Date.now() + 120_000).toUTCString(),
  };
  for (const status of [408, 429, 500, 502, 503, 504])
    for (const [form, retryAfter] of Object.entries(cases))
      it(`of ${status} with Retry-After in ${form} is waited for`, async () => {
        const url = await localServer((_, response) => {
          const headers = { 'Content-Type': 'text/html', 'Retry-After': retryAfter() };
          response.writeHead(status, headers).end(`<h1>${STATUS_CODES[status]}</h1>`);
        });
        const began = performance.now();
        const error = await errorOf(new Ledgerstone({ key: KEY, url, patience: 60_000 }).me());
        // More than the patience, so nobody waits: what was asked for is known.
        assert.ok(performance.now() - began < 30_000);
        assert.equal(error.status, status);
        assert.ok(Math.abs((error.retryAfter ?? 0) - 120) <= 2, String(error.retryAfter));
      });

  it('that says no time is waited for as before', async () => {
    for (const said of ['', 'soon', '-5', '1e9 years']) {
      const { api, tries } = await onceThat((_, response) =>
        response.writeHead(503, { 'Retry-After': said }).end('<h1>Later</h1>'),
      );
      await api.me();
      assert.equal(tries(), 2, said);
    }
  });
});

describe('what does not pass by itself', () => {
  const refused = async (api: Ledgerstone, code: string, says: RegExp) => {
    const error = await errorOf(api.me());
    assert.ok(error instanceof ConnectionError);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, says);
    assert.doesNotMatch(`${error.message} ${error.stack}`, /s3cret|sk_test/);
  };

  for (const status of [300, 301, 302, 303, 305, 307, 308])
    it(`a redirect of ${status} is said with where it leads, without secrets`, async () => {
      const to = 'https://user:s3cret@records.example.com/v1/me?token=s3cret';
      const { api, tries } = await onceThat((_, response) =>
        response.writeHead(status, { Location: to }).end(),
      );
      await refused(api, 'address_redirects', /leads to https:\/\/records\.example\.com\/v1\/me,/);
      assert.equal(tries(), 1);
    });

  it('a redirect to nowhere, and to a path', async () => {
    for (const [to, says] of [
      ['https://', /leads elsewhere/],
      ['/other', /leads to http:\/\/127\.0\.0\.1:\d+\/other,/],
    ] as const) {
      const { api } = await onceThat((_, response) =>
        response.writeHead(301, { Location: to }).end(),
      );
      await refused(api, 'address_redirects', says);
    }
  });

  it('a name that does not exist', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND nobody.invalid'), {
      code: 'ENOTFOUND',
    });
    let tries = 0;
    const api = new Ledgerstone({
      ...{ key: KEY, url: 'https://nobody.invalid' },
      fetch: async () => {
        tries += 1;
        throw new TypeError('fetch failed', { cause });
      },
    });
    await refused(api, 'name_unknown', /nobody\.invalid/);
    assert.equal(tries, 1);
  });

  it('a certificate that is not trusted, and an address where nothing speaks TLS', async () => {
    const server = createSecure(makeCertificate(), (_, response) => response.end(FINE));
    const secure = `https://127.0.0.1:${await listening(server)}`;
    await refused(
      new Ledgerstone({ key: KEY, url: secure }),
      'certificate_untrusted',
      /certificate/,
    );
    const plain = (await localServer((_, response) => response.end(FINE))).replace('http', 'https');
    await refused(new Ledgerstone({ key: KEY, url: plain }), 'tls_unavailable', /TLS/);
  });

  it('an address with a secret in it says so without the secret', () => {
    for (const url of [
      'postgres://user:s3cret@db.example.com/x',
      'https://user:s3cret@records.example.com',
      'user:s3cret@records.example.com',
      'https://records.example.com/?token=s3cret',
      'https://records.example.com/#s3cret',
      'ftp://s3cret@records.example.com',
    ])
      assert.throws(
        () => new Ledgerstone({ key: KEY, url }),
        (error) => error instanceof TypeError && !error.message.includes('s3cret'),
        url,
      );
  });
});

describe('a wait', () => {
  it('is as long as it is asked to be, beyond what a timer can do', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let isOver = false;
      const over = wait(60 * DAY_MS, undefined).then(() => {
        isOver = true;
      });
      for (let day = 1; day < 60; day += 1) {
        mock.timers.tick(DAY_MS);
        await Promise.resolve();
        assert.ok(!isOver, `after ${day} days`);
      }
      // Each part begins at the end of a day here.
      mock.timers.tick(3 * DAY_MS);
      await over;
    } finally {
      mock.timers.reset();
    }
  });

  it('for an answer may be longer than a timer can be', async () => {
    const { api } = await onceThat((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(FINE),
    );
    for (const timeout of [2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY])
      assert.equal((await api.me({ timeout })).object, 'api_key');
    for (const timeout of [0, -1, Number.NaN])
      await assert.rejects(api.me({ timeout }), { name: 'TypeError', message: /^timeout is/ });
  });

  it('is not longer or shorter for a clock that is set', async () => {
    const { api, tries } = await onceThat((request) => request.socket.destroy());
    const { now } = Date;
    let calls = 0;
    // By a day at each look.
    Date.now = () => now() + DAY_MS * (calls++ % 2);
    try {
      await api.me();
    } finally {
      Date.now = now;
    }
    assert.equal(tries(), 2);
  });
});

describe('an aborted signal', () => {
  const REASON = new Error('Enough.');

  /** Awaits something that ends only by the signal. */
  async function ends(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const caller = new AbortController();
    const done = assert.rejects(work(caller.signal), REASON);
    setImmediate(() => caller.abort(REASON));
    await done;
  }
  const drained = async (all: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of all);
  };
  const never = new Promise<never>(() => {});
  const silent = (): Promise<string> => localServer(() => {});

  it('ends a request, the wait for the next one, and the wait for a limit', async () => {
    const url = await silent();
    await ends((signal) => new Ledgerstone({ key: KEY, url }).me({ signal }));
    const { url: later } = await onceThat((_, response) =>
      response.writeHead(503, { 'Retry-After': '30' }).end(),
    );
    await ends((signal) => new Ledgerstone({ key: KEY, url: later }).me({ signal }));
    const limit = new Limit();
    limit.join({});
    await ends((signal) => limit.reached({}, signal));
  });

  it('ends a fetch that knows no signals', async () => {
    const api = new Ledgerstone({ key: KEY, url: 'https://a.example', fetch: () => never });
    await ends((signal) => api.me({ signal }));
  });

  it('ends upsertMany while it waits for a source, for more rows, and for an answer', async () => {
    const sources: Readonly<Record<string, () => AsyncIterable<object>>> = {
      'that says nothing': async function* () {
        yield await never;
      },
      'that has said something': async function* () {
        yield { external_identifier: 'a' };
        yield await never;
      },
    };
    for (const source of Object.values(sources)) {
      await ends((signal) =>
        drained(
          sendMany(
            source(),
            () => 500,
            () => never,
            signal,
          ),
        ),
      );
      const api = new Ledgerstone({ key: KEY, url: await silent() });
      await ends(async (signal) => api.events.upsertMany(source() as never, { signal }));
    }
    const rows = [{ external_identifier: 'a' }];
    const api = new Ledgerstone({ key: KEY, url: await silent() });
    await ends(async (signal) => api.events.upsertMany(rows as never, { signal }));
    await ends((signal) =>
      api.sync({ resource: 'event', unique_identifier: 'syn_1' }, rows as never, { signal }),
    );
  });

  it('may live as long as the process, and keeps nothing of a request that has ended', async () => {
    const { api } = await onceThat((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(FINE),
    );
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...all: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, all);
    };
    signal.removeEventListener = (...all: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, all);
    };
    for (let count = 0; count < 20; count += 1) await api.me({ signal });
    assert.equal(listeners, 0);
  });
});

describe('what is awaited', () => {
  const answered = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      at % 3 === 2
        ? {
            error: {
              type: 'invalid_request_error',
              code: 'parameter_missing',
              message: 'x',
              errors: [],
            },
          }
        : { outcome: at % 3 === 0 ? 'created' : 'unchanged', unique_identifier: `evt_${at}` },
    );
  const service = () =>
    localServer(async (request, response) => {
      let text = '';
      for await (const part of request) text += part;
      const data = answered((JSON.parse(text) as unknown[]).length);
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ object: 'list', data }));
    });
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ external_identifier: String(at) })) as never[];

  it('of upsertMany are counts and refusals, of rows that were iterated over, too', async () => {
    const api = new Ledgerstone({ key: KEY, url: await service() });
    const none = { updated: 0, erased: 0 };
    const { refusals, ...counts } = await api.events.upsertMany(rows(30), { rows: 9 });
    assert.deepEqual(counts, { ...none, created: 10, unchanged: 10, refused: 10 });
    assert.deepEqual(
      refusals.map(({ index, row }) => [
        index,
        (row as { external_identifier: string }).external_identifier,
      ]),
      refusals.map(({ index }) => [index, String(index)]),
    );
    const both = api.events.upsertMany(rows(6));
    assert.equal((await both.next()).value?.outcome, 'created');
    assert.equal((await both).created, 2);
    // Awaited again, nothing is sent again.
    assert.equal((await both).created, 2);
    assert.equal((await api.events.upsertMany([])).created, 0);
  });

  it('fails as the iteration does', async () => {
    const url = await localServer((_, response) => response.writeHead(401).end('no'));
    const api = new Ledgerstone({ key: KEY, url, tries: 1 });
    await assert.rejects(async () => api.events.upsertMany(rows(3)), LedgerstoneError);
    const bad = [{ external_identifier: 'a' }, { event_name: Number.NaN }] as never[];
    const good = new Ledgerstone({ key: KEY, url: await service() });
    await assert.rejects(async () => good.events.upsertMany(bad), {
      name: 'TypeError',
      message: /^rows\[1\]\.event_name is NaN/,
    });
  });

  it('names each row as it was sent, where a source uses one object again', async () => {
    const api = new Ledgerstone({ key: KEY, url: await service() });
    const one = { external_identifier: '' };
    const source = function* () {
      for (let at = 0; at < 7; at += 1) {
        one.external_identifier = String(at);
        yield one as never;
      }
    };
    const named: string[] = [];
    for await (const { row } of api.events.upsertMany(source(), { rows: 3 }))
      named.push((row as typeof one).external_identifier);
    assert.deepEqual(named, ['0', '1', '2', '3', '4', '5', '6']);
    const given = rows(2);
    for await (const { row, index } of api.events.upsertMany(given))
      assert.equal(row, given[index], 'what nobody has changed is the object that was given');
  });
});

describe('a fetch that is replaced', () => {
  it('after the client was made is used', async () => {
    const url = 'https://records.example.com';
    const api = new Ledgerstone({ key: KEY, url });
    const { fetch } = globalThis;
    const asked: string[] = [];
    globalThis.fetch = async (input) => {
      asked.push(String(input));
      return new Response(FINE, { headers: { 'Content-Type': 'application/json' } });
    };
    try {
      await api.me();
    } finally {
      globalThis.fetch = fetch;
    }
    assert.deepEqual(asked, [`${url}/v1/me`]);
  });
});

/** Requests that the service sends reach the internet and what the operator allows, and nothing else; none lasts for ever. */

import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { describe, it } from 'node:test';
import { createOutbound, type OutboundRequest } from '../../src/core/outbound/outbound.ts';
import { OutboundError } from '../../src/core/outbound/outbound-error.ts';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate } from '../support/certificate.ts';
import { listening } from '../support/local-server.ts';
import { LONG_MS, until } from '../support/until.ts';

const { cert, key } = makeCertificate('localhost');
const LOOPBACK = ['127.0.0.0/8'];
const HOME: LookupAddress = { address: '127.0.0.1', family: 4 };
const ELSEWHERE: LookupAddress = { address: '127.0.0.2', family: 4 };
const FAR: LookupAddress = { address: '93.184.216.34', family: 4 };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const ok: Answer = (_, response) => response.end('fine');

const secure = (answer: Answer) => listening(createSecure({ cert, key }, answer));

interface Ground {
  readonly allowed?: readonly string[];
  readonly names?: Readonly<Record<string, readonly LookupAddress[]>>;
}

function ground({ allowed = LOOPBACK, names = {} }: Ground = {}) {
  const asked: string[] = [];
  const outbound = createOutbound({
    allowed,
    agent: 'Ledgerstone/test',
    ca: cert,
    lookUp: async (name) => {
      asked.push(name);
      return names[name] ?? [HOME];
    },
  });
  whenOver(() => outbound.close());
  const send = (url: string, more: Partial<OutboundRequest> = {}) =>
    outbound.send({ url, use: 'webhook', group: 'a', ms: LONG_MS, bytes: 65_536, ...more });
  return { outbound, send, asked };
}

async function faultOf(sent: Promise<unknown>): Promise<string> {
  try {
    await sent;
  } catch (error) {
    assert.ok(error instanceof OutboundError, String(error));
    return error.fault;
  }
  return 'none';
}

describe('a URL', () => {
  it('is refused where it says by itself that it leads nowhere good', async () => {
    const { outbound } = ground({ allowed: [] });
    for (const [url, says] of [
      ['ftp://example.com/', /^must begin with https:/],
      ['file:///etc/passwd', /^must begin with https:/],
      ['example.com', /^must be an absolute https URL/],
      ['', /^must be an absolute https URL/],
      [`https://example.com/${'a'.repeat(2_048)}`, /of at most 2048 characters/],
      ['https://user@example.com/', /^must hold no user name and no password/],
      ['https://:word@example.com/', /^must hold no user name and no password/],
      ['https://example.com:22/', /^must have the port 443, or one from 1024 on/],
      ['https://example.com:80/', /^must have the port 443/],
      ['http://example.com:443/', /^must have the port 80/],
    ] as const) {
      await assert.rejects(outbound.check(url, 'webhook', 'a'), (error: OutboundError) => {
        assert.equal(error.fault, 'url_refused', url);
        assert.match(error.message, says, url);
        return true;
      });
    }
  });

  it('of plain HTTP is good for images, and for addresses that the operator allows', async () => {
    const { outbound } = ground({ names: { 'far.example': [FAR] } });
    for (const [url, use, fault] of [
      ['http://far.example/', 'webhook', 'url_refused'],
      ['http://far.example/', 'sign_in', 'url_refused'],
      ['http://far.example/', 'image', 'none'],
      ['http://far.example:8080/', 'image', 'url_refused'],
      ['https://far.example:8443/', 'webhook', 'none'],
      ['http://home.example:8080/', 'webhook', 'none'],
      ['http://home.example:8080/', 'image', 'none'],
    ] as const)
      assert.equal(await faultOf(outbound.check(url, use, 'a')), fault, `${url} ${use}`);
  });
});

describe('a request', () => {
  it('reaches no address that is not public, by itself or by a name, and no connection is made', async () => {
    let connections = 0;
    const port = await secure(ok);
    const server = createPlain(ok).on('connection', () => {
      connections += 1;
    });
    const other = await listening(server);
    const { send } = ground({
      allowed: [],
      names: { 'two.example': [FAR, HOME], 'none.example': [] },
    });
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', 'home.example']) {
      assert.equal(await faultOf(send(`https://${host}:${port}/`)), 'address_refused', host);
      assert.equal(
        await faultOf(send(`http://${host}:${other}/`, { use: 'image' })),
        'address_refused',
        host,
      );
    }
    // One address that is refused is enough: a name must not have a way in beside the way out.
    assert.equal(await faultOf(send(`https://two.example:${port}/`)), 'address_refused');
    assert.equal(await faultOf(send(`https://none.example:${port}/`)), 'name_unknown');
    assert.equal(connections, 0);
  });

  it('goes to the address that was checked, though the name leads elsewhere a moment later', async () => {
    const port = await secure(ok);
    let asked = 0;
    const outbound = createOutbound({
      allowed: ['127.0.0.1'],
      agent: 'test',
      ca: cert,
      // What is allowed at first, and what is not each time after.
      lookUp: async () => [asked++ % 2 === 0 ? HOME : ELSEWHERE],
    });
    whenOver(() => outbound.close());
    const send = () =>
      outbound.send({
        ...{ url: `https://localhost:${port}/`, use: 'webhook', group: 'a' },
        ...{ ms: LONG_MS, bytes: 10 },
      });
    assert.equal((await send()).status, 200);
    // The connection that was kept is to the address that was checked.
    assert.equal((await send()).status, 200);
    assert.equal(asked, 1);
    assert.equal(
      await faultOf(outbound.check(`https://localhost:${port}/`, 'webhook', 'a')),
      'address_refused',
    );
  });

  it('says who sends it, and brings its body and its answer', async () => {
    const seen: unknown[] = [];
    const port = await secure((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      request.on('end', () => {
        const { host, 'user-agent': agent, 'webhook-id': id } = request.headers;
        seen.push({ method: request.method, url: request.url, host, agent, id, body });
        response.writeHead(418, { 'Retry-After': '7' }).end('teapot');
      });
    });
    const { send } = ground();
    const answer = await send(`https://localhost:${port}/hook?a=1#part`, {
      method: 'POST',
      headers: { 'webhook-id': 'chg_1' },
      body: 'Grüße',
    });
    assert.deepEqual(
      [answer.status, answer.headers['retry-after'], String(answer.body), answer.isWhole],
      [418, '7', 'teapot', true],
    );
    assert.deepEqual(seen, [
      {
        ...{ method: 'POST', url: '/hook?a=1', host: `localhost:${port}` },
        ...{ agent: 'Ledgerstone/test', id: 'chg_1', body: 'Grüße' },
      },
    ]);
  });

  it('ends in time, whatever the other side keeps it waiting with', async () => {
    let begun = 0;
    const port = await secure(({ url }, response) => {
      begun += 1;
      if (url === '/headers') return;
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const { send } = ground();
    for (const path of ['headers', 'body']) {
      assert.equal(
        await faultOf(send(`https://localhost:${port}/${path}`, { ms: 200 })),
        'timed_out',
      );
    }
    const stuck = createOutbound({
      ...{ allowed: LOOPBACK, agent: 'test', ca: cert },
      lookUp: () => new Promise(() => {}),
    });
    const url = `https://localhost:${port}/`;
    assert.equal(
      await faultOf(stuck.send({ url, use: 'webhook', group: 'a', ms: 200, bytes: 10 })),
      'timed_out',
    );
    const given = new AbortController();
    const before = begun;
    const more = { signal: given.signal, ms: 10 * LONG_MS };
    const sent = faultOf(send(`https://localhost:${port}/body`, more));
    await until(() => begun > before);
    given.abort();
    assert.equal(await sent, 'timed_out');
  });

  it('reads no more of the answer than it was asked to', async () => {
    let written = 0;
    const port = await secure((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384;
      };
      response.on('drain', more);
      more();
    });
    const { send } = ground();
    const { status, body, isWhole } = await send(`https://localhost:${port}/`, { bytes: 1_000 });
    assert.deepEqual([status, body.length, isWhole], [200, 1_000, false]);
    assert.ok(written < 16_777_216, `${written} bytes were taken`);
  });

  it('follows redirects only where asked to, each of them checked', async () => {
    const seen: (string | undefined)[] = [];
    const port = await secure(({ url = '', headers }, response) => {
      seen.push(headers.authorization);
      const [, to] = /^\/to\/(.*)$/.exec(url) ?? [];
      if (url === '/loop') response.writeHead(302, { Location: '/loop' }).end();
      else if (to !== undefined)
        response.writeHead(307, { Location: decodeURIComponent(to) }).end();
      else response.end('here');
    });
    const { send } = ground({ allowed: ['127.0.0.1'], names: { 'in.example': [ELSEWHERE] } });
    const to = (url: string) => `https://localhost:${port}/to/${encodeURIComponent(url)}`;
    const headers = { Authorization: 'Bearer secret' };
    assert.equal((await send(to('/end'))).status, 307);
    assert.equal((await send(to('/end'), { redirects: 1, method: 'POST' })).status, 307);
    assert.equal(String((await send(to('/end'), { redirects: 1, headers })).body), 'here');
    assert.deepEqual(seen.splice(0).slice(-2), ['Bearer secret', 'Bearer secret']);
    // What was meant for one host is not told to another.
    await send(to(`https://127.0.0.1:${port}/end`), { redirects: 1, headers });
    assert.deepEqual(seen, ['Bearer secret', undefined]);
    for (const [url, fault] of [
      [to(`https://in.example:${port}/`), 'address_refused'],
      [to('https://169.254.169.254/latest/meta-data/'), 'address_refused'],
      [to('http://93.184.216.34/'), 'url_refused'],
      [to('https://user@localhost/'), 'url_refused'],
      [to('file:///etc/passwd'), 'url_refused'],
      [`https://localhost:${port}/loop`, 'redirects_too_many'],
    ] as const)
      assert.equal(await faultOf(send(url, { redirects: 3 })), fault, url);
  });

  it('says in words of its own why there is no answer', async () => {
    const port = await secure(({ socket }) => socket.destroy());
    const http = await listening(createPlain(ok));
    const { send } = ground({ names: { 'other.example': [HOME] } });
    for (const [url, fault] of [
      [`https://localhost:${port}/`, 'connection_lost'],
      [`https://other.example:${port}/`, 'certificate_invalid'],
      [`https://localhost:${http}/`, 'connection_failed'],
      ['https://localhost:1024/', 'connection_failed'],
    ] as const)
      assert.equal(await faultOf(send(url)), fault, url);
    const trusting = createOutbound({ allowed: LOOPBACK, agent: 'test' });
    whenOver(() => trusting.close());
    assert.equal(
      await faultOf(
        trusting.send({
          ...{ url: `https://127.0.0.1:${port}/`, use: 'webhook', group: 'a' },
          ...{ ms: LONG_MS, bytes: 1 },
        }),
      ),
      'certificate_invalid',
    );
    const unknown = trusting.send({
      url: 'https://name.invalid/',
      use: 'webhook',
      group: 'a',
      ms: LONG_MS,
      bytes: 1,
    });
    assert.equal(await faultOf(unknown), 'name_unknown');
  });

  it('is sent once more where a connection that was kept has ended', async () => {
    const port = await secure(({ socket }, response) => {
      response.end('fine');
      // Only when the answer has left: the other side believes that the connection stays.
      response.on('finish', () => setTimeout(() => socket.destroy(), 20));
    });
    const { send } = ground();
    for (let round = 0; round < 5; round++) {
      assert.equal((await send(`https://localhost:${port}/`)).status, 200);
      await new Promise((resolve) => setTimeout(resolve, 15 + 2 * round));
    }
  });

  it('is retried once on a fresh connection, regardless of how many pooled ones have ended', async () => {
    const used = new WeakSet<object>();
    const waiting: ServerResponse[] = [];
    let connections = 0;
    const port = await secure(({ socket }, response) => {
      // It closes a connection while the second request is on its way.
      if (used.has(socket)) {
        socket.destroy();
        return;
      }
      used.add(socket);
      connections += 1;
      waiting.push(response);
      // The first three are answered together, so that each has a connection of its own.
      if (connections >= 3) for (const one of waiting.splice(0)) one.end('fine');
    });
    const { send } = ground();
    const url = `https://localhost:${port}/`;
    await Promise.all([send(url), send(url), send(url)]);
    assert.equal((await send(url)).status, 200);
  });
});

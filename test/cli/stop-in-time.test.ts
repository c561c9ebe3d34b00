/** A service that is told to stop has ended within ten seconds, whatever its clients do: containers are killed then. */
// needs: --all, program
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { sharedDatabase } from '../support/cli-postgres.ts';
import { type RunningService, startProcess } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { eventBody } from '../support/sent.ts';
import { slowWire } from '../support/slow-wire.ts';
import { onPostgres } from '../support/store-postgres.ts';

const MAX_MS = 9_500;

/** A connection, and what came back on it. */
interface Line {
  readonly socket: Socket;
  text: string;
  readonly closed: Promise<unknown>;
}

async function open(service: RunningService, ...pieces: string[]): Promise<Line> {
  const socket = connect(service.port, '127.0.0.1');
  // The service may hang up with a reset, which is an end like any other.
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const line: Line = { socket, text: '', closed };
  socket.setEncoding('utf8').on('data', (text) => {
    line.text += text;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece);
  return line;
}

async function until(line: Line, pattern: RegExp): Promise<void> {
  while (!pattern.test(line.text)) await once(line.socket, 'data');
}

function head(path: string, secret: string, ...headers: string[]): string {
  const begun = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${secret}`];
  return [...begun, ...headers, '', ''].join('\r\n');
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

interface Scene {
  readonly service: RunningService;
  readonly secret: string;
  readonly location: string;
}

/** Everybody who could keep it from ending, at once. */
async function wantEndInTime({ service, secret, location }: Scene): Promise<void> {
  const row = (name: string): string => `${JSON.stringify(eventBody(location, name))}\n`;
  const lines = ['Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked'];
  const many = head('/v1/events/upsert_many', secret, ...lines);
  const stream = await open(service, many, chunk(row('first')));
  await until(stream, /"line":1/);
  const body = ['Content-Type: application/json', 'Content-Length: 200', 'Expect: 100-continue'];
  const upsert = head('/v1/events/upsert', secret, ...body);
  const silent = await open(service, upsert, '{"external_identifier":');
  await until(silent, /100 Continue/);
  const idle = await open(service, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(idle, /"ok"/);
  const others = [await open(service), await open(service, 'POST /v1/events/upsert HTT')];

  const signalled = performance.now();
  const { code, stdout, stderr } = await service.stop('SIGTERM');
  const ms = performance.now() - signalled;
  assert.ok(ms < MAX_MS, `it took ${ms.toFixed(0)} ms`);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /"msg":"stopped"/);
  await Promise.all([stream, silent, idle, ...others].map(({ closed }) => closed));
  assert.match(silent.text, /HTTP\/1\.1 503 .*\r\n(.*\r\n)*Retry-After: 1\r\n/i);
  assert.match(
    stream.text,
    /\{"summary":\{"created":1,.*"line":2,"error":\{.*"code":"service_unavailable"/,
  );
  assert.match(stream.text, /\r\n0\r\n\r\n$/, 'the answer of the stream ends as it should');
}

async function embedded(): Promise<Scene> {
  const { cwd, account, secret } = await withAccount();
  const service = await startProcess({ cwd });
  return { service, secret, location: await makeLocation(service.url, secret, account) };
}

describe('a service over SQLite', () => {
  it('ends in time with streams open, bodies that stop, and connections that say nothing', async () => {
    await wantEndInTime(await embedded());
  });
});

await onPostgres(({ name, url: server }) => {
  describe(`a service over ${name}`, { concurrency: 2 }, () => {
    it('ends in time with streams open, bodies that stop, and connections that say nothing', async () => {
      await wantEndInTime(await sharedDatabase(server));
    });

    it('ends in time when the database has fallen silent under a write', async () => {
      const shared = await sharedDatabase(server);
      const url = new URL(shared.url);
      const wire = await slowWire(Number(url.port));
      url.port = String(wire.port);
      const service = await shared.start(url.href);
      wire.hush();
      const body = JSON.stringify(eventBody(shared.location, 'silence'));
      const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
      await open(service, head('/v1/events/upsert', shared.secret, ...headers), body);
      const signalled = performance.now();
      const { code } = await service.stop('SIGTERM');
      const ms = performance.now() - signalled;
      assert.ok(ms < MAX_MS, `it took ${ms.toFixed(0)} ms`);
      assert.equal(code, 0);
    });
  });
});

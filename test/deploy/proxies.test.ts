/** The files for Caddy and nginx do what the service needs of a proxy: TLS, streams both ways, addresses that nobody can forge, and no error where one of two processes is gone. */
// needs: --all, program, waits

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { isThere, ownFolder } from '../support/cli-program.ts';
import { locationBody } from '../support/sent.ts';
import { startService } from '../support/service.ts';
import { LONG_MS, until } from '../support/until.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
/** A client that is no proxy, on this machine. */
const CLIENT = '127.0.0.2';

interface Place {
  readonly folder: string;
  readonly files: { readonly cert: string; readonly key: string };
  readonly port: number;
  /** Where the service is, once for each of its processes. */
  readonly services: readonly string[];
}

/** How to start each on the file as it is shipped, but for names, ports and files of this place. */
const proxies: Readonly<Record<string, (place: Place) => string[]>> = {
  caddy({ folder, files, port, services }) {
    const shipped = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8')
      .replace(
        /^records\.example\.com \{/m,
        `https://localhost:${port} {\n\ttls "${files.cert}" "${files.key}"`,
      )
      .replace('127.0.0.1:8080', services.join(' '));
    const config = join(folder, 'Caddyfile');
    writeFileSync(config, shipped.replace(/^\{$/m, '{\n\tadmin off\n\tauto_https off'));
    return ['run', '--adapter', 'caddyfile', '--config', config];
  },
  nginx({ folder, files, port, services }) {
    const shipped = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('listen 80', `listen ${CLIENT}:${port}`)
      .replace(/^.*\[::\]:.*\n/gm, '')
      .replace(/^.*127\.0\.0\.1:8080.*$/m, (line) =>
        services.map((service) => line.replace('127.0.0.1:8080', service)).join('\n'),
      )
      .replace(/(ssl_certificate +)[^;]+/, `$1"${files.cert}"`)
      .replace(/(ssl_certificate_key +)[^;]+/, `$1"${files.key}"`)
      .replaceAll(/\/var\/log\/nginx(\/\S+\.log)/g, `"${folder}$1"`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path "${folder}/${name}";`,
    );
    const config = join(folder, 'nginx.conf');
    writeFileSync(
      config,
      `pid "${folder}/pid"; error_log stderr; daemon off; master_process off;\nevents {}\nhttp {\naccess_log off; ${temporary.join(' ')}\n${shipped}}\n`,
    );
    return ['-p', folder, '-c', config];
  },
};

for (const program of Object.keys(proxies)) {
  const skip = !isThere(program) && `there is no ${program} on this machine`;
  describe(`behind ${program}`, { skip }, () => {
    it('requests and streams pass as they come, and the client is known by its address', async () => {
      const service = await startService({ settings: { trust_proxy: '127.0.0.1,::1' } });
      const { base, stderr, folder } = await inFront(program, [new URL(service.url).host]);
      const { secret } = await service.newKey({ from: [CLIENT] });
      const headers = {
        host: 'localhost',
        authorization: `Bearer ${secret}`,
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      };
      const status = await firstStatus(() => send(base, { headers }), stderr);
      assert.equal(status, 200, 'what the client says of its address is not believed');

      const sent = request({
        ...base,
        method: 'POST',
        path: '/v1/locations/upsert_many',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
      });
      const line = (name: string): string =>
        `${JSON.stringify(locationBody(service.account.unique_identifier, name, { location_name: name }))}\n`;
      sent.write(line('one'));
      const [answer] = await once(sent, 'response', late());
      const [first] = await once(answer, 'data', late());
      assert.match(String(first), /"created"/, 'the first row is answered while the others wait');
      let rest = '';
      answer.on('data', (text: Buffer) => {
        rest += String(text);
      });
      sent.end(line('two'));
      await once(answer, 'end', late());
      assert.match(rest, /"created"/);

      // Also where the proxy itself has something to say.
      const referer = 'https://localhost/console/find?q=Rosalinda';
      const search = () =>
        send(base, { headers: { ...headers, referer }, path: '/v1/search?q=Rosalinda' });
      await search();
      // nginx sends on whoever comes by HTTP; so does Caddy, where it may listen on port 80.
      const plain = await fetch(`http://${CLIENT}:${base.port}/v1/search?q=Rosalinda`, {
        redirect: 'manual',
      }).catch(() => undefined);
      if (program === 'nginx') assert.equal(plain?.status, 308);
      await service.stop();
      assert.ok([502, 503].includes(await search()));
      const logged = readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => readFileSync(join(folder, name), 'utf8'));
      const said = [...logged, stderr()].join('\n');
      assert.match(said, /\/v1\/search/);
      assert.doesNotMatch(said, /Rosalinda/, 'what people search for is in no log');
    });

    it('a stream that arrives faster than it is saved is answered to its end, however long it is', async () => {
      const service = await startService({ settings: { trust_proxy: '127.0.0.1,::1' } });
      const { base, stderr } = await inFront(program, [new URL(service.url).host]);
      const { secret } = await service.newKey();
      const headers = { host: 'localhost', authorization: `Bearer ${secret}` };
      await firstStatus(() => send(base, { headers }), stderr);
      // Blanks that JSON passes over: more bytes than the sockets between sender and service hold.
      const blanks = ' '.repeat(8_000);
      const sent = request({
        ...{ ...base, method: 'POST', path: '/v1/locations/upsert_many' },
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
      });
      const count = 5_000;
      const rows = Array.from({ length: count }, (_, row) => {
        const body = locationBody(service.account.unique_identifier, `long ${row}`, {
          location_name: 'Long',
        });
        return `${JSON.stringify(body)}${blanks}\n`;
      });
      const answered = once(sent, 'response', late());
      sent.end(rows.join(''));
      const [answer] = await answered;
      let text = '';
      for await (const piece of answer) text += String(piece);
      const lines = text.trimEnd().split('\n');
      assert.equal(lines.length, count + 1, lines.at(-1) ?? '');
      assert.equal(JSON.parse(lines.at(-1) ?? '').summary.created, count);
    });

    it('no request fails where one of two processes is gone, and none is sent twice', async () => {
      const service = await startService({ settings: { trust_proxy: '127.0.0.1,::1' } });
      const there = new URL(service.url).host;
      const { secret } = await service.newKey();
      const headers = { host: 'localhost', authorization: `Bearer ${secret}` };
      const upsert = (name: string) => ({
        ...{ method: 'POST', path: '/v1/locations/upsert' },
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(
          locationBody(service.account.unique_identifier, name, { location_name: name }),
        ),
      });

      const gone = `127.0.0.1:${await freePort()}`;
      const { base, stderr } = await inFront(program, [gone, there]);
      const statuses = [await firstStatus(() => send(base, { headers }), stderr)];
      // Caddy says which processes it finds gone when it has asked each; nginx learns it from requests.
      if (program === 'caddy') await until(() => stderr().includes(gone));
      for (let each = 0; each < 20; each++) {
        statuses.push(await send(base, { headers }), await send(base, upsert(`gone ${each}`)));
      }
      assert.deepEqual(new Set(statuses), new Set([200]), statuses.join(' '));

      const taken: string[] = [];
      const dying = createServer((socket) => {
        socket
          .on('error', () => {})
          .on('data', (data) => {
            const text = String(data);
            taken.push(...(/dying \d+/.exec(text) ?? []));
            if (text.startsWith('GET'))
              socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
            if (text.includes('}')) socket.destroy();
          });
      }).listen(0, '127.0.0.1');
      whenOver(() => dying.close());
      await once(dying, 'listening');
      const { port } = dying.address() as AddressInfo;
      const other = await inFront(program, [`127.0.0.1:${port}`, there]);
      await firstStatus(() => send(other.base, { headers }), other.stderr);
      for (let each = 0; each < 20; each++) {
        await send(other.base, upsert(`dying ${each}`)).catch(() => 0);
      }
      assert.notEqual(taken.length, 0, 'some reached the process that dies of them');
      const stored = JSON.parse((await service.get('/v1/locations')).text) as {
        data: { name: string }[];
      };
      const names = stored.data.map(({ name }) => name);
      assert.deepEqual(
        taken.filter((name) => names.includes(name)),
        [],
        'what one process has taken, and may have done, is not sent to the other',
      );
    });

    it('a GET waits for the only process while it restarts', {
      skip: program === 'nginx',
    }, async () => {
      const port = await freePort();
      const { base, stderr } = await inFront(program, [`127.0.0.1:${port}`]);
      await until(() => isTaken(base.port)).catch(() => assert.fail(stderr()));
      const headers = { host: 'localhost' };
      const status = send(base, { headers });
      // Caddy has asked the process, and found it gone, while the request waits.
      await until(() => stderr().includes(`127.0.0.1:${port}`));
      const back = createHttpServer((_, answer) => answer.end()).listen(port, '127.0.0.1');
      whenOver(() => back.close().closeAllConnections());
      assert.equal(await status, 200);
    });
  });
}

/** How a client that is no proxy reaches one. */
interface Base {
  readonly port: number;
  readonly host: string;
  readonly servername: string;
  readonly ca: string;
  readonly agent: false;
  readonly localAddress: string;
  readonly timeout: number;
}

async function inFront(program: string, services: readonly string[]) {
  const made = makeCertificate();
  const folder = ownFolder();
  const files = writeCertificate(folder, made);
  const port = await freePort();
  const words = proxies[program]?.({ folder, files, port, services }) ?? [];
  const stderr = startProxy(program, words, folder);
  const base: Base = {
    ...{ port, host: '127.0.0.1', servername: 'localhost', ca: made.cert, agent: false },
    ...{ localAddress: CLIENT, timeout: LONG_MS },
  };
  return { base, stderr, folder };
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Resolves with the status. */
function send(base: Base, { body, ...sent }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ ...base, path: '/v1/accounts', ...sent }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end(body);
  });
}

/** What the first request is answered with that the proxy takes. */
async function firstStatus(get: () => Promise<number>, stderr: () => string): Promise<number> {
  let status = 0;
  const isAnswered = async (): Promise<boolean> => {
    status = await get().catch(() => 0);
    return status !== 0;
  };
  await until(isAnswered).catch(() => assert.fail(stderr()));
  return status;
}

function startProxy(program: string, words: readonly string[], folder: string): () => string {
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += String(text);
  });
  whenOver(async () => {
    const exit = once(child, 'exit');
    if (child.kill('SIGKILL')) await exit;
  });
  return () => said;
}

/** Far beyond what anything takes. */
function late(): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(LONG_MS) };
}

/** Whether somebody listens there. */
async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const taken = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return taken;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

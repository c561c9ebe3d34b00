/** The files for Caddy and nginx do what the service needs of a proxy: TLS, streams both ways, and addresses that nobody can forge. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { isThere, ownFolder } from '../support/cli-program.ts';
import { startService } from '../support/service.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
/** A client that is no proxy, on this machine. */
const CLIENT = '127.0.0.2';

interface Place {
  readonly folder: string;
  readonly files: { readonly cert: string; readonly key: string };
  readonly port: number;
  readonly service: string;
}

/** How to start each on the file as it is shipped, but for names, ports and files of this place. */
const proxies: Readonly<Record<string, (place: Place) => string[]>> = {
  caddy({ folder, files, port, service }) {
    const shipped = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8')
      .replace(
        /^records\.example\.com \{/m,
        `https://localhost:${port} {\n\ttls "${files.cert}" "${files.key}"`,
      )
      .replace('127.0.0.1:8080', service);
    const config = join(folder, 'Caddyfile');
    writeFileSync(config, shipped.replace(/^\{$/m, '{\n\tadmin off\n\tauto_https off'));
    return ['run', '--adapter', 'caddyfile', '--config', config];
  },
  nginx({ folder, files, port, service }) {
    const shipped = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace(/^.*\[::\]:443.*\n/m, '')
      .replace('127.0.0.1:8080', service)
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

for (const [program, wordsFor] of Object.entries(proxies)) {
  const skip = !isThere(program) && `there is no ${program} on this machine`;
  describe(`behind ${program}`, { skip }, () => {
    it('requests and streams pass as they come, and the client is known by its address', async (t) => {
      const made = makeCertificate();
      const folder = ownFolder(t);
      const files = writeCertificate(folder, made);
      const service = await startService({ settings: { trust_proxy: '127.0.0.1,::1' } });
      t.after(() => service.stop());
      const port = await freePort();
      const place = { folder, files, port, service: new URL(service.url).host };
      const stderr = startProxy(t, program, wordsFor(place), folder);
      const { secret } = await service.newKey({ from: [CLIENT] });
      const base = {
        ...{ port, host: '127.0.0.1', servername: 'localhost', ca: made.cert, agent: false },
        ...{ localAddress: CLIENT, timeout: 10_000 },
      };
      const headers = {
        host: 'localhost',
        authorization: `Bearer ${secret}`,
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      };
      const get = (path = '/v1/accounts'): Promise<number> =>
        new Promise((resolve, reject) => {
          request({ ...base, path, headers }, (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          })
            .on('error', reject)
            .end();
        });
      let status = 0;
      for (const until = Date.now() + 10_000; status === 0; await pause(50)) {
        assert.ok(Date.now() < until, stderr());
        status = await get().catch(() => 0);
      }
      assert.equal(status, 200, 'what the client says of its address is not believed');

      const sent = request({
        ...base,
        method: 'POST',
        path: '/v1/locations/upsert_many',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
      });
      const line = (name: string): string =>
        `${JSON.stringify({
          account_unique_identifier: service.account.unique_identifier,
          external_identifier: name,
          location_name: name,
        })}\n`;
      sent.write(line('one'));
      const [answer] = await once(sent, 'response', { signal: AbortSignal.timeout(10_000) });
      const [first] = await once(answer, 'data', { signal: AbortSignal.timeout(10_000) });
      assert.match(String(first), /"created"/, 'the first row is answered while the others wait');
      let rest = '';
      answer.on('data', (text: Buffer) => {
        rest += String(text);
      });
      sent.end(line('two'));
      await once(answer, 'end', { signal: AbortSignal.timeout(10_000) });
      assert.match(rest, /"created"/);

      // Also where the proxy itself has something to say.
      await get('/v1/search?q=Rosalinda');
      await service.stop();
      assert.equal(await get('/v1/search?q=Rosalinda'), 502);
      const logged = readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => readFileSync(join(folder, name), 'utf8'));
      const said = [...logged, stderr()].join('\n');
      assert.match(said, /\/v1\/search/);
      assert.doesNotMatch(said, /Rosalinda/, 'what people search for is in no log');
    });
  });
}

function startProxy(
  t: TestContext,
  program: string,
  words: readonly string[],
  folder: string,
): () => string {
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += String(text);
  });
  t.after(async () => {
    const exit = once(child, 'exit');
    if (child.kill('SIGKILL')) await exit;
  });
  return () => said;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A header that a request must have once is never taken from one of two places: such a request is refused, on every port. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import { READ } from '../../src/edge/request/head.ts';
import { makeCertificate } from '../support/certificate.ts';
import { ownFolder } from '../support/cli-program.ts';
import { keptLog } from '../support/kept-log.ts';
import { exchange } from '../support/wire.ts';
import { served } from '../support/world.ts';

const SRC = join(import.meta.dirname, '../../src');
/** A value of each that is fine by itself, and another one. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  'access-control-request-method': ['GET', 'POST'],
  authorization: ['Bearer one', 'Bearer another'],
  'content-encoding': ['identity', 'gzip'],
  'content-length': ['0', '1'],
  'content-type': ['application/json', 'text/csv'],
  cookie: ['a=1', 'b=2'],
  host: ['localhost', 'localhost:1'],
  'if-match': ['"1"', '"2"'],
  'last-event-id': ['1', '2'],
  'ledgerstone-mode': ['create_only', 'update_only'],
  'ledgerstone-unknown-fields': ['refuse', 'ignore'],
  origin: ['https://one.example', 'https://another.example'],
  'sec-fetch-site': ['same-origin', 'cross-site'],
};
const once = Object.keys(READ).filter((name) => READ[name] === 'once');
const valuesOf = (name: string) => VALUES[name] ?? ['one', 'another'];
const spelled = (name: string): string => name.replaceAll(/(^|-)[a-z]/g, (at) => at.toUpperCase());

it('each header that the service reads says whether it may be repeated', () => {
  const read = new Set<string>();
  for (const path of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    // What the service itself asks for has answers with headers, too.
    const isAnswer = /outbound|sender\.ts|^cli/.test(path);
    if (!/^(edge|records\/auth|core\/network|features|services)/.test(path) || isAnswer) continue;
    if (!path.endsWith('.ts')) continue;
    const text = readFileSync(join(SRC, path), 'utf8');
    for (const [, name, bare] of text.matchAll(
      /(?<!reply\.)\bheaders(?:\??\.)?(?:\['([\w-]+)'\]|(?<=\.)([a-z]+)\b(?!\())/g,
    ))
      read.add(`${name ?? bare}`.toLowerCase());
    for (const [, names = ''] of text.matchAll(/const \{([^}]*)\} = (?:\w+\.)*headers;/g))
      for (const [, quoted, bare] of names.matchAll(/(?:^|,)\s*(?:'([\w-]+)'|([a-z]+))/g))
        read.add(`${quoted ?? bare}`.toLowerCase());
  }
  const others = ['ts', 'get', 'location', 'retry-after'];
  const unknown = [...read].filter((name) => READ[name] === undefined && !others.includes(name));
  assert.deepEqual(unknown, [], 'say in READ whether it may be repeated');
  assert.ok(read.size > 15, `${[...read]}`);
  const { paths, components } = JSON.parse(readFileSync(join(SRC, '../openapi.json'), 'utf8')) as {
    paths: object;
    components: object;
  };
  const declared = [
    ...JSON.stringify([paths, components]).matchAll(/"name":"([\w-]+)","in":"header"/g),
  ]
    .map(([, name = '']) => name.toLowerCase())
    // Those of webhooks, which the service writes.
    .filter((name) => !name.startsWith('webhook-'));
  assert.ok(declared.length > 4);
  assert.deepEqual(
    declared.filter((name) => READ[name] === undefined),
    [],
  );
});

interface Way {
  readonly path: string;
  readonly send: (text: string) => Promise<string>;
}

function refusesRepeated(ways: () => Readonly<Record<string, Way>>): void {
  const asked = async ({ path, send }: Way, headers: readonly string[], hasHost = true) => {
    const lines = [...(hasHost ? ['Host: localhost'] : []), ...headers, 'Connection: close'];
    const text = await send(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    return { status: Number(text.split(' ')[1]), text };
  };

  for (const name of once) {
    it(`${spelled(name)}, with two values`, async () => {
      for (const [where, way] of Object.entries(ways())) {
        const [one, other] = valuesOf(name);
        // Beside others, next to each other, in either order, however it is spelled.
        for (const [first, second] of [
          [one, other],
          [other, one],
        ]) {
          const two = [`${spelled(name)}: ${first}`, 'X-Between: 1', `${name}: ${second}`];
          const { status, text } = await asked(way, two, name !== 'host');
          assert.equal(status, 400, `${where}: ${text}`);
          // There the parser refuses it, before anything of ours sees the request.
          const isParsed = where === 'metrics' && name === 'content-length';
          if (!isParsed) assert.match(text, new RegExp(spelled(name)), `${where} names it`);
        }
      }
    });
  }

  it('one of ours that no version has yet', async () => {
    const two = ['Ledgerstone-Later: 1', 'Ledgerstone-Later: 2'];
    for (const way of Object.values(ways())) assert.equal((await asked(way, two)).status, 400);
  });

  it('a Host twice, though it says the same, none, and one that is none', async () => {
    const hosts = [
      ...['', 'a b', 'a/b', 'a@b', 'a,b', 'a:b', 'a:99999', 'a:1:2', '[::1', '::1', '[a]', 'a?b'],
      ...['http://a', '"a"', '<a>', 'a\\b', '%zz', '\u00e9'],
    ];
    for (const way of Object.values(ways())) {
      assert.equal((await asked(way, ['Host: localhost'])).status, 400, 'twice');
      assert.equal((await asked(way, [], false)).status, 400, 'none');
      for (const host of hosts) {
        const { status, text } = await asked(way, [`Host: ${host}`], false);
        assert.equal(status, 400, `${host}: ${text}`);
        assert.match(text, /Host/);
      }
    }
  });

  it('and takes what is right', async () => {
    const hosts = ['localhost', 'a.example:8080', '192.0.2.7', '[::1]:80', 'my_host', 'a.example.'];
    for (const way of Object.values(ways())) {
      const before = (await asked(way, [])).status;
      assert.notEqual(before, 400);
      for (const host of hosts)
        assert.equal((await asked(way, [`Host: ${host}`], false)).status, before, host);
      for (const two of [
        ['Accept: text/html', 'Accept: application/json'],
        ['Accept-Encoding: gzip', 'Accept-Encoding: br'],
        ['If-None-Match: "1"', 'If-None-Match: "2"'],
        ['X-Forwarded-For: 192.0.2.7', 'X-Forwarded-For: 192.0.2.8'],
        ['User-Agent: same', 'User-Agent: same'],
        ['X-Other: 1', 'X-Other: 2'],
      ])
        assert.equal((await asked(way, two)).status, before, two.join());
    }
  });
}

describe('Without TLS, a request is refused that has', () => {
  const { log, lines } = keptLog();
  const service = served({ settings: { metrics_port: '0' }, log });
  const plain = (url: string) => async (text: string) =>
    (await exchange(url, text))
      .map(({ status, payload }) => `HTTP/1.1 ${status} ${payload}`)
      .join('');
  refusesRepeated(() => {
    const send = plain(service.url);
    return {
      'the interface': { path: '/v1/accounts', send },
      'a finished file': { path: '/openapi.json', send },
      'the state': { path: '/healthz', send },
      'the console': { path: '/console/', send },
      'what the console asks': { path: '/console/api/session', send },
      'no path': { path: '/nothing', send },
      metrics: {
        path: '/metrics',
        send: plain(`${lines.find(({ msg }) => msg === 'metrics')?.address}`),
      },
    };
  });
});

describe('With TLS, a request is refused that has', () => {
  const folder = ownFolder();
  const made = makeCertificate();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, made.cert);
  writeFileSync(key, made.key, { mode: 0o600 });
  const service = served({ settings: { tls_cert: cert, tls_key: key } });
  const send = async (text: string): Promise<string> => {
    const { port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      let all = '';
      const socket = connect({
        port: Number(port),
        host: '127.0.0.1',
        servername: 'localhost',
        ca: made.cert,
      });
      socket.setEncoding('utf8').on('data', (part: string) => {
        all += part;
      });
      socket.on('error', reject).on('close', () => resolve(all));
      socket.write(Buffer.from(text, 'latin1'));
    });
  };
  refusesRepeated(() => ({ 'the interface': { path: '/v1/accounts', send } }));
});

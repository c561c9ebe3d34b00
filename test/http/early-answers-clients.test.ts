/** The clients of other languages, and those of old versions of Node, see an answer that comes before their bodies were read. */
// needs: --all, waits
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { isThere, ownFolder } from '../support/cli-program.ts';
import { EXTRAS, foreignEnv } from '../support/extras.ts';
import { type Service, startService } from '../support/service.ts';

const run = promisify(execFile);
const FILES = join(import.meta.dirname, '../support/languages');
const BYTES = 20 * 1_048_576;
/** The number of rounds, in each of which a client gets each answer: an answer may be lost now and then. */
const ROUNDS = Number(process.env.TEST_ROUNDS ?? 1);

const file = (name: string): string => join(FILES, name);
const node = (version: number, by: string): readonly string[] => [
  join(EXTRAS, `node-${version}/bin/node`),
  ...[file('client.mjs'), by],
];

/** By their names, the program and what comes before the cases. */
const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  'Python urllib': ['python3', file('by_urllib.py')],
  'Python requests': ['python3', file('by_requests.py')],
  Go: ['go', 'run', file('client.go')],
  'Java HttpClient': [
    'java',
    '-Djdk.httpclient.allowRestrictedHeaders=connection',
    file('Client.java'),
    'http',
  ],
  'Java HttpURLConnection': ['java', file('Client.java'), 'connection'],
  'PHP curl': ['php', file('client.php'), 'curl'],
  'PHP streams': ['php', file('client.php'), 'streams'],
  Ruby: ['ruby', file('net_http.rb')],
  curl: ['sh', file('by_curl.sh'), 'sends'],
  'curl that waits to be asked': ['sh', file('by_curl.sh'), 'expects'],
  ...Object.fromEntries(
    [18, 20, 22, 24].flatMap((version) => [
      [`Node ${version} http`, node(version, 'http')],
      [`Node ${version} fetch`, node(version, 'fetch')],
    ]),
  ),
  'this Node http': [process.execPath, file('client.mjs'), 'http'],
  'this Node fetch': [process.execPath, file('client.mjs'), 'fetch'],
};
/** They trust no certificate that nobody has signed. */
const BY_HTTP_ALONE = /^Java/;

let plain: Service;
let secure: Service;

before(async () => {
  plain = await startService();
  const { cert, key } = writeCertificate(ownFolder(), makeCertificate());
  secure = await startService({ settings: { tls_cert: cert, tls_key: key } });
});

/** A case of each status, with the status. */
async function casesAt(service: Service): Promise<readonly (readonly [number, string])[]> {
  const { secret } = await service.newKey({ requests_a_second: 1 / 60 });
  const headers = { authorization: `Bearer ${secret}` };
  await service.app.inject({ method: 'GET', url: '/v1/accounts', headers });
  const key = `Bearer ${service.key}`;
  const many = `${service.url}/v1/locations/upsert_many`;
  return ['close', 'keep'].flatMap((connection) => [
    [401, `${many}|||${connection}`],
    [401, `${many}|Bearer sk_test_${'x'.repeat(38)}||${connection}`],
    [404, `${service.url}/v1/nothing|${key}||${connection}`],
    [413, `${service.url}/v1/locations/upsert|${key}||${connection}`],
    [415, `${many}|${key}|gzip|${connection}`],
    [429, `${many}|Bearer ${secret}||${connection}`],
  ]);
}

async function isMissing([program = '', argument = '']: readonly string[]): Promise<
  string | false
> {
  if (!isThere(program)) return `${program} is not there`;
  if (argument.endsWith('by_curl.sh') && !isThere('curl')) return 'curl is not there';
  if (!argument.endsWith('by_requests.py')) return false;
  return run(program, ['-c', 'import requests']).then(
    () => false,
    () => 'Python has no requests',
  );
}

describe('a body of 20 MB whose answer comes at once', { concurrency: 2 }, () => {
  for (const [name, command] of Object.entries(CLIENTS))
    it(`by ${name}`, async (test) => {
      const why = await isMissing(command);
      if (why !== false) return test.skip(why);
      const [program = '', ...rest] = command;
      const services = BY_HTTP_ALONE.test(name) ? [plain] : [plain, secure];
      for (const service of Array.from({ length: ROUNDS }, () => services).flat()) {
        const cases = await casesAt(service);
        const sent = [...rest, String(BYTES), ...cases.map(([, one]) => one)];
        const { stdout } = await run(program, sent, { timeout: 240_000, env: foreignEnv() });
        const expected = cases.map(([status]) => String(status));
        assert.deepEqual(stdout.trim().split('\n'), expected, service.url);
      }
    });
});

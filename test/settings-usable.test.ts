/** What a setting takes, all parts of a service that use it take, too: a service with it starts, and answers. */
import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { isIP } from 'node:net';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { LONGEST_MS } from '../src/core/config/readers.ts';
import { findSettings, type Settings } from '../src/core/config.ts';
import { startService } from './support/service.ts';

/** What is right, and what may be mistaken for it. A setting that is missing here does not compile. */
const NEAR: Readonly<Record<keyof Settings, readonly string[]>> = {
  database_url: [
    'sqlite:./data/ledgerstone.db',
    ...['port=99999', 'sslmode=bogus', 'client_encoding=latin1', 'statement_timeout=10s'].map(
      (one) => `postgres://me@127.0.0.1:5432/records?${one}`,
    ),
  ],
  database_partitions: ['0', '8', '-1', '1e2', ' 8'],
  require_store: ['true', 'false', 'TRUE', '1'],
  database_distribution: ['citus', 'Citus'],
  citus_nodes: ['one:5432=10.0.0.1:5432', 'one:99999=10.0.0.1:5432', 'one:5432=10.0.0.1:0x50'],
  citus_untested: ['yes', 'no', 'true'],
  history_days: ['400', '36500', '36501', '0'],
  audit_days: ['800', '0', '36500'],
  audit_reads: ['people', 'off', 'PEOPLE'],
  host: [
    '127.0.0.1',
    '::1',
    'localhost',
    '::::',
    '999.1.1.1',
    '1.2.3',
    '...',
    '[::1]',
    '-a',
    '1:2',
  ],
  port: ['0', '8080', '65536', '-0', '0x50'],
  processes: ['1', 'max', '0', '129', '01'],
  tls_cert: ['cert.pem'],
  tls_key: ['key.pem'],
  plain_http: ['true', 'yes'],
  log_level: ['info', 'silent', 'verbose'],
  public_url: [
    ...['https://records.example.com', 'http://127.0.0.1:8080/below/', 'https://bücher.example'],
    ...['https://例え.example/é/<x>"', 'https://:word@records.example.com', 'https://a.example?'],
  ],
  cors_origins: ['https://console.example.com', 'https://例え.example', 'null', '*'],
  trust_proxy: ['10.0.0.0/8, ::1', '10.0.0.0/33', '::/129', '10.0.0'],
  webhook_allow: ['10.0.0.0/8', '10.1/16', '1.2.3.4/'],
  secret_key_file: ['secret.key'],
  oidc_issuer: [
    'https://login.example.com',
    'http://127.0.0.1:9/x',
    'https://me@login.example.com',
  ],
  oidc_client_id: ['ledgerstone', 'é \u2028'],
  oidc_secret_file: ['secret'],
  oidc_name: ['Single sign-on', '例え'],
  idempotency_mib: ['512', '9999999', '0'],
  rate_limit: ['100/s', '6/m', '60000001/m', '1.5/s'],
  max_connections: ['8', '999999', '7'],
  backup_to: ['backups'],
  backup_every: ['10s', '1d', '30d', '25000000000s', '0'],
  backup_keep: ['7d', '36500d', '2900000d', '0'],
  erasures_to: ['copies'],
  metrics_port: ['0', '65535', '65536'],
  metrics_host: ['127.0.0.1', '::1', '::::', 'a b'],
};

/** Settings by which a service uses what is outside of it, or more processes. */
const OUTSIDE = new Set<string>([
  ...['database_url', 'database_partitions', 'require_store', 'database_distribution'],
  ...['citus_nodes', 'tls_cert', 'tls_key', 'secret_key_file', 'oidc_secret_file', 'processes'],
  ...['backup_to', 'erasures_to', 'port', 'metrics_port', 'max_connections'],
]);

/** What some are of no use without. */
const BESIDE = { oidc_client_id: 'ledgerstone', oidc_issuer: 'https://login.example.com' };

const read = (name: keyof Settings, text: string) => {
  const found = findSettings({ ...BESIDE, [name]: text }, {});
  const one = found.find(({ setting }) => setting.name === name);
  return one && 'value' in one ? { value: one.value } : undefined;
};

const odd = fc.constantFrom(...' \t\r\n\u0000\u00a0\u2028é例"<>%?#@:/\\0-.,');
const texts = (value: unknown): readonly string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string');

describe('A setting', () => {
  const all = new Map<keyof Settings, readonly string[]>();
  const warnings: Error[] = [];
  const warned = (one: Error): void => {
    if (one.name === 'TimeoutOverflowWarning') warnings.push(one);
  };
  before(() => void process.on('warning', warned));
  after(() => void process.off('warning', warned));

  for (const [name, near] of Object.entries(NEAR) as [keyof Settings, readonly string[]][]) {
    const misspelt = fc
      .record({
        text: fc.constantFrom(...near),
        at: fc.nat(60),
        put: fc.array(odd, { maxLength: 2 }),
      })
      .map(({ text, at, put }) => text.slice(0, at) + put.join('') + text.slice(at));

    it(`that is taken can be used: ${name}`, () => {
      const taken = new Set(near.filter((text) => read(name, text) !== undefined));
      assert.ok(taken.size > 0, 'none is right');
      fc.assert(
        fc.property(misspelt, (text) => {
          const one = read(name, text);
          if (one === undefined) return;
          const { value } = one;
          // A name may be one that this network does not know.
          const isName = name.endsWith('host') && isIP(text) === 0;
          if (!isName && taken.size < near.length + 1) taken.add(text);
          if (typeof value === 'number') assert.ok(value >= 0 && value <= LONGEST_MS);
          if (!/_url$|_origins$|_nodes$|host$|_proxy$|_allow$/.test(name)) return;
          if (name === 'database_url') return;
          for (const part of texts(value)) validateHeaderValue('Link', `<${part}>`);
        }),
        { seed: 7 },
      );
      all.set(name, [...taken]);
    });
  }

  it('that is taken lets a service start and answer, with all others', async () => {
    const within = [...all].filter(([name]) => !OUTSIDE.has(name));
    const rounds = Math.max(...within.map(([, some]) => some.length));
    for (let round = 0; round < rounds; round += 1) {
      const settings = Object.fromEntries(
        within.map(([name, some]) => [name, some[round % some.length]]),
      );
      const about = JSON.stringify(settings);
      const service = await startService({ settings: { metrics_port: '0', ...settings } });
      for (const at of [1, 2]) await service.location(`${at}`);
      for (const [path, status] of [
        ['/v1/locations?limit=1', 200],
        ['/nothing', 404],
        ['/console/api/ways', undefined],
      ] as const) {
        const answer = await service.get(path);
        if (status !== undefined) assert.equal(answer.status, status, about + answer.text);
        assert.ok(answer.status < 500, about + answer.text);
        const [, next = ''] = /<(.*?)>; rel="next"/.exec(answer.headers.get('link') ?? '') ?? [];
        assert.match(next, /^[!-~]*$/, about);
      }
      await service.stop();
    }
    assert.deepEqual(warnings, []);
  });
});

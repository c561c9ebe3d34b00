/** Settings of the service as an operator makes them, also for the port of the metrics. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { settings } from '../../src/core/config.ts';
import { whenOver } from '../support/at-end.ts';
import { ownFolder, programIn, run } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { pluck } from '../support/pluck.ts';
import { scrape } from '../support/scrape.ts';

interface Shown {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
  readonly complaint?: string;
}

const WRONG = {
  DATABASE_URL: 'mysql://ledger:hunter2@db.example.com/records?password=hunter2',
  HOST: 'not an address',
  LOG_LEVEL: 'loud',
  PUBLIC_URL: 'https://ledger:hunter2@records.example.com',
  CORS_ORIGINS: 'https://a.example.com,https://ledger:hunter2@b.example.com',
  TRUST_PROXY: '10.0.0.0/8, proxy.example.com',
  RATE_LIMIT: 'fast',
  MAX_CONNECTIONS: '7',
};

describe('config', () => {
  it('tells every setting, its value and where that came from', async () => {
    const env = { PORT: '9000', LOG_LEVEL: 'debug', CORS_ORIGINS: '' };
    const words = ['config', '--port', '9001', '--public-url', 'https://records.example.com/'];
    const { json, ok } = programIn(ownFolder(), env);
    const shown = await json<Shown[]>(...words);
    assert.deepEqual(pluck(shown, 'name', 'value', 'source'), [
      ['database_url', 'sqlite:./data/ledgerstone.db', 'default'],
      ['database_partitions', 0, 'default'],
      ['require_store', false, 'default'],
      ['database_distribution', null, 'default'],
      ['citus_nodes', [], 'default'],
      ['citus_untested', false, 'default'],
      ['history_days', 400, 'default'],
      ['audit_days', 800, 'default'],
      ['audit_reads', 'people', 'default'],
      ['host', '127.0.0.1', 'default'],
      ['port', 9001, 'option'],
      ['processes', 1, 'default'],
      ['tls_cert', null, 'default'],
      ['tls_key', null, 'default'],
      ['plain_http', false, 'default'],
      ['log_level', 'debug', 'variable'],
      ['public_url', 'https://records.example.com', 'option'],
      ['cors_origins', [], 'default'],
      ['trust_proxy', [], 'default'],
      ['webhook_allow', [], 'default'],
      ['secret_key_file', null, 'default'],
      ['oidc_issuer', null, 'default'],
      ['oidc_client_id', null, 'default'],
      ['oidc_secret_file', null, 'default'],
      ['oidc_name', 'Single sign-on', 'default'],
      ['idempotency_mib', 512, 'default'],
      ['rate_limit', null, 'default'],
      ['max_connections', null, 'default'],
      ['backup_to', null, 'default'],
      ['backup_every', 10_000, 'default'],
      ['backup_keep', 604_800_000, 'default'],
      ['erasures_to', null, 'default'],
      ['metrics_port', null, 'default'],
      ['metrics_host', '127.0.0.1', 'default'],
    ]);
    const text = await ok(...words);
    assert.match(text, /^port = 9001 {2}\(from the command line\)$/m);
    assert.match(text, /^log_level = debug {2}\(from LOG_LEVEL\)$/m);
    for (const { says } of settings) assert.ok(text.includes(says), says);
  });

  it('reports every wrong setting at once, before anything starts, and shows no password', async () => {
    const cwd = ownFolder();
    const program = programIn(cwd, WRONG);
    const names =
      'DATABASE_URL HOST --port LOG_LEVEL PUBLIC_URL CORS_ORIGINS TRUST_PROXY RATE_LIMIT MAX_CONNECTIONS';
    const wanted = names.split(' ').map((name) => `ledgerstone: ${name} must be`);
    for (const words of [['serve'], ['dev'], ['config'], ['config', '--json']]) {
      const { code, stdout, stderr } = await program.run(...words, '--port', '70000');
      assert.equal(code, 1);
      const lines = stderr.trimEnd().split('\n');
      const begun = lines.map((line) => line.split(' ').slice(0, 4).join(' '));
      assert.deepEqual(begun, wanted);
      assert.match(stderr, /--port must be a whole number from 0 to 65535; it is "70000"\./);
      assert.ok(!`${stdout}${stderr}`.includes('hunter2'), 'a password is shown');
      if (words.includes('--json')) {
        const shown = JSON.parse(stdout) as Shown[];
        assert.equal(shown.filter(({ complaint }) => complaint !== undefined).length, 9);
      }
    }
    assert.ok(!existsSync(join(cwd, 'data')));
  });

  it('trusts proxies that are addresses or networks, and never everybody', async () => {
    const { json, run } = programIn(ownFolder());
    const words = ['config', '--trust-proxy'];
    const shown = await json<Shown[]>(...words, '10.0.0.1, 2001:DB8:1::/48,');
    const trusted = shown.find(({ name }) => name === 'trust_proxy')?.value;
    assert.deepEqual(trusted, ['10.0.0.1', '2001:db8:1::/48']);
    for (const [text, complaint] of [
      ['proxy.example.com', '"proxy.example.com" is neither an address'],
      [
        '10.0.0.1/8',
        '"10.0.0.1/8" is an address within a network: write 10.0.0.0/8 for the network',
      ],
      ['10.0.0.1, 0.0.0.0/0', '"0.0.0.0/0" is everybody, who could then claim any address'],
      ['::/0', '"::/0" is everybody'],
      ['::ffff:0:0/96', '"::ffff:0:0/96" is everybody'],
    ] as const) {
      const { code, stderr } = await run(...words, text, '--json');
      assert.equal(code, 1);
      assert.ok(stderr.includes(`networks of proxies, and ${complaint}`), stderr);
    }
  });

  it('refuses tables that are to be divided twice', async () => {
    const env = { DATABASE_PARTITIONS: '2', DATABASE_DISTRIBUTION: 'citus' };
    const { code, stderr } = await run(['config'], { cwd: ownFolder(), env });
    assert.equal(code, 1);
    assert.match(stderr, /DATABASE_PARTITIONS must be 0 where DATABASE_DISTRIBUTION is citus/);
  });

  it('takes several servers of a cluster, and of nothing else', async () => {
    const cwd = ownFolder();
    const DATABASE_URL = 'postgres://user:hunter2@one:5432,two:5433/ledgerstone';
    const env = { DATABASE_URL, DATABASE_DISTRIBUTION: 'citus' };
    const taken = await run(['config'], { cwd, env });
    assert.deepEqual([taken.code, taken.stderr], [0, '']);
    assert.match(taken.stdout, /@one:5432,two:5433/);
    const alone = await run(['config'], { cwd, env: { DATABASE_URL } });
    assert.match(alone.stderr, /DATABASE_URL must name one server unless DATABASE_DISTRIBUTION is/);
    for (const hosts of ['one:5432,', 'one:5432,two:many']) {
      const wrong = { ...env, DATABASE_URL: DATABASE_URL.replace(/one.*\//, `${hosts}/`) };
      const refused = await run(['config'], { cwd, env: wrong });
      assert.match(refused.stderr, /DATABASE_URL must be sqlite:PATH or/);
      assert.doesNotMatch(refused.stderr, /hunter2/);
    }
    for (const { stdout, stderr } of [taken, alone])
      assert.doesNotMatch(stdout + stderr, /hunter2/);
  });

  it('other commands mind only the address of the store', async () => {
    const cwd = ownFolder();
    const { DATABASE_URL, ...others } = WRONG;
    const create = ['accounts', 'create', '--name', 'X'];
    assert.equal((await run(create, { cwd, env: others })).code, 0);
    const stderr = await programIn(cwd, { DATABASE_URL }).fails(...create);
    assert.match(
      stderr,
      /^ledgerstone: DATABASE_URL must be sqlite:PATH or postgres:[^\n]*; it is "mysql:[^\n]*\n$/,
    );
    assert.ok(!stderr.includes('hunter2'));
  });
});

async function takenPort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  whenOver(() => taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  return (taken.address() as { port: number }).port;
}

describe('--metrics-port', () => {
  for (const command of ['serve', 'dev']) {
    it(`${command} shows metrics there, says so, and ends as always`, async () => {
      const env = { METRICS_PORT: '0', LOG_LEVEL: 'info' };
      const service = await startProcess({ cwd: ownFolder(), env, words: [command] });
      const printed = await service.printed(/"msg":"metrics"/);
      const [, address = ''] = /"address":"([^"]+\/metrics)"/.exec(printed) ?? [];
      assert.ok((await scrape(address)).families.has('ledgerstone_requests_total'));
      assert.equal((await service.stop()).code, 0);
      await assert.rejects(fetch(address));
    });
  }

  it('that is in use is one line, and nothing is served', async () => {
    const port = await takenPort();
    const words = ['serve', '--port', '0', '--metrics-port', String(port)];
    const { code, stdout, stderr } = await programIn(ownFolder()).run(...words);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      new RegExp(
        `^ledgerstone: Port ${port} on 127.0.0.1 is already in use. .* --metrics-port, .*\n$`,
      ),
    );
  });

  it('does not stay taken when the port of the service is in use', async () => {
    const port = await takenPort();
    const words = ['serve', '--port', String(port), '--metrics-port', '0'];
    const wrong = await programIn(ownFolder()).fails(...words);
    assert.match(wrong, new RegExp(`^ledgerstone: Port ${port} .* --port, .*\n$`));
  });

  it('that is no port, or the port of the service, is refused before anything starts', async () => {
    const cwd = ownFolder();
    for (const [words, complaint] of [
      [['--metrics-port', '70000'], /--metrics-port must be a whole number from 0 to 65535; /],
      [
        ['--metrics-port', '8080'],
        /--metrics-port must be another port than that of the service; /,
      ],
      [['--metrics-port', '081', '--port', '81'], /--metrics-port must be another port than /],
    ] as const) {
      const stderr = await programIn(cwd).fails('serve', ...words);
      assert.match(stderr, complaint);
      assert.equal(stderr.split('\n').length, 2);
    }
    const { stderr } = await run(['config', '--port', '9464'], {
      cwd,
      env: { METRICS_PORT: '9464' },
    });
    assert.match(
      stderr,
      /METRICS_PORT must be another port than that of the service; it is "9464"\./,
    );
  });

  it('0 and 0 are two ports, and a variable that is set to nothing counts as not set', async () => {
    const cwd = ownFolder();
    const env = { METRICS_PORT: '0', PORT: '0' };
    assert.equal((await run(['config'], { cwd, env })).code, 0);
    const { stdout } = await run(['config'], { cwd, env: { METRICS_PORT: '' } });
    assert.match(stdout, /^metrics_port = \(not set\) {2}\(the default\)$/m);
  });
});

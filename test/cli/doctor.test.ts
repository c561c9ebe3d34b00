/** `doctor` says what is wrong with settings and with what the service stands on; it changes nothing. */
// needs: program
import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/core/observe/finding.ts';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { serveHere, startProcess } from '../support/cli-service.ts';
import { makeAccount, withAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { pluck } from '../support/pluck.ts';
import { CLIENT, startProvider } from '../support/provider.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

/** So that nothing is said of backups. */
async function withBackup() {
  const made = await withAccount();
  await made.json('backup', 'store.backup');
  await made.json('restore', 'store.backup', '--check');
  return made;
}

describe('doctor', () => {
  it('finds nothing wrong with a store in use, and says what it looked at', async () => {
    const { cwd, ...program } = await withBackup();
    await serveHere({ cwd });
    const { ok, findings, wrong } = await examine(cwd);
    assert.deepEqual([ok, wrong], [true, []]);
    assert.deepEqual(pluck(findings, 'check'), [
      ...['runtime', 'settings', 'schema', 'integrity', 'tables', 'file system', 'room', 'log'],
      'modes',
      ...['commit', 'clock', 'keys', 'backup', 'erasures'],
    ]);
    const stdout = (await program.run('doctor')).stdout;
    assert.match(stdout, /^good {5}integrity: SQLite finds the file whole\.$/m);
  });

  it('makes no store where there is none', async () => {
    const cwd = ownFolder();
    const { wrong, stderr } = await examine(cwd);
    assert.deepEqual(pluck(wrong, 'check', 'state'), [['store', 'bad']]);
    assert.match(wrong[0]?.says ?? '', /^There is no Ledgerstone store at /);
    assert.match(stderr, /^ledgerstone: 1 of \d+ checks failed\.\n$/);
    assert.ok(!existsSync(join(cwd, 'data')));
  });

  it('finds a damaged file, an old schema and files that others may read', async () => {
    const { cwd, run, ok } = await withBackup();
    const path = join(cwd, 'data/ledgerstone.db');
    chmodSync(path, 0o644);
    const open = await examine(cwd);
    assert.deepEqual([open.ok, open.wrong.length], [true, 1]);
    const saying = open.wrong[0]?.says ?? '';
    assert.match(saying, /^Users other than the owner can use .*: run this: chmod go= [^"]+$/);
    chmodSync(path, 0o600);

    const database = new DatabaseSync(path);
    const indexes = "type = 'index' AND sql IS NOT NULL ORDER BY name";
    const index = database.prepare(`SELECT name FROM sqlite_schema WHERE ${indexes}`).get();
    database.exec(`DROP INDEX "${index?.name}"`);
    database.close();
    const old = await examine(cwd);
    assert.deepEqual(pluck(old.wrong, 'check', 'state'), [['schema', 'warning']]);
    assert.match(old.wrong[0]?.says ?? '', /run "ledgerstone migrate"/);
    assert.match(await ok('migrate', 'status'), /To be done/, 'doctor did not do it');
    await run('migrate');

    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(8_192, 0x5a), 0, 8_192, 3 * 4_096);
    closeSync(file);
    const damaged = await examine(cwd);
    assert.equal(damaged.ok, false);
    assert.match(
      damaged.wrong.map(({ says }) => says).join(' '),
      /damaged|malformed|not a Ledgerstone store|cannot be opened/,
    );
  });

  const skip = !existsSync('/dev/shm') && 'this system has no /dev/shm';
  it('finds a store that is in memory', { skip }, async () => {
    const cwd = mkdtempSync('/dev/shm/ledgerstone-');
    whenOver(() => rmSync(cwd, { recursive: true }));
    await makeAccount(cwd);
    const { ok, wrong } = await examine(cwd);
    assert.equal(ok, false);
    const saying = wrong[0]?.says ?? '';
    assert.match(saying, /^The store is in memory \(tmpfs\) .*: move it to a disk\.$/);
  });

  it('finds certificates and keys that end, plain HTTP and wrong settings', async () => {
    const { cwd, account, newKey } = await withBackup();
    await newKey(account, '--expires', '5d', '--name', 'Tablet');
    const first = await examine(cwd, {}, '--host', '0.0.0.0');
    assert.deepEqual(pluck(first.wrong, 'check', 'state'), [
      ['certificate', 'warning'],
      ['public address', 'warning'],
      ['keys', 'warning'],
    ]);
    assert.match(first.wrong[2]?.says ?? '', /^Keys expire soon: key_\w+ \(Tablet\) on \d{4}-/);

    const words = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
    for (const [days, state] of [
      [60, 'good'],
      [10, 'warning'],
      [-1, 'bad'],
    ] as const) {
      writeCertificate(cwd, makeCertificate('localhost', days));
      const { findings } = await examine(cwd, {}, ...words);
      assert.equal(findings.find(({ check }) => check === 'certificate')?.state, state);
    }
    chmodSync(join(cwd, 'key.pem'), 0o644);
    const { wrong } = await examine(cwd, {}, ...words);
    assert.ok(wrong.some(({ says }) => /: chmod o= key\.pem$/.test(says)));

    const PUBLIC_URL = 'https://records.example.com/ledger';
    const below = await examine(cwd, { PUBLIC_URL });
    assert.ok(
      below.wrong.some(({ says }) => /^PUBLIC_URL has the path \/ledger, .*\/console/.test(says)),
    );

    const settings = await examine(cwd, { PORT: 'many', LOG_LEVEL: 'loud' });
    const bad = settings.wrong.filter(({ state }) => state === 'bad');
    assert.deepEqual(pluck(bad, 'check'), ['settings', 'settings']);
  });
});

await onOwnPostgres((server) => {
  describe('doctor on PostgreSQL', () => {
    it('looks at the settings of the server', async () => {
      const cwd = ownFolder();
      const { env } = await emptyDatabase(server.url);
      const nothing = await examine(cwd, env);
      assert.match(nothing.wrong[0]?.says ?? '', /^There is no Ledgerstone store at /);
      await makeAccount(cwd, env);
      const set = async (value: 'on' | 'off'): Promise<void> => {
        const names = ['full_page_writes', 'autovacuum', 'synchronous_commit'];
        await ask(
          server.url,
          ...names.map((name) => `ALTER SYSTEM SET ${name} = ${value}`),
          "ALTER SYSTEM SET max_wal_size = '8GB'",
          `ALTER SYSTEM SET log_min_duration_statement = ${value === 'off' ? '250' : '-1'}`,
          'SELECT pg_reload_conf()',
        );
        // New sessions begin with it once the server has read its files again.
        const read = `SELECT current_setting('autovacuum') = '${value}'
          AND current_setting('max_wal_size') = '8GB' AS "isRead"`;
        await until(async () => (await ask(server.url, read))[0].isRead);
      };
      await set('on');
      const { json } = programIn(cwd, env);
      await json('backup', 'store.backup');
      await json('restore', 'store.backup', '--check');
      const { ok, wrong, findings } = await examine(cwd, env);
      assert.deepEqual([ok, wrong], [true, []]);
      assert.match(findings.find(({ check }) => check === 'server')?.says ?? '', /^PostgreSQL 1\d/);
      await set('off');
      const off = await examine(cwd, env);
      assert.deepEqual(pluck(off.wrong, 'check', 'state'), [
        ['full_page_writes', 'bad'],
        // Behind a pooler the database itself says it, as the guide wants.
        ...(process.env.TEST_POOLER === undefined ? [['synchronous_commit', 'warning']] : []),
        ['autovacuum', 'bad'],
        ['server_log', 'warning'],
      ]);
      assert.match(off.wrong.at(-1)?.says ?? '', /log_min_duration_statement is 250\. Set log_p/);
      await set('on');
      await server.halt();
      const gone = await examine(cwd, env);
      assert.deepEqual(pluck(gone.wrong, 'check', 'state'), [['store', 'bad']]);
      await server.start();
    });
  });
});

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');
const ISSUER = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'ledgerstone' };

async function withStore() {
  const made = await withAccount();
  const file = (name: string, text: string): string => {
    writeFileSync(join(made.cwd, name), text);
    return name;
  };
  return { ...made, file };
}

function told(findings: readonly Finding[]): string {
  return findings.map(({ check, state, says }) => `${state} ${check}: ${says}`).join('\n');
}

describe('what serve refuses', () => {
  it('is found by doctor, each thing among the others', async () => {
    const { cwd, file } = await withStore();
    writeCertificate(cwd, makeCertificate('localhost'));
    const refused: readonly [env: Record<string, string>, says: RegExp][] = [
      [{ SECRET_KEY_FILE: 'none' }, /SECRET_KEY_FILE: there is no file none;/],
      [{ SECRET_KEY_FILE: file('short', 'abc\n') }, /SECRET_KEY_FILE: short must hold 32 random/],
      [{ ...ISSUER, OIDC_SECRET_FILE: 'none' }, /OIDC_SECRET_FILE: there is no file none; write/],
      [{ ...ISSUER, OIDC_SECRET_FILE: file('empty', '\n') }, /OIDC_SECRET_FILE: empty is empty\./],
      [{ TLS_CERT: 'cert.pem', TLS_KEY: 'none' }, /TLS_KEY: there is no file none\./],
      [{ HISTORY_DAYS: 'many' }, /HISTORY_DAYS must be a whole number/],
      [{ HOST: '192.0.2.1' }, /192\.0\.2\.1/],
    ];
    for (const [env, says] of refused) {
      const stderr = await programIn(cwd, { ...env, PORT: '0' }).fails('serve');
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /Unexpected error/);
      const { ok, findings, wrong } = await examine(cwd, env);
      assert.equal(ok, false);
      assert.match(told(wrong.filter(({ state }) => state === 'bad')), says);
      assert.ok(findings.length > 5, told(findings));
    }
  });

  it('is told all at once', async () => {
    const { cwd } = await withStore();
    const env = { ...ISSUER, SECRET_KEY_FILE: 'no-key', OIDC_SECRET_FILE: 'no-secret' };
    const stderr = await programIn(cwd, { ...env, PORT: '0' }).fails('serve');
    assert.match(stderr, /no-key.*\n.*no-secret/);
  });
});

describe('doctor', () => {
  it('still looks at the store where another setting is wrong', async () => {
    const { cwd } = await withStore();
    const { findings } = await examine(cwd, { LOG_LEVEL: 'loud' });
    assert.ok(findings.some(({ check }) => check === 'commit'));
  });

  it('finds a folder that nothing can be written to, and leaves none behind', async () => {
    const { cwd, file } = await withStore();
    const { wrong } = await examine(cwd, { BACKUP_TO: `${file('plain', '')}/moments` });
    assert.match(told(wrong), /^bad backup folder: BACKUP_TO: nothing can be written to .*plain/m);
    mkdirSync(join(cwd, 'disk'));
    const { findings } = await examine(cwd, { BACKUP_TO: 'disk/moments' });
    assert.match(told(findings), /^good backup folder: .*disk can be written to/m);
  });

  it('asks the provider of single sign-on, and tries the secret', async () => {
    const { cwd, file } = await withStore();
    const gone = await examine(cwd, ISSUER);
    assert.match(told(gone.wrong), /^bad single sign-on: Nobody can sign in through http:/m);
    const provider = await startProvider();
    const there = await examine(cwd, { ...ISSUER, OIDC_ISSUER: provider.issuer });
    assert.match(told(there.findings), /^bad single sign-on: .*secret in OIDC_SECRET_FILE/m);
    const client = { OIDC_CLIENT_ID: CLIENT.id, OIDC_SECRET_FILE: file('secret', CLIENT.secret) };
    const env = { ...ISSUER, ...client, OIDC_ISSUER: provider.issuer };
    const known = await examine(cwd, env);
    assert.match(told(known.findings), /^good single sign-on: http:\/\/127.*the secret/m);
    provider.ahead = -90;
    assert.match(
      told((await examine(cwd, env)).wrong),
      /^bad single sign-on: .* (89|90|91) seconds behind/m,
    );
    provider.ahead = 0;
    for (const [kids, nameless] of [
      [[undefined], undefined],
      [['1', '2'], undefined],
      [['1', undefined], 1],
      [[undefined, undefined, undefined], 3],
    ] as const) {
      provider.kids = kids;
      const { wrong } = await examine(cwd, env);
      if (nameless === undefined) assert.doesNotMatch(told(wrong), /single sign-on/);
      else
        assert.match(
          told(wrong),
          new RegExp(`^bad single sign-on: .* ${nameless} have no name`, 'm'),
        );
    }
    provider.kids = ['1'];
    provider.signs = ['HS256'];
    assert.match(told((await examine(cwd, env)).wrong), /^bad single sign-on: .* by HS256 alone/m);
    const other = await examine(cwd, {
      ...env,
      OIDC_ISSUER: provider.issuer.replace('127.0.0.1', 'localhost'),
    });
    assert.match(told(other.wrong), /^bad single sign-on: .*it calls itself "http:\/\/127/m);
  });

  it('says which webhook endpoints get nothing, and why', async () => {
    const { cwd, account, file } = await withStore();
    const env = { SECRET_KEY_FILE: file('key', KEY), WEBHOOK_ALLOW: '127.0.0.0/8' };
    const { json, run, newKey } = programIn(cwd, env);
    const key = await newKey(account, '--allow', 'webhooks');
    const words = ['--key', key.unique_identifier, '--url', 'http://127.0.0.1:9999/'];
    const made = await json('webhooks', 'create', ...words, '--account', account);
    const { unique_identifier: endpoint } = made;
    const good = await examine(cwd, env);
    assert.match(told(good.findings), /^good webhooks: 1 webhook endpoint; all are enabled\.$/m);
    const none = told((await examine(cwd)).wrong);
    assert.match(none, /^bad webhooks: SECRET_KEY_FILE is not set, but .* 1 webhook endpoint/m);
    const other = await examine(cwd, {
      ...env,
      SECRET_KEY_FILE: file('other', OTHER_KEY),
    });
    assert.match(told(other.wrong), /^bad webhooks: The key in SECRET_KEY_FILE does not open/m);
    assert.ok(told(other.wrong).includes(endpoint));
    const both = { ...env, SECRET_KEY_FILE: file('both', `${OTHER_KEY}\n${KEY}\n`) };
    assert.doesNotMatch(told((await examine(cwd, both)).wrong), /webhooks/);
    await run('webhooks', 'pause', endpoint);
    const paused = told((await examine(cwd, env)).wrong);
    assert.match(paused, /^warning webhooks: 1 webhook endpoint is paused: .*webhooks enable/m);
  });
});

describe('metrics', () => {
  it('are shown to this machine alone, whatever HOST is, unless METRICS_HOST says otherwise', async () => {
    const cwd = ownFolder();
    const env = { HOST: '0.0.0.0', PLAIN_HTTP: 'true', METRICS_PORT: '0', LOG_LEVEL: 'info' };
    const service = await startProcess({ cwd, env });
    const printed = await service.printed(/"msg":"metrics"/);
    assert.match(printed, /"address":"http:\/\/127\.0\.0\.1:\d+\/metrics"/);
    assert.doesNotMatch(printed, /metrics on all addresses/);
    await service.stop();
    const open = await startProcess({ cwd, env: { ...env, METRICS_HOST: '0.0.0.0' } });
    assert.match(await open.printed(/metrics on all/), /"level":40[^\n]*metrics on all addresses/);
    const { wrong } = await examine(cwd, { METRICS_PORT: '9464', METRICS_HOST: '::' });
    assert.match(told(wrong), /^warning metrics: Everybody who reaches port 9464/m);
  });
});

describe('a variable that is almost a setting', () => {
  it('is noticed by serve, config and doctor, and changes nothing', async () => {
    const { cwd } = await withStore();
    const typed = { DATABSE_URL: 'sqlite:./other.db', TRUSTPROXY: '127.0.0.1' };
    const env = { ...typed, MY_PORT: '1', POST: 'x' };
    const service = await startProcess({ cwd, env });
    const printed = await service.printed(/DATABASE_URL/);
    assert.match(printed, /"level":40.*"variable":"DATABSE_URL","did_you_mean":"DATABASE_URL"/);
    await service.stop();
    const { wrong } = await examine(cwd, env);
    const says = told(wrong.filter(({ check }) => check === 'settings'));
    assert.match(
      says,
      /^warning settings: .*DATABSE_URL is ignored.* Did you mean DATABASE_URL\?$/m,
    );
    assert.match(says, /TRUSTPROXY is ignored.* Did you mean TRUST_PROXY\?$/m);
    assert.doesNotMatch(says, /MY_PORT|POST/);
    const { code, stderr } = await programIn(cwd, env).run('config');
    assert.equal(code, 0);
    assert.match(stderr, /DATABSE_URL is ignored.*Did you mean DATABASE_URL/);
    const given = await programIn(cwd, env).run('config', '--trust-proxy', '10.0.0.1');
    assert.doesNotMatch(given.stderr, /TRUSTPROXY/, 'the setting is given, so it was no mistake');
  });

  it('a parameter of DATABASE_URL that would do nothing is refused', async () => {
    const url = 'postgres://user:hunter2@127.0.0.1/ledger';
    for (const [parameter, says] of [
      ['target_session_attrs=read-write', /must have no parameter "target_session_attrs", which/],
      ['sslmod=verify-full', /"sslmod".* Did you mean "sslmode"\?/],
    ] as const) {
      const env = { DATABASE_URL: `${url}?${parameter}` };
      // It shows the settings, too.
      const { code, stderr } = await programIn(ownFolder(), env).run('config');
      assert.equal(code, 1);
      assert.match(stderr, says);
      assert.ok(!stderr.includes('hunter2'));
    }
    const env = { DATABASE_URL: `${url}?sslmode=require&application_name=x` };
    assert.equal((await programIn(ownFolder(), env).run('config')).code, 0);
  });
});

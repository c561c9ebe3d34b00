/** `serve` speaks HTTPS with the files it is given; what a killed process leaves in the folder for temporary files goes. */
// needs: --all, program
import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder, programIn, start } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { secureClient } from '../support/https.ts';
import { until } from '../support/until.ts';

describe('serve by HTTPS', () => {
  it('reads the certificate again on SIGHUP', async () => {
    const cwd = ownFolder();
    const first = makeCertificate('first');
    writeCertificate(cwd, first);
    const words = ['serve', '--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
    const service = await startProcess({ cwd, words });
    assert.match(service.url, /^https:/);
    const before = secureClient(service.url, first.cert);
    whenOver(before.close);
    assert.equal((await before.get('/readyz')).name, 'first');
    const second = makeCertificate('second');
    writeCertificate(cwd, second);
    service.process.kill('SIGHUP');
    await service.printed(/"certificate".*"certificate"/s);
    const after = secureClient(service.url, second.cert);
    whenOver(after.close);
    assert.equal((await after.get('/readyz')).name, 'second');
    assert.equal((await before.get('/readyz')).name, 'first');
    before.close();
    after.close();
    assert.equal((await service.stop()).code, 0);
  });

  it('files that do not do are told in one line, before a store is made', async () => {
    const cwd = ownFolder();
    const { cert, key } = makeCertificate();
    const files = writeCertificate(cwd, { cert, key });
    const locked = createPrivateKey(key).export({
      ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
    });
    writeFileSync(join(cwd, 'locked.pem'), locked);
    writeFileSync(join(cwd, 'other.pem'), makeCertificate().key);
    const { fails } = programIn(cwd);
    const cases: readonly [tls_key: string, says: RegExp][] = [
      ['missing.pem', /^ledgerstone: TLS_KEY: there is no file missing\.pem\.\n$/],
      ['other.pem', /^ledgerstone: TLS_KEY: other\.pem is not the key of [^\n]+\n$/],
      ['locked.pem', /^ledgerstone: TLS_KEY: the key in locked\.pem has a passphrase: [^\n]+\n$/],
      ['cert.pem', /^ledgerstone: TLS_KEY: cert\.pem holds no private key in PEM, [^\n]+\n$/],
      ['.', /^ledgerstone: TLS_KEY: \. is not a file of at most 1 MiB\.\n$/],
    ];
    for (const [tls_key, says] of cases) {
      const words = ['--tls-cert', files.cert, '--tls-key', tls_key, '--port', '0'];
      assert.match(await fails('serve', ...words), says);
    }
    const wrong = await fails('serve', '--tls-cert', files.cert, '--port', '0');
    assert.match(wrong, /^ledgerstone: TLS_KEY must name the key of [^\n]+\n$/);
    assert.match(await fails('accounts', 'list'), /There is no Ledgerstone store/);
  });

  it('warns of plain HTTP beyond this machine, unless it is told that this is meant', async () => {
    const cwd = ownFolder();
    const files = writeCertificate(cwd, makeCertificate());
    const cases: readonly [warns: boolean, words: string[]][] = [
      [true, ['--host', '0.0.0.0']],
      [false, ['--host', '0.0.0.0', '--plain-http']],
      [false, ['--host', '0.0.0.0', '--tls-cert', files.cert, '--tls-key', files.key]],
      [false, []],
    ];
    for (const [warns, words] of cases) {
      const service = await startProcess({ cwd, words: ['serve', ...words] });
      const { stdout } = await service.stop();
      assert.equal(/"level":40[^\n]*plain HTTP beyond/.test(stdout), warns, words.join(' '));
    }
  });
});

it('the store that a killed restore --check has left is named, and removed when the service starts', async () => {
  const cwd = ownFolder();
  const TMPDIR = join(cwd, 'temporary');
  const target = join(cwd, 'target');
  for (const folder of [TMPDIR, target]) mkdirSync(folder);
  const env = { TMPDIR };
  await makeAccount(cwd, env);
  await programIn(cwd, env).json('backup', 'b');
  const left = () => readdirSync(TMPDIR).filter((name) => name.startsWith('ledgerstone-'));
  const started: string[] = [];
  /** Waits for the rest of the backup. */
  const startCheck = async () => {
    const words = ['restore', '-', '--check'];
    const check = start(words, { cwd, env }, { stdio: ['pipe', 'ignore', 'ignore'] });
    check.stdin?.write(readFileSync(join(cwd, 'b')).subarray(0, 100));
    const isStarted = () =>
      left().some((name) => !started.includes(name) && readdirSync(join(TMPDIR, name)).length > 1);
    await until(() => isStarted());
    started.push(...left().filter((name) => !started.includes(name)));
    return check;
  };
  const killed = await startCheck();
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const running = await startCheck();
  whenOver(() => running.kill('SIGKILL'));
  const [first = '', second = ''] = started;

  // Not ours: a link, a folder that others may read, one without our lock, other names.
  writeFileSync(join(target, 'running.lock'), '');
  symlinkSync(target, join(TMPDIR, 'ledgerstone-check-aaaaaa'));
  const folders = [
    ['ledgerstone-check-bbbbbb', 0o755, 'running.lock'],
    ['ledgerstone-check-cccccc', 0o700, 'records'],
    ['ledgerstone-check-of-us', 0o700, 'running.lock'],
    ['ledgerstone-backup-dddddd', 0o700, 'running.lock'],
  ] as const;
  for (const [name, mode, file] of folders) {
    mkdirSync(join(TMPDIR, name), { mode });
    writeFileSync(join(TMPDIR, name, file), '');
  }
  // What killed commands and uploads of the other kinds leave.
  const others = ['ledgerstone-import-dddddd', 'ledgerstone-restore-eeeeee'];
  for (const name of others) {
    mkdirSync(join(TMPDIR, name), { mode: 0o700 });
    writeFileSync(join(TMPDIR, name, 'running.lock'), '');
    writeFileSync(join(TMPDIR, name, 'upload.csv'), 'visitor_full_name\n');
  }
  const long = new Date(Date.now() - 3_600_000);
  for (const name of left()) utimesSync(join(TMPDIR, name), long, long);

  const stdout = (await programIn(cwd, env).run('doctor')).stdout;
  assert.match(stdout, /^warning +temporary files: .* and 2 more like it/m);
  const before = left();
  const service = await startProcess({ cwd, env });
  await until(() => ![first, ...others].some((name) => left().includes(name)));
  await service.stop();
  const found = left();
  assert.deepEqual(
    found,
    before.filter((name) => ![first, ...others].includes(name)),
  );
  assert.ok(left().includes(second));
  assert.deepEqual(readdirSync(target), ['running.lock']);
  assert.doesNotMatch((await programIn(cwd, env).run('doctor')).stdout, /temporary files/);
});

/** `serve` speaks HTTPS with the files it is given, says what is wrong with them, and warns of plain HTTP beyond this machine. */
// needs: --all, program

import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { secureClient } from '../support/https.ts';

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
      ['.', /^ledgerstone: TLS_KEY: \. is not a PEM file\.\n$/],
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

/** A disk that hangs, of whatever setting, keeps nobody from signing in, and no command and no service from ending. */
// needs: --ci, program, waits
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { settings } from '../../src/core/config.ts';
import type { Finding } from '../../src/core/observe/finding.ts';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate } from '../support/certificate.ts';
import { ownFolder, watch } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { secureClient } from '../support/https.ts';
import { hang, skip } from '../support/hung-disk.ts';

/** Every setting that names a file or a folder, as the declarations have them. */
const NAMED = settings
  .filter(({ option }) => /<(?:file|folder)>$/.test(option))
  .map(({ variable, option }) => ({ variable, isFile: option.endsWith('<file>') }));

const CERTIFICATE = makeCertificate();
const CONTENT: Readonly<Record<string, string>> = {
  TLS_CERT: CERTIFICATE.cert,
  TLS_KEY: CERTIFICATE.key,
};
/** That of a key, which does as a secret, too. */
const SECRET = Buffer.alloc(32, 7).toString('base64');

/** More than a process has threads for passwords. */
const PEOPLE = 6;
const FROM_PAGE = { 'ledgerstone-console': '1', 'sec-fetch-site': 'same-origin' };

/** A store, and all that settings can name, each in a folder of its own. */
async function everythingNamed() {
  const cwd = ownFolder();
  const { secret } = await makeAccount(cwd);
  const folders = new Map<string, string>();
  const env: Record<string, string> = {
    ...{ OIDC_ISSUER: 'https://127.0.0.1:1', OIDC_CLIENT_ID: 'ledgerstone' },
    DATABASE_URL: `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`,
  };
  for (const { variable, isFile } of NAMED) {
    const folder = join(cwd, variable);
    mkdirSync(folder);
    folders.set(variable, folder);
    const path = join(folder, 'named');
    env[variable] = path;
    if (isFile) writeFileSync(path, CONTENT[variable] ?? SECRET);
    else mkdirSync(path);
  }
  folders.set('DATABASE_URL', join(cwd, 'data'));
  return { cwd, env, secret, folderOf: (variable: string) => folders.get(variable) ?? '' };
}

describe('where the disk hangs that a setting names', { skip, concurrency: true }, () => {
  for (const variable of [...NAMED.map((one) => one.variable), 'DATABASE_URL'])
    it(`doctor says so of ${variable}, and looks at the rest`, async () => {
      const { cwd, env, folderOf } = await everythingNamed();
      const folder = folderOf(variable);
      hang(folder);
      const { code, stdout, stderr } = await watch(['doctor', '--json'], { cwd, env }).end;
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      assert.equal(code, 1, stderr);
      const silent = findings.filter(({ says }) => says.includes('does not answer'));
      assert.deepEqual(
        silent.map(({ check, state }) => [check, state]),
        [['disk', 'bad']],
      );
      const [{ says } = { says: '' }] = silent;
      assert.ok(says.startsWith(`${folder}/`), says);
      const looked = new Set(findings.map(({ check }) => check));
      const rest = variable === 'DATABASE_URL' ? ['what is in the store'] : ['clock', 'keys'];
      for (const check of ['runtime', 'settings', 'backup folder', ...rest])
        assert.ok(looked.has(check) || variable === 'BACKUP_TO', `${check}: ${stdout}`);
    });

  for (const { variable } of NAMED.filter(({ isFile }) => isFile))
    it(`serve does not begin, and says so of ${variable}`, async () => {
      const { cwd, env, folderOf } = await everythingNamed();
      hang(folderOf(variable));
      const { code, stderr } = await watch(['serve', '--port', '0'], { cwd, env }).end;
      assert.equal(code, 1);
      assert.match(
        stderr,
        new RegExp(`^ledgerstone: ${variable}: [^\\n]+ does not answer: [^\\n]+\\n$`),
      );
    });

  for (const { variable } of NAMED.filter(({ isFile }) => !isFile))
    it(`serve begins without ${variable}`, async () => {
      const { cwd, env, folderOf } = await everythingNamed();
      hang(folderOf(variable));
      const service = await startProcess({ cwd, env });
      assert.equal((await service.stop()).code, 0);
    });

  it('people sign in, records are read, and the service ends, whatever hangs meanwhile', async () => {
    const { cwd, env, secret, folderOf } = await everythingNamed();
    const service = await startProcess({ cwd, env });
    for (const { variable } of NAMED) hang(folderOf(variable));
    const refused = /"reason":"TLS_(?:CERT|KEY): [^\n]+ does not answer: /;
    await service.printed(refused);
    service.process.kill('SIGHUP');
    await service.printed(new RegExp(`${refused.source}.*${refused.source}`, 's'));
    for (const variable of ['BACKUP_TO', 'ERASURES_TO'])
      await service.printed(new RegExp(`/${variable}/named/[^\\n]+ its disk does not answer`));
    const answers = await Promise.all(
      Array.from({ length: PEOPLE }, async (_, at) => {
        const client = secureClient(service.url, CERTIFICATE.cert);
        whenOver(client.close);
        const asked = { email: `person${at}@example.com`, password: 'a long enough password' };
        const signIn = await client.post('/console/api/sign_in', asked, FROM_PAGE);
        const read = await client.get('/v1/accounts', { authorization: `Bearer ${secret}` });
        return [signIn.status, read.status];
      }),
    );
    assert.deepEqual(answers, Array(PEOPLE).fill([401, 200]));
    assert.equal((await service.stop()).code, 0);
  });
});

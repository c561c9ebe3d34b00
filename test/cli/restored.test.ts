/** Backups come back by the programs that the guide names, and who restores is told what came back. */
// needs: program
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { onEachStore } from '../support/cli-postgres.ts';
import {
  finish,
  isThere,
  LAUNCHER,
  ownFolder,
  programIn,
  run,
  start,
} from '../support/cli-program.ts';
import { makeAccount, withAccount } from '../support/cli-setup.ts';
import { pluck } from '../support/pluck.ts';

interface RestoredJson {
  readonly keys: readonly { readonly suspended: boolean }[];
  readonly people: readonly {
    readonly email: string;
    readonly status: string;
    readonly invitation_expires_at: string | null;
  }[];
  readonly webhook_endpoints: readonly { readonly unique_identifier: string; status: string }[];
  readonly secret_key_fault: string | null;
}

const URL = 'http://127.0.0.1:9999/hook';

await onEachStore((findStore) => {
  it('restore lists keys, people, invitations and paused endpoints', async () => {
    const cwd = ownFolder();
    writeFileSync(join(cwd, 'key'), `${randomBytes(32).toString('base64')}\n`);
    const withKey = { WEBHOOK_ALLOW: '127.0.0.0/8', SECRET_KEY_FILE: join(cwd, 'key') };
    const { account } = await makeAccount(cwd, withKey);
    const { json } = programIn(cwd, withKey);
    const hooks = ['keys', 'create', '--account', account, '--allow', 'webhooks'];
    const { unique_identifier: key } = await json(...hooks);
    const words = ['webhooks', 'create', '--key', key, '--url', URL, '--account', account];
    const { unique_identifier: endpoint } = await json(...words);
    const who = ['--email', 'director@example.com', '--role', 'editor', '--account', account];
    await json('staff', 'invite', ...who);
    await json('backup', 'b');
    const file = join(cwd, 'b');

    const into = async () => ({ cwd: ownFolder(), env: await findStore() });
    const plain = await into();
    const { code, stdout, stderr } = await run(['restore', file], plain);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^director@example\.com +editor +invited +open$/m);
    assert.match(
      stdout,
      /Disable any that you have disabled since: ledgerstone staff disable EMAIL/,
    );
    assert.ok(stdout.includes(`${endpoint}  ${URL}`), stdout);
    assert.match(
      stdout,
      /nothing is sent to them\. Resume .*: ledgerstone webhooks enable ENDPOINT/,
    );
    assert.match(stdout, /^SECRET_KEY_FILE is not set, but the secrets of 1 webhook endpoint/m);

    const { cwd: folder, env } = await into();
    const held = programIn(folder, { ...env, ...withKey });
    const told = await held.json<RestoredJson>('restore', file, '--suspend-keys');
    assert.ok(told.keys.length === 2 && told.keys.every(({ suspended }) => suspended));
    assert.deepEqual(pluck(told.people, 'email', 'status', 'invitation_expires_at'), [
      ['director@example.com', 'disabled', null],
    ]);
    assert.deepEqual(pluck(told.webhook_endpoints, 'unique_identifier', 'status'), [
      [endpoint, 'paused'],
    ]);
    assert.equal(told.secret_key_fault, null);
  });
}, {});

/** How each is made ready, encrypts, and decrypts. */
const PROGRAMS = {
  age: {
    prepare: 'age-keygen -o key.txt 2>/dev/null',
    encrypt: 'age -r "$(age-keygen -y key.txt)"',
    decrypt: 'age -d -i key.txt',
  },
  gpg: {
    prepare: 'gpg --batch --quiet --passphrase "" --quick-generate-key backups@example.com',
    encrypt: 'gpg --batch --encrypt --recipient backups@example.com',
    decrypt: 'gpg --batch --quiet --decrypt',
  },
};

for (const [name, { prepare, encrypt, decrypt }] of Object.entries(PROGRAMS)) {
  const skip = isThere(name) ? false : `there is no ${name} on this machine`;
  it(`by ${name}`, { skip }, async () => {
    const { cwd, account } = await withAccount();
    const home = join(cwd, 'gnupg');
    mkdirSync(home, { mode: 0o700 });
    const env = { GNUPGHOME: home, LEDGERSTONE: LAUNCHER };
    whenOver(() =>
      execFileSync('sh', ['-c', 'gpgconf --kill all || true'], { env: { ...process.env, ...env } }),
    );
    const shell = async (line: string): Promise<void> => {
      const words = ['-c', `set -e -o pipefail; ${line}`];
      const child = start(words, { cwd, env, program: '/bin/bash' }, { stdio: 'pipe' });
      const { code, stderr } = await finish(child);
      assert.equal(code, 0, stderr);
    };
    await shell(prepare);
    await shell(`"$LEDGERSTONE" backup - | ${encrypt} > store.encrypted`);
    assert.ok(!readFileSync(join(cwd, 'store.encrypted')).includes('ledgerstone'));
    const DATABASE_URL = `sqlite:${join(cwd, 'restored.db')}`;
    await shell(
      `${decrypt} < store.encrypted | "$LEDGERSTONE" restore - --database-url '${DATABASE_URL}'`,
    );
    const { stdout } = await run(['accounts', 'list', '--json'], { cwd, env: { DATABASE_URL } });
    assert.equal(JSON.parse(stdout)[0].unique_identifier, account);
  });
}

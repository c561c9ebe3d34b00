/** A backup is encrypted on its way by the programs that the guide names, and restored from them. */
// needs: program

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { finish, isThere, LAUNCHER, run, start } from '../support/cli-program.ts';
import { withAccount } from '../support/cli-setup.ts';

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

/** The guide on imports: what it shows is what happens. */
// needs: --ci, program, waits
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { LAUNCHER, ownFolder } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { pages } from '../support/doc-pages.ts';

it('the commands of docs/import.md do what it says', async () => {
  const cwd = ownFolder();
  const { account, secret } = await makeAccount(cwd);
  const { url } = await startProcess({ cwd });
  const program = join(cwd, 'ledgerstone');
  writeFileSync(program, `#!/bin/sh\nexec "${LAUNCHER}" "$@"\n`);
  chmodSync(program, 0o700);
  const blocks = pages()
    .filter(({ path }) => path === 'docs/import.md')
    .flatMap((page) => page.blocks);
  const env = { PATH: `${cwd}:${process.env.PATH}`, ACCOUNT: account, KEY: secret, API: url };
  const told: string[] = [];
  const statuses = blocks
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => {
      const script = `{ ${text}\n} 2>&1`;
      try {
        told.push(
          execFileSync('sh', ['-euc', script], { cwd, env, encoding: 'utf8', timeout: 300_000 }),
        );
        return 0;
      } catch (error) {
        const { status, stdout } = error as { status: number; stdout: string };
        told.push(stdout);
        return status;
      }
    });
  assert.deepEqual(statuses, [0, 0, 0, 2, 0, 0, 0, 0], told.join('\n'));
  assert.match(told[2] ?? '', /Dry run: 2 created.*Nothing was written\./);
  const shown = blocks.find(({ language }) => language === 'text')?.text.split('\n') ?? [];
  for (const line of shown) assert.ok(told[3]?.includes(line.replace('…', '')), line);
  assert.match(told[4] ?? '', /standard-input: 2 rows.*\n0 created, 0 updated, 2 unchanged/);
  assert.match(told[5] ?? '', /1 created, 0 updated, 0 unchanged, 0 rejected/);
  assert.match(told[6] ?? '', /1 removed, 0 restored, 0 left as they are/);
  assert.match(told[7] ?? '', /"summary":\{"created":1,/);
  assert.match(readFileSync(join(cwd, 'services.csv.rejected.csv'), 'utf8'), /1043,west,/);
});

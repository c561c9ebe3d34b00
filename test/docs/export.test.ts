/** The guide on exports: what it shows is what happens. */
// needs: --ci, program, waits
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { LAUNCHER, ownFolder } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { pages } from '../support/doc-pages.ts';

it('the commands of docs/export.md write what it says', async () => {
  const cwd = ownFolder();
  const { account, secret } = await makeAccount(cwd);
  const { url } = await startProcess({ cwd });
  await makeLocation(url, secret, account);
  const program = join(cwd, 'ledgerstone');
  writeFileSync(program, `#!/bin/sh\nexec "${LAUNCHER}" "$@"\n`);
  chmodSync(program, 0o700);
  const blocks = pages()
    .filter(({ path }) => path === 'docs/export.md')
    .flatMap((page) => page.blocks.filter(({ language }) => language === 'sh'));
  assert.ok(blocks.length >= 3);
  const env = { PATH: `${cwd}:${process.env.PATH}`, ACCOUNT: account, KEY: secret, API: url };
  const printed = blocks.map(({ text }) =>
    execFileSync('sh', ['-euc', text], { cwd, env, encoding: 'utf8', timeout: 300_000 }),
  );
  assert.equal(readdirSync(join(cwd, 'everything')).length, 6);
  assert.equal(readdirSync(join(cwd, 'tables')).length, 6);
  assert.deepEqual(readdirSync(join(cwd, 'for-people')), [
    'events.xlsx',
    'online_arrangements.xlsx',
  ]);
  assert.equal(readdirSync(join(cwd, 'changes-2')).length, 7);
  const [row = ''] = readFileSync(join(cwd, 'everything/locations.ndjson'), 'utf8').split('\n');
  assert.equal(JSON.parse(row).external_identifier, 'main-street');
  assert.ok(printed.some((text) => text.includes(row)));
  assert.ok(printed.some((text) => text.includes('"taken_at"')));
  const events = readFileSync(join(cwd, 'events.csv'), 'utf8');
  assert.equal(readFileSync(join(cwd, 'listed.csv'), 'utf8'), events);
});

/** The client as partners get it: `npm install` takes it from the service, without a key. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { whenOver } from '../support/at-end.ts';
import { write } from '../support/compile.ts';
import { startService } from '../support/service.ts';
import { world } from '../support/world.ts';

const run = promisify(execFile);
const stage = world();
const { version } = JSON.parse(
  readFileSync(new URL('../../client/package.json', import.meta.url), 'utf8'),
);

it('is installed into an empty folder by its address, and a program runs with it', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'ledgerstone-install-'));
  whenOver(() => rmSync(cwd, { recursive: true }));
  const { url, key } = stage.service;
  const flags = ['--no-audit', '--no-fund', '--cache', join(cwd, 'cache')];
  await run('npm', ['install', ...flags, `${url}/client.tgz`], { cwd });
  write(cwd, {
    'program.mjs': `import { Ledgerstone } from '@ledgerstone/client';
const api = new Ledgerstone({ key: process.env.KEY, url: process.env.API });
console.log((await api.accounts.list().page()).data[0].unique_identifier);`,
  });
  const env = { ...process.env, KEY: key, API: url };
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd, env });
  assert.equal(stdout.trim(), stage.parents.account);
});

it('is the same bytes under both names and from every service, and is not sent to who has it', async () => {
  const other = await startService();
  const addresses = [
    `${stage.service.url}/client.tgz`,
    `${stage.service.url}/client-${version}.tgz`,
    `${other.url}/client.tgz`,
  ];
  const answers = await Promise.all(addresses.map((address) => fetch(address)));
  const bodies = await Promise.all(answers.map((answer) => answer.bytes()));
  for (const [index, answer] of answers.entries()) {
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type')],
      [200, 'application/gzip'],
    );
    assert.deepEqual(bodies[index], bodies[0]);
    assert.equal(answer.headers.get('etag'), answers[0]?.headers.get('etag'));
  }
  const known = { 'If-None-Match': answers[0]?.headers.get('etag') ?? '' };
  assert.equal((await fetch(addresses[1] ?? '', { headers: known })).status, 304);
});

it('is on its page with the address of the service', async () => {
  const page = await fetch(`${stage.service.url}/docs/client.md`);
  assert.ok((await page.text()).includes(`npm install ${stage.service.url}/client.tgz\n`));
});

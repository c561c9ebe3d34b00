/** The client as partners get it: `npm install` takes it from the service, without a key. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

/** SHA-256 of what releases serve. */
const RELEASED = {
  '/client-1.0.0.tgz': 'b23c781e9e9fc9b43728287fc1c1402ba587bed44149b6761eb1a1bae5ea9694',
};

it('is installed into an empty folder by its address, and a program runs with it', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'ledgerstone-install-'));
  whenOver(() => rmSync(cwd, { recursive: true }));
  const { url, key } = stage.service;
  const flags = ['--no-audit', '--no-fund', '--cache', join(cwd, 'cache')];
  await run('npm', ['install', ...flags, `${url}/client-${version}.tgz`], { cwd });
  write(cwd, {
    'program.mjs': `import { Ledgerstone } from '@ledgerstone/client';
const api = new Ledgerstone({ key: process.env.KEY, url: process.env.API });
console.log((await api.accounts.list().page()).data[0].unique_identifier);`,
  });
  const env = { ...process.env, KEY: key, API: url };
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd, env });
  assert.equal(stdout.trim(), stage.parents.account);
});

it('is the same bytes from every service, and is not sent to who has it', async () => {
  const other = await startService();
  const addresses = [stage.service.url, other.url].map((url) => `${url}/client-${version}.tgz`);
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

it('stays what it was for who installed an earlier one: lockfiles have these hashes', async () => {
  const hashOf = async (path: string) => {
    const answer = await fetch(stage.service.url + path);
    assert.equal(answer.status, 200, path);
    return createHash('sha256')
      .update(await answer.bytes())
      .digest('hex');
  };
  for (const [path, hash] of Object.entries(RELEASED)) assert.equal(await hashOf(path), hash, path);
});

it('goes on by npm ci at the address without a version, which has the newest, with what was locked', async () => {
  const { url } = stage.service;
  const bytesOf = async (path: string, headers = {}) =>
    Buffer.from(await (await fetch(url + path, { headers })).bytes());
  const newest = await bytesOf(`/client-${version}.tgz`);
  assert.ok((await bytesOf('/client.tgz')).equals(newest));
  for (const release of ['1.0.0', version]) {
    const locked = await bytesOf(`/client-${release}.tgz`);
    const integrity = `sha512-${createHash('sha512').update(locked).digest('base64')}`;
    for (const said of [integrity, `sha1-AAAA ${integrity}`]) {
      const named = { 'pacote-integrity': said };
      assert.ok((await bytesOf('/client.tgz', named)).equals(locked), `${release}: ${said}`);
    }
    const cwd = mkdtempSync(join(tmpdir(), 'ledgerstone-install-'));
    whenOver(() => rmSync(cwd, { recursive: true }));
    const resolved = `${url}/client.tgz`;
    const dependencies = { '@ledgerstone/client': resolved };
    const packages = {
      '': { dependencies },
      'node_modules/@ledgerstone/client': { version: release, resolved, integrity },
    };
    write(cwd, {
      'package.json': JSON.stringify({ dependencies }),
      'package-lock.json': JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
    });
    await run('npm', ['ci', '--no-audit', '--no-fund', '--cache', join(cwd, 'cache')], { cwd });
    const about = readFileSync(join(cwd, 'node_modules/@ledgerstone/client/package.json'), 'utf8');
    assert.equal(JSON.parse(about).version, release);
  }
  assert.match((await fetch(`${url}/client.tgz`)).headers.get('vary') ?? '', /pacote-integrity/);
  const strange = await bytesOf('/client.tgz', { 'pacote-integrity': 'sha512-AAAA' });
  assert.ok(strange.equals(newest));
});

it('is 404 under a version that there never was', async () => {
  const [name, next] = [`/client-${version}`, '/client-99.0.0.tgz'];
  for (const path of [
    '/client-0.9.9.tgz',
    '/client-1.tgz',
    next,
    name,
    `${name}.zip`,
    `${name}.tgz.1`,
  ]) {
    const answer = await fetch(stage.service.url + path);
    assert.equal(answer.status, 404, path);
    assert.equal((await answer.json()).error.code, 'path_unknown', path);
  }
});

it('is on its page with the address of the service', async () => {
  const page = await fetch(`${stage.service.url}/docs/client.md`);
  const text = await page.text();
  assert.ok(text.includes(`npm install ${stage.service.url}/client-${version}.tgz\n`));
  assert.ok(!text.includes('/client.tgz'));
});

it('is named with this version wherever the manual names it', () => {
  const project = new URL('../../', import.meta.url);
  const pages = globSync(['*.md', '{docs,client}/*.md'], { cwd: project.pathname });
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => {
      const text = readFileSync(new URL(page, project), 'utf8');
      return [...text.matchAll(/\/client[\w.-]*\.tgz/g)].map(([path]) => `${page}: ${path}`);
    });
  assert.ok(named.length > 1);
  for (const each of named) assert.ok(each.endsWith(`: /client-${version}.tgz`), each);
});

/** The service starts on a store of its own, or says in one line why it cannot. */
// needs: program

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { whenOver } from '../support/at-end.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation, withAccount } from '../support/cli-setup.ts';

describe('serve', () => {
  it('makes a store that only its owner can read, and answers', async () => {
    const cwd = ownFolder();
    const { url } = await startProcess({ cwd });
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal((await call(url, (await makeAccount(cwd)).secret, '/v1/accounts')).status, 200);
    const data = join(cwd, 'data');
    assert.equal(statSync(data).mode & 0o777, 0o700);
    for (const name of ['', '-wal', '-shm', '.serving']) {
      assert.equal(statSync(join(data, `ledgerstone.db${name}`)).mode & 0o777, 0o600, name);
    }
  });

  it('--existing starts only where there is a store', async () => {
    const cwd = ownFolder();
    const { ok, fails } = programIn(cwd);
    const none = /^ledgerstone: There is no Ledgerstone store at .*ledgerstone\.db: .*\n$/;
    assert.match(await fails('serve', '--existing', '--port', '0'), none);
    const required = programIn(cwd, { REQUIRE_STORE: 'true' });
    assert.match(await required.fails('serve', '--port', '0'), none);
    assert.ok(!existsSync(join(cwd, 'data')), 'nothing was made');
    await ok('migrate');
    const service = await startProcess({ cwd, words: ['serve', '--existing'] });
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    assert.doesNotMatch((await service.stop()).stdout, /created a new one/);
  });

  it('answers 503 while its file is gone, tells the operator, and goes on when it is back', async () => {
    const { cwd, secret, account } = await withAccount();
    const { url, printed, stop } = await startProcess({ cwd });
    const location = await makeLocation(url, secret, account);
    const path = join(cwd, 'data', 'ledgerstone.db');
    const own = { account_unique_identifier: account, external_identifier: 'main-street' };
    const body = { ...own, location_name: 'Main Street Chapel' };
    const write = () => call(url, secret, '/v1/locations/upsert', body);
    const read = () => call(url, secret, `/v1/locations/${location}`);
    assert.deepEqual([(await write()).status, (await read()).status], [200, 200]);

    renameSync(path, `${path}.moved`);
    // A write may be answered 200 for five milliseconds after that.
    await pause(10);
    assert.equal((await write()).status, 503);
    await printed(/a file of the store was moved, removed or replaced/);
    assert.match(await printed(/"file":/), /"level":50,[^\n]*"file":"[^"]*ledgerstone\.db"/);
    const second = await write();
    assert.deepEqual([second.status, (await read()).status], [503, 503]);
    assert.match(second.text, /Nothing was/);
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);

    renameSync(`${path}.moved`, path);
    await printed(/the files of the store are back/);
    assert.deepEqual([(await write()).status, (await read()).status], [200, 200]);
    assert.equal((await stop()).code, 0);
  });

  it('a second serve on the same file is refused, the first goes on', async () => {
    const cwd = ownFolder();
    const { url } = await startProcess({ cwd });
    await programIn(cwd).mistakes('serve --port', [
      ['0', /The store at .*ledgerstone\.db is being served by another process: /],
    ]);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });

  it('a port in use and an address of another machine are one line each', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    whenOver(() => taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await programIn(ownFolder()).mistakes('serve --port', [
      [String(port), new RegExp(`Port ${port} on 127.0.0.1 is already in use. .* --port, `)],
      ['0 --host 192.0.2.1', /: 192\.0\.2\.1 is not an address of this machine\. .* --host\.\n$/],
    ]);
  });

  it('a file that is no store is told so and left as it is', async () => {
    const cwd = ownFolder();
    const { fails } = programIn(cwd);
    const text = join(cwd, 'notes.txt');
    writeFileSync(text, 'No database at all. '.repeat(1000));
    const foreign = join(cwd, 'foreign.db');
    const database = new DatabaseSync(foreign);
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    for (const file of [text, foreign]) {
      const before = readFileSync(file);
      for (const words of [
        ['serve', '--port', '0'],
        ['accounts', 'list'],
      ]) {
        const wrong = await fails(...words, '--database-url', `sqlite:${file}`);
        assert.match(wrong, /^ledgerstone: [^\n]+ not a Ledgerstone store[^\n]+\n$/);
      }
      assert.ok(readFileSync(file).equals(before));
      assert.ok(!existsSync(`${file}-wal`) && !existsSync(`${file}.serving`), 'nothing beside it');
    }
  });

  it('a store of a newer version is told so and left as it is', async () => {
    const cwd = ownFolder();
    const { run, fails } = programIn(cwd);
    await run('migrate');
    const file = join(cwd, 'data', 'ledgerstone.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 9999');
    database.close();
    const before = readFileSync(file);
    const wrong = await fails('serve', '--port', '0');
    assert.match(wrong, /^ledgerstone: The store at .* was written by a newer Ledgerstone .*\n$/);
    assert.ok(readFileSync(file).equals(before));
  });

  it('a folder that cannot be written is one line', {
    skip: process.getuid?.() === 0 && 'root writes everywhere',
  }, async () => {
    const cwd = ownFolder();
    mkdirSync(join(cwd, 'data'));
    chmodSync(join(cwd, 'data'), 0o500);
    const wrong = await programIn(cwd).fails('serve', '--port', '0');
    assert.match(wrong, /^ledgerstone: No store can be made at [^\n]+\n$/);
  });

  it('a folder in the way of the store is one line', async () => {
    const cwd = ownFolder();
    const wrong = await programIn(cwd).fails('serve', '--database-url', `sqlite:${cwd}`);
    assert.match(wrong, /^ledgerstone: .* is a folder: [^\n]+\n$/);
  });
});

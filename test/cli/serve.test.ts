/** The service starts on a store of its own, or says in one line why it cannot. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';

describe('serve', () => {
  it('makes a store that only its owner can read, and answers', async (t) => {
    const cwd = ownFolder(t);
    const { url } = await startProcess(t, { cwd });
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    const { secret } = await makeAccount(cwd);
    assert.equal((await call(url, secret, '/v1/accounts')).status, 200);
    const data = join(cwd, 'data');
    assert.equal(statSync(data).mode & 0o777, 0o700);
    for (const name of ['', '-wal', '-shm', '.serving']) {
      assert.equal(statSync(join(data, `ledgerstone.db${name}`)).mode & 0o777, 0o600, name);
    }
  });

  it('a second serve on the same file is refused, the first goes on', async (t) => {
    const cwd = ownFolder(t);
    const { url } = await startProcess(t, { cwd });
    const { code, stdout, stderr } = await programIn(cwd).run('serve', '--port', '0');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^ledgerstone: The store at .*ledgerstone\.db is being served by another process: .*\n$/,
    );
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });

  it('a port in use and an address of another machine are one line each', async (t) => {
    const cwd = ownFolder(t);
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const { run } = programIn(cwd);
    const used = await run('serve', '--port', String(port));
    assert.deepEqual([used.code, used.stdout], [1, '']);
    assert.match(
      used.stderr,
      new RegExp(`^ledgerstone: Port ${port} of 127.0.0.1 is in use .* --port, .*\n$`),
    );
    const far = await run('serve', '--host', '192.0.2.1', '--port', '0');
    assert.equal(far.code, 1);
    assert.match(
      far.stderr,
      /^ledgerstone: 192\.0\.2\.1 is no address of this machine: .* --host\.\n$/,
    );
  });

  it('a file that is no store is told so and left as it is', async (t) => {
    const cwd = ownFolder(t);
    const { run } = programIn(cwd);
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
        const { code, stderr } = await run(...words, '--database-url', `sqlite:${file}`);
        assert.equal(code, 1);
        assert.match(stderr, /^ledgerstone: [^\n]+ not a Ledgerstone store[^\n]+\n$/);
      }
      assert.ok(readFileSync(file).equals(before));
      assert.ok(!existsSync(`${file}-wal`) && !existsSync(`${file}.serving`), 'nothing beside it');
    }
  });

  it('a store of a newer version is told so and left as it is', async (t) => {
    const cwd = ownFolder(t);
    const { run } = programIn(cwd);
    await run('migrate');
    const file = join(cwd, 'data', 'ledgerstone.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 9999');
    database.close();
    const before = readFileSync(file);
    const { code, stderr } = await run('serve', '--port', '0');
    assert.equal(code, 1);
    assert.match(stderr, /^ledgerstone: The store at .* was made by a newer Ledgerstone .*\n$/);
    assert.ok(readFileSync(file).equals(before));
  });

  it('a folder that cannot be written is one line', {
    skip: process.getuid?.() === 0 && 'root writes everywhere',
  }, async (t) => {
    const cwd = ownFolder(t);
    mkdirSync(join(cwd, 'data'));
    chmodSync(join(cwd, 'data'), 0o500);
    const { code, stderr } = await programIn(cwd).run('serve', '--port', '0');
    assert.equal(code, 1);
    assert.match(stderr, /^ledgerstone: No store can be made at [^\n]+\n$/);
  });

  it('a folder in the way of the store is one line', async (t) => {
    const cwd = ownFolder(t);
    const { code, stderr } = await programIn(cwd).run('serve', '--database-url', `sqlite:${cwd}`);
    assert.equal(code, 1);
    assert.match(stderr, /^ledgerstone: .* is a folder: [^\n]+\n$/);
  });
});

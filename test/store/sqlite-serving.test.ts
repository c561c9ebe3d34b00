/** One serving process for a SQLite store, and any number of others that work on it meanwhile. */
// needs: long
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { takeLock } from '../../src/core/temporary.ts';
import { openStore } from '../../src/store/open.ts';
import { StoreUnusable } from '../../src/store/promises/store.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { startOpener } from '../support/store-process.ts';
import { shapes, thing } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, thingDraft, within, write } from '../support/store-world.ts';
import { LONG_MS, until } from '../support/until.ts';

function open(url: string, serve: boolean) {
  return openStore({ url, shapes, create: true, serve });
}

/** With little patience for others, where nothing else is said. */
function tryToServe(path: string, patienceMs = 300) {
  const options = { shapes, now: Date.now, create: false, serve: true };
  return openSqlite({ ...options, path, patienceMs, historyDays: 400 });
}

/** Refused with a sentence that says why. */
function isServed(error: unknown): boolean {
  return error instanceof StoreUnusable && /is being served by another process/.test(error.message);
}

describe('A SQLite store', () => {
  it('has one serving process, until that is killed', async () => {
    const { url } = await sqliteGround();
    const server = await startOpener(url, 'serve');
    await assert.rejects(open(url, true), isServed);
    const late = await startOpener(url, 'serve');
    assert.equal(late.exitCode, 1);

    const beside = await open(url, false);
    await beside.accounts.create({ name: 'Beside', livemode: true });
    assert.equal((await beside.accounts.list()).length, 2);
    await beside.close();

    server.kill('SIGKILL');
    await once(server, 'exit');
    const store = await open(url, true);
    assert.equal((await store.accounts.list()).length, 2);
    await store.close();
  });

  it('gives the records of a page as of one moment, despite commits while it is read', async () => {
    const { url } = await sqliteGround();
    const store = await open(url, true);
    const account = await newAccount(store, 'A', true);
    const home = await write(store, placeDraft(account, 'home', {}));
    const commit = (label: string) => {
      const drafts = Array.from({ length: 50 }, (_, at) => thingDraft(home, `${at}`, { label }));
      return store.commit(drafts, { atomic: true });
    };
    await commit('0');
    let commits = 0;
    let ended = false;
    const writing = (async () => {
      while (!ended) await commit(`${++commits}`);
    })();
    const seen = new Set<string>();
    while (seen.size < 30) {
      const page = await store.list({
        ...{ shape: thing, scope: within(account), order: 'newest', limit: 50 },
      });
      const labels = new Set(page?.records.map(({ document }) => document));
      assert.equal(labels.size, 1, [...labels].join(' '));
      for (const label of labels) seen.add(label);
      await setImmediate();
    }
    ended = true;
    await writing;
    await store.close();
  });

  it('is served once within one process, too', async () => {
    const { url } = await sqliteGround();
    const store = await open(url, true);
    for (let times = 0; times < 2; times++) await assert.rejects(open(url, true), isServed);
    const late = await startOpener(url, 'serve');
    assert.equal(late.exitCode, 1, 'a refusal here must not let another process in');
    await store.close();
    await (await open(url, true)).close();
  });

  it('keeps its lock when the store cannot be opened by the next one', async () => {
    const { url, path } = await sqliteGround();
    writeFileSync(`${path}.serving`, 'something else '.repeat(100));
    await assert.rejects(
      open(url, true),
      /\.serving cannot be used \(file is not a database\): let this user/,
    );
    assert.equal(statSync(`${path}.serving`).size, 1_500);
  });

  it('is what a refusal names where its own file is damaged, and not the lock file', async () => {
    const { url, path } = await sqliteGround();
    await (await open(url, true)).close();
    rmSync(`${path}.serving`);
    const spoilt = readFileSync(path);
    // No database has pages of such a size.
    spoilt.writeUInt16BE(1_234, 16);
    writeFileSync(path, spoilt);
    await assert.rejects(open(url, true), /^StoreUnusable: The store at .+ cannot be opened: /);
  });

  it('is served with a lock file of which the power failed before it was on disk', async () => {
    const { url, path } = await sqliteGround();
    await (await open(url, true)).close();
    for (const bytes of [512, 4_096]) {
      writeFileSync(`${path}.serving`, Buffer.alloc(bytes));
      const store = await open(url, true);
      await assert.rejects(open(url, true), isServed);
      assert.equal((await startOpener(url, 'serve')).exitCode, 1, 'the lock is one');
      await store.close();
      writeFileSync(`${path}.lock`, Buffer.alloc(bytes));
      const release = takeLock(`${path}.lock`);
      assert.equal(takeLock(`${path}.lock`), undefined);
      release?.();
    }
  });

  it('can be made by many processes at once', async () => {
    const { url } = await sqliteGround();
    const processes = await Promise.all(Array.from({ length: 8 }, () => startOpener(url, 'work')));
    for (const each of processes) each.send('go');
    await Promise.all(processes.map((each) => each.exitCode ?? once(each, 'exit')));
    for (const { exitCode } of processes) assert.equal(exitCode, 0);
    const store = await open(url, true);
    assert.equal((await store.accounts.list()).length, 8);
    await store.close();
  });
});

describe('A second serving process is not let in', () => {
  const refused = (error: unknown): boolean =>
    error instanceof StoreUnusable && /may be served by another process/.test(error.message);

  it('where the lock file was removed, or replaced by an empty one', async () => {
    const { url, path } = await sqliteGround();
    const server = await startOpener(url, 'serve');
    rmSync(`${path}.serving`);
    for (let times = 0; times < 2; times++) await assert.rejects(tryToServe(path), refused);
    rmSync(`${path}.serving`);
    writeFileSync(`${path}.serving`, '');
    await assert.rejects(tryToServe(path), refused);
    server.kill('SIGKILL');
    await once(server, 'exit');
    const store = await open(url, true);
    assert.equal((await store.accounts.list()).length, 1, 'and in at once when that is gone');
    await store.close();
  });

  it('by another name of the file', async () => {
    const { url, path, folder } = await sqliteGround();
    const server = await startOpener(url, 'serve');
    const other = join(folder, 'other');
    linkSync(path, other);
    for (const serve of [true, false]) {
      await assert.rejects(open(`sqlite:${other}`, serve), /has 2 names \(hard links\)/);
    }
    rmSync(path);
    for (let times = 0; times < 2; times++) await assert.rejects(tryToServe(other), refused);
    server.kill('SIGKILL');
    await once(server, 'exit');
    assert.ok(existsSync(`${path}-wal`), 'what was not moved yet is still in the old log');
    renameSync(other, path);
    const store = await open(url, true);
    assert.equal((await store.accounts.list()).length, 1);
    await store.close();
  });

  it('while it has stopped for a moment, or forgets the lock for any other reason', async () => {
    const { url, path } = await sqliteGround();
    const server = await startOpener(url, 'serve');
    server.kill('SIGSTOP');
    await assert.rejects(open(url, true), isServed);
    rmSync(`${path}.serving`);
    await assert.rejects(tryToServe(path), refused);
    server.kill('SIGKILL');
    await once(server, 'exit');
  });

  it('and a command that runs when it starts does not block others for long', async () => {
    const { url, path } = await sqliteGround();
    const beside = await startOpener(url, 'work');
    const opening = tryToServe(path, LONG_MS);
    // Where the lock file is made, it has also found that another process has the store open.
    await until(() => existsSync(`${path}.serving`));
    beside.kill('SIGKILL');
    const store = await opening;
    assert.equal((await store.accounts.list()).length, 1);
    await store.close();
  });
});

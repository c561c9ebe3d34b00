/** One serving process for a SQLite store, and any number of others that work on it meanwhile. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { StoreUnusable } from '../../src/store/store.ts';
import { startOpener } from '../support/store-process.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';

function open(url: string, serve: boolean) {
  return openStore({ url, shapes, create: true, serve });
}

/** Refused with a sentence that says why. */
function isServed(error: unknown): boolean {
  return error instanceof StoreUnusable && /is being served by another process/.test(error.message);
}

describe('A SQLite store', () => {
  it('has one serving process, until that is killed', async (test) => {
    const { url } = await sqliteGround(test);
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

  it('is served once within one process, too', async (test) => {
    const { url } = await sqliteGround(test);
    const store = await open(url, true);
    for (let times = 0; times < 2; times++) await assert.rejects(open(url, true), isServed);
    const late = await startOpener(url, 'serve');
    assert.equal(late.exitCode, 1, 'a refusal here must not let another process in');
    await store.close();
    await (await open(url, true)).close();
  });

  it('keeps its lock when the store cannot be opened by the next one', async (test) => {
    const { url, path } = await sqliteGround(test);
    writeFileSync(`${path}.serving`, 'something else '.repeat(100));
    await assert.rejects(open(url, true), /\.serving, cannot be used|\.serving cannot be used/);
    assert.equal(statSync(`${path}.serving`).size, 1_500);
  });

  it('can be made by many processes at once', async (test) => {
    const { url } = await sqliteGround(test);
    const processes = await Promise.all(Array.from({ length: 8 }, () => startOpener(url, 'work')));
    for (const each of processes) each.send('go');
    await Promise.all(processes.map((each) => each.exitCode ?? once(each, 'exit')));
    assert.deepEqual(
      processes.map((each) => each.exitCode),
      Array(8).fill(0),
    );
    const store = await open(url, true);
    assert.equal((await store.accounts.list()).length, 8);
    await store.close();
  });
});

/** A SQLite store in trouble: what cannot be written now is refused whole, and can be written later. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { type Store, StoreUnavailable, StoreUnusable } from '../../src/store/promises/store.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { opened } from '../support/opened.ts';
import { startService } from '../support/service.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, within, write } from '../support/store-world.ts';

const options = {
  shapes,
  now: Date.now,
  create: true,
  serve: true,
  patienceMs: 50,
  historyDays: 400,
};

async function names(store: Store, account: string) {
  const scope = within(account);
  const page = await store.list({ shape: place, scope, order: { key: 'title' }, limit: 10_000 });
  return page?.records.map((record) => record.external_identifier);
}

function unavailable(words: RegExp) {
  return (error: unknown): boolean =>
    error instanceof StoreUnavailable && words.test(error.message) && error.cause !== undefined;
}

describe('Nothing is half done by a SQLite store', () => {
  it('that another process writes to for too long', async () => {
    const { path } = await sqliteGround();
    const store = await openSqlite({ ...options, path });
    const account = await newAccount(store, 'A');
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const busy = unavailable(/another process is writing/);
    await assert.rejects(store.commit([placeDraft(account, 'a', {})]), busy);
    await assert.rejects(store.checkWritable(), busy);
    assert.deepEqual(await names(store, account), [], 'can be read');
    const queue = Array.from({ length: 20 }, () => store.commit([placeDraft(account, 'a', {})]));
    const refused = await Promise.allSettled(queue);
    assert.ok(refused.every(({ status }) => status === 'rejected'));
    other.exec('ROLLBACK');
    await write(store, placeDraft(account, 'b', {}));
    assert.deepEqual(await names(store, account), ['b']);
    other.close();
    await store.close();
  });

  it('whose disk is full, and then is not', async (test) => {
    const { folder } = await sqliteGround();
    const unmount = mountTmpfs(folder);
    if (unmount === undefined) {
      return test.skip('a small disk of its own can only be mounted by root');
    }
    try {
      const store = await openSqlite({ ...options, path: join(folder, 'store') });
      const account = await newAccount(store, 'A');
      await write(store, placeDraft(account, 'before', {}));
      fill(join(folder, 'filler'));
      const big = { notes: { text: 'x'.repeat(900) } };
      const batch = Array.from({ length: 300 }, (_, index) =>
        placeDraft(account, `x${index}`, big),
      );
      await assert.rejects(store.commit(batch), unavailable(/the disk is full/));
      assert.deepEqual(await names(store, account), ['before']);
      rmSync(join(folder, 'filler'));
      await store.checkWritable();
      await write(store, placeDraft(account, 'after', {}));
      assert.deepEqual(await names(store, account), ['before', 'after']);
      await store.close();
    } finally {
      unmount();
    }
  });

  it('whose writing thread cannot begin, and then can', async () => {
    const { path } = await sqliteGround();
    const maker = await openSqlite({ ...options, path });
    const account = await newAccount(maker, 'A');
    await maker.close();
    const store = await openSqlite({ ...options, path });
    renameSync(path, `${path}.away`);
    mkdirSync(path);
    const writes = ['a', 'b'].map((name) => store.commit([placeDraft(account, name, {})]));
    for (const write of writes) await assert.rejects(write, StoreUnavailable);
    rmdirSync(path);
    renameSync(`${path}.away`, path);
    await write(store, placeDraft(account, 'c', {}));
    assert.deepEqual(await names(store, account), ['c']);
    await store.close();
  });

  it('on a disk that can only be read', async (test) => {
    const { folder } = await sqliteGround();
    const unmount = mountTmpfs(folder);
    if (unmount === undefined) {
      return test.skip('a disk of its own can only be mounted by root');
    }
    try {
      const url = `sqlite:${join(folder, 'store')}`;
      await (await openStore({ url, shapes, create: true, serve: true })).close();
      execFileSync('mount', ['-o', 'remount,ro', folder]);
      await assert.rejects(openStore({ url, shapes, create: true, serve: true }), StoreUnusable);
      await assert.rejects(
        openStore({ url: `${url}2`, shapes, create: true, serve: true }),
        StoreUnusable,
      );
    } finally {
      unmount();
    }
  });

  it('that was damaged', async () => {
    const { url, path } = await sqliteGround();
    const store = await openStore({ url, shapes, create: true, serve: true });
    const account = await newAccount(store, 'A');
    const batch = Array.from({ length: 2_000 }, (_, index) => placeDraft(account, `x${index}`, {}));
    await store.commit(batch);
    await store.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, bytes.length - 163_840));
    const damaged = await opened({ url, shapes, create: false, serve: true });
    await assert.rejects(names(damaged, account), unavailable(/damaged/));
  });

  it('whose foundation is damaged', async () => {
    const { url, path } = await sqliteGround();
    await (await openStore({ url, shapes, create: true, serve: true })).close();
    truncateSync(path, 4_096);
    await assert.rejects(openStore({ url, shapes, create: false, serve: true }), StoreUnusable);
  });
});

/** Fills the disk to the last byte. */
function fill(path: string): void {
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // This much does not go in any more.
    }
  }
}

/** A disk of four megabytes, and how to take it away; `undefined` where that cannot be had. */
function mountTmpfs(folder: string): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
    return () => execFileSync('umount', ['-l', folder]);
  } catch {
    return undefined;
  }
}

describe('A service whose store another process holds', () => {
  it('goes on answering, and writes when it is let go', async () => {
    const service = await startService();
    const location = await service.location();
    const holder = new DatabaseSync(service.app.store.place.replace('sqlite:', ''));
    holder.exec('BEGIN IMMEDIATE');
    let written = false;
    const upsert = service.event(location).then((event) => {
      written = true;
      return event;
    });
    for (let round = 0; round < 20; round++) {
      assert.equal((await service.get('/healthz')).status, 200);
      assert.equal((await service.get('/v1/locations')).status, 200);
    }
    assert.equal(written, false, 'the store is held');
    holder.exec('ROLLBACK');
    holder.close();
    assert.match(await upsert, /^evt_/);
    await service.stop();
  });
});

/** A SQLite store in trouble: what cannot be written now is refused whole, and can be written later. */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { keptLog } from '../support/kept-log.ts';
import { opened } from '../support/opened.ts';
import { startService } from '../support/service.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, within, write } from '../support/store-world.ts';
import { until } from '../support/until.ts';

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

  for (const how of ['BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE'])
    it(`says that it cannot write during a ${how} of another process, reads on, and recovers by itself`, async () => {
      const { log, lines } = keptLog();
      const service = await startService({ log });
      await service.location('before');
      const path = service.app.store.place.replace('sqlite:', '');
      const upsert = (id: string) =>
        service.json('/v1/locations/upsert', {
          account_unique_identifier: service.account.unique_identifier,
          external_identifier: id,
          location_name: id,
        });
      const release = await heldBy(path, how);
      const waiting = [upsert('one'), upsert('two')];
      let done = false;
      const answers = Promise.all(waiting).finally(() => {
        done = true;
      });
      while (!done) {
        assert.equal((await service.get('/healthz')).status, 200);
        assert.equal((await service.get('/v1/locations')).status, 200);
      }
      const refusals = [...(await answers), await upsert('three'), await service.get('/readyz')];
      for (const { status, headers, text } of refusals) {
        assert.equal(status, 503, text);
        assert.equal(headers.get('Retry-After'), '1');
        assert.ok(!text.includes(path), 'the path is the operator\u2019s');
      }
      const reasons = lines.filter(({ msg }) => `${msg}`.startsWith('not available'));
      assert.equal(reasons.length, 1, 'once a minute');
      assert.ok(`${reasons[0]?.reason}`.includes(`fuser -v ${path}`));
      await release();
      await until(async () => (await service.get('/readyz')).status === 200);
      assert.equal((await upsert('one')).status, 200);
      const { body } = await service.get('/v1/locations');
      assert.equal(body.data.length, 2, 'what was refused was not done');
      await service.stop();
    });
});

/** Has another process hold the store like that; gives how it lets go. */
async function heldBy(path: string, how: string): Promise<() => Promise<void>> {
  const program = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 5000 });
    database.exec(process.argv[2]);
    console.log('held');
    process.stdin.once('data', () => { database.exec('ROLLBACK'); process.exit(); });`;
  const child = spawn(process.execPath, ['-e', program, path, how], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end('x');
    await once(child, 'exit');
  };
}

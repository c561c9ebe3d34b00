/** A SQLite store opens after any end of the process before, and serves nothing once its file was moved. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { type Store, StoreUnavailable, StoreUnsure } from '../../src/store/promises/store.ts';
import { opened } from '../support/opened.ts';
import { pendingSteps } from '../support/pending.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, within, write } from '../support/store-world.ts';
import { until } from '../support/until.ts';

const PAGE = 4_096;
const PLACES = 3_000;

describe('A SQLite store', () => {
  it('opens beside a process that makes its log shorter, and no file that goes on to be too short', async () => {
    const { url } = await sqliteGround();
    await (await openStore({ url, shapes, create: true, serve: true })).close();
    const { exec } = DatabaseSync.prototype;
    let short = 0;
    DatabaseSync.prototype.exec = function cut(text) {
      if (short === 0 || !text.includes('secure_delete')) return exec.call(this, text);
      short -= 1;
      throw Object.assign(new Error('disk I/O error'), { errcode: 522 });
    };
    try {
      short = 2;
      await (await openStore({ url, shapes, create: false, serve: true })).close();
      short = 1_000;
      await assert.rejects(openStore({ url, shapes, create: false, serve: true }), /disk/);
    } finally {
      DatabaseSync.prototype.exec = exec;
    }
  });

  it('opens after a checkpoint that moved the first page and no other', async () => {
    const { url, path, folder } = await sqliteGround();
    await (await openStore({ url, shapes, create: true, serve: true })).close();
    const store = await openStore({ url, shapes, create: false, serve: true });
    const account = await newAccount(store);
    const notes = { text: 'x'.repeat(900) };
    await store.commit(
      Array.from({ length: PLACES }, (_, index) => placeDraft(account, `${index}`, { notes })),
    );
    // As a process leaves them that is killed: SQLite would finish the checkpoint if it opened them here.
    const cut = join(folder, 'cut');
    copyFileSync(path, cut);
    const log = readFileSync(`${path}-wal`);
    await store.close();
    const bytes = readFileSync(cut);
    readFileSync(path).copy(bytes, 0, 0, PAGE);
    assert.ok(bytes.readUInt32BE(28) * PAGE > bytes.length, 'shorter than its header says');

    const cutUrl = `sqlite:${cut}`;
    for (const serve of [true, false]) {
      writeFileSync(cut, bytes);
      writeFileSync(`${cut}-wal`, log);
      if (serve) assert.deepEqual(await pendingSteps({ url: cutUrl, shapes }), []);
      writeFileSync(cut, bytes);
      writeFileSync(`${cut}-wal`, log);
      const opened = await openStore({ url: cutUrl, shapes, create: false, serve });
      const query = { shape: place, scope: within(account), order: { key: 'title' } } as const;
      const page = await opened.list({ ...query, limit: PLACES + 1 });
      assert.equal(page?.records.length, PLACES);
      await opened.close();
    }
  });

  it('opens where a process was killed just before it made the store', async () => {
    const { url, path } = await sqliteGround();
    const blank = new DatabaseSync(path);
    blank.exec('BEGIN EXCLUSIVE; COMMIT');
    blank.close();
    assert.equal(statSync(path).size, PAGE);
    await assert.rejects(
      openStore({ url, shapes, create: false, serve: false }),
      /There is no Ledgerstone store at/,
    );
    const store = await openStore({ url, shapes, create: true, serve: true });
    await store.accounts.create({ name: 'A', livemode: false });
    await store.close();
  });
});

async function setUp(folder: string) {
  const told: string[] = [];
  const notices = {
    made: () => told.push('made'),
    damaged: () => told.push('damaged'),
    readOnly: () => told.push('readOnly'),
    waits: () => told.push('waits'),
    lost: () => told.push('lost'),
    found: () => told.push('found'),
  };
  const path = join(folder, 'store');
  const url = `sqlite:${path}`;
  const store = await opened({ url, shapes, create: true, serve: true, notices });
  const account = await newAccount(store);
  await write(store, placeDraft(account, 'before', {}));
  // A write trusts the look of the one before it for five milliseconds.
  const looked = performance.now();
  await until(() => performance.now() - looked > 5);
  return { path, url, store, account, told };
}

function read(store: Store, account: string) {
  const query = { shape: place, scope: within(account), order: { key: 'title' }, limit: 99 };
  return store.list(query).then((page) => page?.records.map((each) => each.external_identifier));
}

/** Resolves when reads are refused: they may go on for a moment. */
async function refusesReads(store: Store, account: string): Promise<void> {
  const refused = (error: unknown) => error instanceof StoreUnavailable;
  await until(() => read(store, account).then(() => false, refused), 5_000);
}

async function refusesWrites(store: Store, account: string): Promise<void> {
  for (let times = 0; times < 3; times++) {
    const draft = placeDraft(account, `during ${times}`, {});
    await assert.rejects(store.commit([draft]), StoreUnavailable);
    await assert.rejects(store.checkWritable(), StoreUnavailable);
  }
}

type Way = (path: string) => void;
const ways: readonly { readonly is: string; go: Way; back?: Way }[] = [
  {
    is: 'was renamed',
    go: (path) => renameSync(path, `${path} 2`),
    back: (path) => renameSync(`${path} 2`, path),
  },
  { is: 'was deleted', go: (path) => rmSync(path) },
  {
    is: 'was replaced by a copy',
    go(path) {
      copyFileSync(path, `${path} 2`);
      renameSync(path, `${path} 3`);
      renameSync(`${path} 2`, path);
    },
    back: (path) => renameSync(`${path} 3`, path),
  },
  {
    is: 'lost its log',
    go: (path) => renameSync(`${path}-wal`, `${path} 2`),
    back: (path) => renameSync(`${path} 2`, `${path}-wal`),
  },
  { is: 'lost the index of its log', go: (path) => rmSync(`${path}-shm`) },
  {
    is: 'has a folder that was moved',
    go: (path) => renameSync(join(path, '..'), join(path, '../../moved')),
    back: (path) => renameSync(join(path, '../../moved'), join(path, '..')),
  },
];

describe('A SQLite store that', () => {
  for (const { is, go, back } of ways) {
    it(`${is} answers nothing more${back ? ', until it is back' : ''}`, async () => {
      const ground = await sqliteGround();
      const folder = join(ground.folder, 'data');
      mkdirSync(folder);
      const { path, store, account, told } = await setUp(folder);
      go(path);
      // The very first is answered no better: whether it comes back with the file, nobody can tell.
      await assert.rejects(store.commit([placeDraft(account, 'first', {})]), StoreUnsure);
      await refusesReads(store, account);
      await refusesWrites(store, account);
      assert.deepEqual(told, ['made', 'lost']);
      if (back === undefined) return;
      back(path);
      await write(store, placeDraft(account, 'after', {}));
      await until(() => told.length >= 3);
      assert.deepEqual(told, ['made', 'lost', 'found']);
      const names = await read(store, account);
      assert.deepEqual(names?.filter((name) => name !== 'first').sort(), ['after', 'before']);
    });
  }

  it('was replaced is left alone at the end, too', async () => {
    const { folder } = await sqliteGround();
    const { path, url, store, account } = await setUp(folder);
    await store.close();
    copyFileSync(path, join(folder, 'backup'));
    const again = await openStore({ url, shapes, create: false, serve: true });
    const many = Array.from({ length: 500 }, (_, index) => placeDraft(account, `${index}`, {}));
    await again.commit(many);
    renameSync(path, join(folder, 'moved'));
    renameSync(join(folder, 'backup'), path);
    rmSync(`${path}-wal`);
    await again.close();
    const restored = await opened({ url, shapes, create: false, serve: true });
    assert.deepEqual(await read(restored, account), ['before']);
  });

  it('is on a disk that was taken away answers nothing more', async (test) => {
    const { folder } = await sqliteGround();
    const disk = mountSmallDisk(folder, 8);
    if (disk === undefined) return test.skip('a disk of its own can only be mounted by root');
    const { store, account } = await setUp(folder);
    disk.unmount();
    await refusesReads(store, account);
    await refusesWrites(store, account);
  });
});

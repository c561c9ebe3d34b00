/** The index of search of a SQLite store is in a file that may be lost, broken or of another state of the store: it is rebuilt. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { AccountFailure } from '../../src/core/each-account.ts';
import { rangesOf, readSearchText } from '../../src/core/schema/search/searching.ts';
import { openStore } from '../../src/store/open.ts';
import { type Store, StoreUnavailable } from '../../src/store/promises/store.ts';
import { openedFiles } from '../../src/store/sqlite/file/file-places.ts';
import { openIndex, warm } from '../../src/store/sqlite/search/file.ts';
import { createSearcher } from '../../src/store/sqlite/search/searcher.ts';
import { whenOver } from '../support/at-end.ts';
import { ownFolder } from '../support/cli-program.ts';
import { opened } from '../support/opened.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, remove, within, write } from '../support/store-world.ts';
import { until } from '../support/until.ts';

const options = { shapes, create: true, serve: true };
const open = (url: string) => openStore({ url, ...options });
const ownStore = (url: string) => opened({ url, ...options });

async function feed(store: Store): Promise<void> {
  while (await store.search.feed());
}

async function found(store: Store, text: string, account: string): Promise<number> {
  const ranges = rangesOf(place, readSearchText(text));
  const hits = await store.search.find({ scope: within(account), ranges });
  return hits.records.length;
}

/** A closed store with places that were searched. */
async function setUp() {
  const ground = await sqliteGround();
  const store = await open(ground.url);
  const account = await newAccount(store);
  for (const name of ['a', 'b']) await write(store, placeDraft(account, name, { title: 'Chapel' }));
  await feed(store);
  assert.equal(await found(store, 'chapel', account), 2);
  await store.close();
  return { ...ground, account, index: `${ground.path}-search` };
}

function removeAll(index: string): void {
  for (const each of [index, `${index}-wal`, `${index}-shm`]) rmSync(each, { force: true });
}

describe('The index of search in its file', () => {
  it('is its owner’s alone to read, and is no part of the store', async () => {
    const { index, path } = await setUp();
    assert.equal(statSync(index).mode & 0o777, 0o600);
    assert.ok(!readFileSync(path, 'latin1').includes('plc_w:chapel'));
  });

  it('stays where another process has it locked for long', async () => {
    const { index, url, account } = await setUp();
    const { ino } = statSync(index);
    const other = new DatabaseSync(index);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
    const store = await ownStore(url);
    await assert.rejects(found(store, 'chapel', account));
    assert.equal(statSync(index).ino, ino);
    other.close();
    assert.equal(await found(store, 'chapel', account), 2);
  });

  it('is fed as soon as another process lets go of it: no account rests for that', async () => {
    const { index, url, account } = await setUp();
    const store = await ownStore(url);
    await write(store, placeDraft(account, 'c', { title: 'Chapel' }));
    const failed: string[] = [];
    const watch = { failed: (failure: AccountFailure) => void failed.push(failure.account) };
    const other = new DatabaseSync(index);
    other.exec('BEGIN IMMEDIATE');
    for (let time = 0; time < 3; time += 1)
      await assert.rejects(store.search.feed(watch), StoreUnavailable);
    other.close();
    assert.deepEqual(failed, []);
    while (await store.search.feed(watch));
    assert.equal(await found(store, 'chapel', account), 3);
  });

  const damages: Record<string, (index: string) => void> = {
    'was removed': removeAll,
    'is no database': (index) => {
      removeAll(index);
      writeFileSync(index, 'No database, and longer than the header of one. '.repeat(100));
    },
    'was cut': (index) => writeFileSync(index, readFileSync(index).subarray(0, 5_000)),
    'is damaged within': (index) => {
      const bytes = readFileSync(index);
      bytes.fill(0xa5, 4096);
      writeFileSync(index, bytes);
    },
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`is rebuilt where it ${what}`, async () => {
      const { url, account, index } = await setUp();
      damage(index);
      const store = await open(url);
      // Whatever the first looks find broken.
      for (let look = 0; look < 5; look++) await feed(store).catch(() => undefined);
      assert.equal(await found(store, 'chapel', account), 2);
      assert.deepEqual(await store.search.lag([account]), { building: 0, since: undefined });
      await store.close();
    });
  }

  it('is the one that another process makes meanwhile', async () => {
    const { index } = await setUp();
    const made = new DatabaseSync(index);
    const layout = made.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
    const { user_version } = made.prepare('PRAGMA user_version').get() ?? {};
    made.close();
    removeAll(index);
    const other = new Worker(
      `const { parentPort, workerData: { index, texts } } = require('node:worker_threads');
      const database = new (require('node:sqlite').DatabaseSync)(index);
      database.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
      for (const text of texts) database.exec(text);
      parentPort.postMessage('begun');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      database.exec('COMMIT');
      setInterval(() => database, 60_000);`,
      {
        eval: true,
        workerData: {
          index,
          texts: [...layout.map(({ sql }) => sql), `PRAGMA user_version = ${user_version}`],
        },
      },
    );
    whenOver(() => other.terminate());
    await once(other, 'message');
    const { ino } = statSync(index);
    openIndex(index).close();
    assert.equal(statSync(index).ino, ino);
  });

  it('is made again at once where its file is gone, also without a change', async () => {
    const { url, account, index } = await setUp();
    const store = await ownStore(url);
    await feed(store);
    assert.equal(await found(store, 'chapel', account), 2);
    const other = await opened({ url, shapes, create: false, serve: false });
    for (const count of [2, 3]) {
      removeAll(index);
      if (count === 3) await write(store, placeDraft(account, 'c', { title: 'Chapel' }));
      await feed(store);
      assert.equal(await found(store, 'chapel', account), count);
      assert.equal(await found(other, 'chapel', account), count, 'in another process');
    }
  });

  it('is rebuilt where an older store was put in place, and shows nothing of what was lost', async () => {
    const { url, path, account } = await setUp();
    copyFileSync(path, `${path}.older`);
    const later = await open(url);
    await write(later, placeDraft(account, 'c', { title: 'Lost chapel' }));
    await feed(later);
    assert.equal(await found(later, 'lost', account), 1);
    await later.close();
    copyFileSync(`${path}.older`, path);
    const back = await open(url);
    await feed(back);
    assert.equal(await found(back, 'lost', account), 0);
    assert.equal(await found(back, 'chapel', account), 2);
    for (const each of ['d', 'e'])
      await write(back, placeDraft(account, each, { title: 'Chapel' }));
    await feed(back);
    assert.equal(await found(back, 'lost', account), 0);
    assert.equal(await found(back, 'chapel', account), 4);
    await back.close();
  });

  it('keeps nothing of a store that was here before', async () => {
    const { url, path, folder, account } = await setUp();
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(`${path.slice(folder.length + 1)}-search`)) rmSync(join(folder, name));
    }
    const other = await open(url);
    await other.accounts.create({ name: 'B', livemode: false });
    await feed(other);
    assert.equal(await found(other, 'chapel', account), 0);
    await feed(other);
    await other.close();
    assert.deepEqual(traces(folder, 'chapel'), []);
  });

  it('keeps nothing of what was removed or changed, byte by byte', async () => {
    const { url, folder, account } = await setUp();
    const store = await open(url);
    const gone = await write(store, placeDraft(account, 'gone', { title: 'Rumpelstilzchen' }));
    await write(store, placeDraft(account, 'kept', { title: 'Rapunzel' }));
    await feed(store);
    assert.deepEqual(traces(folder, 'rumpelstilzchen').length > 0, true);
    await remove(store, gone);
    await write(store, placeDraft(account, 'kept', { title: 'Another' }));
    await feed(store);
    await feed(store);
    assert.deepEqual(traces(folder, 'rumpelstilzchen'), []);
    assert.deepEqual(traces(folder, 'rapunzel'), []);
    await store.close();
  });
});

describe('The thread of search', () => {
  it('ends when it has nothing to do, and no request is lost by that', async () => {
    const { url, path, account } = await setUp();
    await ownStore(url);
    const files = openedFiles(path);
    const search = createSearcher({ path, files, shapes, historyDays: 30 }, { idleMs: 1 });
    const threads = () => readdirSync('/proc/self/task').length;
    const query = { scope: within(account) };
    const ranges = rangesOf(place, readSearchText('chapel'));
    const before = threads();
    for (let times = 0; times < 6; times++) {
      const hits = await Promise.all([1, 2].map(() => search.find({ ...query, ranges })));
      for (const { records } of hits) assert.equal(records.length, 2);
      await pause(times % 3);
    }
    await until(() => threads() <= before);
    await search.close();
  });

  it('is not asked while no record changes', async () => {
    const { url, account } = await setUp();
    const store = await ownStore(url);
    await feed(store);
    assert.deepEqual(await store.search.lag(), { building: 0, since: undefined });
    await write(store, placeDraft(account, 'c', { title: 'Chapel' }));
    assert.notEqual((await store.search.lag()).since, undefined);
    await feed(store);
    assert.equal(await found(store, 'chapel', account), 3);
  });
});

describe('The warming of the index', () => {
  it('reads the whole file, in pieces between which searches are answered', async () => {
    const { file, size } = largeFile();
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    assert.equal(await warm(file, new AbortController().signal), size);
    isOver = true;
    assert.ok(turns > 0);
  });

  it('ends soon after the index is closed', async () => {
    const { file, size } = largeFile();
    const closing = new AbortController();
    const read = warm(file, closing.signal);
    closing.abort();
    assert.ok((await read) < size);
  });
});

function largeFile() {
  const path = join(ownFolder(), 'file');
  const size = 20 * 1_048_576 + 5;
  writeFileSync(path, '');
  truncateSync(path, size);
  const file = openSync(path, 'r');
  whenOver(() => closeSync(file));
  return { file, size };
}

/** The files of the index that hold a word. */
function traces(folder: string, word: string): string[] {
  return readdirSync(folder).filter(
    (name) =>
      name.includes('-search') &&
      existsSync(join(folder, name)) &&
      readFileSync(join(folder, name), 'latin1').includes(word),
  );
}

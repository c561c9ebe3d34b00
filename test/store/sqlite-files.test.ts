/** A SQLite store's files: made for their owner alone, and no other program's file is touched. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { StoreUnusable } from '../../src/store/promises/store.ts';
import { pendingSteps } from '../support/pending.ts';
import { shapes } from '../support/store-shapes.ts';
import { type SqliteGround, sqliteGround } from '../support/store-sqlite.ts';

function open(url: string, create = true) {
  return openStore({ url, shapes, create, serve: true });
}

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** Everything in a folder, byte by byte. */
function contents(folder: string): Map<string, string> {
  const names = readdirSync(folder, { withFileTypes: true, recursive: true });
  return new Map(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isFile() ? readFileSync(path, 'base64') : 'no file'];
    }),
  );
}

/** Refuses with one sentence that has all of the words, and leaves everything as it was. */
async function refuses({ url, folder }: SqliteGround, words: RegExp, create = true) {
  const before = contents(folder);
  const unusable = (error: unknown): true => {
    assert.ok(error instanceof StoreUnusable, String(error));
    assert.match(error.message, words);
    assert.match(error.message, /^[^\n]+\.$/);
    return true;
  };
  await assert.rejects(open(url, create), unusable);
  assert.deepEqual(contents(folder), before);
}

function change({ path }: SqliteGround, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

describe('The files of a SQLite store', () => {
  it('are their owner’s alone, as are the folders made for them', async () => {
    const { folder } = await sqliteGround();
    const path = join(folder, 'new', 'deep', 'store');
    const umask = process.umask(0);
    try {
      const store = await open(`sqlite:${path}`);
      for (const file of ['', '-wal', '-shm', '.serving']) assert.equal(mode(path + file), '600');
      assert.equal(mode(dirname(path)), '700');
      assert.equal(mode(join(folder, 'new')), '700');
      await store.close();
    } finally {
      process.umask(umask);
    }
  });

  it('leave nothing beside them when they are closed, but for the lock', async () => {
    const { url, folder, path } = await sqliteGround();
    const store = await open(url);
    assert.equal(store.place, `sqlite:${path}`);
    await store.close();
    assert.deepEqual(readdirSync(folder).sort(), ['store', 'store.serving']);
  });

  it('may be an existing empty file', async () => {
    const { url, path } = await sqliteGround();
    writeFileSync(path, '');
    await (await open(url)).close();
    assert.equal(readFileSync(path).subarray(0, 6).toString(), 'SQLite');
  });

  it('may have any name', async () => {
    const { folder } = await sqliteGround();
    for (const name of ['a b?c#d%41', 'file:x?mode=memory', ':memory:', 'ü\'"']) {
      const path = join(folder, name);
      for (let times = 0; times < 2; times++) await (await open(`sqlite:${path}`)).close();
      assert.ok(existsSync(path), name);
    }
  });

  it('are the same store by whatever link they are reached', async () => {
    const { url, folder, path } = await sqliteGround();
    const store = await open(url);
    symlinkSync(path, join(folder, 'link'));
    await assert.rejects(open(`sqlite:${join(folder, 'link')}`), /being served/);
    await store.close();
  });
});

describe('A SQLite store cannot be opened', () => {
  it('where there is none and none may be made', async () => {
    const ground = await sqliteGround();
    const none = /^There is no Ledgerstone store at .*store: .*"ledgerstone serve"/;
    await refuses(ground, none, false);
    writeFileSync(ground.path, '');
    await refuses(ground, /^There is no Ledgerstone store at/, false);
  });

  it('where there is a folder, or no file of any kind', async () => {
    const ground = await sqliteGround();
    mkdirSync(ground.path);
    await refuses(ground, /store is a folder: name the file/);
    const special = /^StoreUnusable: \/dev\/null is no ordinary file/;
    await assert.rejects(open('sqlite:/dev/null'), special);
  });

  it('where there is some other file, however short', async () => {
    for (const text of ['x', 'SQLite format 3\0', 'not a database '.repeat(500)]) {
      const ground = await sqliteGround();
      writeFileSync(ground.path, text);
      await refuses(ground, /is a file of another program, not a Ledgerstone store/);
    }
  });

  it('where there is a database of another program', async () => {
    for (const journal of ['DELETE', 'WAL']) {
      const ground = await sqliteGround();
      change(ground, `PRAGMA journal_mode = ${journal}; CREATE TABLE account (a)`);
      await refuses(ground, /is a file of another program/);
      await assert.rejects(pendingSteps({ url: ground.url, shapes }), /another program/);
    }
  });

  it('where there is a store with rows of a feature that is not there', async () => {
    const ground = await sqliteGround();
    await (await open(ground.url)).close();
    change(ground, 'CREATE TABLE promise (unique_identifier TEXT PRIMARY KEY)');
    await (await open(ground.url)).close();
    change(ground, "INSERT INTO promise VALUES ('pro_1')");
    const unknown =
      /in the table promise, which this Ledgerstone does not know: use the version that/;
    await refuses(ground, unknown);
  });

  it('where there is a store of a newer version', async () => {
    const ground = await sqliteGround();
    await (await open(ground.url)).close();
    change(ground, 'PRAGMA user_version = 1002003');
    const newer =
      /was migrated by Ledgerstone 1\.2\.3, and this is [\d.]+: use 1\.2\.3 or a later version/;
    await refuses(ground, newer);
  });

  it('even where only the log knows so', async () => {
    const { url, path } = await sqliteGround();
    const store = await open(url);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 1002003');
    const beside = openStore({ url, shapes, create: true, serve: false });
    await assert.rejects(beside, /migrated by Ledgerstone 1\.2\.3/);
    database.close();
    await store.close();
  });

  it('below something that is no folder, or where nothing can be made', async () => {
    const ground = await sqliteGround();
    writeFileSync(join(ground.folder, 'file'), '');
    const url = `sqlite:${join(ground.folder, 'file', 'store')}`;
    await refuses({ ...ground, url }, /^No store can be made at .*: name a place in a folder/);
    const proc = { ...ground, url: 'sqlite:/proc/store/store' };
    await refuses(proc, /^No store can be made at \/proc/);
  });

  it('where this user may not read, write or enter', async (test) => {
    if (process.getuid?.() === 0) return test.skip('permissions do not bind root');
    for (const [name, bits] of [
      ['store', 0o000],
      ['store', 0o400],
      ['', 0o500],
    ] as const) {
      const ground = await sqliteGround();
      await (await open(ground.url)).close();
      chmodSync(join(ground.folder, name), bits);
      await assert.rejects(open(ground.url), /cannot be opened: let this user/);
      chmodSync(join(ground.folder, name), 0o700);
    }
  });
});

describe('The address of a store', () => {
  const cases = [
    ['mysql://user:secret@host/base', /begins with mysql:, which is not supported/],
    ['/var/lib/store', /has no scheme/],
    ['sqlite:', /names no file/],
    ['sqlite::memory:', /names no file/],
  ] as const;
  for (const [url, words] of cases) {
    it(`cannot be ${url}`, async () => {
      const clear = (error: unknown): true => {
        assert.ok(error instanceof StoreUnusable);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      };
      await assert.rejects(open(url), clear);
      await assert.rejects(pendingSteps({ url, shapes }), clear);
    });
  }
});

/** A search of the bytes of a SQLite file finds what is left of removed rows, and nothing of those that are there. */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { searched } from '../../src/store/sqlite/bytes/byte-search.ts';
import { sqliteGround } from '../support/store-sqlite.ts';

const ROWS = 3_000;

async function search(path: string, texts: readonly string[]) {
  const descriptor = openSync(path, 'r');
  try {
    const run = searched([{ descriptor, log: `${path}-wal` }], texts);
    for (;;) {
      const { done, value } = await run.next();
      if (done) return value;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A table with an index, rows of all sizes, and a text of each row that is in no other. */
async function filled(test: TestContext, pageSize: number) {
  const { folder } = await sqliteGround(test);
  const path = join(folder, `pages-${pageSize}`);
  const database = new DatabaseSync(path);
  test.after(() => database.isOpen && database.close());
  // What is removed stays in its page.
  database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA secure_delete = OFF; PRAGMA journal_mode = WAL;
    CREATE TABLE one (number INTEGER PRIMARY KEY, text TEXT NOT NULL, more TEXT NOT NULL);
    CREATE INDEX one_text ON one (text);
    CREATE TABLE other (text TEXT PRIMARY KEY, more TEXT NOT NULL) WITHOUT ROWID`);
  const textOf = (at: number) => `Rumpelstilzchen-${String(at).padStart(6, '0')}`;
  const add = database.prepare('INSERT INTO one (text, more) VALUES (?, ?)');
  const addOther = database.prepare('INSERT INTO other (text, more) VALUES (?, ?)');
  database.exec('BEGIN');
  for (let at = 0; at < ROWS; at += 1) {
    const text = textOf((at * 7_919) % ROWS);
    const more = 'x'.repeat(at % 97 === 0 ? 3 * pageSize : at % 60);
    if (at % 3 === 0) addOther.run(text, more);
    else add.run(text, more);
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  return { path, database, texts: Array.from({ length: ROWS }, (_, at) => textOf(at)) };
}

describe('Bytes of a SQLite file', () => {
  for (const pageSize of [512, 4_096, 65_536])
    it(`are content wherever a row is, on pages of ${pageSize} bytes`, async (test) => {
      const { path, texts } = await filled(test, pageSize);
      assert.deepEqual(await search(path, texts), []);
    });

  for (const pageSize of [512, 4_096])
    it(`are copies wherever a removed row can still be read, on pages of ${pageSize} bytes`, async (test) => {
      const { path, database, texts } = await filled(test, pageSize);
      const doomed = texts.filter((_, at) => at % 5 === 0 || at < ROWS / 4);
      for (const table of ['one', 'other']) {
        const remove = database.prepare(`DELETE FROM ${table} WHERE text = ?`);
        database.exec('BEGIN');
        for (const text of doomed) remove.run(text);
        database.exec('COMMIT');
      }
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      const bytes = readFileSync(path);
      const left = doomed.filter((text) => bytes.includes(text));
      assert.ok(left.length > doomed.length / 4, `${left.length} are left`);
      const found = await search(path, texts);
      assert.deepEqual(new Set(found), new Set(left));
      // A log has pages as they were, too: it tells nothing until it was moved into the file.
      database.exec("VACUUM; INSERT INTO other (text, more) VALUES ('in the log alone', '')");
      assert.equal(await search(path, ['in the log alone']), 'later');
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      assert.deepEqual(await search(path, [...texts, 'in the log alone']), []);
    });
});

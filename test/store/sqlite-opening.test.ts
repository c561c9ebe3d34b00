/** A SQLite store opens after any end of the process before: what is in its log counts as much as what is in its file. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore, pendingMigrations } from '../../src/store/open.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, within } from '../support/store-world.ts';

const PAGE = 4_096;
const PLACES = 3_000;

describe('A SQLite store', () => {
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
      if (serve) assert.deepEqual(await pendingMigrations({ url: cutUrl, shapes }), []);
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

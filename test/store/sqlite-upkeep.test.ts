/** What a SQLite store does to its files: enough that nothing is lost, and no more than is needed. */
// needs: --ci
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { Draft } from '../../src/store/promises/store.ts';
import { openDatabase } from '../../src/store/sqlite/file/connection.ts';
import { SPAN_MS } from '../../src/store/sqlite/statements/receipts.ts';
import { ALL } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { opened } from '../support/opened.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft } from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

const HOUR = 3_600_000;
/** Enough for far more log than may be kept. */
const ROUNDS = ALL ? 1_200 : 500;

async function setUp() {
  const ground = await sqliteGround();
  const clock = { now: 1_800_000_000_000 };
  const now = () => clock.now;
  const store = await opened({ ...ground, shapes, now, create: true, serve: true });
  const account = await newAccount(store, 'A', true);
  return { ...ground, clock, store, account };
}

function withReceipt(draft: Draft, idempotency_key: string, now: number): Draft {
  const fingerprint = new Uint8Array(32);
  const receipt = { owner: 'key_x', idempotency_key, fingerprint, expires_at: now + HOUR };
  return { ...draft, receipt };
}

describe('A SQLite store', () => {
  it('is synced by SQLite itself at every commit, before anybody can see it', async () => {
    const { path } = await setUp();
    const database = openDatabase(path, 0);
    const [journal, synchronous] = ['journal_mode', 'synchronous'].map((name) =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {}),
    );
    database.close();
    assert.deepEqual(journal, ['wal']);
    assert.deepEqual(synchronous, [2], 'FULL');
  });

  it('moves its log into the file while it is written, so that the log does not grow on', async () => {
    const { path, store, account } = await setUp();
    const big = { notes: { text: 'x'.repeat(900) } };
    let largest = 0;
    const records = () => statSync(path).size;
    // How far the thread is with what was written last is its own affair.
    for (let round = 0; round < 400 || records() <= 40_000_000; round++) {
      assert.ok(round < 2_000, `${records()} bytes of records`);
      await store.commit(
        Array.from({ length: 100 }, (_, index) => placeDraft(account, `${round}-${index}`, big)),
      );
      largest = Math.max(largest, statSync(`${path}-wal`).size);
    }
    assert.ok(largest < 3 * 8_000 * 4_096, `${largest} bytes of log`);
  });

  it('keeps its log short while there is always more to write', async () => {
    const { path, store, account } = await setUp();
    let largest = 0;
    // New records and changes of old ones, in commits as many callers make them: the writer is never without.
    const drafts = (writer: number, round: number) =>
      Array.from({ length: 24 }, (_, index) => {
        const known = `known ${(round * 7_919 + index * 104_729) % 5_000}`;
        const name = index % 2 === 0 ? known : `new ${writer} ${round} ${index}`;
        return placeDraft(account, name, { title: `${round}`, notes: { text: 'x'.repeat(200) } });
      });
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      for (let round = 0; round < ROUNDS; round++) {
        await store.commit(drafts(writer, round));
        largest = Math.max(largest, statSync(`${path}-wal`).size);
      }
    });
    await Promise.all(writers);
    assert.ok(largest < 3 * 8_000 * 4_096, `${largest} bytes of log`);
  });

  it('goes on beside a reader that stays, and starts its log over when that is gone', async () => {
    const { path, store, account } = await setUp();
    const big = { notes: { text: 'x'.repeat(900) } };
    let round = 0;
    const commitUntil = async (enough: (size: number) => boolean): Promise<void> => {
      // Long enough for the thread, which looks once a second while the reader is in the way.
      for (const until = Date.now() + 20_000; Date.now() < until; round++) {
        await store.commit(
          Array.from({ length: 100 }, (_, index) => placeDraft(account, `${round}-${index}`, big)),
        );
        if (enough(statSync(`${path}-wal`).size)) return;
      }
      assert.fail('The log did not become what it should.');
    };
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    const count = () => reader.prepare('SELECT count(*) AS count FROM place').get()?.count;
    assert.equal(count(), 0);
    await commitUntil((size) => size > 2 * 8_000 * 4_096);
    assert.equal(count(), 0, 'the reader still sees what it began with');
    reader.close();
    const look = new DatabaseSync(path);
    const frames = () => Number(look.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log);
    await commitUntil(() => frames() < 8_000);
    look.close();
  });

  it('writes nothing for a batch that changes nothing', async () => {
    const { path, store, account } = await setUp();
    const drafts = ['a', 'b'].map((title) => placeDraft(account, title, { title }));
    await store.commit(drafts);
    const log = () => readFileSync(`${path}-wal`, 'base64');
    const before = log();
    await store.commit(drafts);
    await store.commit([placeDraft('nobody', 'a', {}), ...drafts], { atomic: true });
    await store.keys.touch(new Map());
    await store.accounts.reopen(account);
    await wipe(store, 'nobody');
    assert.equal(log(), before);
    await store.checkWritable();
    assert.notEqual(log(), before, 'this one proves that a write can be committed');
  });

  it('purges receipts that have expired, and nothing else', async () => {
    const { path, store, account, clock } = await setUp();
    const reader = new DatabaseSync(path, { readOnly: true });
    whenOver(() => reader.close());
    const count = (table: string) =>
      Number(reader.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
    const counts = () => count('receipt');
    const purge = async () => {
      while (await store.purgeReceipts());
    };
    const same = Array.from({ length: 250 }, (_, index) =>
      withReceipt(placeDraft(account, 'a', {}), `${index}`, clock.now),
    );
    await store.commit(same);
    const other = Array.from({ length: 250 }, (_, index) =>
      withReceipt(placeDraft(account, `b${index}`, {}), `b${index}`, clock.now + HOUR / 2),
    );
    await store.commit(other);
    await store.commit([withReceipt(placeDraft(account, 'b0', {}), 'c', clock.now + HOUR)]);
    assert.deepEqual(counts(), 501);
    await purge();
    assert.deepEqual(counts(), 501);
    clock.now += HOUR + SPAN_MS;
    await purge();
    assert.deepEqual(counts(), 251);
    clock.now += HOUR / 2;
    await purge();
    assert.deepEqual(counts(), 1);
    clock.now += HOUR / 2;
    await purge();
    assert.deepEqual(counts(), 0);
    assert.equal(reader.prepare('SELECT bytes FROM receipt_room').get()?.bytes, 0);
  });

  it('keeps a hundred bytes for a request that changed nothing, however large the record is', async () => {
    const { path, store, account, clock } = await setUp();
    const draft = placeDraft(account, 'a', { title: 'x'.repeat(100_000) });
    await store.commit([draft]);
    const size = () => {
      const reader = new DatabaseSync(path, { readOnly: true });
      const row = reader.prepare('PRAGMA page_count').get();
      reader.close();
      return 4096 * Number(row?.page_count);
    };
    await store.commit([withReceipt(draft, 'first', clock.now)]);
    const before = size();
    for (let round = 0; round < 10; round++) {
      const names = Array.from({ length: 100 }, (_, index) => `${round} ${index}`);
      await store.commit(names.map((name) => withReceipt(draft, name, clock.now)));
    }
    assert.ok(size() - before < 1_000 * 400, `${size() - before} bytes for 1000`);
  });
});

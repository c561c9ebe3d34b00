/** A backup holds everything, a damaged one is never restored, and stores of both kinds are interchangeable. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BackupUnusable, compression, sealed } from '../../src/services/backup/format.ts';
import type { Backup } from '../../src/services/backup/read.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { ask } from '../support/ask.ts';
import { backUp, digestsOf, fill, look, openAt, parts, restore } from '../support/backups.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { thing, visit } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { type Ground, placeDraft, thingDraft, within, write } from '../support/store-world.ts';

/** A new store with something in it, and a backup of that. */
async function backedUp(rows?: number) {
  const store = await openAt(await sqliteGround());
  const filled = await fill(store, rows);
  return { store, filled, ...(await backUp(store)) };
}

async function wantSame(ground: Ground, { trailer }: Pick<Backup, 'trailer'>): Promise<void> {
  const found = await backUp(await openAt(ground));
  assert.deepEqual(digestsOf(found), digestsOf({ trailer }));
}

async function settingsIn(store: Store, account: string) {
  const set = await store.locationSettings.list([account], '', 9);
  const data = [...set, ...(await store.locationSettings.of([account]))];
  return { data, ids: data.map(({ unique_identifier }) => unique_identifier) };
}

/** Both ways, between a new SQLite file and the other ground. */
async function exchange(other: Ground): Promise<void> {
  const { store, filled, ...first } = await backedUp();
  await restore(other, first.bytes);
  const moved = await openAt(other);
  const second = await backUp(moved);
  assert.deepEqual(digestsOf(second), digestsOf(first));
  assert.deepEqual(second.trailer.rows, first.trailer.rows);
  const home = await sqliteGround();
  await restore(home, second.bytes);
  const back = await openAt(home);
  const third = await backUp(back);
  assert.deepEqual(digestsOf(third), digestsOf(first));

  for (const one of [moved, back]) {
    const { account, closed, gone, repeated } = filled;
    // A receipt answers as ever.
    const [again] = await one.commit([repeated]);
    assert.equal(again?.outcome, 'repeated');
    // Keys are what they were.
    assert.equal((await one.keys.authenticate(filled.valid)).is, 'valid');
    assert.equal((await one.keys.authenticate(filled.revoked)).is, 'revoked');
    assert.equal((await one.keys.authenticate(filled.suspended)).is, 'suspended');
    assert.deepEqual(await one.keys.list(), await store.keys.list());
    // So are accounts.
    assert.deepEqual(await one.accounts.list(), await store.accounts.list());
    const found = (await one.accounts.list()).find((a) => a.closed_at !== null)?.unique_identifier;
    assert.equal(found, closed);
    // Locations have the time zone and region that they had.
    const { data: settings, ids } = await settingsIn(one, account);
    assert.deepEqual(settings, (await settingsIn(store, account)).data);
    assert.equal(settings.length, 2, ids.join());
    // People are who they were, and endpoints call nobody.
    const [ann] = await one.staff.list();
    assert.equal(ann?.email, 'ann@example.com');
    const [endpoint] = await one.webhooks.list();
    assert.equal(endpoint?.status, 'paused');
    assert.equal(endpoint.reason, 'restored');
    assert.equal(endpoint.settings.url, 'https://example.com/hook');
    // What each key did is known.
    const [activity] = await one.requests.activity({ account, limit: 10 });
    assert.deepEqual([activity?.key, activity?.count], ['key_1', 7]);
    // A follower goes on where it was.
    const mark = await store.log.last(account);
    assert.ok(mark !== undefined);
    const page = await one.log.read({ account, after: mark, limit: 10, bytes: 1_000_000 });
    assert.ok(typeof page !== 'string' && page.changes.length === 0);
    // Removed records are told of, and can come back: first the parent, then what went with it.
    const removals = { account, before: Number.MAX_SAFE_INTEGER, limit: 10 };
    const told = await one.log.removals(removals);
    assert.deepEqual(told, await store.log.removals(removals));
    assert.deepEqual([...new Set(told.map(({ below }) => below))].sort(), [0, 1]);
    for (const [shape, unique_identifier] of [
      [thing, gone.thing],
      [visit, gone.visit],
    ] as const) {
      const removed = await one.log.gone(shape.resource, unique_identifier, [account]);
      assert.ok(removed?.parent !== undefined);
      const [last] = await one.log.of({
        ...{ account, record: unique_identifier, position: removed.position },
        ...{ limit: 1, bytes: 1_000_000 },
      });
      assert.equal(last?.outcome, 'deleted');
      const { version, position } = last;
      const { inserted_at, external_identifier, parent } = removed;
      const [restored] = await one.commit([
        {
          ...{ shape, account, anchor: last.anchor ?? undefined, parent, external_identifier },
          patch: JSON.parse(last.content ?? '{}'),
          restores: { gone: { unique_identifier, version, position, inserted_at } },
        },
      ]);
      assert.ok(restored !== undefined && 'record' in restored, JSON.stringify(restored));
      assert.equal(restored.record.unique_identifier, unique_identifier);
    }
    // And new records come after the old ones.
    const place = await write(one, placeDraft(account, 'new', { title: 'New' }));
    const made = await write(one, thingDraft(place, 'new', { label: 'New' }));
    const page2 = await one.list({
      shape: thing,
      scope: within(account),
      order: 'newest',
      limit: 1,
    });
    assert.equal(page2?.records[0]?.unique_identifier, made.unique_identifier);
  }
}

it('a SQLite store is moved to another file, and nothing of it changes', async () => {
  await exchange(await sqliteGround());
});

await onPostgres(({ name, ground }) => {
  it(`a store is moved from SQLite to ${name} and back, and nothing of it changes`, async () => {
    await exchange(await ground());
  });

  it(`nothing is restored over a store that has something, or that others use, on ${name}`, async () => {
    const { bytes, trailer } = await backedUp(4);
    const other = await ground();
    const busy = await openAt(other);
    // A connection of another process, which has done something.
    assert.deepEqual(await busy.accounts.list(), []);
    if (process.env.TEST_POOLER === undefined) {
      await assert.rejects(restore(other, bytes), /is in use: 1 other connection of Ledgerstone/);
    } // Behind a pooler, a store at rest has no connection.
    await busy.close();
    // What is damaged leaves it empty.
    await assert.rejects(restore(other, bytes.subarray(0, -9)), BackupUnusable);
    await restore(other, bytes);
    await assert.rejects(restore(other, bytes), /is not empty, and a restore never overwrites/);
    await wantSame(other, { trailer });
  });
});

await onPostgres(({ name, ground }) => {
  const skip = process.env.TEST_POOLER !== undefined && 'a pooler loses which schema is to be used';

  it(`a store is restored while another one in the same database is used, on ${name}`, {
    skip,
  }, async () => {
    const { bytes, trailer } = await backedUp(4);
    const used = await ground();
    const busy = await openAt(used);
    assert.deepEqual(await busy.accounts.list(), []);
    const beside = used.distribution === undefined ? await inSchema(used) : await ground();
    await restore(beside, bytes);
    await wantSame(beside, { trailer });
    assert.deepEqual(await busy.accounts.list(), []);
  });
});

/** A schema of its own in a database, with which it goes. */
async function inSchema({ url }: Ground): Promise<Ground> {
  await ask(url, 'CREATE SCHEMA beside');
  const own = new URL(url);
  own.searchParams.set('options', '-c search_path=beside');
  return { url: own.href, async remove() {} };
}

it('a backup with any wrong byte, or without its end, is refused, and nothing is touched', async () => {
  const { bytes } = await backedUp();
  await look(bytes);
  for (let count = 0; count < 200; count++) {
    // All of the beginning and the end, and places between.
    const at =
      count < 40
        ? count
        : count < 80
          ? bytes.length - count + 39
          : Math.floor((count * bytes.length) / 200);
    const wrong = Buffer.from(bytes);
    wrong[at] = (wrong[at] as number) ^ (1 << (count % 8));
    await assert.rejects(look(wrong), BackupUnusable, `byte ${at}, bit ${count % 8}`);
  }
  const step = Math.ceil(bytes.length / 300);
  for (let length = 0; length < bytes.length; length += length < 40 ? 1 : step) {
    await assert.rejects(look(bytes.subarray(0, length)), BackupUnusable, `${length} bytes`);
  }
  for (let cut = 1; cut < 40; cut++) {
    await assert.rejects(look(bytes.subarray(0, -cut)), BackupUnusable, `${cut} bytes less`);
  }
  await assert.rejects(look(Buffer.concat([bytes, Buffer.from('\n')])), BackupUnusable);
  await assert.rejects(look(Buffer.concat([bytes, bytes])), BackupUnusable);

  const ground = await sqliteGround();
  const middle = Buffer.from(bytes);
  middle[bytes.length >> 1] = (middle[bytes.length >> 1] as number) ^ 1;
  await assert.rejects(restore(ground, middle), BackupUnusable);
  assert.deepEqual(left(ground.folder), []);
  await restore(ground, bytes);
});

it('a backup of a newer format says which version to use', async () => {
  const { bytes, header } = await backUp(await openAt(await sqliteGround()));
  const text = zstdDecompressSync(bytes).toString();
  assert.equal(header.format, 2);
  const written = (other: string): Promise<Buffer> =>
    buffer(sealed(Readable.from([zstdCompressSync(other, compression)])));
  for (const format of [1, 2, 3]) {
    const newer = await written(
      text.replace('"format":2', `"format":${format}`).replace(header.version, '9.1.0'),
    );
    await assert.rejects(look(newer), /Ledgerstone 9\.1\.0.*: use 9\.1\.0 or a later version/);
  }
  const unknown = await written(text.replace('{"part":"receipts"}', '{"part":"moods"}'));
  await assert.rejects(look(unknown), /holds moods, which this Ledgerstone does not know/);
  const column = await written(
    text.replace('{"part":"location_settings"}', '{"colour":1}\n{"part":"location_settings"}'),
  );
  await assert.rejects(look(column), /holds keys\.colour, which this Ledgerstone does not know/);
  await assert.rejects(look(await written('{"a":1}\n')), /is not a Ledgerstone backup/);
  await assert.rejects(
    look(Buffer.from('PK\u0003\u0004 and so on')),
    /is not a Ledgerstone backup/,
  );
});

it('nothing is restored over a SQLite store that has something, or that others use', async () => {
  const { bytes, trailer } = await backedUp(4);
  const ground = await sqliteGround();
  const busy = await openAt(ground);
  await assert.rejects(restore(ground, bytes), /in use by another process|may be served/);
  await busy.close();
  // An old log that was left behind would be taken for that of the new file.
  const other = await sqliteGround();
  writeFileSync(`${other.path}-wal`, 'old');
  await assert.rejects(restore(other, bytes), /is the log of another file, which is gone/);
  assert.equal(readFileSync(`${other.path}-wal`, 'utf8'), 'old');

  await restore(ground, bytes);
  assert.deepEqual(left(ground.folder), ['store']);
  await assert.rejects(restore(ground, bytes), /is not empty, and a restore never overwrites/);
  await wantSame(ground, { trailer });
});

it('a restore follows one that was killed as it made its SQLite file', async () => {
  const { bytes, trailer } = await backedUp(4);
  const ground = await sqliteGround();
  const { path } = ground;
  const journal = `${path}-journal`;
  /** The files that a process leaves that is killed after these statements. */
  const killedAfter = (sql: string) => {
    using killed = new DatabaseSync(path);
    killed.exec(sql);
    return { file: readFileSync(path), log: readFileSync(journal) };
  };
  writeFileSync(path, '');
  const { log } = killedAfter('BEGIN EXCLUSIVE');
  const over = killedAfter('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
  await (await openAt(ground)).close();
  const changed = killedAfter('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE');
  const file = Buffer.alloc(0);
  // Before anything of the journal's header is written, in the middle of it, and when the journal is no longer needed.
  const begun = [log.subarray(0, 0), log.subarray(0, 12), log].map((log) => ({ file, log }));
  for (const { file, log } of [...begun, over, changed]) {
    // And as it removes the file again, of which the journal is left.
    for (const isThere of [true, false]) {
      for (const file of left(ground.folder)) rmSync(join(ground.folder, file));
      if (isThere) writeFileSync(path, file);
      writeFileSync(journal, log);
      await restore(ground, bytes);
      assert.deepEqual(left(ground.folder), ['store']);
    }
  }
  await wantSame(ground, { trailer });
});

it('all keys can come back suspended', async () => {
  const { filled, bytes } = await backedUp(4);
  const ground = await sqliteGround();
  await restore(ground, bytes, { suspendKeys: true });
  const restored = await openAt(ground);
  assert.equal((await restored.keys.authenticate(filled.valid)).is, 'suspended');
  assert.equal((await restored.keys.authenticate(filled.revoked)).is, 'revoked');
});

/** The files of a folder, but for the lock that stays. */
function left(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => !name.endsWith('.serving'));
}

it('a backup by a program that knew no settings of locations is restored without them', async () => {
  const store = await openAt(await sqliteGround());
  const { account } = await fill(store, 6);
  const before = parts.filter(({ name }) => name !== 'location_settings');
  const { bytes } = await backUp(store, before);
  const ground = await sqliteGround();
  await restore(ground, bytes);
  const restored = await openAt(ground);
  assert.deepEqual((await settingsIn(restored, account)).data, []);
  const set = { unique_identifier: account, account, time_zone: 'America/Chicago' };
  await restored.locationSettings.change([set]);
  const [found] = (await settingsIn(restored, account)).data;
  assert.equal(found?.time_zone, 'America/Chicago');
});

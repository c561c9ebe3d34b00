/** What imports promise of a store: their last state, rows that go after a week, and files that go after an hour. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { ImportRun } from '../../../src/features/imports/declares/import-run.ts';
import { UPLOAD_MS } from '../../../src/features/imports/declares/upload.ts';
import { ALL, OWN } from '../../../src/features/imports/store/uploads.ts';
import { REJECTED_MS } from '../../../src/features/imports/store.ts';
import type { Store } from '../../../src/store/promises/store.ts';
import type { Proves } from '../../support/store-world.ts';
import { wipe } from '../../support/wipe.ts';

function importRun(unique_identifier: string, at: number, more: Partial<ImportRun> = {}) {
  const run: ImportRun = {
    ...{ unique_identifier, fingerprint: 'same', by: null, inserted_at: at, updated_at: at },
    ...{ status: 'running', files: [], accounts: ['own_1'], began: { own_1: null } },
    ...{ chunk: 100, position: { file: 0, rows: 0, rejected: [] } },
    counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    ...more,
  };
  return run;
}

const MIB = 1_048_576;

/** Uploads a file of as many bytes, which are no others' beginning with that digit. */
async function upload(store: Store, owner: string, digit: number, bytes = 3) {
  const file = new Uint8Array(bytes).fill(48 + digit);
  const look = { encoding: 'utf-8', isUtf8: true, isPacked: false };
  const made = { name: 'a.csv', sha256: `${digit}:${bytes}`, owner, accounts: ['own_1'], look };
  return store.imports.uploads.add(made, file);
}

async function bytesOf(store: Store, id: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of store.imports.uploads.parts({ unique_identifier: id })) parts.push(part);
  return Buffer.concat(parts);
}

export function describePromises(proves: Proves): void {
  describe('Imports', () => {
    proves('hold the last state of each', async ({ store, another, clock }) => {
      const [one, two] = [importRun('imp_1', clock.now), importRun('imp_2', clock.now + 1)];
      await store.imports.put(one);
      await (await another()).imports.put(two);
      const done = importRun('imp_1', clock.now, { status: 'finished', updated_at: clock.now + 9 });
      await store.imports.put(done);
      assert.deepEqual(await store.imports.find('imp_1'), done);
      assert.equal(await store.imports.find('imp_3'), undefined);
      assert.deepEqual(await store.imports.list(9), [two, done]);
      assert.deepEqual(await store.imports.list(1), [two]);
      assert.deepEqual(await store.imports.list(9, 'imp_2'), [done]);
      assert.deepEqual(await store.imports.latest('same'), two);
      assert.equal(await store.imports.latest('other'), undefined);
    });

    proves('drop rejected rows after a week', async ({ store, clock }) => {
      await store.imports.put(importRun('imp_1', clock.now));
      assert.equal(await store.imports.rejected('imp_1'), undefined);
      await store.imports.keepRejected('imp_1', 'name\nAnn\n');
      await store.imports.put(importRun('imp_2', clock.now, { accounts: ['own_2'] }));
      await store.imports.keepRejected('imp_2', 'name\nBob\n');
      await store.imports.put(importRun('imp_3', clock.now));
      assert.deepEqual(await store.imports.withRejected('own_1'), ['imp_1']);
      clock.now += REJECTED_MS;
      assert.equal(await store.imports.purge(), false);
      assert.equal(await store.imports.rejected('imp_1'), 'name\nAnn\n');
      clock.now += 1;
      assert.equal(await store.imports.purge(), false);
      assert.equal(await store.imports.rejected('imp_1'), undefined);
    });

    proves('drop rejected rows with an account', async ({ store, account, clock }) => {
      for (const [id, own] of Object.entries({ imp_1: [account], imp_2: ['own_2'] })) {
        await store.imports.put(importRun(id, clock.now, { accounts: own }));
        await store.imports.keepRejected(id, 'name\nAnn\n');
      }
      await wipe(store, account);
      assert.equal(await store.imports.rejected('imp_1'), undefined);
      assert.equal(await store.imports.rejected('imp_2'), 'name\nAnn\n');
      assert.notEqual(await store.imports.find('imp_1'), undefined);
    });

    proves('keep what was chosen, until it is forgotten or its account is wiped', async (world) => {
      const { store, another, clock, account } = world;
      const other = await another();
      const runs = ['imp_1', 'imp_2', 'imp_3'].map((id, at) =>
        importRun(id, clock.now + at, { accounts: at === 2 ? ['own_1'] : [account] }),
      );
      for (const run of runs) await store.imports.put(run);
      assert.deepEqual(await other.imports.alike('same', 9), []);
      for (const { unique_identifier: id } of runs)
        await store.imports.remember(id, 'same', `{"of":"${id}"}`);
      // What is noted later leaves it as it is.
      for (const run of runs) await store.imports.put(run);
      assert.deepEqual(await other.imports.alike('same', 9), runs.toReversed());
      assert.deepEqual(await other.imports.alike('same', 1), [runs[2]]);
      assert.deepEqual(await other.imports.alike('other', 9), []);
      assert.equal(await other.imports.remembered('imp_2'), '{"of":"imp_2"}');
      assert.deepEqual(await other.imports.withMemory(account), ['imp_1', 'imp_2']);
      await store.imports.remember('imp_1', '', undefined);
      assert.equal(await other.imports.remembered('imp_1'), undefined);
      assert.deepEqual(await other.imports.withMemory(account), ['imp_2']);
      await wipe(store, account);
      assert.deepEqual(await other.imports.withMemory(account), []);
      assert.deepEqual(await other.imports.alike('same', 9), [runs[2]]);
    });

    proves('have files that every process reads, byte by byte, for an hour', async (world) => {
      const { store, another, clock } = world;
      const file = Buffer.alloc(2 * MIB + 17);
      for (let at = 0; at < file.length; at += 1) file[at] = (at * 31) % 256;
      const look = { encoding: 'utf-8', isUtf8: false, isPacked: true };
      const made = { name: 'a.xlsx', sha256: 'f0', owner: 'key_1', accounts: ['own_1'], look };
      const one = await store.imports.uploads.add(made, file);
      const id = one?.unique_identifier ?? '';
      const other = await another();
      assert.deepEqual(await other.imports.uploads.find('key_1', id), one);
      assert.deepEqual(await bytesOf(other, id), file);
      assert.equal(await other.imports.uploads.find('key_2', id), undefined);
      assert.deepEqual(await other.imports.uploads.list('key_1', 9), [one]);
      assert.deepEqual(await other.imports.uploads.list('key_2', 9), []);
      // The same file again is the same.
      clock.now += 10;
      const again = await other.imports.uploads.add(made, file);
      assert.deepEqual(again, { ...one, expires_at: clock.now + UPLOAD_MS });
      await store.imports.uploads.noteFacts(id, { key: 'k', facts: { total: 3 } });
      const noted = await other.imports.uploads.find('key_1', id);
      assert.deepEqual(noted?.facts, { key: 'k', facts: { total: 3 } });
      clock.now += UPLOAD_MS;
      assert.equal(await store.imports.uploads.find('key_1', id), undefined);
      assert.equal(await store.imports.uploads.purge(), false);
      assert.equal((await bytesOf(store, id)).length, 0);
    });

    proves('have room for the last files of each, and for a number of all', async ({ store }) => {
      const { uploads } = store.imports;
      const large = OWN.bytes / 2;
      const first = await upload(store, 'key_1', 1, large);
      const second = await upload(store, 'key_1', 2, large);
      const third = await upload(store, 'key_1', 3, 1);
      const listed = await uploads.list('key_1', 99);
      assert.deepEqual(listed, [third, second], 'the oldest went');
      assert.equal((await bytesOf(store, first?.unique_identifier ?? '')).length, 0);
      for (let at = 0; at < OWN.count + 3; at += 1) await upload(store, 'key_2', 5, at + 1);
      assert.equal((await uploads.list('key_2', 99)).length, OWN.count);
      assert.equal((await uploads.list('key_1', 99)).length, 2, 'others keep theirs');
    });

    proves(
      'refuse files that the store has no room for, however many come at once',
      async (world) => {
        const { store, another } = world;
        const [one, two] = [store, await another()];
        const owners = Math.ceil(ALL.bytes / OWN.bytes) + 2;
        const half = OWN.bytes / 2;
        // Only their sizes are reserved: what is reserved and never arrives is not offered.
        const places = Array.from(
          { length: owners * 2 },
          (_, at) => [`key_${at % owners}`, at < owners ? 1 : 2, at % 2 === 0 ? one : two] as const,
        );
        const reserved = await Promise.all(
          places.map(([owner, digit, by]) => by.imports.uploads.reserve(named(owner, digit), half)),
        );
        const taken = reserved.filter((found) => found !== undefined).length;
        assert.equal(taken, ALL.bytes / half);
        for (const [owner] of places)
          assert.deepEqual(await one.imports.uploads.list(owner, 9), []);
      },
    );

    proves('forget the files of an account that are asked for', async ({ store }) => {
      const { uploads } = store.imports;
      const one = await upload(store, 'key_1', 1);
      assert.deepEqual(await uploads.ofAccount('own_2'), []);
      const found = await uploads.ofAccount('own_1');
      assert.deepEqual(found, [one?.unique_identifier]);
      await uploads.remove(found);
      assert.equal((await bytesOf(store, found[0] ?? '')).length, 0);
      assert.deepEqual(await uploads.list('key_1', 9), []);
    });
  });
}

function named(owner: string, digit: number) {
  const look = { encoding: 'utf-8', isUtf8: true, isPacked: false };
  return { name: 'a.csv', sha256: `${digit}`, owner, accounts: ['own_1'], look };
}

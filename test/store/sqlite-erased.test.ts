/** What was removed from a SQLite store is gone from its files, byte by byte, while the service runs. */
// needs: --ci, waits, long

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { compactStore, type OpenOptions, openStore } from '../../src/store/open.ts';
import type { Draft, Store } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { shapes, visit } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  newAccount,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  write,
} from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { wipe } from '../support/wipe.ts';

/** Stands in every record that is to go, with a number behind it. */
const MARK = 'Rumpelstilzchen';
const VISITS = ALL ? 6_000 : 3_000;
const SINGLE = ALL ? 1_500 : 500;

async function setUp(historyDays = 0, observer?: OpenOptions['observer']) {
  const ground = await sqliteGround();
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const opened = { ...ground, shapes, create: true, serve: true, historyDays, now };
  const store = await openStore({ ...opened, observer });
  whenOver(() => store.close());
  const account = await newAccount(store);
  const home = await write(store, placeDraft(account, 'home', { title: 'Home' }));
  return { ...ground, store, account, home, clock };
}

type Own = Awaited<ReturnType<typeof setUp>>;

/** Where in the files of the folder a removed record can be read, with some of what is around it. */
function traces(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    const at = bytes.indexOf(MARK);
    return at < 0 ? [] : [`${file} ${at}: ${bytes.toString('latin1', at - 40, at + 60)}`];
  });
}

/** How often the mark can be read in the files of the folder. */
function copies(folder: string): number {
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'latin1').split(MARK).length - 1)
    .reduce((sum, count) => sum + count);
}

async function wantErased(folder: string): Promise<void> {
  await until(() => traces(folder).length === 0).catch(() => assert.fail(`${traces(folder)}`));
}

/** Stores refused rows of an import. */
async function rowsKept({ store, account, clock: { now } }: Own): Promise<string> {
  const unique_identifier = 'imp_1';
  await store.imports.put({
    ...{ unique_identifier, fingerprint: 'f', by: null, status: 'finished', files: [] },
    ...{ accounts: [account], began: {}, chunk: 64, inserted_at: now, updated_at: now },
    position: { file: 0, rows: 0, rejected: [] },
    counts: { created: 0, updated: 0, unchanged: 0, failed: 1 },
  });
  await store.imports.keepRejected(unique_identifier, MARK);
  return unique_identifier;
}

/** In commits of some hundreds, in an order that makes SQLite split and join its pages. */
async function commitMixed(store: Store, drafts: readonly Draft[]): Promise<void> {
  const mixed = drafts.map((_, index) => drafts[(index * 7_919) % drafts.length] as Draft);
  for (let at = 0; at < mixed.length; at += 500) await store.commit(mixed.slice(at, at + 500));
}

describe('What is removed leaves no byte in the files', () => {
  it('thousands of records at once: but for a few copies in unused parts of pages, which compacting removes', async () => {
    const { store, home, folder, path } = await setUp();
    const doomed = await write(store, thingDraft(home, `${MARK} thing`, { label: MARK }));
    const stays = await write(store, thingDraft(home, 'stays', { label: 'x' }));
    const visits = Array.from({ length: VISITS }, (_, index) => {
      const goes = index % 3 > 0;
      const name = `${goes ? MARK : 'Stays'} ${index} ${'x'.repeat(index % 40)}`;
      const person = { name, phone: `${goes ? MARK : 1}${index}` };
      return visitDraft(goes ? doomed : stays, name, { person });
    });
    await commitMixed(store, visits);
    const extra = { text: `${MARK} `.repeat(5_000) };
    const large = await write(store, thingDraft(home, 'large', { extra }));
    await remove(store, doomed);
    await remove(store, large);
    for (let index = 0; index < 20; index++) {
      await write(store, thingDraft(home, `meanwhile ${index}`, {}));
    }
    // How pages merge is chance: 18 to 32 of 3,000 were seen.
    const most = VISITS / 50;
    await until(() => copies(folder) <= most).catch(() => assert.fail(`${copies(folder)} copies`));
    await store.close();
    await compactStore({ url: `sqlite:${path}` });
    assert.deepEqual(traces(folder), []);
  });

  it('single records, one after the other', async () => {
    const { store, home, folder } = await setUp();
    const parent = await write(store, thingDraft(home, 'stays', {}));
    const drafts = Array.from({ length: SINGLE }, (_, index) =>
      visitDraft(parent, `${index % 2 ? MARK : 'Stays'} ${index}`, {
        person: { name: `${index % 2 ? MARK : 'Stays'} ${index}`, phone: `${index}` },
      }),
    );
    await commitMixed(store, drafts);
    for (const draft of drafts.filter((_, index) => index % 2)) {
      const record = await store.findPair(visit, draft);
      assert.ok(record !== undefined);
      await remove(store, record);
    }
    await wantErased(folder);
  });

  it('a value that was patched away, where no history is kept', async () => {
    const { store, home, folder } = await setUp();
    await write(store, thingDraft(home, 'a', { label: MARK }));
    await write(store, thingDraft(home, 'a', { label: 'other' }));
    await wantErased(folder);
  });

  it('what has expired: old changes, kept answers, refused rows of imports', async () => {
    const own = await setUp(1);
    const { store, home, account, folder, clock } = own;
    const receipt = {
      ...{ owner: 'key', idempotency_key: 'k', fingerprint: new Uint8Array(32) },
      by: null,
      accounts: [account],
      expires_at: clock.now + 1_000,
    };
    await write(store, { ...thingDraft(home, 'a', { label: `${MARK} 1` }), receipt });
    await write(store, thingDraft(home, 'a', { label: 'other' }));
    await rowsKept(own);
    clock.now += 9 * 86_400_000;
    // The last change of an account stays longer.
    await write(store, thingDraft(home, 'b', {}));
    while (await store.log.sweep());
    while (await store.purgeReceipts());
    while (await store.imports.purge());
    await wantErased(folder);
  });

  it('what books drop: old names of people, endpoints and sources, and what was removed', async () => {
    const invited = async ({ store, account }: Own): Promise<string> => {
      const grant = { role: 'viewer' as const, anchors: null, region: null, allow: [] };
      const named = { email: 'a@example.com', name: MARK, hash: 'x'.repeat(43) };
      const expires_at = Date.now() + 60_000;
      const invitation = { ...grant, ...named, accounts: [account], expires_at };
      return (await store.staff.invite(invitation)).unique_identifier;
    };
    const settings = (host: string) => ({
      ...{ url: `https://${host}.example.com/`, description: null, notifications: ['*'] },
      ...{ locations: null, payload: 'thin' as const },
    });
    const notified = async ({ store, account }: Own): Promise<string> => {
      const unique_identifier = 'whk_1';
      await store.webhooks.create({
        ...{ unique_identifier, account, key: 'key_1', position: null, settings: settings(MARK) },
        ...{ secrets: [], status: 'enabled', reason: null, failing_since: null },
      });
      return unique_identifier;
    };
    const sourced = async ({ store, account }: Own): Promise<string> => {
      await store.sources.assign(account, 'key_1', MARK);
      return (await store.sources.list([account]))[0]?.unique_identifier ?? '';
    };
    type Drop = readonly [(own: Own) => Promise<string>, (own: Own, id: string) => unknown];
    const drops: readonly Drop[] = [
      [invited, ({ store }, id) => store.staff.rename(id, 'Ann')],
      [invited, ({ store }, id) => store.staff.remove(id)],
      [notified, ({ store }, id) => store.webhooks.change(id, { settings: settings('other') })],
      [notified, ({ store }, id) => store.webhooks.remove(id)],
      [sourced, ({ store }, id) => store.sources.rename(id, 'Tablets')],
      [rowsKept, ({ store }, id) => store.imports.cutRejected(id, MARK, 'name')],
      [
        rowsKept,
        ({ store, clock }) => {
          clock.now += 8 * 86_400_000;
          return store.imports.purge();
        },
      ],
    ];
    await Promise.all(
      drops.map(async ([make, drop]) => {
        const own = await setUp();
        const id = await make(own);
        assert.ok(traces(own.folder).length > 0);
        await drop(own, id);
        await wantErased(own.folder);
      }),
    );
  });

  it('a wiped account, by command or by service', async () => {
    for (const serve of [true, false]) {
      const { store, url, account, folder } = await setUp();
      const places = Array.from({ length: 2_000 }, (_, index) =>
        placeDraft(account, `${MARK} ${index}`, {
          title: `${MARK} ${index}`,
          notes: { text: `${MARK} `.repeat(index % 60) },
        }),
      );
      await commitMixed(store, places);
      // A command of the operator runs beside the service.
      const wiper = serve ? store : await openStore({ url, shapes, create: false, serve: false });
      await wipe(wiper, account);
      if (!serve) await wiper.close();
      await wantErased(folder);
      await store.close();
    }
  });

  it('also where a reader was in the way for a while', async () => {
    let tried = 0;
    const checkpointed = (): void => {
      tried += 1;
    };
    const { store, account, path, folder } = await setUp(0, { show: () => {}, checkpointed });
    const doomed = await write(store, placeDraft(account, MARK, { title: MARK }));
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM place').get();
    await remove(store, doomed);
    const before = tried;
    // The second try comes after the first has failed.
    await until(() => tried >= before + 2);
    assert.ok(traces(folder).length > 0, 'the reader may still read it');
    reader.close();
    await wantErased(folder);
    assert.equal(statSync(`${path}-wal`).size, 0);
  });
});

describe('The log of a SQLite store', () => {
  it('shrinks while the service runs, after a reader that stayed is gone', async () => {
    const { store, account, path } = await setUp();
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM place').get();
    const size = () => statSync(`${path}-wal`).size;
    const notes = { text: 'x'.repeat(900) };
    for (let round = 0; size() < 140 * 1024 * 1024; round++) {
      await store.commit(
        Array.from({ length: 500 }, (_, index) =>
          placeDraft(account, `${index}`, { title: `${round}`, notes }),
        ),
      );
    }
    reader.close();
    await until(() => size() === 0).catch(() => assert.fail(`${size()} bytes of log`));
    await write(store, placeDraft(account, 'after', {}));
  });
});

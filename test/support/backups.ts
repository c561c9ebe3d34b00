/** Stores with something of everything in them, and their backups. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, globSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import type { Chain } from '../../src/services/backup/folder/chain.ts';
import { readOverlay } from '../../src/services/backup/folder/overlay.ts';
import { compression, type Header, sealed } from '../../src/services/backup/format.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { type Backup, readBackup } from '../../src/services/backup/read.ts';
import { restoreBackup } from '../../src/services/backup/restore.ts';
import { type BackupSummary, writeBackup } from '../../src/services/backup/write.ts';
import { type OpenOptions, openLoading, openStore } from '../../src/store/open.ts';
import type { Activity } from '../../src/store/promises/requests.ts';
import type { Draft, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { whenOver } from './at-end.ts';
import { thingPatch } from './store-patches.ts';
import { shapes, thing } from './store-shapes.ts';
import {
  type Ground,
  newAccount,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from './store-world.ts';

export const parts = partsOf(shapes.map((shape) => ({ path: `${shape.resource}s`, shape })));

/** Opens the store of a ground, made where there is none; it ends with the test. */
export async function openAt(
  { remove: _, ...where }: Ground,
  more: Partial<OpenOptions> = {},
): Promise<Store> {
  const store = await openStore({ ...where, shapes, create: true, serve: false, ...more });
  return Object.assign(store, { close: whenOver(store.close) });
}

/** The own tables of features. */
const OF_FEATURES = Promise.all(
  globSync('../features/*/fill.ts', { cwd: import.meta.dirname }).map(
    async (file): Promise<(store: Store, home: StoredRecord) => Promise<void>> =>
      (await import(join(import.meta.dirname, file))).fill,
  ),
);

export const RECEIPT_MS = 86_400_000;

/**
 * Something of everything: records of all kinds, changed, removed and brought back; keys; receipts; a closed account.
 * Gives what the store answers for beside its records: `repeated` by a receipt, `gone` a thing that was removed and a visit that went with it.
 */
export async function fill(store: Store, rows = 60) {
  const account = await newAccount(store, 'Us');
  const closed = await newAccount(store, 'Été', true);
  await store.accounts.rename(account, 'Us & them');
  const home = await write(store, placeDraft(account, 'home', { title: 'Home' }));
  await store.locationSettings.change([
    { unique_identifier: account, account, time_zone: 'America/Chicago', state: 'IL' },
    { unique_identifier: home.unique_identifier, account, region: 'Lakes', state: '' },
  ]);
  for (const fillOwn of await OF_FEATURES) await fillOwn(store, home);
  const far = await write(store, placeDraft(closed, 'far', { title: 'Far' }));
  const patches = fc.sample(thingPatch, { numRuns: rows, seed: 7 });
  for (const [at, patch] of patches.entries()) {
    await store.commit([thingDraft(at % 5 === 0 ? far : home, `t${at % (rows / 2)}`, patch)]);
  }
  const key = (ending: string, anchors: readonly string[] | null = null) => {
    const hash = randomBytes(32);
    const made = store.keys.create({
      ...{ name: `Key ${ending}`, hash, ending, accounts: [account], anchors, region: null },
      ...{ permissions: ['read', 'write'] as const, resources: null, allow: [], from: null },
      ...{ requests_a_second: 2.5, requests_at_once: 3, expires_at: null },
    });
    return made.then(({ unique_identifier }) => ({ hash, unique_identifier }));
  };
  const [valid, revoked, suspended] = [
    await key('aaaa', [home.unique_identifier]),
    await key('bbbb'),
    await key('cccc'),
  ];
  await store.keys.revoke(revoked.unique_identifier);
  await store.keys.suspend(suspended.unique_identifier);

  const by = valid.unique_identifier;
  const source = await store.sources.numberOf(account, by);
  await store.commit([{ ...thingDraft(home, 'sent', { label: 'Sent' }), by, source }]);

  const receipt = (idempotency_key: string, more: Partial<NonNullable<Draft['receipt']>> = {}) => ({
    ...{ owner: valid.unique_identifier, accounts: [account], idempotency_key },
    ...{ fingerprint: randomBytes(32), expires_at: Date.now() + RECEIPT_MS, ...more },
  });
  const repeated = { ...thingDraft(home, 'kept', { label: 'Kept' }), receipt: receipt('once') };
  await store.commit([repeated]);
  await store.commit([
    { ...thingDraft(home, 'kept', { label: 'Newer' }), receipt: receipt('two') },
  ]);
  await store.commit([{ ...thingDraft(home, 'kept', {}), receipt: receipt('same') }]);
  await store.commit([thingDraft(home, 'many', {}), thingDraft(home, 'more', {})], {
    atomic: true,
    receipt: receipt('batch'),
  });
  const passing = { ...thingDraft(home, 'passing', {}), receipt: receipt('gone') };
  await store.commit([passing]);

  const going = await write(store, thingDraft(home, 'going', { label: 'Going' }));
  const guest = await write(store, visitDraft(going, 'guest', { person: { name: 'Ann' } }));
  await remove(store, going);
  const { records } = (await store.list({
    ...{ shape: thing, scope: within(account), order: 'newest', limit: 200 },
  })) ?? { records: [] };
  const passed = records.find(({ external_identifier }) => external_identifier === 'passing');
  if (passed === undefined) throw new TypeError('A record that was just made is not there.');
  await store.remove({
    ...{ shape: thing, account, unique_identifier: passed.unique_identifier, cascade: false },
    receipt: receipt('removal'),
  });
  const standing = records.filter((one) => one !== passed);
  await store.commit(
    standing.slice(0, 20).map((one, at) =>
      visitDraft(one, `v${at}`, {
        person: {
          name: `Guest ${at}`,
          welcome: at % 2 === 0,
          ...(at % 3 === 0 ? { phone: '1' } : {}),
        },
      }),
    ),
  );
  await store.staff.invite({
    ...{
      email: 'ann@example.com',
      name: 'Ann',
      hash: 'x'.repeat(43),
      expires_at: Date.now() + 60_000,
    },
    ...{ role: 'editor' as const, accounts: [account], anchors: [home.unique_identifier] },
    region: null,
    allow: [],
  });
  // They are a feature, which may be gone.
  const { webhooks }: Store & { webhooks?: { create(one: object): Promise<object> } } = store;
  await webhooks?.create({
    ...{ unique_identifier: 'whk_1', account, key: valid.unique_identifier, position: null },
    settings: {
      ...{ url: 'https://example.com/hook', description: null, notifications: ['*'] },
      ...{ locations: null, payload: 'thin' as const },
    },
    ...{ secrets: [{ sealed: 'sealed', until: null }], status: 'enabled', reason: null },
    failing_since: null,
  });
  await store.requests.note([], [activityOf(account, 7)]);
  await store.accounts.close(closed);
  return {
    ...{ account, closed, repeated },
    ...{ revoked: revoked.hash, suspended: suspended.hash, valid: valid.hash },
    gone: { thing: going.unique_identifier, visit: guest.unique_identifier },
  };
}

/** So many requests of this hour. */
export function activityOf(account: string, count: number): Activity {
  const last_at = Date.now();
  const hour = last_at - (last_at % 3_600_000);
  return {
    ...{ account, hour, key: 'key_1', anchor: '', resource: 'thing', outcome: 'created' },
    ...{ count, last_at },
  };
}

/** The bytes of a backup of a store, and what was written. `of`: the parts of the program that writes it. */
export async function backUp(
  store: Store,
  of = parts,
): Promise<{ readonly bytes: Buffer } & BackupSummary> {
  const snapshot = await store.snapshot();
  try {
    const { bytes, written } = writeBackup({ snapshot, parts: of, place: store.place });
    return { bytes: await buffer(bytes), ...(await written) };
  } finally {
    await snapshot.close();
  }
}

/** A backup with other words in its first line, as whole as before. */
export async function restamped(bytes: Buffer, words: Partial<Header>): Promise<Buffer> {
  const lines = zstdDecompressSync(bytes).toString().split('\n').slice(0, -1);
  const header = { ...JSON.parse(lines[0] ?? ''), ...words };
  lines[0] = JSON.stringify(header);
  const sha256 = createHash('sha256');
  for (const line of lines.slice(0, -1)) sha256.update(`${line}\n`);
  const trailer = { ...JSON.parse(lines.at(-1) ?? ''), sha256: sha256.digest('hex') };
  lines[lines.length - 1] = JSON.stringify(trailer);
  const packed = zstdCompressSync(`${lines.join('\n')}\n`, compression);
  return buffer(Readable.from(sealed(Readable.from([packed]))));
}

/** Restores a backup; `of`: the shapes of what it holds. */
export function restore(
  { remove: _, ...where }: Ground,
  bytes: Buffer | Readable,
  { of = shapes, ...more }: Restoring = {},
): Promise<Backup> {
  return restoreBackup({
    bytes: bytes instanceof Readable ? bytes : inChunks(bytes),
    ...{ parts, begin: () => openLoading({ ...where, shapes: of }) },
    ...{ now: Date.now, suspendKeys: false, ...more },
  });
}

type Restoring = Partial<Parameters<typeof restoreBackup>[0]> & { of?: OpenOptions['shapes'] };

/** Restores what files of a folder that follows a store lead to. */
export async function restoreChain(ground: Ground, folder: string, chain: Chain): Promise<Backup> {
  const { base, increments } = chain;
  const overlay = increments.length === 0 ? undefined : await readOverlay(folder, chain, parts);
  try {
    return await restore(ground, createReadStream(join(folder, base.name)), { overlay });
  } finally {
    overlay?.close();
  }
}

/** Digests of all but webhook endpoints, which are paused on the way. */
export function digestsOf({ trailer }: Pick<Backup, 'trailer'>): Readonly<Record<string, unknown>> {
  const { webhook_endpoints, ...digests } = trailer.digests;
  assert.ok(webhook_endpoints !== undefined);
  return digests;
}

/** Reads it and keeps nothing. */
export function look(bytes: Buffer): Promise<Backup> {
  const take = async (_: unknown, rows: AsyncIterable<unknown>): Promise<void> => {
    for await (const batch of rows) void batch;
  };
  return readBackup({ bytes: inChunks(bytes), parts, take });
}

/** As they come from a disk or a pipe. */
export function inChunks(bytes: Buffer): Readable {
  const chunks = Array.from({ length: Math.ceil(bytes.length / 4_096) }, (_, at) =>
    bytes.subarray(4_096 * at, 4_096 * (at + 1)),
  );
  return Readable.from(chunks, { objectMode: false });
}

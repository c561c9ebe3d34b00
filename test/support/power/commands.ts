/** Commands that write files, one beside the other, while their disk is recorded; and what is wanted of them afterwards. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readSettings } from '../../../src/core/config.ts';
import { resources } from '../../../src/core/registry.ts';
import { lockFolder } from '../../../src/services/backup/file.ts';
import { readFolder } from '../../../src/services/backup/folder/folder.ts';
import { partsOf } from '../../../src/services/backup/parts.ts';
import { verifyStore } from '../../../src/services/backup/verify/verify.ts';
import { openStore, openStoreAlone } from '../../../src/store/open.ts';
import { ownFolder, programIn, watch } from '../cli-program.ts';
import { serveHere, startProcess } from '../cli-service.ts';
import { makeAccount } from '../cli-setup.ts';
import { until } from '../until.ts';
import { writeHeld } from './disk.ts';
import type { Random } from './random.ts';
import { type Recording, record } from './recording.ts';

const RELEASE = join(import.meta.dirname, '../../releases/1.0.0');
const ROWS = 300;
const REFUSED = 20;
/** Parts of a store that opening and commands add to, and what expires. */
const GROWING = ['audit', 'activity', 'keys', 'sources', 'source_writers', 'receipts'];

interface Done {
  /** Where the record was before the command, and when it had ended. */
  readonly began: number;
  readonly ended: number;
  readonly stdout: string;
}

type Deed = {
  readonly name: string;
  readonly done: Done;
  check(held: string, at: number): Promise<void>;
};

const addressIn = (folder: string, name: string) =>
  `sqlite:${join(folder, name, 'ledgerstone.db')}`;

type Rows = Readonly<Record<string, number>>;

interface Content {
  readonly rows: Rows;
  readonly faults: readonly string[];
}

/** How many rows each part of a store has. Throws `StoreUnusable` where there is none. */
async function rowsOf(DATABASE_URL: string): Promise<Rows> {
  return (await contentOf(DATABASE_URL)).rows;
}

/** And what verifying it finds. */
async function contentOf(DATABASE_URL: string): Promise<Content> {
  const store = await openStoreAlone(readSettings({}, { DATABASE_URL }), { create: false });
  try {
    await using snapshot = await store.snapshot();
    const { faults } = await verifyStore(snapshot, partsOf(resources), resources);
    const rows: Record<string, number> = {};
    for (const part of partsOf(resources)) {
      let count = 0;
      for await (const batch of part.read(snapshot)) count += batch.length;
      rows[part.name] = count;
    }
    return { rows, faults };
  } finally {
    await store.close();
  }
}

function wantContent(found: Content, wanted: Content): void {
  const grows = ([part]: [string, number]) => !GROWING.includes(part);
  assert.deepEqual(
    Object.fromEntries(Object.entries(found.rows).filter(grows)),
    Object.fromEntries(Object.entries(wanted.rows).filter(grows)),
  );
  assert.deepEqual(found.faults, wanted.faults);
}

/** Records commands; each has its own folder. */
export async function recordCommands() {
  const root = join(ownFolder(), 'disk');
  const cwd = ownFolder();
  for (const name of ['data', 'old', 'followed', 'files'])
    mkdirSync(join(root, name), { recursive: true });
  const table = (from: number, refused: number) =>
    [
      'external_identifier,location_name',
      ...Array.from({ length: ROWS }, (_, at) => `l${from + at},A`),
      ...Array.from({ length: refused }, (_, at) => `refused ${at},`),
      '',
    ].join('\n');
  const files = [join(cwd, '0.csv'), join(root, 'files', '1.csv')] as const;
  writeFileSync(files[0], table(0, 0));
  writeFileSync(files[1], table(ROWS, REFUSED));
  const DATABASE_URL = addressIn(root, 'data');
  await makeAccount(cwd, { DATABASE_URL });
  const before = programIn(cwd, { DATABASE_URL });
  await before.ok('import', files[0], '--resource', 'locations');
  const whole = join(root, 'whole');
  await before.ok('backup', whole);
  const released = gunzipSync(readFileSync(join(RELEASE, 'ledgerstone.db.gz')));
  const migrated = join(ownFolder(), 'ledgerstone.db');
  for (const file of [join(root, 'old', 'ledgerstone.db'), migrated])
    writeFileSync(file, released, { mode: 0o600 });
  const wanted = await contentOf(DATABASE_URL);
  const old = await contentOf(`sqlite:${migrated}`);
  const SECRET_KEY_FILE = join(cwd, 'secret-key');
  copyFileSync(join(RELEASE, 'secret-key'), SECRET_KEY_FILE);

  const recording = record(root);
  const settings = (name: string) => ({ DATABASE_URL: addressIn(root, name), SECRET_KEY_FILE });
  const doing = async (name: string, ...words: string[]): Promise<Done> => {
    const began = recording.now();
    const { code, stdout, stderr } = await programIn(cwd, {
      ...settings(name),
      ...recording.env,
    }).run(...words);
    // Of an import some rows are refused.
    assert.ok(code === 0 || (code === 2 && words[0] === 'import'), stderr);
    return { began, ended: recording.now(), stdout };
  };

  /** A folder that follows a store into which others import. */
  const following = async (): Promise<readonly Deed[]> => {
    const folder = join(root, 'followed');
    const began = recording.now();
    const words = ['backup', '--follow', folder, '--every', '1s', '--json'];
    const follower = watch(words, { cwd, env: { ...settings('data'), ...recording.env } });
    const told: { readonly at: number; readonly taken_at: string }[] = [];
    follower.child.stdout?.on('data', (text: string) => {
      const at = recording.now();
      for (const line of String(text).trim().split('\n'))
        told.push({ at, taken_at: JSON.parse(line).taken_at });
    });
    await until(() => told.length > 0);
    const imported = await doing('data', 'import', files[1], '--resource', 'locations', '--json');
    await until(() => told.length > 1);
    await follower.stop();
    const done = { began, ended: recording.now(), stdout: '' };
    return [
      {
        ...{ name: 'backup --follow', done },
        async check(held, at) {
          const { stretches, faults } = await readFolder(
            join(held, 'followed'),
            partsOf(resources),
          );
          assert.deepEqual(faults, []);
          const shown = told.filter((one) => one.at <= at).at(-1)?.taken_at;
          if (shown === undefined) return;
          assert.ok((stretches.at(-1)?.to ?? 0) >= Date.parse(shown), `it shows ${shown}`);
          const restored = addressIn(ownFolder(), 'restored');
          await programIn(cwd, { DATABASE_URL: restored }).ok('restore', join(held, 'followed'));
        },
      },
      {
        ...{ name: 'import', done: imported },
        async check(held, at) {
          const { locations = 0 } = await rowsOf(addressIn(held, 'data'));
          const [rejected = ''] = JSON.parse(imported.stdout).rejected;
          if (at >= imported.ended) {
            assert.equal(locations, 2 * ROWS);
            const lines = readFileSync(
              resolve(cwd, rejected).replace(root, held),
              'utf8',
            ).trimEnd();
            assert.equal(lines.split('\n').length, 1 + REFUSED, 'all refused rows are kept');
          }
          const { run } = programIn(cwd, { DATABASE_URL: addressIn(held, 'data') });
          const words = ['import', files[1].replace(root, held), '--resource', 'locations'];
          const { code, stderr } = await run(...words);
          assert.equal(code, 2, stderr);
          assert.equal((await rowsOf(addressIn(held, 'data'))).locations, 2 * ROWS);
        },
      },
    ];
  };

  const backup = async (): Promise<Deed> => {
    const done = await doing('data', 'backup', join(root, 'one'));
    return {
      ...{ name: 'backup', done },
      async check(held, at) {
        const file = join(held, 'one');
        if (at < done.ended && !existsSync(file)) return;
        const restored = addressIn(ownFolder(), 'restored');
        await programIn(cwd, { DATABASE_URL: restored }).ok('restore', file);
        assert.ok(((await rowsOf(restored)).locations ?? 0) >= ROWS);
      },
    };
  };

  const restore = async (name: string, from: string, content: Content): Promise<Deed> => {
    const done = await doing(name, 'restore', from, '--without-erasures');
    return {
      ...{ name: `restore of ${name}`, done },
      async check(held, at) {
        const own = { DATABASE_URL: addressIn(held, name), SECRET_KEY_FILE };
        const open = () => contentOf(own.DATABASE_URL).catch((error: Error) => error);
        const found = await open();
        const again = () =>
          programIn(cwd, own).run('restore', from.replace(root, held), '--without-erasures');
        if (found instanceof Error) {
          assert.ok(at < done.ended, `it was restored, and is not there: ${found.message}`);
          assert.match(found.message, /^(A restore to .* was ended|There is no Ledgerstone store)/);
          const { code, stderr } = await again();
          assert.equal(code, 0, stderr);
          wantContent((await open()) as Content, content);
        } else {
          wantContent(found, content);
          assert.match((await again()).stderr, /is not empty/);
        }
        const left = readdirSync(join(held, name)).filter((one) => one.includes('.restoring'));
        assert.deepEqual(left, []);
      },
    };
  };

  const migrate = async (): Promise<readonly Deed[]> => {
    const done = await doing('old', 'migrate');
    const copy = readdirSync(join(root, 'old')).find((one) => one.includes('.before-'));
    assert.ok(copy !== undefined, done.stdout);
    const deed: Deed = {
      ...{ name: 'migrate', done },
      async check(held, at) {
        wantContent(await contentOf(addressIn(held, 'old')), old);
        if (at >= done.ended) assert.ok(existsSync(join(held, 'old', copy)));
      },
    };
    return [deed, await restore('copied', join(root, 'old', copy), old)];
  };

  /** The first start of a service, which makes its store; and a command beside none. */
  const begun = async (): Promise<Deed> => {
    const began = recording.now();
    const env = { ...settings('new'), ...recording.env };
    await (await startProcess({ cwd, env })).stop();
    const { ended, stdout } = await doing('new', 'accounts', 'create', '--name', 'New', '--test');
    return {
      ...{ name: 'first start', done: { began, ended, stdout } },
      async check(held, at) {
        const own = { ...settings('new'), DATABASE_URL: addressIn(held, 'new') };
        await (await serveHere({ cwd, env: own })).stop();
        const accounts = (await programIn(cwd, own).json<object[]>('accounts', 'list')).length;
        assert.ok(accounts === 1 || (at < ended && accounts === 0), `${accounts} accounts`);
      },
    };
  };

  const deeds = (
    await Promise.all([
      following(),
      backup(),
      restore('restored', whole, wanted),
      migrate(),
      begun(),
    ])
  ).flat();
  recording.wantAll();
  return { recording, deeds };
}

/** Has the power fail at so many moments of each command, and when it has just ended. */
export async function failCommands(
  { recording, deeds }: { readonly recording: Recording; readonly deeds: readonly Deed[] },
  count: number,
  random: Random,
): Promise<number> {
  const places = recording.places();
  const wanted = Array.from({ length: count }, (_, nth) => {
    const { check, name, done } = deeds[nth % deeds.length] as Deed;
    const { began, ended } = done;
    const own = places.filter((place) => began < place && place <= ended);
    const at = random.below(4) === 0 ? ended : (own[random.below(own.length)] ?? ended);
    return { check, name, at };
  }).toSorted((one, other) => one.at - other.at);
  let nth = 0;
  for (const { at, held } of recording.moments(
    wanted.map((one) => one.at),
    random,
  )) {
    const { check, name } = wanted[nth] as (typeof wanted)[number];
    nth += 1;
    await check(held, at).catch((cause: Error) => {
      throw new Error(
        `The power failed in "${name}", at ${at} of ${recording.now()}: ${cause.message}`,
        { cause },
      );
    });
  }
  return nth;
}

/**
 * Restores what a restore was killed in, and wants that this one may be killed at each of its steps: there is no log beside
 * no file, and no place where a service would make an empty store.
 */
export async function killRestores(kills: number, random: Random): Promise<number> {
  const [root, cwd] = [join(ownFolder(), 'disk'), ownFolder()];
  mkdirSync(join(root, 'new'), { recursive: true });
  const DATABASE_URL = addressIn(ownFolder(), 'data');
  await makeAccount(cwd, { DATABASE_URL });
  const file = join(cwd, 'file');
  await programIn(cwd, { DATABASE_URL }).ok('backup', file);
  const path = join('new', 'ledgerstone.db');
  let count = 0;
  const restored = async (folder: string): Promise<Recording> => {
    const recording = record(folder);
    const env = { ...recording.env, DATABASE_URL: addressIn(folder, 'new') };
    await programIn(cwd, env).ok('restore', file);
    for (const disk of recording.steps()) {
      const there = disk.inMemory();
      assert.deepEqual(disk.alone(), []);
      const isEmpty = (there.get(path)?.length ?? Number.POSITIVE_INFINITY) <= EMPTY_BYTES;
      if (isEmpty) assert.ok(there.has(`${path}.restoring`), [...there.keys()].join());
      count += 1;
    }
    recording.wantAll();
    return recording;
  };
  const first = await restored(root);
  const steps = [...first.steps()].length;
  const chosen = new Set(Array.from({ length: kills }, () => random.below(steps)));
  let step = 0;
  for (const disk of first.steps()) {
    if (!chosen.has(step++) || !disk.inMemory().has(`${path}.restoring`)) continue;
    const killed = join(ownFolder(), 'killed');
    for (const [name, bytes] of disk.inMemory()) {
      mkdirSync(dirname(join(killed, name)), { recursive: true });
      writeFileSync(join(killed, name), bytes, { mode: 0o600 });
    }
    await restored(killed);
  }
  return count;
}

/**
 * Has the power fail at each step of the first start of a service, and starts on everything that its disk may hold then: of
 * what differs only by the content of a file that is there whole, once.
 */
export async function failFirstStart(tries: number, random: Random): Promise<number> {
  const [root, cwd] = [join(ownFolder(), 'disk'), ownFolder()];
  mkdirSync(root);
  const recording = record(root);
  const env = { DATABASE_URL: addressIn(root, 'new'), BACKUP_TO: join(root, 'moments') };
  await (await startProcess({ cwd, env: { ...env, ...recording.env } })).stop();
  recording.wantAll();
  const seen = new Set<string>();
  for (const disk of recording.steps())
    for (let nth = 0; nth < tries; nth += 1) {
      const held = disk.held(random);
      const looks = JSON.stringify(
        [...held].map(([name, content]) => [
          name,
          Buffer.isBuffer(content) && [
            ...[content.length === 0, content.subarray(0, HEAD_BYTES).every((byte) => byte === 0)],
          ],
        ]),
      );
      if (seen.has(looks)) continue;
      seen.add(looks);
      const folder = join(ownFolder(), 'held');
      writeHeld(held, folder);
      const opening = { url: addressIn(folder, 'new'), shapes, create: true, serve: true };
      await openStore(opening)
        .then((store) => store.close())
        .catch((cause: Error) => {
          throw new Error(`${looks}: ${cause.message}`, { cause });
        });
      if (held.has('moments')) (await lockFolder(join(folder, 'moments')))();
    }
  return seen.size;
}

const HEAD_BYTES = 16;
const shapes = resources.map(({ shape }) => shape);

/** A database without a table. */
const EMPTY_BYTES = 4_096;

/** Stores, backups, moments and journals of each release are opened by this program, and lose nothing on any later day. */
// needs: --ci, program, long
import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Client } from 'pg';
import { resources } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { ahead, skip } from '../support/other-day.ts';
import { findServer, postgresGround } from '../support/store-postgres.ts';

type Rows = Readonly<Record<string, number>>;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Parts that commands and a service add to. */
const GROWING = ['audit', 'activity', 'keys', 'sources', 'source_writers'];
/** Parts of which a store may have less on a later day, as the product says itself. */
const ENDING = partsOf(resources).flatMap(({ name, ends }) => (ends ? [name] : []));
const LATER = {
  'a day': DAY,
  '40 days': 40 * DAY,
  '400 days': 400 * DAY,
  '16 years': 5_844 * DAY,
};

const RELEASES = globSync('*/rows.json', { cwd: import.meta.dirname }).map((file) =>
  join(import.meta.dirname, file, '..'),
);

/** The files of a release in a folder of the test's own. */
function filesOf(release: string) {
  const cwd = ownFolder();
  const of = (name: string) => join(cwd, name);
  for (const name of ['backup', 'moments', 'secret-key'])
    cpSync(join(release, name), of(name), { recursive: true });
  const unpacked = (name: string) => gunzipSync(readFileSync(join(release, name)));
  const rows: Readonly<Record<'sqlite' | 'postgres', Rows>> = JSON.parse(
    readFileSync(join(release, 'rows.json'), 'utf8'),
  );
  const [head = ''] = zstdDecompressSync(readFileSync(of('backup')))
    .toString()
    .split('\n', 1);
  /** The clock of a process so much later than these files were made. */
  const clock = (later: number) =>
    ahead(Date.parse(JSON.parse(head).taken_at) + MINUTE + later - Date.now());
  return { cwd, of, unpacked, rows, clock };
}

interface Opening {
  readonly cwd: string;
  readonly url: string;
  readonly rows: Rows;
  readonly clock: { readonly LD_PRELOAD: string };
}

/** Opens a store, and wants all in it that does not end by itself, and on its own day what does, too. */
async function open({ cwd, url, rows, clock }: Opening, isOwnDay: boolean) {
  const env = { DATABASE_URL: url, SECRET_KEY_FILE: join(cwd, 'secret-key'), ...clock };
  const { run, json } = programIn(cwd, env);
  if (isOwnDay) {
    const { to_be_done: steps } = await json<{ to_be_done: string[] }>('migrate', 'status');
    // Else a program of the release before would open the store, and could not name the version to use.
    if (steps.length > 0)
      assert.match(steps.join(), /\bmigration \d+\.\d+\.\d+_/, 'name a migration');
  }
  assert.equal((await run('migrate')).code, 0);
  const verified = await run('verify');
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  const findings = await json<{ findings: { is: string; says: string }[] }>('doctor');
  assert.deepEqual(
    findings.findings.filter(({ is }) => is === 'bad'),
    [],
  );
  const backup = await json<{ file: string; rows: Rows }>('backup', join(ownFolder(), 'again'));
  for (const [part, count] of Object.entries(rows)) {
    const found = backup.rows[part] ?? -1;
    if (GROWING.includes(part) && (isOwnDay || !ENDING.includes(part)))
      assert.ok(found >= count, part);
    else if (isOwnDay || !ENDING.includes(part)) assert.equal(found, count, part);
    else if (!GROWING.includes(part)) assert.ok(found <= count, part);
  }
  return { env, run, json, file: backup.file };
}

/** Opens a store on the day on which it was made, and does with it what people do. */
async function use(opening: Opening): Promise<void> {
  const { env, run, json, file } = await open(opening, true);
  await json('restore', '--check', file);
  assert.equal((await run('audit', 'verify')).code, 0);
  const { cwd } = opening;
  const [{ unique_identifier: account } = { unique_identifier: '' }] = await json<
    { unique_identifier: string }[]
  >('accounts', 'list');
  const { secret } = await json<{ secret: string }>('keys', 'create', '--account', account);
  const service = await startProcess({ cwd, env });
  const read = async (path: string) => JSON.parse((await call(service.url, secret, path)).text);
  const [event] = (await read('/v1/events')).data;
  const { unique_identifier, external_identifier, event_datetime } = event;
  const { location_unique_identifier } = event;
  const sent = {
    ...{ location_unique_identifier, external_identifier, event_datetime },
    event_name: 'Changed since',
  };
  const answer = await call(service.url, secret, '/v1/events/upsert', sent);
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await read(`/v1/events/${unique_identifier}`)).event_name, 'Changed since');
  await service.stop();
  const exported = await run('export', '--resource', 'events', '--account', account);
  assert.match(exported.stdout, new RegExp(`Changed since.*${unique_identifier}`));
}

async function database(): Promise<string> {
  return (await postgresGround(await findServer())).url;
}

/** The stores of a release, each made in its place as its release has left it. */
const stores: Readonly<
  Record<
    string,
    (of: ReturnType<typeof filesOf>, release: string) => Promise<{ url: string; rows: Rows }>
  >
> = {
  async 'a store on SQLite, with its journal of erasures'({ of, unpacked, rows }, release) {
    cpSync(join(release, 'erasures.ndjson'), of('erasures.ndjson'));
    writeFileSync(of('ledgerstone.db'), unpacked('ledgerstone.db.gz'), { mode: 0o600 });
    return { url: `sqlite:${of('ledgerstone.db')}`, rows: rows.sqlite };
  },
  async 'a store on PostgreSQL'({ unpacked, rows }) {
    const url = await database();
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(unpacked('postgres.sql.gz').toString());
    await client.end();
    return { url, rows: rows.postgres };
  },
};

for (const release of RELEASES)
  describe(`Files of ${basename(release)}`, { skip, concurrency: 3 }, () => {
    for (const [name, make] of Object.entries(stores)) {
      it(`${name}, on the day on which it was made`, async () => {
        const files = filesOf(release);
        await use({ ...files, ...(await make(files, release)), clock: files.clock(0) });
      });

      for (const [when, ms] of Object.entries(LATER))
        it(`${name}, ${when} later`, async () => {
          const files = filesOf(release);
          const made = await make(files, release);
          await open({ ...files, ...made, clock: files.clock(ms) }, false);
        });
    }

    for (const name of ['backup', 'moments'])
      for (const later of [0, LATER['16 years']])
        it(`${name}, on both stores, ${later === 0 ? 'on its own day' : '16 years later'}`, async () => {
          const { cwd, of, rows, clock: clockOf } = filesOf(release);
          const clock = clockOf(later);
          for (const url of [`sqlite:${of('restored.db')}`, await database()]) {
            const env = { DATABASE_URL: url, SECRET_KEY_FILE: of('secret-key'), ...clock };
            const journal = join(release, 'erasures.ndjson');
            const words = ['restore', of(name), '--erasures', journal];
            const { code, stderr } = await programIn(cwd, env).run(...words);
            assert.equal(code, 0, stderr);
            const opening = { cwd, url, clock, rows: { ...rows.sqlite, audit: 0 } };
            await (later === 0 ? use(opening) : open(opening, false));
          }
        });
  });

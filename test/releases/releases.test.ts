/** Stores, backups, moments and journals of each release are opened by this program, and lose nothing. */
// needs: program, long
import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { findServer, postgresGround } from '../support/store-postgres.ts';

type Rows = Readonly<Record<string, number>>;
/** Parts that commands and a service add to. */
const GROWING = ['audit', 'activity', 'keys', 'sources', 'source_writers'];
/** A part whose rows expire within a day; `receipts.test.ts` sets the clock back. */
const EXPIRING = 'receipts';

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
  return { cwd, of, unpacked, rows };
}

/** Opens a store, and does with it what people do. */
async function use(cwd: string, url: string, rows: Rows): Promise<void> {
  const env = { DATABASE_URL: url, SECRET_KEY_FILE: join(cwd, 'secret-key') };
  const { run, json } = programIn(cwd, env);
  const { to_be_done: steps } = await json<{ to_be_done: string[] }>('migrate', 'status');
  // Else a program of the release before would open the store, and could not name the version to use.
  if (steps.length > 0)
    assert.match(steps.join(), /\bmigration \d+\.\d+\.\d+_/, 'name a migration');
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
    if (GROWING.includes(part)) assert.ok(found >= count, part);
    else if (part === EXPIRING) assert.ok(found <= count, part);
    else assert.equal(found, count, part);
  }
  await json('restore', '--check', backup.file);
  assert.equal((await run('audit', 'verify')).code, 0);
  const [{ unique_identifier: account } = { unique_identifier: '' }] = await json<
    { unique_identifier: string }[]
  >('accounts', 'list');
  const { secret } = await json<{ secret: string }>('keys', 'create', '--account', account);
  const service = await serveHere({ cwd, env });
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

for (const release of RELEASES)
  describe(`Files of ${basename(release)}`, () => {
    it('a store on SQLite, with its journal of erasures', async () => {
      const { cwd, of, unpacked, rows } = filesOf(release);
      cpSync(join(release, 'erasures.ndjson'), of('erasures.ndjson'));
      writeFileSync(of('ledgerstone.db'), unpacked('ledgerstone.db.gz'), { mode: 0o600 });
      await use(cwd, `sqlite:${of('ledgerstone.db')}`, rows.sqlite);
    });

    it('a store on PostgreSQL', async () => {
      const { cwd, unpacked, rows } = filesOf(release);
      const url = await database();
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(unpacked('postgres.sql.gz').toString());
      await client.end();
      await use(cwd, url, rows.postgres);
    });

    for (const name of ['backup', 'moments'])
      it(`${name}, on both stores`, async () => {
        const { cwd, of, rows } = filesOf(release);
        for (const url of [`sqlite:${of('restored.db')}`, await database()]) {
          const env = { DATABASE_URL: url, SECRET_KEY_FILE: of('secret-key') };
          const journal = join(release, 'erasures.ndjson');
          const words = ['restore', of(name), '--erasures', journal];
          const { code, stderr } = await programIn(cwd, env).run(...words);
          assert.equal(code, 0, stderr);
          await use(cwd, url, { ...rows.sqlite, audit: 0 });
        }
      });
  });

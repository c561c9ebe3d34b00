/** Requests that each release has answered are known again by this program, which answers them from the log of changes. */
// needs: program, long
import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { shapes } from '../../src/core/registry.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { opened } from '../support/opened.ts';
import { findServer, postgresGround } from '../support/store-postgres.ts';
import { answeredBy } from '../support/store-world.ts';

const RELEASES = globSync('*/rows.json', { cwd: import.meta.dirname }).map((file) =>
  join(import.meta.dirname, file, '..'),
);

type Row = Readonly<Record<string, unknown>>;

/** Runs statements of SQL on a store as it is, and gives the rows of each. */
async function raw(url: string, ...statements: readonly string[]): Promise<readonly Row[][]> {
  if (url.startsWith('sqlite:')) {
    using database = new DatabaseSync(url.slice('sqlite:'.length));
    return statements.map((sql) => database.prepare(sql).all());
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  const found: Row[][] = [];
  for (const sql of statements) found.push((await client.query(sql)).rows);
  await client.end();
  return found;
}

const database = async (): Promise<string> => (await postgresGround(await findServer())).url;

/** Asks for every receipt that the store has, as a repetition would have on that day. */
async function repeat(url: string, answered?: readonly Row[]): Promise<void> {
  const [rows = [], accounts = []] = await raw(
    url,
    'SELECT * FROM receipt',
    'SELECT unique_identifier FROM account',
  );
  const ends = Math.min(...rows.map(({ expires_at }) => Number(expires_at)));
  const store = await opened({ url, shapes, now: () => ends - 1, create: false, serve: false });
  const written = rows.filter(({ outcome }) => outcome !== 'batch' && outcome !== 'deleted');
  assert.ok(written.length > 0 && written.length < rows.length, 'there are some of both');
  const of = accounts.map(({ unique_identifier }) => String(unique_identifier));
  for (const row of rows) {
    const found = await store.receipt({
      ...{ owner: String(row.owner), idempotency_key: String(row.idempotency_key), accounts: of },
      fingerprint: row.fingerprint as Uint8Array,
    });
    assert.deepEqual(
      new Uint8Array(found?.fingerprint ?? []),
      new Uint8Array(row.fingerprint as Uint8Array),
    );
    assert.equal(found?.outcome, row.outcome);
    if (!written.includes(row)) continue;
    const record = await answeredBy(store, found);
    assert.equal(record?.version, Number(row.version));
    const then = answered?.find((one) => one.record === row.record && one.version === row.version);
    if (answered !== undefined) assert.equal(record?.document, then?.document);
  }
  // On PostgreSQL processes of 1.0 may run beside this one, which need them.
  if (!url.startsWith('sqlite:')) return;
  const [left = []] = await raw(url, "SELECT name FROM sqlite_schema WHERE name = 'answered'");
  assert.deepEqual(left, [], 'copies of whole records are gone');
}

for (const release of RELEASES)
  describe(`Requests that ${basename(release)} has answered`, () => {
    const unpacked = (name: string) => gunzipSync(readFileSync(join(release, name)));

    it('in its store on SQLite', async () => {
      const path = join(ownFolder(), 'ledgerstone.db');
      writeFileSync(path, unpacked('ledgerstone.db.gz'), { mode: 0o600 });
      const url = `sqlite:${path}`;
      // From 1.1.0 on there are no copies.
      const [there = []] = await raw(url, "SELECT 1 FROM sqlite_schema WHERE name = 'answered'");
      const [answered] = there.length > 0 ? await raw(url, 'SELECT * FROM answered') : [];
      await repeat(url, answered);
    });

    it('in its store on PostgreSQL', async () => {
      const url = await database();
      await raw(url, unpacked('postgres.sql.gz').toString());
      const [answered] = await raw(url, 'SELECT * FROM answered');
      await repeat(url, answered);
    });

    for (const name of ['backup', 'moments'])
      it(`in its ${name}, restored on both stores`, async () => {
        const cwd = ownFolder();
        for (const file of [name, 'secret-key'])
          cpSync(join(release, file), join(cwd, file), { recursive: true });
        for (const url of [`sqlite:${join(cwd, 'restored.db')}`, await database()]) {
          const env = { DATABASE_URL: url, SECRET_KEY_FILE: join(cwd, 'secret-key') };
          const journal = ['--erasures', join(release, 'erasures.ndjson')];
          const words = ['restore', join(cwd, name), ...journal];
          const { code, stderr } = await programIn(cwd, env).run(...words);
          assert.equal(code, 0, stderr);
          await repeat(url);
        }
      });
  });

/** The next release, with a made-up migration, takes over from this one: nothing is refused, and a kill at any statement harms nothing. */
// needs: --ci, program, waits
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import about from '../../package.json' with { type: 'json' };
import { ownFolder, programIn } from '../support/cli-program.ts';
import { until } from '../support/until.ts';
import {
  type At,
  type Kind,
  PROJECT,
  RELEASES,
  rowsOf,
  run,
  serve,
  storeOf,
} from '../support/versions.ts';

/** The newest release of which there are files, and the version after this program's. */
const RELEASE = RELEASES.at(-1) ?? '';
const [major, minor] = about.version.split('.');
const NEXT = `${major}.${Number(minor) + 1}.0`;
const STATEMENTS = [
  'ALTER TABLE event ADD COLUMN made_up TEXT',
  'ALTER TABLE event ADD COLUMN filled INTEGER',
  "UPDATE event SET made_up = 'old'",
  'CREATE INDEX event_made_up ON event (made_up)',
  'CREATE TABLE made_up (name TEXT PRIMARY KEY)',
];
const ENDLESS: Readonly<Record<Kind, string>> = {
  sqlite:
    'CREATE TABLE endless AS WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n) SELECT zeroblob(1000) FROM n',
  postgres: 'SELECT pg_sleep(3600)',
};
const ASLEEP =
  "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";

/** Makes a function that says whether a process that was started since is in the endless statement. */
function endless(kind: Kind, at: At): () => Promise<boolean> {
  if (kind === 'postgres') return async () => (await rowsOf(at, `SELECT 1 ${ASLEEP}`)).length > 0;
  // What is not committed yet is only written for want of memory: again and again.
  const log = `${at.url.slice('sqlite:'.length)}-wal`;
  const written = new Set<number | undefined>();
  return async () => written.add(statSync(log, { throwIfNoEntry: false })?.mtimeMs).size > 6;
}

/** A feature that fills the new column by a job: a slice is one row, since the table is small. */
const FILLING = {
  store: `import { Book } from '../../store/books/book.ts';
    import { statements } from '../../store/books/tables.ts';
    const sql = statements({
      due: 'SELECT DISTINCT account FROM event WHERE filled IS NULL',
      next: ({ limit }) =>
        \`SELECT unique_identifier FROM event WHERE account = $1 AND filled IS NULL LIMIT \${limit('$2')}\`,
      fill: \`UPDATE event SET filled = coalesce(filled, 0) + 1
        WHERE account = $1 AND unique_identifier = $2 AND filled IS NULL\`,
    });
    class FillingBook extends Book {
      due = () => this.column(sql.due);
      next = (account) => this.column(sql.next, account, 1);
      fill = (account, id) => this.did(sql.fill, account, id);
    }
    export const book = (tables, parts) => new FillingBook(tables, parts);`,
  serves: `import { Jobs } from '../../services/jobs.ts';
    export const serve = ({ store: { filling, jobs: book } }) => ({
      service: {},
      jobs: [
        new Jobs({
          kind: 'filling',
          book,
          pauseMs: () => 200,
          due: async () => (await filling.due()).map((it) => ({ account: it, unique_identifier: it })),
          async *work({ account }) {
            for (let ids; (ids = await filling.next(account)).length > 0; yield 1)
              for (const id of ids) await filling.fill(account, id);
          },
        }),
      ],
    });`,
};

/** The program as NEXT, with a migration of these statements, and what fills a column beside the service. */
function nextRelease() {
  const folder = ownFolder();
  for (const name of ['bin', 'src', 'client', 'console', 'manual', 'docs', 'package-lock.json'])
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  mkdirSync(join(folder, 'src/features/filling'));
  for (const [door, text] of Object.entries(FILLING))
    writeFileSync(join(folder, 'src/features/filling', `${door}.ts`), text);
  execFileSync(process.execPath, [join(folder, 'scripts/features.ts')]);
  const named = { ...about, version: NEXT };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(named));
  const migrate = (kind: Kind, statements: readonly string[]) =>
    writeFileSync(
      join(folder, 'src/store', kind, `schema/migrations/${NEXT}_made_up.sql`),
      statements.map((one) => `${one};\n`).join(''),
    );
  return { folder, migrate };
}

const next = nextRelease();

/** A slice rests after each row, beside callers, on a busy machine. */
const SLICES_MS = 180_000;

/** How many services have their new column filled by now, and how many not. */
async function fillingOf(at: At): Promise<readonly [filled: number, left: number]> {
  const counts = 'SELECT count(filled) AS filled, count(*) AS total FROM event';
  const [{ filled, total } = {}] = await rowsOf(at, counts);
  return [Number(filled), Number(total) - Number(filled)];
}

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`On ${kind}`, () => {
    it('an upgrade beside callers refuses none of their upserts', async () => {
      next.migrate(kind, STATEMENTS);
      const at = await storeOf(RELEASE, kind);
      const { json, fails } = programIn(at.cwd, at.env);
      const [one] = await json<{ unique_identifier: string }[]>('accounts', 'list');
      const account = one?.unique_identifier ?? '';
      const { secret } = await json<{ secret: string }>('keys', 'create', '--account', account);
      const old = [await serve(PROJECT, at)];
      // A file of SQLite has one service at a time.
      if (kind === 'postgres') old.push(await serve(PROJECT, at));
      let live = old.map(({ address }) => address);
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      const count = async (): Promise<number> => {
        const [{ saved } = {}] = await rowsOf(at, 'SELECT count(*) AS saved FROM location');
        return Number(saved);
      };
      const before = await count();
      const refused: string[] = [];
      let sent = 0;
      let isOver = false;
      const send = async (): Promise<void> => {
        sent += 1;
        const body = JSON.stringify({
          account_unique_identifier: account,
          ...{ external_identifier: `upgrade-${sent}`, location_name: 'Upgraded' },
        });
        let tried = sent;
        // Whoever cannot be reached has stopped: the next one is tried, as a load balancer does.
        await until(async () => {
          const path = `${live[tried % live.length]}/v1/locations/upsert`;
          tried += 1;
          const answer = await fetch(path, { method: 'POST', headers, body }).catch(
            () => undefined,
          );
          if (answer?.ok === false) refused.push(await answer.text());
          return answer !== undefined;
        });
      };
      const sending = (async () => {
        while (!isOver) await Promise.all([send(), send(), send(), send()]);
      })();
      await until(() => sent > 40);
      if (kind === 'sqlite') await old[0]?.stop();
      const killed = await serve(next.folder, at);
      const older = live.slice(kind === 'sqlite' ? 1 : 0);
      live = [...older, killed.address];
      // The new column is filled meanwhile, a slice at a time, and goes on after a kill.
      await until(async () => (await fillingOf(at))[0] > 2, SLICES_MS);
      await killed.kill();
      assert.ok((await fillingOf(at))[1] > 2, 'killed in the middle');
      const first = await serve(next.folder, at);
      live = [...older, first.address];
      await until(async () => (await fillingOf(at))[1] === 0, SLICES_MS);
      assert.deepEqual(await rowsOf(at, 'SELECT 1 FROM event WHERE filled <> 1'), []);
      const both = sent + 80;
      // Old and new ones serve beside each other.
      await until(() => sent > both);
      if (kind === 'postgres') for (const { stop } of old) await stop();
      live = [first.address];
      const after = sent + 40;
      await until(() => sent > after);
      isOver = true;
      await sending;
      assert.deepEqual(refused, []);
      assert.equal(await count(), before + sent);
      await first.stop();
      const refusal = await fails('serve', '--port', '0');
      assert.ok(refusal.includes(`was migrated by Ledgerstone ${NEXT}, and this is `), refusal);
      assert.ok(refusal.includes(`: use ${NEXT} or a later`), refusal);
    });

    it('a migration that is killed at any statement is done whole by the next start', async () => {
      const at = await storeOf(RELEASE, kind);
      for (let count = 0; count <= STATEMENTS.length; count += 1) {
        next.migrate(kind, [
          ...STATEMENTS.slice(0, count),
          ENDLESS[kind],
          ...STATEMENTS.slice(count),
        ]);
        const isEndless = endless(kind, at);
        const { child } = run(next.folder, ['accounts', 'list'], at);
        await until(async () => child.exitCode !== null || (await isEndless()));
        assert.equal(child.exitCode, null, `statement ${count}`);
        child.kill('SIGKILL');
        await once(child, 'exit');
        // The server notices that a client is gone when it has something to say to it: the next one would wait for it.
        if (kind === 'postgres') await rowsOf(at, `SELECT pg_terminate_backend(pid) ${ASLEEP}`);
      }
      // The version before still opens it.
      assert.equal((await programIn(at.cwd, at.env).run('accounts', 'list')).code, 0);
      next.migrate(kind, STATEMENTS);
      const whole = run(next.folder, ['migrate', 'status'], at);
      await once(whole.child, 'exit');
      assert.ok(whole.log().includes(`  migration ${NEXT}_made_up.sql\n`), whole.log());
      const { child, log } = run(next.folder, ['accounts', 'list'], at);
      await once(child, 'exit');
      assert.equal(child.exitCode, 0, log());
    });
  });

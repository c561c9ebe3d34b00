/**
 * Makes the files of this release, with every object in them, in a folder of its version: a store on SQLite and one on
 * PostgreSQL, a backup, a folder of moments, a journal of erasures, and what its commands are called with. Run once,
 * before it is released:
 *   sh bin/run scripts/release-files.ts postgres://…
 * names an empty database of PostgreSQL, of no later version than the machine's pg_dump. They are never made again.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Command } from 'commander';
import about from '../package.json' with { type: 'json' };
import { createProgram } from '../src/cli/run.ts';
import { ownTables } from '../src/core/objects/tables/all.ts';
import { shapes } from '../src/core/registry.ts';
import { tableName } from '../src/store/names.ts';
import { openStore } from '../src/store/open.ts';
import { keptTables } from './kept-tables.ts';

const PROJECT = join(import.meta.dirname, '..');
const [, , database = ''] = process.argv;
if (!database.startsWith('postgres')) throw new Error('Name an empty database of PostgreSQL.');
const to = join(PROJECT, 'test/releases', about.version);
if (existsSync(to)) throw new Error(`${to} is there: the files of a release are never made again.`);
// It refuses servers of a later version than its own, and does so before anything is made.
execFileSync('pg_dump', ['--schema-only', database], { stdio: ['ignore', 'ignore', 'inherit'] });
const work = mkdtempSync(join(tmpdir(), 'ledgerstone-release-'));
const key = join(work, 'secret-key');
writeFileSync(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });

/** A command with more variables of the environment than this process has. */
const withEnv = (env: Readonly<Record<string, string>>, ...words: readonly string[]) => [
  ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ...words,
];
const launched = (...words: readonly string[]) =>
  withEnv({ SECRET_KEY_FILE: key }, 'sh', join(PROJECT, 'bin/ledgerstone'), ...words);
const cli = (words: readonly string[], url: string) =>
  execFileSync('env', launched(...words, '--database-url', url), { encoding: 'utf8' });

/** Calls each operation of a service on a store that stays, and signs people in by a provider. */
function fill(store: string, url: string): void {
  const kept = { TEST_STORE: store, TEST_STORE_URL: url, TEST_SECRET_KEY_FILE: key };
  for (const file of ['audit/every-route', 'staff/single-sign-on']) {
    // One that begins a second service cannot run on one store.
    const test = ['--test', '--test-reporter=dot', '--test-skip-pattern=cannot be reached'];
    const words = withEnv(kept, process.execPath, ...test, `test/${file}.test.ts`);
    execFileSync('env', words, { cwd: PROJECT, stdio: 'inherit' });
  }
}

/** Adds the objects that those calls leave none of. */
async function add(url: string): Promise<void> {
  const [{ unique_identifier: account }] = JSON.parse(cli(['accounts', 'list', '--json'], url));
  const rights = [
    '--allow',
    'erase',
    'follow_up',
    'requests',
    'sources',
    '--permission',
    'read',
    'write',
    'delete',
  ];
  const made = ['keys', 'create', '--account', account, ...rights, '--name', 'Case management'];
  const { secret } = JSON.parse(cli([...made, '--json'], url));
  const service = spawn('env', [
    `BACKUP_TO=${join(work, 'kept')}`,
    ...launched('serve', '--port', '0', '--database-url', url),
  ]);
  let log = '';
  for await (const text of service.stdout) {
    log += text;
    if (log.includes('"listening"')) break;
  }
  const [, address] = /"address":"([^"]+)"/.exec(log) ?? [];
  const call = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await fetch(`${address}/v1${path}`, {
      method,
      headers: {
        ...{ Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  const location = (await call('GET', '/locations')).data[0].unique_identifier;
  const sync = await call('POST', '/syncs', { resource: 'event', location });
  const event = {
    ...{ location_unique_identifier: location, external_identifier: 'kept' },
    ...{ event_name: 'Celebration of life', event_datetime: '2026-11-20T14:30:00Z' },
  };
  await call('POST', '/events/upsert', event, {
    ...{ 'Idempotency-Key': 'once', 'Ledgerstone-Sync': sync.unique_identifier },
  });
  // Who has no identifier leaves a doubt.
  const { external_identifier: _, ...unnamed } = event;
  await call('POST', '/events/upsert_many', [unnamed], {
    'Ledgerstone-Sync': sync.unique_identifier,
  });
  const source = (await call('GET', '/sources')).data[0].unique_identifier;
  await call('POST', '/expectations', { source, location, hours: 'mon-fri 9-17' });
  const followUp = (await call('GET', '/follow_ups?state=open')).data[0].unique_identifier;
  await call('POST', `/follow_ups/${followUp}/close`, { outcome: 'do_not_contact' });
  const [{ unique_identifier: change }] = (await call('GET', '/changes?limit=1')).data;
  await call('GET', `/changes?limit=1&starting_after=${change}`);
  const erasures = (await call('GET', '/erasures')).data;
  const done = erasures.find((one: { erased: number }) => one.erased > 0).unique_identifier;
  await call('POST', `/erasures/${done}/acknowledge`);
  // From here on it is tested.
  await call('POST', '/self_tests', {});
  await call('POST', '/events/upsert', event).catch(() => 'It refuses some as a test.');
  // Who follows is noted every five seconds.
  await pause(6_000);
  service.kill('SIGTERM');
  await once(service, 'exit');
  // As a process leaves it that is killed in the middle.
  const store = await openStore({ url, shapes, create: false, serve: false });
  await store.jobs.take({ account, kind: 'erasure_look', object: done, owner: 'killed' });
  await store.close();
}
const file = join(work, 'ledgerstone.db');
const url = `sqlite:${file}`;
fill('sqlite', url);
await add(url);
mkdirSync(to);
const moments = join(to, 'moments');
const words = ['backup', '--follow', moments, '--every', '1s', '--database-url', url];
const following = spawn('env', launched(...words));
const written = () => (existsSync(moments) ? readdirSync(moments).length : 0);
while (written() === 0) await pause(500);
cli(['accounts', 'create', '--name', 'Made after the whole backup', '--test'], url);
for (const before = written(); written() === before; ) await pause(500);
following.kill('SIGTERM');
await once(following, 'exit');
rmSync(join(moments, 'follower.lock'));
/** Writes a backup and checks it; returns what it has of each part. */
const rows = (file: string, url: string) => {
  const { rows } = JSON.parse(cli(['backup', file, '--json'], url));
  cli(['restore', '--check', file], url);
  return rows;
};
const sqlite = rows(join(to, 'backup'), url);
// Everything is in the file, and nothing in a log beside it.
cli(['compact'], url);
const filled = new DatabaseSync(file, { readOnly: true });
// What stays for the release before gets nothing new.
const kept = new Set(keptTables('sqlite').map(({ table }) => table));
const tables = [...ownTables.map((one) => one.table), ...shapes.map(tableName)];
for (const table of tables.filter((one) => !kept.has(one)))
  if (filled.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined)
    throw new Error(`Nothing leaves a row in the table ${table}: add what does.`);
filled.close();
writeFileSync(join(to, 'ledgerstone.db.gz'), gzipSync(readFileSync(file), { level: 9 }));
copyFileSync(join(work, 'erasures.ndjson'), join(to, 'erasures.ndjson'));
copyFileSync(key, join(to, 'secret-key'));

fill('postgres', database);
await add(database);
const postgres = rows(join(mkdtempSync(join(work, 'postgres-')), 'backup'), database);
const dump = execFileSync('pg_dump', ['--no-owner', '--inserts', database], {
  maxBuffer: 2 ** 28,
});
// Without words for psql.
const sql = dump.toString().replaceAll(/^\\.*$/gm, '');
writeFileSync(join(to, 'postgres.sql.gz'), gzipSync(sql, { level: 9 }));
writeFileSync(join(to, 'rows.json'), `${JSON.stringify({ sqlite, postgres }, undefined, 2)}\n`);

/** The options of each command below it, by the words that lead there. */
const optionsOf = ({ commands }: Command, before = ''): [string, string[]][] =>
  commands.flatMap((one) => {
    const words = `${before} ${one.name()}`.trimStart();
    const own = one.options.flatMap(({ long }) => long ?? []).toSorted();
    return [[words, own], ...optionsOf(one, words)];
  });
const called = Object.fromEntries(optionsOf(await createProgram([])));
const commands = join(to, 'commands.json');
writeFileSync(commands, JSON.stringify(called));
execFileSync(join(PROJECT, 'node_modules/.bin/biome'), ['format', '--write', commands]);
// People who build the project read them, whoever has made them.
execFileSync('chmod', ['-R', 'u=rwX,go=rX', to]);
rmSync(work, { recursive: true, force: true });

/** Every byte goes: of all that was sent of people, in any field and any way, nothing is left in what the service writes. */
// needs: --ci, both stores with --all, program, waits
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { Client } from 'pg';
import { OTHER_FILES, STORE_FILES } from '../../scripts/reference/personal-files.ts';
import { resources } from '../../src/core/registry.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import { searchFile } from '../../src/store/sqlite/search/file.ts';
import { withAll } from '../support/all.ts';
import { Canaries, type Canary, filesIn } from '../support/canaries.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { OWN, PASSWORD } from '../support/console.ts';
import { pluck } from '../support/pluck.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { visitorBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const records = resources.filter(({ parent }) => parent !== undefined);
const BELOW = 'event_check_in_records';

/** Sessions that may see what was removed, such as an autovacuum. */
const OTHERS = `SELECT FROM pg_stat_activity WHERE datname = current_database()
  AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`;

type Send = (path: string, body?: object | string, more?: Sent) => Promise<Body>;
interface Sent {
  readonly as?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Store {
  /** Of what was sent, what is not stored when it is erased. */
  readonly lacking?: RegExp;
  /** When it has all that is to go, and when all is erased. */
  readonly full?: () => Promise<unknown>;
  readonly emptied?: () => Promise<unknown>;
  /** What it holds, by the name of the place; in the service's folder a value may be cut in two by the end of a page. */
  readonly dump: (cwd: string) => Promise<ReadonlyMap<string, Buffer>>;
}

async function prove(
  env: Readonly<Record<string, string>>,
  { full, emptied, dump, lacking = /^import refused$/ }: Store,
): Promise<void> {
  const cwd = ownFolder();
  const [journal, TMPDIR] = [join(cwd, 'journal'), join(cwd, 'tmp')];
  for (const folder of [journal, TMPDIR]) mkdirSync(folder);
  const own = {
    ...{ ...env, SECRET_KEY_FILE: secretKeyFile(), TMPDIR, ERASURES_TO: journal },
    ...{ LOG_LEVEL: 'trace', WEBHOOK_ALLOW: '127.0.0.0/8' },
  };
  const program = programIn(cwd, own);
  const { account, secret } = await makeAccount(cwd, own);
  const rights = ['--permission', 'read', '--allow', 'erase', '--allow', 'audit'];
  const { secret: officer } = await program.newKey(account, ...rights, '--allow', 'webhooks');
  let service = await startProcess({ cwd, env: own });
  const send: Send = async (path, body, { as = secret, method, headers } = {}) => {
    const { status, text } = await call(service.url, as, path, body, { method, headers });
    assert.ok(status < 300, `${path}: ${text}`);
    return text.startsWith('{"object"') || !text.includes('\n') ? JSON.parse(text) : text;
  };
  const receiver = await startReceiver();
  await send('/v1/webhook_endpoints', { url: receiver.url, payload: 'full' }, { as: officer });

  const canaries = new Canaries();
  const stays = await makeLocation(service.url, secret, account);
  /** Of what is never written. */
  const never = new Canaries();
  const forgets = env.HISTORY_DAYS === '0';
  const all = await planted(send, { canaries, never, account, stays, forgets });
  await refused(service, never, secret, stays);
  all.push(
    ...(await imported(
      ownFolder(),
      { program, url: service.url, send },
      { canaries, location: stays, account },
    )),
  );
  await full?.();
  await until(() => receiver.received.length >= all.length);
  // The index has what came before, too.
  const last = canaries.all.find(({ where }) => where === 'console row')?.text;
  await until(async () => (await send(`/v1/search?q=${last}`)).data.length > 0);

  // What is to go can be found before.
  const before = Buffer.concat([...filesIn(cwd).values(), ...(await dump(cwd)).values()]);
  const seen = new Set(canaries.in(before));
  assert.ok(seen.size > 100, `${seen.size} of them were written`);
  const isKept = ({ where }: Canary) => !lacking.test(where);
  const others = canaries.all.filter((one) => !seen.has(one) && isKept(one));
  assert.deepEqual(others, [], 'what was never written proves nothing');
  assert.ok(canaries.in(bodiesOf(receiver)).length > 0);

  const begun = await send('/v1/erasures', { account, records: all }, { as: officer });
  const path = `/v1/erasures/${begun.unique_identifier}`;
  await send(`${path}/run`, { records: all }, { as: officer });
  const now = () => send(path, undefined, { as: officer });
  await until(async () => (await now()).status === 'done');
  const done = await now();
  assert.deepEqual([done.erased, done.left], [all.length, []]);
  const isErased = ({ body }: { body: Body }) => body.type.endsWith('.erased');
  await until(() => receiver.received.filter(isErased).length >= all.length);
  const told = receiver.received.length;

  const answers: Record<string, string> = { certificate: '', audit: '', changes: '' };
  for (const [name, where] of [
    ['erasure', path],
    ['certificate', `${path}/certificate`],
    ['audit', '/v1/audit?limit=1000'],
    ['changes', '/v1/changes?limit=1000'],
    ...records.map((one) => [one.path, `/v1/${one.path}?limit=1000`]),
  ] as const) {
    const of = /erasures|audit/.test(where) ? { as: officer } : {};
    answers[name] = JSON.stringify(await send(where, undefined, of));
  }
  const first = await service.stop();
  if (env.DATABASE_URL === undefined) assert.equal((await program.run('compact')).code, 0);
  await emptied?.();
  const nightly = join(cwd, 'nightly');
  mkdirSync(nightly);
  assert.equal((await program.run('backup', `${nightly}/`)).code, 0);

  // A folder that follows the store from now on: a whole backup, and what comes after.
  const moments = join(cwd, 'moments');
  const following = { ...own, BACKUP_TO: moments, BACKUP_EVERY: '1s' };
  service = await startProcess({ cwd, env: following });
  const increments = () =>
    existsSync(moments) ? readdirSync(moments).filter((name) => !/whole|erasures/.test(name)) : [];
  await until(() => existsSync(moments) && readdirSync(moments).length > 0);
  const count = increments().length;
  await makeLocation(service.url, secret, account, 'later');
  await until(() => increments().length > count);
  await until(() => readdirSync(moments).some((name) => name.includes('whole')));
  const second = await service.stop();
  await receiver.close();

  const printed = [first, second].map(({ stdout, stderr }) => stdout + stderr).join();
  const places = new Map([
    ...filesIn(cwd),
    ...(await dump(cwd)),
    ['output', Buffer.from(printed)] as const,
    ['webhooks', bodiesOf(receiver, told)] as const,
    ...Object.entries(answers).map(([name, text]) => [name, Buffer.from(text)] as const),
  ]);
  const left = [...places].flatMap(([place, bytes]) =>
    [...canaries.in(bytes), ...never.in(bytes)].map(({ where }) => `${place}: ${where}`),
  );
  assert.deepEqual(left, []);
  const files = [...filesIn(cwd).keys()];
  assert.ok(files.length > 5);
  const more = files.filter((file) => !isClassed(file));
  assert.deepEqual(more, [], 'class it in scripts/reference/personal-files.ts');
}

/** Whether the list of what is known of people names a file of the service's folder. */
function isClassed(file: string): boolean {
  const [, beside] = /^data\/ledgerstone\.db(.*)$/.exec(file) ?? [];
  return beside === undefined
    ? OTHER_FILES.some(({ pattern }) => pattern.test(basename(file)))
    : STORE_FILES.some(({ pattern }) => pattern.test(beside));
}

const bodiesOf = ({ received }: Pick<Receiver, 'received'>, from = 0): Buffer =>
  Buffer.from(pluck(received.slice(from), 'text').join());

/** Records of every resource, sent, changed and removed in every way; gives their unique identifiers. */
async function planted(
  send: Send,
  {
    canaries,
    never,
    account,
    stays,
    forgets,
  }: { canaries: Canaries; never: Canaries; account: string; stays: string; forgets: boolean },
): Promise<string[]> {
  const all: string[] = [];
  const parents = new Map([['account', account]]);
  for (const resource of records) {
    const { path, parentParam = '', parent } = resource;
    const row = (where: string) => ({
      [parentParam]: parents.get(parent?.name ?? ''),
      external_identifier: canaries.word(`${path} ${where} external_identifier`),
      ...canaries.body(resource),
    });
    const named = (where: string) => ({ 'Idempotency-Key': never.word(`${path} ${where} key`) });
    const single = await send(`/v1/${path}/upsert`, row('single'), { headers: named('single') });
    const array = await send(`/v1/${path}/upsert_many`, [row('array'), row('array')], {
      headers: named('array'),
    });
    const lines = await send(
      `/v1/${path}/upsert_many`,
      `${JSON.stringify(row('lines'))}\n${JSON.stringify(row('lines'))}\n`,
      { headers: { 'Content-Type': 'application/x-ndjson' } },
    );
    const ids: string[] = [
      single.unique_identifier,
      ...array.data.map((one: Body) => one.unique_identifier),
      ...[...lines.matchAll(/"unique_identifier":"(\w+)"/g)].map(([, id]: string[]) => id),
    ];
    assert.equal(ids.length, 5);
    for (const id of ids)
      await send(`/v1/${path}/${id}`, canaries.body(resource), {
        method: 'PATCH',
        headers: named('patch'),
      });
    await send(`/v1/${path}/${ids.at(-1)}`, undefined, { method: 'DELETE' });
    parents.set(resource.name, ids[0] ?? '');
    // The last is removed: nothing is kept of it, and so it cannot be erased.
    all.push(...(forgets ? ids.slice(0, -1) : ids));
  }
  all.push(await redacted(send, canaries, stays));
  return all;
}

/** A service that stays without its person, since somebody else belongs to it. */
async function redacted(send: Send, canaries: Canaries, stays: string): Promise<string> {
  const event = records.find(({ name }) => name === 'event') as Resource;
  const { unique_identifier } = await send('/v1/events/upsert', {
    location_unique_identifier: stays,
    external_identifier: canaries.word('redacted external_identifier'),
    ...canaries.body(event),
  });
  await send(`/v1/${BELOW}/upsert`, visitorBody(unique_identifier, 'stays'));
  return unique_identifier;
}

/** What was never taken. */
async function refused(
  { url }: RunningService,
  canaries: Canaries,
  secret: string,
  location_unique_identifier: string,
): Promise<void> {
  for (const resource of records) {
    const body = {
      ...{ location_unique_identifier, external_identifier: canaries.word('refused') },
      ...canaries.body(resource),
      [canaries.word('refused')]: canaries.word('refused'),
    };
    for (const name of Object.keys(body)) {
      const path = `/v1/${resource.path}/upsert?${canaries.word('refused')}`;
      const wrong = { ...body, [name]: [canaries.word('refused')] };
      const { status, text } = await call(url, secret, path, wrong);
      assert.equal(status, 400, text);
    }
  }
}

/** Rows of files, some of which are refused, by the command line and by the console; gives the records of those that were taken. */
async function imported(
  folder: string,
  { program, url, send }: { program: ReturnType<typeof programIn>; url: string; send: Send },
  { canaries, location, account }: { canaries: Canaries; location: string; account: string },
): Promise<string[]> {
  const names = ['external_identifier', 'location_unique_identifier', 'person_full_name'];
  const header = [...names, 'person_phone_number', 'cart_summary'];
  /** A row that is taken, and another of the same person that is refused. */
  const fileOf = (where: string) => {
    const id = canaries.word(`${where} external_identifier`);
    const name = `${canaries.word(`${where} row`)} Doe`;
    const row = (phone: string, cart: string) => [id, location, name, phone, cart].join();
    return [
      header.join(),
      row(canaries.phone(`${where} row`), canaries.word(`${where} row`)),
      row('none', canaries.word(`${where} refused`)),
      '',
    ].join('\n');
  };
  const file = join(folder, 'online_arrangements.csv');
  writeFileSync(file, fileOf('import'));
  const { stdout, stderr } = await program.run('import', file, '--account', account);
  assert.match(stdout + stderr, /1 created/);

  const { link } = await program.json<{ link: string }>(
    ...['staff', 'invite', '--email', 'a@example.com', '--role', 'editor', '--account', account],
  );
  const redeemed = await fetch(`${url}/console/api/invitations/redeem`, {
    method: 'POST',
    headers: { ...OWN, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: link.slice(link.lastIndexOf('/') + 1), password: PASSWORD }),
  });
  assert.equal(redeemed.status, 200, await redeemed.text());
  const Cookie = redeemed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const map = Object.fromEntries(header.map((name) => [name, name]));
  const sent = await fetch(`${url}/console/api/v1/uploads?name=arrangements.csv`, {
    method: 'POST',
    headers: { ...OWN, Cookie, 'Content-Type': 'application/octet-stream' },
    body: fileOf('console'),
  });
  const { unique_identifier: upload } = (await sent.json()) as { unique_identifier: string };
  const brought = await fetch(`${url}/console/api/v1/imports`, {
    method: 'POST',
    headers: { ...OWN, Cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ upload, resource: 'online_arrangements', map }),
  });
  assert.match(await brought.text(), /"created":1/);
  const { data } = await send(`/v1/online_arrangements?location_unique_identifier=${location}`);
  assert.equal(data.length, 2);
  return data.map((one: Body) => one.unique_identifier);
}

describe('All that was known of erased people is gone', () => {
  const dump = async (cwd: string) => rowsOf(join(cwd, 'data', 'ledgerstone.db'));

  it('from a SQLite store, and all that the service writes beside it', () => prove({}, { dump }));

  it('where no history is kept, and no read is audited', withAll, () =>
    prove({ HISTORY_DAYS: '0', AUDIT_READS: 'off' }, { dump, lacking: /./ }),
  );
});

await onPostgres(({ name, url }) =>
  describe(`All that was known of erased people is gone on ${name}`, () => {
    it('from its tables, what it has learned of them, and its files', withAll, async (test) => {
      const empty = await emptyDatabase(url);
      const own = new Client(new URL(`/${empty.database}`, url).href);
      // It is ended with its database.
      own.on('error', () => {});
      await own.connect();
      await prove(empty.env, {
        full: () => own.query('ANALYZE'),
        // What docs/postgresql.md says.
        emptied: async () => {
          await own.query('DELETE FROM pg_statistic');
          await own.query('ANALYZE');
          await until(async () => (await own.query(OTHERS)).rowCount === 0);
          for (const text of ['VACUUM FULL', 'CHECKPOINT']) await own.query(text);
        },
        dump: async () => new Map([...(await dumped(own)), ...written(test, empty.env)]),
      });
    });
  }),
);

/** The rows of a file and of its index as text. */
function rowsOf(path: string): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const file of [path, searchFile(path)]) {
    const database = new DatabaseSync(file, { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      const rows = database.prepare(`SELECT * FROM "${name}"`).all();
      found.set(`table ${name}`, Buffer.from(rows.flatMap(Object.values).join('\n')));
    }
    database.close();
  }
  return found;
}

/** What its own program writes of it, if this machine has one that is no older than the server. */
function written(
  test: TestContext,
  { DATABASE_URL }: Readonly<Record<string, string>>,
): ReadonlyMap<string, Buffer> {
  for (const program of ['pg_dump', ...globSync('/usr/lib/postgresql/*/bin/pg_dump')]) {
    const { status, stdout } = spawnSync(program, [`${DATABASE_URL}`], { maxBuffer: 2 ** 30 });
    if (status === 0) return new Map([['pg_dump', stdout]]);
  }
  test.diagnostic('no pg_dump here can read this server');
  return new Map();
}

/** Its rows as text, and the bytes of its files. */
async function dumped(client: Client): Promise<ReadonlyMap<string, Buffer>> {
  const { rows: tables } = await client.query(
    `SELECT c.oid::regclass::text AS name, pg_relation_filepath(c.oid) AS path, c.relkind AS kind,
       current_setting('data_directory') AS folder
     FROM pg_class AS c WHERE relkind IN ('r', 'i', 't') AND pg_relation_filepath(c.oid) IS NOT NULL`,
  );
  const found = new Map<string, Buffer>();
  for (const { name, path, kind, folder } of tables) {
    if (existsSync(join(folder, path)))
      found.set(`file of ${name}`, readFileSync(join(folder, path)));
    if (kind !== 'r' || String(name).startsWith('pg_')) continue;
    const { rows } = await client.query(`SELECT t::text AS text FROM ${name} AS t`);
    found.set(`table ${name}`, Buffer.from(rows.map(({ text }) => text).join('\n')));
  }
  return found;
}

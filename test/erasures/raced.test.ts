/** 64 writers send records of people while two processes erase them: what was erased stays so, once. */
// needs: both stores with --all, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL, withAll } from '../support/all.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { connect, type Received } from '../support/cli-request.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { onPostgres } from '../support/store-postgres.ts';

const ROUNDS = ALL ? 6 : 2;
const WRITERS = 64;
const PEOPLE = 16;
const VISITORS = '/v1/event_check_in_records';

interface Race {
  readonly urls: readonly string[];
  readonly account: string;
  readonly location: string;
  readonly secret: string;
  readonly officer: string;
  /** Erases by another process than the first. */
  run(erasure: string, records: readonly string[]): Promise<unknown>;
}

async function set(store: Readonly<Record<string, string>>, services: number): Promise<Race> {
  const cwd = ownFolder();
  const env = { ...store, SECRET_KEY_FILE: secretKeyFile() };
  const { account, secret } = await makeAccount(cwd, env);
  const program = programIn(cwd, env);
  const rights = ['--permission', 'read', '--allow', 'erase'];
  const { secret: officer } = await program.newKey(account, ...rights);
  const urls: string[] = [];
  for (let at = 0; at < services; at += 1) urls.push((await startProcess({ cwd, env })).url);
  const [first = '', second] = urls;
  const location = await makeLocation(first, secret, account, 'home');
  const run: Race['run'] =
    second === undefined
      ? (erasure) => program.json('erasures', 'run', erasure, '--all', '--yes')
      : (erasure, records) => ok(second, officer, `/v1/erasures/${erasure}/run`, { records });
  return { urls, account, location, secret, officer, run };
}

async function ok(url: string, key: string, path: string, body?: object): Promise<Body> {
  const { status, text } = await call(url, key, path, body);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

async function raced(race: Race): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await racedOnce(race, round);
}

async function racedOnce(race: Race, round: number): Promise<void> {
  const { urls, account, location, secret, officer } = race;
  const [url = ''] = urls;
  const { position } = await ok(url, secret, '/v1/changes?starting_after=now');
  const service = eventBody(location, `case ${round}`);
  const { unique_identifier: event } = await ok(url, secret, '/v1/events/upsert', service);
  const row = (nth: number, name = 'Nora Lane') =>
    visitorBody(event, `visitor ${nth % PEOPLE}`, { visitor_full_name: name });
  const all = Array.from({ length: PEOPLE }, (_, nth) => row(nth));
  const { data } = await ok(url, secret, `${VISITORS}/upsert_many`, all);
  const records: string[] = data.map((one: Body) => one.unique_identifier);
  const { unique_identifier: id } = await ok(url, officer, '/v1/erasures', { account, records });

  let isErased = false;
  const late: string[] = [];
  const outcomes = new Set<string>();
  const write = async (nth: number): Promise<void> => {
    const connection = connect(urls[nth % urls.length] ?? '', secret, 1);
    const wanted = isLate(late, outcomes);
    // Each sends once more when all is erased.
    for (let count = nth, after = false; !after; count += 1) {
      after = isErased;
      const sent = row(count, `${nth} ${count}`);
      // Each fourth writer sends arrays.
      const answer = await (nth % 4 === 0
        ? connection.upsert(`${VISITORS}/upsert_many`, [sent])
        : connection.upsert(`${VISITORS}/upsert`, sent));
      wanted(answer, after);
    }
    connection.close();
  };
  const writers = Array.from({ length: WRITERS }, (_, nth) => write(nth));
  await Promise.all([
    ok(url, officer, `/v1/erasures/${id}/run`, { records }),
    race.run(id, records),
  ]);
  isErased = true;
  await Promise.all(writers);

  assert.deepEqual(late, []);
  assert.ok(outcomes.has('record_erased') || outcomes.has('erased'), [...outcomes].join());
  assert.ok(!outcomes.has('created'), [...outcomes].join());
  for (const one of urls) {
    const list = await ok(one, secret, `${VISITORS}?event_unique_identifier=${event}`);
    assert.deepEqual([list.data, list.erased], [[], PEOPLE]);
    assert.equal((await ok(one, secret, `${VISITORS}/upsert_many`, all)).summary.erased, PEOPLE);
    assert.equal((await call(one, secret, `${VISITORS}/${records[0]}`)).status, 410);
  }
  assert.equal((await ok(url, officer, `/v1/erasures/${id}`)).erased, PEOPLE);
  const ends = new Map(records.map((record) => [record, [] as string[]]));
  for (let from = position, more = true; more; ) {
    const page = await ok(url, secret, `/v1/changes?limit=1000&starting_after=${from}`);
    for (const { record, outcome } of page.data)
      if (outcome !== 'updated') ends.get(record)?.push(outcome);
    [from, more] = [page.position, page.has_more];
  }
  for (const told of ends.values()) assert.deepEqual(told, ['created', 'deleted', 'erased']);
}

/** Notes what an answer says, and whether it takes what was erased before it was asked for. */
function isLate(late: string[], outcomes: Set<string>) {
  return ({ status, headers, text }: Received, after: boolean): void => {
    const body = JSON.parse(text);
    const outcome: string =
      body.data?.[0].outcome ?? headers['ledgerstone-outcome'] ?? body.error?.code;
    outcomes.add(outcome);
    if (after && outcome !== 'erased' && outcome !== 'record_erased')
      late.push(`${status} ${outcome}`);
  };
}

describe('People who are erased while others send them', () => {
  it('stay erased beside a command that erases, too', async () => raced(await set({}, 1)));
});

await onPostgres(({ name, url }) =>
  describe(`People who are erased while others send them on ${name}`, () => {
    it('stay erased in two services', withAll, async () => {
      const { env } = await emptyDatabase(url);
      await raced(await set(env, 2));
    });
  }),
);

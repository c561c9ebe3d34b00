/** `kill -9` of the service in the middle of a run of a retention rule: it comes to its end, and each removal is counted once. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readSettings } from '../../src/core/config.ts';
import { issueKey } from '../../src/records/auth/issue-key.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, type Start } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import type { Body } from '../support/service.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

const EVENTS = 600;
const GUESTS = 120;
const KILLS = 2;

async function killed(t: TestContext, env: Start['env']): Promise<void> {
  const cwd = ownFolder(t);
  const SECRET_KEY_FILE = join(cwd, 'secret-key');
  writeFileSync(SECRET_KEY_FILE, `${randomBytes(32).toString('base64')}\n`);
  const all = {
    ...{ DATABASE_URL: `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`, SECRET_KEY_FILE },
    ...env,
  };
  const { account, secret } = await makeAccount(cwd, all);
  const store = await openStoreAlone(readSettings({}, all), { create: false });
  const limits = { accounts: [account], permissions: ['read'], allow: ['erase'] } as const;
  const { secret: officer } = await issueKey(store.keys, false, limits);
  await store.close();
  let service = await startProcess(t, { cwd, env: all });
  const send = async (path: string, body?: object | null, key = secret): Promise<Body> => {
    const answer = await fetch(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as Body;
  };
  const location = await makeLocation(service.url, secret, account, 'home');
  const many = async (path: string, rows: readonly object[]) => {
    const { summary } = await send(`/v1/${path}/upsert_many`, rows);
    assert.equal(summary.failed, 0);
  };
  await many(
    'events',
    Array.from({ length: EVENTS }, (_, at) => ({
      ...{ location_unique_identifier: location, external_identifier: `service ${at}` },
      ...{ event_name: 'A service', event_datetime: '2019-03-20T14:30:00Z' },
    })),
  );
  await many(
    'event_check_in_records',
    Array.from({ length: GUESTS }, (_, at) => ({
      ...{ location_unique_identifier: location, event_external_identifier: `service ${at % 2}` },
      ...{ external_identifier: `guest ${at}`, visitor_full_name: 'Nora Lane' },
      visitor_phone_number: '+12175550153',
    })),
  );
  const rule = await send(
    '/v1/retention_rules',
    {
      ...{ account, resource: 'event', after_days: 365, since: 'event_datetime' },
      basis: 'policy',
    },
    officer,
  );
  const path = `/v1/retention_rules/${rule.unique_identifier}`;
  await send(`${path}/preview`, null, officer);
  const isReady = async () => (await send(path, undefined, officer)).preview.status === 'ready';
  await until(isReady, 240_000);
  const enabled = await send(`${path}/enable`, null, officer);
  assert.equal(enabled.status, 'enabled', JSON.stringify(enabled));
  const runs = async (): Promise<Body[]> => (await send(`${path}/runs`, undefined, officer)).data;
  let kills = 0;
  for (let seen = 0; kills < KILLS; kills += 1) {
    await until(async () => ((await runs())[0]?.removed ?? 0) > seen, 240_000);
    const [run] = await runs();
    if (run?.status !== 'running') break;
    seen = run.removed;
    await service.stop('SIGKILL');
    service = await startProcess(t, { cwd, env: all });
  }
  assert.ok(kills > 0, 'it was killed while it ran');
  await until(async () => (await runs())[0]?.status === 'done', 240_000);
  const [run, ...others] = await runs();
  assert.deepEqual(others, [], 'the same run went on');
  assert.deepEqual([run?.goes, run?.removed], [EVENTS + GUESTS, EVENTS + GUESTS]);
  for (const what of ['events', 'event_check_in_records']) {
    assert.deepEqual((await send(`/v1/${what}?limit=1`)).data, []);
  }
  const gone: string[] = [];
  for (let after: string | null = null; ; ) {
    const query: string = after === null ? '' : `&starting_after=${after}`;
    const page = await send(`/v1/changes?limit=1000${query}`);
    for (const { outcome, record } of page.data) if (outcome === 'deleted') gone.push(record);
    if (!page.has_more) break;
    after = page.data.at(-1).unique_identifier;
  }
  assert.equal(gone.length, new Set(gone).size, 'each is deleted once');
  assert.equal(gone.length, EVENTS + GUESTS);
}

describe('A run of a retention rule', () => {
  it('goes on after each kill, on SQLite', (t) => killed(t, {}));
});

await onPostgres(({ name, url }) => {
  describe(`A run of a retention rule on ${name}`, () => {
    it('goes on after each kill', async (t) => killed(t, (await emptyDatabase(t, url)).env));
  });
});

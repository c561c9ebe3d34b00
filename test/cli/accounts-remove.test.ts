/** An account of many records is removed beside others' upserts, in small pieces, also where it is killed in the middle. */
// needs: --ci, program
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ALL } from '../support/all.ts';
import { filesIn } from '../support/canaries.ts';
import { onEachStore } from '../support/cli-postgres.ts';
import { type AccountJson, finish, ownFolder, programIn, start } from '../support/cli-program.ts';
import { call, refusedWithinASecond, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { pluck } from '../support/pluck.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import { tablesHolding } from '../support/tables-holding.ts';
import { until } from '../support/until.ts';

const RECORDS = ALL ? 50_000 : 12_000;
/** Stands in what the account holds and nowhere else. */
const MARK = 'Rosenkranz';
const MOST_LOG = 64 * 1024 * 1024;

type Account = AccountJson & { readonly becomes?: string };

await onEachStore((findStore) => {
  it('accounts remove takes everything of an account', async () => {
    const cwd = ownFolder();
    const SECRET_KEY_FILE = secretKeyFile();
    const env: Readonly<Record<string, string>> = { ...(await findStore()), SECRET_KEY_FILE };
    const { DATABASE_URL = `sqlite:${join(cwd, 'data', 'ledgerstone.db')}` } = env;
    const { secret, account: own } = await makeAccount(cwd, env);
    const { run, ok, json, fails } = programIn(cwd, env);
    const { unique_identifier: account } = await json<Account>(
      ...['accounts', 'create', '--name', MARK],
    );
    const key = await json<{ secret: string; key: { unique_identifier: string } }>(
      ...['keys', 'create', '--account', account, '--name', MARK],
      ...['--allow', 'requests', '--allow', 'webhooks'],
    );
    const invited = ['staff', 'invite', '--email', `${MARK}@example.com`, '--role', 'viewer'];
    assert.equal((await run(...invited, '--account', account)).code, 0);
    const service = await startProcess({ cwd, env });
    const { url } = service;
    const ours = await makeLocation(url, secret, own);
    const theirs = await makeLocation(url, key.secret, account);
    await fill(url, key.secret, theirs);
    const hold = await named(ownFolder(), { run, json }, { url, account, key: key.secret });

    let upserts = 0;
    let over = false;
    let log = 0;
    const others = Array.from({ length: 4 }, async (_, worker) => {
      while (!over) {
        const { status, text } = await call(
          url,
          secret,
          '/v1/events/upsert',
          eventBody(ours, `${worker}-${upserts++}`),
        );
        assert.equal(status, 200, text);
        if (env.DATABASE_URL !== undefined) continue;
        log = Math.max(log, statSync(join(cwd, 'data', 'ledgerstone.db-wal')).size);
      }
    });
    const words = ['accounts', 'delete', account, '--confirm', MARK];
    assert.match(await fails(...words), /is open\. Close it first/);
    assert.equal((await run('accounts', 'close', account)).code, 0);
    assert.match(await fails(...words.slice(0, -1), 'other'), /not the name of the account/);
    assert.match(await fails(...words), /hld_/, 'what is held is not removed');
    assert.equal((await run('holds', 'release', hold, '--reason', MARK)).code, 0);
    const child = start(words, { cwd, env }, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = finish(child);
    const listed = async () =>
      (await json<Account[]>('accounts', 'list')).find((one) => one.unique_identifier === account);
    await until(async () => (await listed())?.becomes === 'gone');
    child.kill('SIGKILL');
    assert.equal((await ended).signal, 'SIGKILL', 'in the middle of it');
    await refusedWithinASecond(async () => (await call(url, key.secret, '/v1/events')).status);
    assert.match(
      (await tablesHolding(DATABASE_URL, [MARK])).join(),
      /event/,
      'not everything is gone',
    );
    const wrong = await fails('accounts', 'reopen', account);
    assert.match(wrong, /is being emptied, .* accounts delete acct_/);
    assert.equal((await call(url, key.secret, '/v1/events')).status, 401);

    assert.match(await ok(...words), /^Deleted the account acct_\w+, Rosenkranz/);
    over = true;
    await Promise.all(others);
    assert.ok(upserts > 50, 'others went on');
    assert.ok(log < MOST_LOG, `the log had ${log} bytes`);
    assert.equal(await listed(), undefined);
    const texts = [MARK, account, theirs];
    // The audit says who removed it.
    const stays = ['refused_request', 'audit_entry'];
    const left = async () =>
      (await tablesHolding(DATABASE_URL, texts)).filter((one) => !stays.includes(one));
    await until(async () => (await left()).length === 0).catch(async () =>
      assert.deepEqual(await left(), []),
    );
    const marked = await tablesHolding(DATABASE_URL, [MARK]);
    assert.deepEqual(marked, [], 'what stays has identifiers alone');
    const { status, text } = await call(url, secret, '/v1/events?limit=1');
    assert.equal(status, 200, text);
    const stopped = await service.stop();
    if (env.DATABASE_URL === undefined) assert.equal((await run('compact')).code, 0);
    const files = [
      ...filesIn(cwd),
      ['output', Buffer.from(stopped.stdout + stopped.stderr)] as const,
    ];
    const more = files.flatMap(([file, bytes]) => (bytes.includes(MARK) ? [file] : []));
    assert.deepEqual(more, []);
    assert.deepEqual((await json<{ ok: boolean; faults: readonly string[] }>('verify')).faults, []);
  });
});

/** All else that is named after it, and a hold. */
async function named(
  folder: string,
  { run, json }: Pick<ReturnType<typeof programIn>, 'run' | 'json'>,
  { url, account, key }: { readonly url: string; readonly account: string; readonly key: string },
): Promise<string> {
  const of = ['--account', account];
  const file = join(folder, `${MARK}.csv`);
  const rows = [`${MARK} file,${account},${MARK}`, `${MARK} refused,${account},`];
  const header = 'external_identifier,account_unique_identifier,location_name';
  writeFileSync(file, `${[header, ...rows].join('\n')}\n`);
  const imported = await run('import', file, '--resource', 'locations', ...of);
  assert.match(imported.stdout + imported.stderr, /1 created/);
  const endpoint = { url: `https://${MARK}.example.com/`, description: MARK };
  assert.equal((await call(url, key, '/v1/webhook_endpoints', endpoint)).status, 200);
  const rule = ['--resource', 'event', '--counted-from', 'event_datetime', '--after', '3y'];
  const done = [
    await run('retention', 'create', ...of, ...rule, '--basis', MARK),
    await run('erasures', 'create', ...of, '--phone', '+14155550199', '--reference', MARK),
  ];
  assert.deepEqual(pluck(done, 'code'), [0, 0], JSON.stringify(done));
  const held = ['--record', account, '--matter', MARK];
  const placed = await json('holds', 'place', ...of, ...held);
  return placed.unique_identifier;
}

async function fill(url: string, secret: string, location: string): Promise<void> {
  const lines = Array.from({ length: RECORDS }, (_, nth) =>
    JSON.stringify(eventBody(location, `${MARK} ${nth}`, { event_name: `${MARK} ${nth}` })),
  );
  const many = await call(url, secret, '/v1/events/upsert_many', `${lines.join('\n')}\n`, {
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
  assert.ok(many.text.split('\n').filter((one) => one !== '').length >= RECORDS);
  const event = eventBody(location, `${MARK} 0`, { event_name: `${MARK} once more` });
  const headers = { 'Idempotency-Key': MARK };
  const sent = await call(url, secret, '/v1/events/upsert', event, { headers });
  const { unique_identifier } = JSON.parse(sent.text);
  const refused = await call(url, secret, '/v1/events/upsert', { ...event, event_name: '' });
  assert.equal(refused.status, 400);
  const path = `/v1/events/${unique_identifier}`;
  const removed = await call(url, secret, path, undefined, { method: 'DELETE' });
  assert.equal(removed.status, 200);
}

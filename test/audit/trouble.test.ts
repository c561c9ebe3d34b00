/** The audit in trouble: on a full disk nothing happens that it would have first, and a killed process leaves its chains whole. */
// needs: both stores with --all, program, waits
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { OWN, PASSWORD, tokenIn } from '../support/console.ts';
import { pluck } from '../support/pluck.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { serviceGround, storeEnv } from '../support/service-ground.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const VISITORS = '/v1/event_check_in_records';

/** A service with a person who is signed in, a key with each right, and a visitor. */
async function scene(cwd: string, more: Readonly<Record<string, string>> = {}) {
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { ...more, SECRET_KEY_FILE };
  const program = programIn(cwd, env);
  const { account, secret: key } = await makeAccount(cwd, env);
  const allowed = ['audit', 'erase', 'hold'].flatMap((right) => ['--allow', right]);
  const made = await program.newKey(account, '--permission', 'read', ...allowed);
  const service: RunningService[] = [await startProcess({ cwd, env })];
  const send = async (
    path: string,
    body?: object,
    { as = key, ...more }: { as?: string; method?: string; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; text: string; body: Body }> => {
    const { status, text } = await call(service[0]?.url ?? '', as, path, body, more);
    const [line = ''] = text.split('\n');
    return { status, text, body: line.startsWith('{') ? JSON.parse(line) : {} };
  };
  const { link } = await program.json<{ link: string }>(
    ...['staff', 'invite', '--email', 'a@example.com', '--role', 'editor', '--account', account],
  );
  const redeemed = await fetch(`${service[0]?.url}/console/api/invitations/redeem`, {
    method: 'POST',
    headers: { ...OWN, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: tokenIn(link), password: PASSWORD }),
  });
  assert.equal(redeemed.status, 200, await redeemed.text());
  const person = {
    ...OWN,
    Authorization: '',
    Cookie: redeemed.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
  const byPerson = (path: string, body?: object, more: Record<string, string> = {}) =>
    send(`/console/api${path}`, body, { headers: { ...person, ...more } });
  const location = await makeLocation(service[0]?.url ?? '', key, account);
  const event = await send('/v1/events/upsert', eventBody(location, 'service'));
  const visits: string[] = [];
  for (const name of ['Ida', 'Leo', 'Max', 'Nora']) {
    const more = { visitor_full_name: `${name} Thornbury` };
    const visit = visitorBody(event.body.unique_identifier, name, more);
    const { body } = await send(`${VISITORS}/upsert`, visit);
    visits.push(body.unique_identifier);
  }
  const entries = async (query = ''): Promise<Body[]> =>
    (await send(`/v1/audit?limit=1000&${query}`, undefined, { as: made.secret })).body.data;
  const restart = async (): Promise<void> => {
    await service[0]?.stop('SIGKILL');
    service[0] = await startProcess({ cwd, env });
  };
  const verified = (...words: readonly string[]) => program.ok('audit', 'verify', ...words);
  return {
    ...{ account, officer: made.secret, program, send, byPerson, location, visits },
    ...{ entries, restart, verified, stop: () => service[0]?.stop('SIGKILL') },
  };
}

it('exports, erasures, holds and regions do not happen on a full disk, and reads wait for room', async (t) => {
  const cwd = ownFolder();
  const disk = mountSmallDisk(cwd, 48);
  if (disk === undefined) return t.skip('only root can mount a disk of its own');
  let stop: (() => unknown) | undefined;
  try {
    const one = await scene(cwd);
    stop = one.stop;
    const { account, officer, send, byPerson, location, visits, entries } = one;
    const [record = ''] = visits;
    const begun = await send('/v1/erasures', { account, records: [record] }, { as: officer });
    const path = `/v1/erasures/${begun.body.unique_identifier}`;
    await until(
      async () => (await send(path, undefined, { as: officer })).body.looked === 'everywhere',
    );
    await until(async () => (await entries('action=sign_in')).length > 0);
    const before = (await entries()).map(({ unique_identifier }) => unique_identifier);
    // While somebody reads, nothing in the log of the file makes room.
    const reader = new DatabaseSync(join(cwd, 'data', 'ledgerstone.db'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM audit_entry').get();
    disk.fill();
    const refused = [
      await send(`/v1/locations/${location}/settings`, { region: 'East' }, { method: 'PATCH' }),
      await byPerson('/exports', { resources: ['event_check_in_records'], format: 'csv' }),
      await byPerson(VISITORS, undefined, { Accept: 'text/csv' }),
      await send(`${path}/copy`, undefined, { as: officer }),
      await send(`${path}/run`, { records: [record] }, { as: officer }),
      await send('/v1/holds', { account, record, matter: 'A' }, { as: officer }),
    ];
    for (const { status, text } of refused) {
      assert.equal(status, 503, text);
      assert.doesNotMatch(text, /Thornbury/);
    }
    const read = await byPerson(`${VISITORS}/${visits[1]}`);
    assert.equal(read.status, 200, read.text);
    disk.makeRoom();
    reader.close();
    await until(async () => (await entries(`record=${visits[1]}`)).length === 1);
    const known = new Set(before);
    const added = (await entries()).filter((one) => !known.has(one.unique_identifier));
    assert.deepEqual(pluck(added, 'action'), ['read']);
    assert.equal((await send(`${VISITORS}/${record}`)).status, 200, 'it is not erased');
    assert.deepEqual((await send('/v1/holds', undefined, { as: officer })).body.data, []);
    assert.equal((await send(`/v1/locations/${location}/settings`)).body.region, null);
    await one.verified();
  } finally {
    await stop?.();
    disk.unmount();
  }
});

it('a killed process loses what waits alone: what the audit had shown stays, in whole chains', async () => {
  const cwd = ownFolder();
  const ground = await serviceGround();
  const one = await scene(cwd, storeEnv(ground));
  const { visits, byPerson, entries } = one;
  for (const [at, record] of visits.entries()) {
    assert.equal((await byPerson(`${VISITORS}/${record}`)).status, 200);
    // The last ones are killed on their way.
    if (at < 2) await until(async () => (await entries(`record=${record}`)).length === 1);
  }
  const shown = await entries();
  const head = await one.program.run('audit', 'head');
  writeFileSync(join(cwd, 'head'), head.stdout);
  await one.restart();
  const now = new Map((await entries()).map((each) => [each.unique_identifier, each]));
  for (const each of shown) assert.deepEqual(now.get(each.unique_identifier), each);
  await one.verified('--head', 'head');
  const [, , , record] = visits;
  await byPerson(`${VISITORS}/${record}`);
  await until(async () => (await entries(`record=${record}`)).length > 0);
  await one.verified('--head', 'head');
});

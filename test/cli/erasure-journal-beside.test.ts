/** A SQLite store writes its journal beside itself, without a setting: whatever brings an older store back, who was erased stays erased. */
// needs: program
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const PATH = '/v1/event_check_in_records';

it('stays erased after each way back, with no setting', async () => {
  const cwd = ownFolder();
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { SECRET_KEY_FILE };
  const program = programIn(cwd, env);
  const { account, secret } = await makeAccount(cwd, env);
  const data = join(cwd, 'data');
  const backups = join(cwd, 'nightly');
  mkdirSync(backups);
  let service = await serveHere({ cwd, env });
  const ok = async (path: string, body?: object) => {
    const { status, text } = await call(service.url, secret, path, body);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const location = await makeLocation(service.url, secret, account, 'home');
  const { unique_identifier: event } = await ok('/v1/events/upsert', {
    ...{ location_unique_identifier: location, external_identifier: 'e', event_name: 'E' },
    event_datetime: '2027-03-20T14:30:00Z',
  });
  const [ida, leo] = await Promise.all(
    ['Ida', 'Leo'].map(async (name): Promise<string> => {
      const sent = { event_unique_identifier: event, external_identifier: name };
      const more = { visitor_full_name: name, visitor_phone_number: '+14155550100' };
      return (await ok(`${PATH}/upsert`, { ...sent, ...more })).unique_identifier;
    }),
  );
  await service.stop();
  const before = join(cwd, 'before.db');
  copyFileSync(join(data, 'ledgerstone.db'), before);
  const { file } = await program.json<{ file: string }>('backup', `${backups}/`);
  assert.ok(!readdirSync(backups).includes('erasures.ndjson'), 'nobody was erased yet');

  service = await serveHere({ cwd, env });
  const { unique_identifier: id } = await program.json(
    ...['erasures', 'create', '--account', account, '--record', ida ?? ''],
  );
  const done = await program.json<{ status: string }>('erasures', 'run', id, '--all', '--yes');
  assert.equal(done.status, 'done');
  const journal = readFileSync(join(data, 'erasures.ndjson'), 'utf8');
  assert.equal(journal.split('\n').length, 2);

  const emptied = (): void => {
    for (const name of readdirSync(data))
      if (name !== 'erasures.ndjson') rmSync(join(data, name), { recursive: true });
  };
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'the file of before': async () => copyFileSync(before, join(data, 'ledgerstone.db')),
    'a backup of before': () => program.run('restore', file),
    'a copy of before': () => program.run('restore', before),
  };
  for (const [way, goBack] of Object.entries(ways)) {
    await service.stop();
    emptied();
    await goBack();
    service = await serveHere({ cwd, env });
    const statusOf = async (one = '') => (await call(service.url, secret, `${PATH}/${one}`)).status;
    // Nothing is served before the journal is applied.
    await until(async () => (await statusOf(leo)) !== 503);
    assert.deepEqual([await statusOf(ida), await statusOf(leo)], [410, 200], way);
    assert.equal(readFileSync(join(data, 'erasures.ndjson'), 'utf8'), journal, way);
  }
  await service.stop();
});

/** Operators see the audit on the command line, and are in it; it is whole after a restore. */
// needs: program, both stores with --all

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { programIn, start } from '../support/cli-program.ts';
import { call } from '../support/cli-service.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { serviceGround, storeEnv } from '../support/service-ground.ts';
import { until } from '../support/until.ts';

it('ledgerstone audit shows who saw what, and that nothing of it was changed', async () => {
  const ground = await serviceGround();
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { ...storeEnv(ground), SECRET_KEY_FILE };
  const { cwd, account, secret, url, run, ok, fails } = await servedAccount(env);
  const location = await makeLocation(url, secret, account, 'home');
  const made = await call(url, secret, '/v1/events/upsert', {
    ...{ location_unique_identifier: location, external_identifier: 'service' },
    ...{ event_name: 'Visitation', event_datetime: '2027-03-20T14:30:00Z' },
  });
  const event: string = JSON.parse(made.text).unique_identifier;

  // What an operator reads, the audit has with the account of the record.
  await ok('records', 'history', event);
  const seen = await ok('audit', 'list', '--record', event, '--account', account, '--json');
  const [entry] = JSON.parse(seen);
  assert.deepEqual(
    [entry.by, entry.action, entry.what, entry.account],
    ['operator', 'history', 'list_event_history', account],
  );
  await ok('backup', 'early.backup');
  assert.match(await ok('audit', 'list'), /operator +command +- +- +backup/, 'of no account');
  assert.match(await ok('audit', 'list'), /operator +history +- +evt_\w+ +list event history/);
  const auditor = JSON.parse(
    await ok('keys', 'create', '--account', account, '--allow', 'audit', '--json'),
  );
  const listed = await call(url, auditor.secret, `/v1/audit?record=${event}`);
  assert.equal(JSON.parse(listed.text).data.length, 1, listed.text);

  assert.match(await ok('audit', 'verify'), /no faults/);
  const head = await ok('audit', 'head');
  writeFileSync(join(cwd, 'head.ndjson'), head);
  await ok('audit', 'verify', '--head', 'head.ndjson');
  writeFileSync(join(cwd, 'head-of-another.ndjson'), head.replace(/"number":\d+/, '"number":999'));
  const cut = await run('audit', 'verify', '--head', 'head-of-another.ndjson');
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, /entries \d+ to 999 are missing/);
  // So do the log of the service, and a certificate as it is printed.
  const cutHeads = head
    .replace(/"number":\d+/, '"number":999')
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  for (const [name, text] of Object.entries({
    'service.log': `listening\n{"msg":"listening"}\n${cutHeads.map((one) => JSON.stringify({ level: 30, ...one, msg: 'audit head' })).join('\n')}`,
    'certificate.json': JSON.stringify(
      { object: 'erasure_certificate', audit_head: cutHeads },
      null,
      2,
    ),
  })) {
    writeFileSync(join(cwd, name), text);
    assert.match((await run('audit', 'verify', '--head', name)).stdout, /to 999 are missing/, name);
  }
  writeFileSync(join(cwd, 'nothing'), 'nothing');
  assert.match(await fails('audit', 'verify', '--head', 'nothing'), /no end of a chain/);

  // What is done from now on is printed as it is done.
  const following = start(
    ['audit', 'list', '--follow', '--ndjson'],
    { cwd, env },
    { stdio: 'pipe' },
  );
  whenOver(() => following.kill('SIGKILL'));
  let followed = '';
  following.stdout?.setEncoding('utf8').on('data', (text: string) => {
    followed += text;
  });
  await until(async () => {
    await ok('records', 'history', event);
    return followed.includes('"list_event_history"');
  });
  following.kill('SIGKILL');

  // Another key is no forgery that goes unnoticed.
  const otherKey = secretKeyFile();
  const wrong = await programIn(cwd, { ...env, SECRET_KEY_FILE: otherKey }).run('audit', 'verify');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /entry 1: aud_\w+: does not match its mac/);

  assert.match(await ok('audit', 'verify'), / were read: no faults/);

  // A backup has all chains, and restored they are whole; only the kept head shows what came later.
  await ok('backup', 'store.backup');
  await ok('records', 'history', event);
  const later = await ok('audit', 'head');
  writeFileSync(join(cwd, 'later.ndjson'), later);
  const restored = { SECRET_KEY_FILE, DATABASE_URL: 'sqlite:restored.db' };
  const elsewhere = programIn(cwd, restored);
  await elsewhere.ok('restore', 'store.backup');
  const told = await elsewhere.ok('audit', 'verify', '--head', 'head.ndjson');
  assert.match(told, / were read: no faults/);

  const older = await elsewhere.run('audit', 'verify', '--head', 'later.ndjson');
  assert.equal(older.code, 1);
  const shown = older.stdout;
  assert.match(shown, /missing|kept head/, 'only a head of later shows what the restore took back');
});

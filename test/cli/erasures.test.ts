/** Officers erase people on the command line; whatever brings an older store back, the journal beside it outranks. */
// needs: program
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const VISITORS = '/v1/event_check_in_records';

it('ledgerstone erasures finds a person, erases after ERASE, and imports bring nobody back', async () => {
  const env = { SECRET_KEY_FILE: secretKeyFile() };
  const { cwd, account, secret, url, fails, json, ok } = await servedAccount(env);
  const erasures = (...words: readonly string[]) =>
    json<Record<string, never>>('erasures', ...words);
  const location = await makeLocation(url, secret, account, 'home');
  const post = async (path: string, body: object) =>
    JSON.parse((await call(url, secret, path, body)).text);
  const { unique_identifier: event } = await post('/v1/events/upsert', {
    ...{ location_unique_identifier: location, external_identifier: 'service' },
    ...{ event_name: 'Visitation', event_datetime: '2027-03-20T14:30:00Z' },
  });
  const visit = (name: string, more: object = {}) =>
    post(`${VISITORS}/upsert`, {
      ...more,
      ...{ event_unique_identifier: event, external_identifier: `id of ${name}` },
      ...{ visitor_full_name: name, visitor_phone_number: '+14155550177' },
    });
  const one: string = (await visit('Ida Thornbury')).unique_identifier;
  const other: string = (await visit('Leo Thornbury')).unique_identifier;

  const wrong = await fails('erasures', 'create', '--account', account, '--phone', '555-0177');
  assert.match(wrong, /--phone is not a phone number/);
  const person = ['--phone', '+14155550177', '--reference', 'letter 7'];
  const since = ['--received-at', '2020-01-31'];
  const begun = await erasures('create', '--account', account, ...person, ...since);
  const id: string = begun.unique_identifier ?? '';
  const told = await ok('erasures', 'show', id);
  assert.match(told, new RegExp(`${one} +event_check_in_record +phone_number +- +Ida`));
  const shown = await ok('erasures', 'list');
  assert.match(shown, new RegExp(`${id} +ready +2020-03-16 \\(overdue\\) +2 +0`));

  assert.match(await fails('erasures', 'copy', id), /--record with their identifiers, or --all/);
  assert.match(await fails('erasures', 'copy', id, '--record', event), /is not among the matches/);
  const copied = (await ok('erasures', 'copy', id, '--record', one)).trim().split('\n');
  const whose = copied.map((line) => {
    const { record, data, change } = JSON.parse(line);
    return [record, data?.visitor_full_name ?? change.outcome];
  });
  // Of nobody but the chosen one.
  assert.deepEqual(whose.flat(), [one, 'Ida Thornbury', one, 'created']);

  for (const typed of ['4111 1111 1111 1111', 'cousin'])
    await visit('Leo Thornbury', { visitor_relationship_to_deceased: typed });
  assert.equal((await erasures('run', id, '--record', other, '--past-only', '--yes')).erased, 0);
  assert.match(await ok('erasures', 'show', id), new RegExp(`${other} .* past erased +Leo`));
  const kept = await ok('erasures', 'copy', id, '--record', other);
  assert.match(kept, /cousin/);
  assert.doesNotMatch(kept, /4111/);

  assert.match(await fails('erasures', 'run', id), /--record with their identifiers, or --all/);
  assert.match(await fails('erasures', 'run', id, '--record', one), /add --yes/);
  const done = await erasures('run', id, '--record', one, '--yes');
  assert.deepEqual([done.status, done.erased], ['done', 1]);
  const gone = await call(url, secret, `${VISITORS}/${one}`);
  assert.equal(gone.status, 410, gone.text);
  assert.equal((await call(url, secret, `${VISITORS}/${other}`)).status, 200);
  const after = await ok('erasures', 'show', id);
  assert.match(after, new RegExp(`${one} .* erased +-\\n`));
  assert.match(after, new RegExp(`${other} .* past erased +Leo`));
  assert.doesNotMatch(await ok('erasures', 'list'), /overdue/);
  await call(url, secret, `/v1/erasures/${id}/acknowledge`, undefined, { method: 'POST' });
  const printed = await ok('erasures', 'show', id);
  assert.match(printed, /\nCONSUMER +STATUS .*\nkey_\w+ +acknowledged +- +20\d\d-/);
  const certificate = await ok('erasures', 'certificate', id);
  assert.match(certificate, /"count": 1/);
  writeFileSync(join(cwd, 'certificate.json'), certificate);
  await ok('erasures', 'verify', 'certificate.json');

  const header = 'external_identifier,visitor_full_name,visitor_phone_number';
  const rows = ['id of Ida Thornbury,Ida,+14155550100', 'new,Max,+14155550100'];
  writeFileSync(join(cwd, 'event_check_in_records.csv'), [header, ...rows, ''].join('\n'));
  const words = ['import', 'event_check_in_records.csv', '--account', account];
  assert.match(await ok(...words, '--set', `event_unique_identifier=${event}`), /1 created/);
  assert.equal((await call(url, secret, `${VISITORS}/${one}`)).status, 410);

  assert.equal((await erasures('lift', id, '--record', one)).erased, 0);
  assert.notEqual((await visit('Ida Thornbury')).unique_identifier, undefined);
  const unfounded = await erasures('create', '--account', account, '--phone', '+14155550188');
  const closed = ['close', unfounded.unique_identifier ?? '', '--basis', 'nothing was found'];
  assert.equal((await erasures(...closed)).status, 'closed');
});

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

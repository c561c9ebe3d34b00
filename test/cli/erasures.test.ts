/** Officers find the records of a person, erase them and see what is due, on the command line beside the service. */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { call } from '../support/cli-service.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';

const VISITORS = '/v1/event_check_in_records';

it('ledgerstone erasures finds a person, erases after ERASE, and imports bring nobody back', async () => {
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { SECRET_KEY_FILE };
  const { cwd, account, secret, url, run, fails, json } = await servedAccount(env);
  const erasures = (...words: readonly string[]) =>
    json<Record<string, never>>('erasures', ...words, '--json');
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

  assert.match(
    await fails('erasures', 'create', '--account', account, '--phone', '555-0177'),
    /--phone is not a phone number/,
  );
  const person = ['--phone', '+14155550177', '--reference', 'letter 7'];
  const since = ['--received-at', '2020-01-31'];
  const begun = await erasures('create', '--account', account, ...person, ...since);
  const id: string = begun.unique_identifier ?? '';
  const shown = await run('erasures', 'show', id);
  assert.match(shown.stdout, new RegExp(`${one} +event_check_in_record +phone_number +- +Ida`));
  const listed = await run('erasures', 'list');
  assert.match(listed.stdout, new RegExp(`${id} +ready +2020-03-16 \\(overdue\\) +2 +0`));

  const unchosen = await run('erasures', 'copy', id);
  assert.match(unchosen.stderr, /--record with their identifiers, or --all/);
  const stranger = await run('erasures', 'copy', id, '--record', event);
  assert.match(stranger.stderr, /is not among the matches/);
  const copied = await run('erasures', 'copy', id, '--record', one);
  assert.deepEqual(
    copied.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ record, data, change }) => [record, data?.visitor_full_name ?? change.outcome]),
    [
      [one, 'Ida Thornbury'],
      [one, 'created'],
    ],
    'of nobody but the chosen one',
  );

  for (const typed of ['4111 1111 1111 1111', 'cousin'])
    await visit('Leo Thornbury', { visitor_relationship_to_deceased: typed });
  assert.equal((await erasures('run', id, '--record', other, '--past-only', '--yes')).erased, 0);
  assert.match(
    (await run('erasures', 'show', id)).stdout,
    new RegExp(`${other} .* past erased +Leo`),
  );
  const kept = await run('erasures', 'copy', id, '--record', other);
  assert.match(kept.stdout, /cousin/);
  assert.doesNotMatch(kept.stdout, /4111/);

  const nothing = await run('erasures', 'run', id);
  assert.match(nothing.stderr, /--record with their identifiers, or --all/);
  assert.match(await fails('erasures', 'run', id, '--record', one), /add --yes/);
  const done = await erasures('run', id, '--record', one, '--yes');
  assert.deepEqual([done.status, done.erased], ['done', 1]);
  const gone = await call(url, secret, `${VISITORS}/${one}`);
  assert.equal(gone.status, 410, gone.text);
  assert.equal((await call(url, secret, `${VISITORS}/${other}`)).status, 200);
  const after = await run('erasures', 'show', id);
  assert.match(after.stdout, new RegExp(`${one} .* erased +-\\n`));
  assert.match(after.stdout, new RegExp(`${other} .* past erased +Leo`));
  assert.doesNotMatch((await run('erasures', 'list')).stdout, /overdue/);
  const Authorization = `Bearer ${secret}`;
  await fetch(`${url}/v1/erasures/${id}/acknowledge`, {
    method: 'POST',
    headers: { Authorization },
  });
  const told = await run('erasures', 'show', id);
  assert.match(told.stdout, /\nCONSUMER +STATUS .*\nkey_\w+ +acknowledged +- +20\d\d-/);
  const certificate = await run('erasures', 'certificate', id);
  assert.match(certificate.stdout, /"count": 1/, certificate.stderr);
  writeFileSync(join(cwd, 'certificate.json'), certificate.stdout);
  assert.equal((await run('erasures', 'verify', 'certificate.json')).code, 0);

  const header = 'external_identifier,visitor_full_name,visitor_phone_number';
  const rows = ['id of Ida Thornbury,Ida,+14155550100', 'new,Max,+14155550100'];
  writeFileSync(join(cwd, 'event_check_in_records.csv'), [header, ...rows, ''].join('\n'));
  const words = ['import', 'event_check_in_records.csv', '--account', account];
  const imported = await run(...words, '--set', `event_unique_identifier=${event}`);
  assert.match(imported.stdout, /1 created/, imported.stderr);
  assert.equal((await call(url, secret, `${VISITORS}/${one}`)).status, 410);

  assert.equal((await erasures('lift', id, '--record', one)).erased, 0);
  assert.notEqual((await visit('Ida Thornbury')).unique_identifier, undefined);
  const unfounded = await erasures('create', '--account', account, '--phone', '+14155550188');
  const closed = ['close', unfounded.unique_identifier ?? '', '--basis', 'nothing was found'];
  assert.equal((await erasures(...closed)).status, 'closed');
});

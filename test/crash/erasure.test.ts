/** `kill -9` of the service while it erases: it goes on when it starts again, and forgets everything. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const MARK = 'Rumpelstilzchen';
const PHONE = '+14155550177';
const PEOPLE = 400;
const KILLS = 3;

it('an erasure that is killed again and again comes to its end', async (test) => {
  const cwd = ownFolder(test);
  const SECRET_KEY_FILE = secretKeyFile();
  const ERASURES_TO = join(cwd, 'journal');
  mkdirSync(ERASURES_TO);
  const env = { SECRET_KEY_FILE, ERASURES_TO };
  const { account, secret } = await makeAccount(cwd, env);
  const officer = await programIn(cwd, env).json<{ secret: string }>(
    ...['keys', 'create', '--account', account, '--permission', 'read', '--allow', 'erase'],
  );
  const key = officer.secret;
  let service = await startProcess(test, { cwd, env });
  const location = await makeLocation(service.url, secret, account, 'home');
  const post = async (path: string, body: object, as = secret) => {
    const { status, text } = await call(service.url, as, path, body);
    return { status, body: JSON.parse(text) };
  };
  const { body: event } = await post('/v1/events/upsert', {
    ...{ location_unique_identifier: location, external_identifier: 'e', event_name: 'E' },
    event_datetime: '2027-03-20T14:30:00Z',
  });
  const visitor = (at: number, round: number) => ({
    event_unique_identifier: event.unique_identifier,
    external_identifier: `visitor ${at}`,
    visitor_full_name: `${MARK} ${at}`,
    visitor_phone_number: PHONE,
    visitor_relationship_to_deceased: `${MARK} ${round}`,
  });
  for (let round = 0; round < 4; round += 1) {
    const rows = Array.from({ length: PEOPLE }, (_, at) => visitor(at, round));
    const { body } = await post('/v1/event_check_in_records/upsert_many', rows);
    assert.equal(body.summary.failed, 0);
  }
  const { body: begun } = await post('/v1/erasures', { account, phone_numbers: [PHONE] }, key);
  const records = begun.matches.map(({ record }: { record: string }) => record);
  assert.equal(records.length, PEOPLE);
  const path = `/v1/erasures/${begun.unique_identifier}`;
  const now = async () => JSON.parse((await call(service.url, key, path)).text);
  // Nobody waits for the answer.
  post(`${path}/run`, { records }, key).catch(() => {});
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = Math.min((PEOPLE * kill) / (KILLS + 2), PEOPLE);
    await until(async () => (await now()).erased >= enough, 60_000);
    service.process.kill('SIGKILL');
    await service.end;
    service = await startProcess(test, { cwd, env });
  }
  await until(async () => (await now()).status === 'done', 120_000);
  const done = await now();
  assert.deepEqual([done.erased, done.left], [PEOPLE, []]);
  // A line for each, whenever the process was killed between the store and the file.
  const lines = readFileSync(join(ERASURES_TO, 'erasures.ndjson'), 'utf8').split('\n');
  assert.equal(lines.pop(), '');
  const told = lines.map((line) => JSON.parse(line).record);
  assert.deepEqual(told.toSorted(), records.toSorted());
  const folder = join(cwd, 'data');
  const traces = () =>
    readdirSync(folder).filter((file) => readFileSync(join(folder, file)).includes(MARK));
  const again = await post('/v1/event_check_in_records/upsert', visitor(7, 9));
  assert.deepEqual([again.status, again.body.error.code], [410, 'record_erased']);
  await service.stop();
  await programIn(cwd, env).run('compact');
  assert.deepEqual(traces(), []);
});

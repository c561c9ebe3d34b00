/** Whatever brings back an older store: who was erased since is not in it, and a journal that cannot be trusted is refused. */
// needs: program, both stores with --all
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { journalFindings } from '../../src/cli/doctor/doctor.ts';
import { readSettings } from '../../src/core/config.ts';
import { shapes } from '../../src/core/registry.ts';
import { readFollowed } from '../../src/services/backup/folder/chain.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { serviceGround, storeEnv } from '../support/service-ground.ts';
import { until } from '../support/until.ts';

const visits = shapes.find(({ resource }) => resource === 'event_check_in_record');

it('stays erased, from every kind of backup', async () => {
  const ground = await serviceGround();
  const SECRET_KEY_FILE = secretKeyFile();
  const store = { ...storeEnv(ground), SECRET_KEY_FILE };
  const { cwd, account, secret, ...unnamed } = await withAccount(store);
  const moments = join(cwd, 'moments');
  const nightly = join(cwd, 'nightly');
  mkdirSync(nightly);
  const env = { ...store, BACKUP_TO: moments, BACKUP_EVERY: '1s' };
  const program = programIn(cwd, env);
  const service = await serveHere({ cwd, env });
  const location = await makeLocation(service.url, secret, account, 'home');
  const post = async (path: string, body: object) =>
    JSON.parse((await call(service.url, secret, path, body)).text);
  const event = await post('/v1/events/upsert', {
    ...{ location_unique_identifier: location, external_identifier: 'e', event_name: 'E' },
    event_datetime: '2027-03-20T14:30:00Z',
  });
  const visit = async (name: string): Promise<string> => {
    const made = await post('/v1/event_check_in_records/upsert', {
      ...{ event_unique_identifier: event.unique_identifier, external_identifier: name },
      ...{ visitor_full_name: name, visitor_phone_number: '+14155550100' },
    });
    return made.unique_identifier;
  };
  const ida = await visit('Ida');
  const leo = await visit('Leo');
  const backup = async (target: string) =>
    (await program.json<{ file: string }>('backup', target)).file;
  const old = await backup(`${nightly}/`);
  // Moments begin with the first whole backup.
  await until(() => {
    try {
      return readFollowed(moments).length > 0;
    } catch {
      return false;
    }
  }, 60_000);
  const has = async (visitors: number) => {
    const there = programIn(ownFolder(), { SECRET_KEY_FILE });
    const { rows } = await there.json<{ rows: Record<string, number> }>('restore', moments);
    return rows.event_check_in_records === visitors;
  };
  await until(() => has(2), 120_000);
  const at = new Date().toISOString();
  // A later change shows that the folder has all up to then.
  const last = await visit('Mia');
  await until(() => has(3), 120_000);

  const of = ['--account', account, '--record', ida];
  const { unique_identifier } = await program.json('erasures', 'create', ...of);
  // The store knows the folder of its service.
  const words = ['erasures', 'run', unique_identifier, '--all', '--yes'];
  assert.equal((await unnamed.json<{ status: string }>(...words)).status, 'done');
  const journal = join(moments, 'erasures.ndjson');
  // The service and the command may both have written a line.
  const linesIn = (path: string) => new Set(readFileSync(path, 'utf8').split('\n'));
  assert.equal(linesIn(journal).size, 2);
  const later = await backup(join(cwd, 'later.backup'));
  await backup(`${nightly}/tonight.backup`);
  const beside = join(nightly, 'erasures.ndjson');
  assert.deepEqual(linesIn(beside), linesIn(journal));
  await service.stop();
  await namesEachFault(cwd, env, journal);

  /** Restores into a new SQLite store. */
  const restore = async (...words: string[]) => {
    const own = ownFolder();
    const there = programIn(own, { SECRET_KEY_FILE });
    const finished = await there.run('restore', '--json', ...words);
    const look = async (...more: string[]): Promise<readonly string[]> => {
      if (more.length > 0) assert.equal((await there.run(...more)).code, 0);
      const DATABASE_URL = `sqlite:${join(own, 'data', 'ledgerstone.db')}`;
      const store = await openStoreAlone(readSettings({}, { DATABASE_URL }), { create: false });
      try {
        const scope = { accounts: new Set([account]), anchors: undefined };
        assert.ok(visits !== undefined);
        const found = await store.findAll(visits, [ida, leo, last], scope);
        return found.map((one) => one.external_identifier ?? '').sort();
      } finally {
        await store.close();
      }
    };
    return { ...finished, look, own };
  };
  const restored = async (...words: string[]) => {
    const { code, stderr, stdout, look, own } = await restore(...words);
    assert.equal(code, 0, stderr);
    return { again: JSON.parse(stdout).erased_again, look, own, found: await look() };
  };
  const refused = async (says: RegExp, ...words: string[]) => {
    const { code, stderr } = await restore(...words);
    assert.equal(code, 1);
    assert.match(stderr, says);
  };

  for (const words of [[old], [old, '--erasures', moments], [moments, '--at', at]]) {
    const { again, found } = await restored(...words);
    assert.deepEqual([again, found], [1, ['Leo']], words.join(' '));
  }
  assert.deepEqual((await restored(moments)).found, ['Leo', 'Mia']);
  // The erasure is younger than the backup.
  const { own } = await restored(old);
  const served = await serveHere({ cwd: own, env: { SECRET_KEY_FILE } });
  const there = programIn(own, { SECRET_KEY_FILE });
  const shown = () =>
    there.json<Record<'status' | 'erased', unknown>>('erasures', 'show', unique_identifier);
  await until(async () => (await shown()).status === 'done', 60_000);
  assert.equal((await shown()).erased, 1);
  await served.stop();
  const without = await restored(old, '--without-erasures');
  assert.deepEqual(without.found, ['Ida', 'Leo']);
  assert.deepEqual(await without.look('erasures', 'apply', journal), ['Leo']);

  // A backup that tells of erasures, and no journal, or one that is older than the backup.
  const alone = join(cwd, 'alone');
  mkdirSync(alone);
  copyFileSync(later, join(alone, 'later.backup'));
  const file = join(alone, 'later.backup');
  await refused(/--without-erasures/, file);
  assert.deepEqual((await restored(file, '--without-erasures')).found, ['Leo', 'Mia']);
  const itsOwn = join(alone, 'erasures.ndjson');
  writeFileSync(itsOwn, '');
  await refused(/lacks 1 of the 1 lines that the backup has/, file);
  writeFileSync(itsOwn, readFileSync(journal, 'utf8').replaceAll(ida, leo));
  await refused(/line 1 is not as it was written/, old, '--erasures', itsOwn);
  await refused(/does not exist/, old, '--erasures', join(alone, 'none'));

  if (!('path' in ground)) return;
  // A copy of the file from before, as `migrate` makes it.
  const kept = ownFolder();
  const before = programIn(kept, { SECRET_KEY_FILE });
  assert.equal((await before.run('restore', old, '--without-erasures')).code, 0);
  const copy = join(kept, 'copy.db');
  const source = join(kept, 'data', 'ledgerstone.db');
  assert.ok(readdirSync(join(kept, 'data')).every((name) => !name.endsWith('-wal')));
  copyFileSync(source, copy);
  const fromCopy = await restored(copy, '--erasures', journal);
  assert.deepEqual([fromCopy.again, fromCopy.found], [1, ['Leo']]);
});

/** What `doctor` says of the journal of a store in which somebody was erased. */
async function namesEachFault(
  cwd: string,
  env: Readonly<Record<string, string>>,
  journal: string,
): Promise<void> {
  const away = join(cwd, 'away');
  const store = await openStoreAlone(readSettings({}, env), { create: false });
  const says = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const found = await journalFindings(store, readSettings({}, { ...env, ...more }));
    return found.map(({ state, says }) => `${state}: ${says}`).join('\n');
  };
  const whole = readFileSync(journal, 'utf8');
  // A store on another machine is on another disk.
  assert.match(await says(), /has all lines|is on the same disk as the store/);
  const alone = await says({ BACKUP_TO: '' });
  if (store.file === undefined)
    assert.match(alone, /^warning: People were erased.* set ERASURES_TO/);
  else assert.match(alone, /^warning: .*erasures\.ndjson is missing/);
  const gone = await says({ ERASURES_TO: away });
  assert.match(gone, /^warning: The folder .*away of the journal is not/m);
  writeFileSync(journal, '');
  assert.match(await says(), /^warning: .* lacks 1 line:/);
  writeFileSync(journal, `${whole}{}\n`);
  assert.match(await says(), /^bad: .* has 1 line that the store does not know/);
  writeFileSync(journal, whole);
  await store.close();
}

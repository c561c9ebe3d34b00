/** A journal of erasures that only the service reaches: commands without its settings do not say `done` before it does. */
// needs: program, both stores with --all
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { journalFindings } from '../../src/cli/doctor/doctor.ts';
import { readSettings } from '../../src/core/config.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { serviceGround, storeEnv } from '../support/service-ground.ts';
import { until } from '../support/until.ts';

it('ledgerstone erasures leaves the end to a service whose ERASURES_TO it was not given', async () => {
  const cwd = ownFolder();
  const ground = await serviceGround();
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { ...storeEnv(ground), SECRET_KEY_FILE };
  const program = programIn(cwd, env);
  const { account, secret } = await makeAccount(cwd, env);
  const away = join(cwd, 'away');
  const service = await serveHere({ cwd, env: { ...env, ERASURES_TO: away } });
  const record = await makeLocation(service.url, secret, account, 'home');
  const backup = join(cwd, 'store.backup');
  await program.json('backup', backup);

  type Shown = { readonly unique_identifier: string; readonly status: string; erased: number };
  const { unique_identifier: id } = await program.json<Shown>(
    ...['erasures', 'create', '--account', account, '--record', record],
  );
  const ran = await program.json<Shown>('erasures', 'run', id, '--all', '--yes');
  assert.deepEqual([ran.status, ran.erased], ['running', 1]);
  assert.match(await program.ok('erasures', 'show', id), /Status +running: the service ends it/);
  mkdirSync(away);
  const isDone = async () => (await program.json<Shown>('erasures', 'show', id)).status === 'done';
  await until(isDone, 60_000);
  const journal = readFileSync(join(away, 'erasures.ndjson'), 'utf8');
  assert.match(journal, new RegExp(record));
  await service.stop();

  const store = await openStoreAlone(readSettings({}, env), { create: false });
  const [found, ...more] = await journalFindings(store, readSettings({}, env));
  await store.close();
  assert.deepEqual([found?.state, more], ['good', []]);
  assert.match(found?.says ?? '', /The service writes the journal to .*away on /);

  // The backup is from before the first erasure, and knows of none.
  const restored = async (more: Readonly<Record<string, string>>) => {
    const there = programIn(ownFolder(), { SECRET_KEY_FILE, ...more });
    return (await there.json<{ erased_again: number }>('restore', backup)).erased_again;
  };
  assert.equal(await restored({ ERASURES_TO: away }), 1);
  assert.equal(await restored({}), 0);
});

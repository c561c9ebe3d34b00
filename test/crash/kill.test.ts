/** `kill -9` under load takes nothing back: every upsert that was answered is there, and whole. */
// needs: program, waits
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ALL } from '../support/all.ts';
import { startLoad } from '../support/cli-load.ts';
import { ownFolder } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';

const ROUNDS = ALL ? 5 : 2;

it('every answered upsert outlives kill -9 under load', async () => {
  const cwd = ownFolder();
  const { account, secret } = await makeAccount(cwd);
  let service = await startProcess({ cwd });
  const location = await makeLocation(service.url, secret, account);
  for (let round = 0; round < ROUNDS; round++) {
    const name = `round-${round}`;
    const load = startLoad({ url: service.url, secret, location, name });
    await load.reached(50 + 200 * round);
    await pause(5 * round);
    assert.equal((await service.stop('SIGKILL')).signal, 'SIGKILL');
    service = await startProcess({ cwd });
    await load.wantKept(service.url, []);
  }
  await service.stop();
  const database = new DatabaseSync(join(cwd, 'data', 'ledgerstone.db'));
  const [check] = database.prepare('PRAGMA integrity_check').all();
  database.close();
  assert.equal(check?.integrity_check, 'ok');
});

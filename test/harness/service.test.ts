/** A service that fails at its start leaves nothing open in the process of the tests. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { startService } from '../support/service.ts';
import { sqliteGround } from '../support/store-sqlite.ts';

const listening = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

it('a service whose account cannot be made is closed', async () => {
  const ground = await sqliteGround();
  await (await startService({ ground })).stop();
  const database = new DatabaseSync(ground.path);
  database.exec(
    "CREATE TRIGGER refused BEFORE INSERT ON account BEGIN SELECT RAISE(ABORT, 'refused'); END",
  );
  database.close();
  const before = listening();
  await assert.rejects(startService({ ground }));
  assert.equal(listening(), before);
});

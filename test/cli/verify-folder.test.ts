/** A folder of backups is judged by the one that was made last, also where a clock was ahead and then right again. */
// needs: program
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { programIn } from '../support/cli-program.ts';
import { withAccount } from '../support/cli-setup.ts';
import { ahead, skip } from '../support/other-day.ts';

const DAY = 86_400_000;

it('verify takes the backup that was made last, whatever the clock said', { skip }, async () => {
  const { cwd, ok, json } = await withAccount();
  mkdirSync(join(cwd, 'backups'));
  await programIn(cwd, ahead(30 * DAY)).ok('backup', 'backups/');
  await ok('accounts', 'create', '--name', 'Afterwards', '--test');
  await ok('backup', 'backups/');
  const [last = '', other = ''] = readdirSync(join(cwd, 'backups')).toSorted();
  const ofFolder = await json<{ ok: boolean; digests: object }>('verify', 'backups/');
  const ofLast = await json<{ digests: object }>('verify', join('backups', last));
  const ofOther = await json<{ digests: object }>('verify', join('backups', other));
  assert.notDeepEqual(ofLast.digests, ofOther.digests);
  assert.deepEqual(ofFolder.digests, ofLast.digests);
  assert.equal(ofFolder.ok, true);
});

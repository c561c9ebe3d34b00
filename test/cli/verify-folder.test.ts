/** A folder of backups is judged by the one that was made last, also where a clock was ahead and then right again. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { programIn } from '../support/cli-program.ts';
import { withAccount } from '../support/cli-setup.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const skip = !existsSync(LIBRARY) && 'there is no libfaketime on this machine';

it('verify takes the backup that was made last, whatever the clock said', { skip }, async () => {
  const { cwd, ok, json } = await withAccount();
  mkdirSync(join(cwd, 'backups'));
  const faked = { LD_PRELOAD: LIBRARY, FAKETIME: '+30d', DONT_FAKE_MONOTONIC: '1' };
  await programIn(cwd, faked).ok('backup', 'backups/');
  await ok('accounts', 'create', '--name', 'Afterwards', '--test');
  await ok('backup', 'backups/');
  const [last = '', ahead = ''] = readdirSync(join(cwd, 'backups')).toSorted();
  const ofFolder = await json<{ ok: boolean; digests: object }>('verify', 'backups/');
  const ofLast = await json<{ digests: object }>('verify', join('backups', last));
  const ofAhead = await json<{ digests: object }>('verify', join('backups', ahead));
  assert.notDeepEqual(ofLast.digests, ofAhead.digests);
  assert.deepEqual(ofFolder.digests, ofLast.digests);
  assert.equal(ofFolder.ok, true);
});

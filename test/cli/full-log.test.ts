/** A log that cannot be written holds up nobody. */
// needs: program

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { LAUNCHER, ownFolder } from '../support/cli-program.ts';
import { freePort } from '../support/kept-program.ts';
import { until } from '../support/until.ts';

it('a service whose log is on a full disk serves, and stops when it is told to', async (test) => {
  if (!existsSync('/dev/full')) return test.skip('only Linux has a device that is always full');
  const full = openSync('/dev/full', 'w');
  const port = await freePort();
  const service = spawn(LAUNCHER, ['serve', '--port', String(port)], {
    cwd: ownFolder(),
    stdio: ['ignore', full, full],
  });
  whenOver(() => service.kill('SIGKILL'));
  const ended = once(service, 'exit');
  let answers = 0;
  await until(async () => {
    const url = `http://127.0.0.1:${port}/healthz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    if (answer?.ok) answers += 1;
    return answers === 10;
  });
  service.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});

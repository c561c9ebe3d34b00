/** `ledgerstone export` of more than there is memory for, and one that is stopped. */
// needs: --all, program
import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readSettings } from '../../../src/core/config.ts';
import { event } from '../../../src/core/resources/event.ts';
import { location } from '../../../src/core/resources/location.ts';
import { openStoreAlone } from '../../../src/store/open.ts';
import { finish, LAUNCHER, ownFolder, programIn, start } from '../../support/cli-program.ts';
import { makeAccount } from '../../support/cli-setup.ts';
import { until } from '../../support/until.ts';

const EVENTS = 8_000;
/** Bytes of each: all together are more than the process may hold. */
const BYTES = 10_000;
const HEAP_MIB = 64;

/** A store with many large events. */
async function fill(cwd: string): Promise<void> {
  const { account } = await makeAccount(cwd);
  const url = `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`;
  const store = await openStoreAlone(readSettings({ database_url: url }, {}), { create: false });
  const of = { account, parent: account, external_identifier: 'chapel' };
  const patch = { location_name: 'Main Street Chapel', public_data: {} };
  const [made] = await store.commit([{ shape: location.shape, anchor: undefined, ...of, patch }]);
  assert.ok(made?.outcome === 'created');
  const parent = made.record.unique_identifier;
  for (let at = 0; at < EVENTS; at += 200) {
    await store.commit(
      Array.from({ length: 200 }, (_, index) => ({
        shape: event.shape,
        account,
        anchor: parent,
        parent,
        external_identifier: `case-${at + index}`,
        patch: {
          event_name: 'Celebration of life',
          event_datetime: '2026-11-20T14:30:00Z',
          public_data: { additional_event_metadata: { text: 'x'.repeat(BYTES) } },
        },
      })),
    );
  }
  await store.close();
}

/** A process that ends where it holds more than a part of what it exports. */
const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` };

it('an export takes no more memory than a small one, and stops where it is told to', async () => {
  const cwd = ownFolder();
  await fill(cwd);
  for (const format of ['ndjson', 'csv']) {
    const words = ['export', '--out', `${format}/`, '--format', format];
    await programIn(cwd, env).ok(...words);
  }
  assert.ok(statSync(join(cwd, 'csv/events.csv')).size > EVENTS * BYTES);

  const child = start(['export', '--out', 'stopped/'], { cwd }, { stdio: 'pipe' });
  const ended = finish(child);
  const partial = join(cwd, 'stopped/events.ndjson.partial');
  await until(() => existsSync(partial) || child.exitCode !== null);
  assert.equal(child.exitCode, null);
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  assert.deepEqual([code, stdout], [130, ''], stderr);
  assert.match(stderr, /Interrupted: no file was written/);
  assert.deepEqual(readdirSync(join(cwd, 'stopped')), []);

  const piped = `set -o pipefail; "${LAUNCHER}" export --resource events | head -n 1`;
  const shell = start(['-c', piped], { cwd, program: '/bin/bash' }, { stdio: 'pipe' });
  const first = await finish(shell);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(JSON.parse(first.stdout).external_identifier, 'case-0');
});

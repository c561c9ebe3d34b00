/** `jobs` lists the long work that is under way, and says when there is none. */
// needs: program
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { shapes } from '../../src/core/registry.ts';
import { openStore } from '../../src/store/open.ts';
import { withAccount } from '../support/cli-setup.ts';

it('ledgerstone jobs lists what is under way', async () => {
  const { cwd, account, json, ok } = await withAccount();
  assert.match(await ok('jobs'), /^Nothing is under way\.$/m);
  const url = `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`;
  const store = await openStore({ url, shapes, create: false, serve: false });
  await store.jobs.take({ account, kind: 'sync', object: 'syn_1', owner: 'a process' });
  await store.close();
  const [one, ...others] = await json<readonly Record<string, string>[]>('jobs', '--json');
  assert.deepEqual([one?.kind, one?.object, one?.account, others], ['sync', 'syn_1', account, []]);
  assert.match(await ok('jobs'), /^sync +syn_1 +acct_/m);
});

/** Operators see what is expected of sources, and set it. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';

it('ledgerstone sources: what is expected is set, listed, and stands with each source', async (t) => {
  const cwd = ownFolder(t);
  const { url } = await serveHere(t, { cwd });
  const { account, secret } = await makeAccount(cwd);
  await makeLocation(url, secret, account, 'oak');
  const { run, json } = programIn(cwd);
  const none = await run('expectations', 'list');
  assert.match(none.stdout, /^Nothing is expected/);
  const [source] = await json<{ unique_identifier: string }[]>('sources', 'list');
  const id = source?.unique_identifier ?? '';
  const expect = ['expectations', 'set', id, '--location', 'oak'];
  const unsaid = await run(...expect);
  assert.equal(unsaid.code, 1);
  assert.match(unsaid.stderr, /--hours is missing: nothing was learned/);
  const wrong = await run(...expect, '--hours', 'weekdays', '--silent-after', '0');
  assert.match(wrong.stderr, /--hours must name days of the week/);
  assert.match(wrong.stderr, /--silent-after must be/);
  const set = await run(...expect, '--hours', 'mon-sun 2-4', '--closed-days', '12-25');
  assert.equal(set.code, 0, set.stderr);
  assert.match(set.stdout, /^exp_\w+ expects mon-sun 2-4, every day\.\n$/);
  const list = await run('expectations', 'list', '--source', id, '--state', 'new');
  assert.match(
    list.stdout,
    /^ID .*\nexp_\w+ +new .* loc_\w+ +mon-sun 2-4, every day +confirmed +never\n$/,
  );
  assert.match((await run('sources', 'list')).stdout, new RegExp(`${id} .* new +20`));
  const nowhere = await run(...expect.slice(0, 3), '--location', 'elm');
  assert.match(nowhere.stderr, /--location: there is no location "elm"/);
});

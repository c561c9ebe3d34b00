/** Operators see what is expected of sources, and set it. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeLocation, servedAccount } from '../../support/cli-setup.ts';

it('ledgerstone sources: what is expected is set, listed, and stands with each source', async () => {
  const { account, secret, url, run, fails, ok, json } = await servedAccount();
  await makeLocation(url, secret, account, 'oak');
  assert.match(await ok('expectations', 'list'), /^Nothing is expected/);
  const [source] = await json<{ unique_identifier: string }[]>('sources', 'list');
  const id = source?.unique_identifier ?? '';
  const expect = ['expectations', 'set', id, '--location', 'oak'];
  assert.match(await fails(...expect), /--hours is missing: nothing was learned/);
  const wrong = await run(...expect, '--hours', 'weekdays', '--silent-after', '0');
  assert.match(wrong.stderr, /--hours must name days of the week/);
  assert.match(wrong.stderr, /--silent-after must be/);
  const told = await ok(...expect, '--hours', 'mon-sun 2-4', '--closed-days', '12-25');
  assert.match(told, /^exp_\w+ expects mon-sun 2-4, every day\.\n$/);
  const list = await run('expectations', 'list', '--source', id, '--state', 'new');
  assert.match(
    list.stdout,
    /^ID .*\nexp_\w+ +new .* loc_\w+ +mon-sun 2-4, every day +confirmed +never\n$/,
  );
  assert.match(await ok('sources', 'list'), new RegExp(`${id} .* new +20`));
  const refused = await fails(...expect.slice(0, 3), '--location', 'elm');
  assert.match(refused, /--location: there is no location "elm"/);
});

/** An administrator works by the command line on a service elsewhere, with an API key, and without its store. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { commands } from '../support/commands.ts';
import { secretKeyFile } from '../support/secret-key.ts';

it('commands work on a service elsewhere with --url and a key', async () => {
  const { account, secret, url, newKey } = await servedAccount();
  const location = await makeLocation(url, secret, account, 'oak-street');
  const key = await newKey(account, '--allow', 'hold,audit,requests,sources,webhooks,erase');
  const laptop = ownFolder();
  const at = programIn(laptop, { LEDGERSTONE_KEY: key.secret });
  const from = ['--url', url];

  const hold = await at.json<{ unique_identifier: string; record: string }>(
    ...['holds', 'place', '--account', 'Example Funeral Group', '--record', location],
    ...['--matter', 'Case 7', ...from],
  );
  assert.equal(hold.record, location);
  assert.match(await at.ok('holds', 'list', ...from), /active +- +location +loc_.*Case 7/);
  const id = hold.unique_identifier;
  const blank = await at.fails('holds', 'release', id, '--reason', '', ...from);
  assert.match(blank, /^ledgerstone: --reason is empty/);
  const told = await at.ok('holds', 'release', id, '--reason', 'closed', ...from);
  assert.equal(told, `Released ${id}.\n`);
  await at.mistakes('holds', [
    [`show hld_x ${from.join(' ')}`, /^ledgerstone: There is no hold "hld_x" in http:\/\//],
    [
      `place --account Nobody --matter x ${from.join(' ')}`,
      /There is no account "Nobody" in http:/,
    ],
    ['list --url http://127.0.0.1:1', /http:\/\/127\.0\.0\.1:1 was not reached/],
  ]);

  for (const words of [
    ...['sources', 'syncs', 'expectations', 'retention', 'erasures', 'audit', 'activity'].map(
      (subject) => [subject, 'list'],
    ),
    ...[
      ['webhooks', 'list'],
      ['locations', 'list'],
      ['locations', 'show', location],
    ],
    ['removals', 'list', '--account', account],
    ['requests', 'list', '--key', key.unique_identifier],
  ]) {
    const { code, stderr } = await at.run(...words, ...from);
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
  }
  for (const words of [['keys', 'list'], ['staff', 'list'], ['jobs']])
    assert.match(await at.fails(...words, ...from), /: This needs the store: run it where/);
  const words = ['locations', 'change', location, '--state', 'NY', ...from];
  const set = await at.json<{ state: string }>(...words);
  assert.equal(set.state, 'NY');
  const hook = ['webhooks', 'create', '--url', 'https://example.com/hook', '--service', url];
  assert.match(await at.fails(...hook), /not set up on this service/);

  const entries = await at.json<{ what: string; by: string }[]>('audit', 'list', ...from);
  assert.ok(entries.some(({ what, by }) => what === 'release_hold' && by.startsWith('key_')));
  assert.ok(!existsSync(join(laptop, 'data')), 'no store is made');

  const nobody = await programIn(laptop).fails('holds', 'list', ...from);
  assert.match(nobody, /Set LEDGERSTONE_KEY to an API key/);
  const stranger = programIn(laptop, { LEDGERSTONE_KEY: `sk_test_${'x'.repeat(38)}` });
  const unknown = await stranger.fails('holds', 'list', ...from);
  assert.match(unknown, /which ends in xxxx, is unknown/);
});

it('no command of an operation does anything with a key that lacks its right', async () => {
  const { account, url, newKey } = await servedAccount();
  const { secret } = await newKey(account, '--permission', 'delete');
  const { fails } = programIn(ownFolder(), { LEDGERSTONE_KEY: secret });
  let refused = 0;
  for (const [words, { options, registeredArguments }] of await commands()) {
    const at = options.find(({ description }) => description.includes('LEDGERSTONE_KEY'));
    if (at === undefined) continue;
    const sent = registeredArguments.filter(({ required }) => required).map(() => 'none');
    const stderr = await fails(...words.split(' '), ...sent, at.long ?? '', url);
    assert.match(stderr, /^(ledgerstone: [^\n]+\n)+$/, words);
    // Others lack an option, or need only what the key may do.
    if (/this request needs|lacks the right/.test(stderr)) refused += 1;
  }
  assert.ok(refused > 20, `${refused}`);
});

it('an officer copies, erases and previews on a service elsewhere', async () => {
  const { account, secret, url, newKey } = await servedAccount({
    SECRET_KEY_FILE: secretKeyFile(),
  });
  const location = await makeLocation(url, secret, account, 'elm-street');
  const key = await newKey(account, '--allow', 'erase,audit');
  const at = programIn(ownFolder(), { LEDGERSTONE_KEY: key.secret });
  const from = ['--url', url];
  const of = ['--account', account];
  const begun = await at.json('erasures', 'create', ...of, '--record', location, ...from);
  const id = begun.unique_identifier;
  const copied = await at.ok('erasures', 'copy', id, '--record', location, ...from);
  const { record, data } = JSON.parse(copied.split('\n')[0] ?? '');
  assert.deepEqual([record, data.unique_identifier], [location, location]);
  const run = ['erasures', 'run', id, '--yes', ...from, '--record'];
  assert.match(await at.fails(...run, 'loc_none'), /loc_none is not among the matches/);
  assert.match(await at.ok(...run, location), /erased/i);
  const made = ['--resource', 'event_check_in_record', '--after', '3y', '--basis', 'policy'];
  const { unique_identifier: rule } = await at.json(
    ...['retention', 'create', ...of, '--counted-from', 'inserted_at', ...made, ...from],
  );
  const previewed = await at.ok('retention', 'preview', rule, ...from);
  assert.match(previewed, /^0 records would go; 0 held, 0 spared\./);
  assert.match(await at.fails('records', 'show', location, ...from), /erased/);
});

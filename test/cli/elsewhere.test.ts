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
  const { account, secret, url, json } = await servedAccount();
  const location = await makeLocation(url, secret, account, 'oak-street');
  const rights = ['hold', 'audit', 'requests', 'sources', 'webhooks', 'erase'];
  const key = await json<{ unique_identifier: string; secret: string }>(
    ...['keys', 'create', '--account', account, '--allow', rights.join()],
  );
  const laptop = ownFolder();
  const at = programIn(laptop, { LEDGERSTONE_KEY: key.secret });
  const from = ['--url', url];

  const hold = await at.json<{ unique_identifier: string; record: string }>(
    ...['holds', 'place', '--account', 'Example Funeral Group', '--record', location],
    ...['--matter', 'Case 7', ...from],
  );
  assert.equal(hold.record, location);
  assert.match(
    (await at.run('holds', 'list', ...from)).stdout,
    /active +- +location +loc_.*Case 7/,
  );
  const id = hold.unique_identifier;
  const blank = await at.run('holds', 'release', id, '--reason', '', ...from);
  assert.match(blank.stderr, /^ledgerstone: --reason is empty/);
  const released = await at.run('holds', 'release', id, '--reason', 'closed', ...from);
  assert.equal(released.stdout, `Released ${id}.\n`);
  const none = await at.run('holds', 'show', 'hld_x', ...from);
  assert.match(none.stderr, /^ledgerstone: There is no hold "hld_x" in http:\/\//);
  const wrong = await at.run('holds', 'place', '--account', 'Nobody', '--matter', 'x', ...from);
  assert.match(wrong.stderr, /There is no account "Nobody" in http:/);

  for (const words of [
    ['sources', 'list'],
    ['syncs', 'list'],
    ['expectations', 'list'],
    ['removals', 'list', '--account', account],
    ['retention', 'list'],
    ['erasures', 'list'],
    ['audit', 'list'],
    ['requests', 'list', '--key', key.unique_identifier],
    ['activity', 'list'],
    ['webhooks', 'list'],
    ['locations', 'list'],
    ['locations', 'show', location],
  ]) {
    const { code, stderr } = await at.run(...words, ...from);
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
  }
  for (const words of [['keys', 'list'], ['staff', 'list'], ['jobs']])
    assert.match((await at.run(...words, ...from)).stderr, /: This needs the store: run it where/);
  const set = await at.json<{ state: string }>(
    'locations',
    'change',
    location,
    '--state',
    'NY',
    ...from,
  );
  assert.equal(set.state, 'NY');
  const hook = ['webhooks', 'create', '--url', 'https://example.com/hook', '--service', url];
  assert.match((await at.run(...hook)).stderr, /not set up on this service/);

  const entries = await at.json<{ what: string; by: string }[]>('audit', 'list', ...from);
  assert.ok(entries.some(({ what, by }) => what === 'release_hold' && by.startsWith('key_')));
  assert.ok(!existsSync(join(laptop, 'data')), 'no store is made');

  const nobody = await programIn(laptop).run('holds', 'list', ...from);
  assert.match(nobody.stderr, /Set LEDGERSTONE_KEY to an API key/);
  const away = await at.run('holds', 'list', '--url', 'http://127.0.0.1:1');
  assert.match(away.stderr, /http:\/\/127\.0\.0\.1:1 was not reached/);
  const unknown = await programIn(laptop, { LEDGERSTONE_KEY: `sk_test_${'x'.repeat(38)}` }).run(
    ...['holds', 'list', ...from],
  );
  assert.match(unknown.stderr, /which ends in xxxx, is unknown/);
});

it('no command of an operation does anything with a key that lacks its right', async () => {
  const { cwd, account, url } = await servedAccount();
  const { secret } = await programIn(cwd).json<{ secret: string }>(
    ...['keys', 'create', '--account', account, '--permission', 'delete'],
  );
  const { run } = programIn(ownFolder(), { LEDGERSTONE_KEY: secret });
  let refused = 0;
  for (const [words, { options, registeredArguments }] of await commands()) {
    const at = options.find(({ description }) => description.includes('LEDGERSTONE_KEY'));
    if (at === undefined) continue;
    const sent = registeredArguments.filter(({ required }) => required).map(() => 'none');
    const { code, stdout, stderr } = await run(...words.split(' '), ...sent, at.long ?? '', url);
    assert.deepEqual([code, stdout], [1, ''], words);
    assert.match(stderr, /^(ledgerstone: [^\n]+\n)+$/, words);
    // Others lack an option, or need only what the key may do.
    if (/this request needs|lacks the right/.test(stderr)) refused += 1;
  }
  assert.ok(refused > 20, `${refused}`);
});

it('an officer copies, erases and previews on a service elsewhere', async () => {
  const { account, secret, url, json } = await servedAccount({ SECRET_KEY_FILE: secretKeyFile() });
  const location = await makeLocation(url, secret, account, 'elm-street');
  const rights = ['--allow', 'erase,audit'];
  const key = await json<{ secret: string }>('keys', 'create', '--account', account, ...rights);
  const at = programIn(ownFolder(), { LEDGERSTONE_KEY: key.secret });
  const from = ['--url', url];
  const begun = await at.json<{ unique_identifier: string }>(
    ...['erasures', 'create', '--account', account, '--record', location, ...from],
  );
  const id = begun.unique_identifier;
  const copied = await at.run('erasures', 'copy', id, '--record', location, ...from);
  assert.equal(copied.code, 0, copied.stderr);
  const [first] = copied.stdout.split('\n');
  assert.deepEqual(
    [JSON.parse(first ?? '').record, JSON.parse(first ?? '').data.unique_identifier],
    [location, location],
  );
  const other = await at.run('erasures', 'run', id, '--record', 'loc_none', '--yes', ...from);
  assert.match(other.stderr, /loc_none is not among the matches/);
  const erased = await at.run('erasures', 'run', id, '--record', location, '--yes', ...from);
  assert.equal(erased.code, 0, erased.stderr);
  assert.match(erased.stdout, /erased/i);
  const made = [
    '--resource',
    'event_check_in_record',
    '--after',
    '3y',
    '--counted-from',
    'inserted_at',
  ];
  const { unique_identifier: rule } = await at.json<{ unique_identifier: string }>(
    ...['retention', 'create', '--account', account, '--basis', 'policy', ...made, ...from],
  );
  const previewed = await at.run('retention', 'preview', rule, ...from);
  assert.match(previewed.stdout, /^0 records would go; 0 held, 0 spared\./, previewed.stderr);
  const gone = await at.run('records', 'show', location, ...from);
  assert.match(gone.stderr, /erased/);
});

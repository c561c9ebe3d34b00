/** An administrator works by the command line on a service elsewhere, with an API key, and without its store. */
// needs: program
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate } from '../support/certificate.ts';
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
  assert.equal(told, `${id} is released.\n`);
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
    assert.match(
      await at.fails(...words, ...from),
      /: "ledgerstone \w+" works on the store itself: run it on the machine of the service, without --url/,
    );
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

it('the key and what is sent go to the service alone, and encrypted beyond this machine', async () => {
  const got: string[] = [];
  const listening = async (answer: (reply: ServerResponse) => void): Promise<string> => {
    const server = createServer((request, reply) => {
      let body = '';
      request.on('data', (some) => {
        body += some;
      });
      request.on('end', () => {
        got.push(`${request.url} ${request.headers.authorization ?? ''} ${body}`);
        answer(reply);
      });
    });
    whenOver(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const stranger = await listening((reply) => reply.end('{}'));
  const key = `sk_test_${'x'.repeat(38)}`;
  const { fails } = programIn(ownFolder(), { LEDGERSTONE_KEY: key });
  const note = ['follow-ups', 'create', '--record', 'dmr_1', '--note', 'Marker', '--url'];
  for (const status of [301, 302, 303, 307, 308]) {
    got.length = 0;
    const front = await listening((reply) =>
      reply.writeHead(status, { location: `http://${stranger}/elsewhere` }).end(),
    );
    const says = await fails(...note, `http://${front}`);
    assert.match(says, /leads on to http:\/\/127\.0\.0\.1:\d+, and nothing was sent there/);
    assert.equal(got.length, 1, `${status}`);
  }
  const broken = await listening((reply) => reply.writeHead(301, { location: 'http://[' }).end());
  assert.match(await fails(...note, `http://${broken}`), /leads on to no address, and nothing/);
  got.length = 0;
  const all = await commands();
  for (const [name, { options, registeredArguments }] of all) {
    const at = options.find(({ description }) => description.includes('LEDGERSTONE_KEY'))?.long;
    const option = at ?? (name === 'webhooks listen' ? '--service' : undefined);
    if (option === undefined) continue;
    const given = registeredArguments.filter(({ required }) => required).map(() => 'none');
    const needs = options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long}=none`);
    const words = [...name.split(' '), ...given, ...needs, option];
    const clear = await fails(...words, 'http://records.example.com');
    assert.match(clear, new RegExp(`^ledgerstone: ${option} is plain HTTP to records.example`));
    assert.match(clear, /Write https:\/\/, or add --plain-http/);
    for (const address of [`http://${key}:@${stranger}`, `http://x:${key}@${stranger}`]) {
      const says = await fails(...words, address);
      assert.match(says, /holds a user or a password.* LEDGERSTONE_KEY/);
      assert.ok(!says.includes(key.slice(0, 20)), says);
    }
  }
  assert.deepEqual(got, []);
  const says = await fails('holds', 'list', '--url', 'http://ledgerstone.invalid', '--plain-http');
  assert.match(says, /ledgerstone\.invalid was not reached/);
});

it('what works on the store itself says so, wherever --url stands', async () => {
  const { fails } = programIn(ownFolder(), { LEDGERSTONE_KEY: 'sk_test_x' });
  const all = await commands();
  const isElsewhere = ([, { options }]: (typeof all)[number]) =>
    options.some(({ description }) => description.includes('LEDGERSTONE_KEY'));
  const groups = new Set(all.filter(isElsewhere).map(([words]) => words.split(' ')[0]));
  // The groups without an operation are refused by their names: see loading.test.ts.
  const mixed = all.filter(
    (one) => one[0].includes(' ') && groups.has(one[0].split(' ')[0]) && !isElsewhere(one),
  );
  assert.ok(mixed.length > 5);
  for (const [words, { options, registeredArguments }] of mixed) {
    const needs = options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long}=none`);
    const given = registeredArguments.filter(({ required }) => required).map(() => 'none');
    const sent = [...words.split(' '), ...given, ...needs, '--url', 'http://127.0.0.1:1'];
    const says = new RegExp(
      `^ledgerstone: "ledgerstone ${words}" (?:works on the store itself: run it|takes the address of the service as --service)`,
    );
    assert.match(await fails(...sent), says);
    assert.match(await fails('--database-url', 'sqlite:x', ...sent), says);
  }
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

it('a service whose certificate is of an authority of its own is refused, and told how it is trusted', async () => {
  const server = createTlsServer(makeCertificate(), (_, answer) => answer.end()).listen(0);
  whenOver(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const at = programIn(ownFolder(), { LEDGERSTONE_KEY: 'sk_test_example' });
  const said = await at.fails('records', 'list', 'events', '--url', `https://localhost:${port}`);
  assert.match(said, /was not reached: self-signed certificate; name .* NODE_EXTRA_CA_CERTS/);
  assert.doesNotMatch(said, /Node\.js/);
});

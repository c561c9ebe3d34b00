/** Each command of the program does, once, what it is there for. One that is added is to be called here, too. */
// needs: --ci, program, release
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { ownFolder, watch } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { commands } from '../support/commands.ts';
import { browserAt, PASSWORD } from '../support/console.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Sent, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

type Ids = { readonly unique_identifier: string };

it('every command', async () => {
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { SECRET_KEY_FILE, WEBHOOK_ALLOW: '127.0.0.0/8' };
  const { account, cwd, url, service, ...served } = await servedAccount(env);
  const called = new Set<string>();
  const noted = (words: readonly string[]) => called.add(words.join(' '));
  const ok = (...words: string[]) => {
    noted(words);
    return served.ok(...words);
  };
  const json = async (...words: string[]): Promise<Ids & Readonly<Record<string, unknown>>> =>
    JSON.parse(await ok(...words, '--json'));
  const id = async (...words: string[]) => (await json(...words)).unique_identifier;
  const first = async (...words: string[]): Promise<string> => {
    const found = JSON.parse(await ok(...words, '--json'));
    const [one] = Array.isArray(found) ? found : found.data;
    return one.unique_identifier;
  };
  const lines = (...words: string[]) => ok(...words);

  const allow = ['--allow', 'audit', 'erase', 'follow_up', 'hold', 'requests', 'sources'];
  const { secret, unique_identifier: key } = (await json(
    ...['keys', 'create', '--account', account, '--name', 'Case management', ...allow, 'webhooks'],
    ...['--permission', 'read', 'write', 'delete'],
  )) as { secret: string } & Ids;
  const send = async (path: string, body?: object, by = secret, method = 'POST') => {
    const { status, text } = await call(url, by, `/v1${path}`, body, { method });
    assert.ok(status < 300, `${path}: ${text}`);
    return JSON.parse(text);
  };

  // Somebody who corrects records in the console.
  const invited = ['--email', 'editor@example.com', '--role', 'editor', '--account', account];
  const told = await served.ok('staff', 'invite', ...invited, '--port', new URL(url).port);
  const editor = browserAt({
    async send(method: string, path: string, { body, headers }: Sent = {}) {
      const sent = body === undefined ? {} : { body: String(body) };
      const answer = await fetch(url + path, { method, headers: { ...headers }, ...sent });
      const text = await answer.text();
      assert.ok(answer.ok, `${path}: ${text}`);
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
    },
  } as Service);
  const token = /#\/invitation\/(\S+)/.exec(told)?.[1];
  await editor.post('/invitations/redeem', { token, password: PASSWORD });

  // Records, and what people did with them.
  const location = await makeLocation(url, secret, account, 'home');
  const event = (await send('/events/upsert', eventBody(location, 'one'))).unique_identifier;
  const visit = async (name: string, more: object = {}, by = secret): Promise<string> =>
    (await send('/event_check_in_records/upsert', visitorBody(event, name, more), by))
      .unique_identifier;
  const visitor = await visit('visitor');
  assert.equal(await id('records', 'show', visitor), visitor);
  assert.match(await ok('records', 'list', 'events'), new RegExp(event));
  await until(async () => (await ok('records', 'find', 'Nora')).includes(visitor));
  await ok('records', 'history', event);
  await lines('changes', 'list');
  await call(url, secret, '/v1/events/upsert', { event_name: 'Refused' });
  await until(async () => (await ok('requests', 'list')).includes('/v1/events/upsert'));
  await ok('activity', 'list');

  // Accounts and locations.
  const empty = await id('accounts', 'create', '--name', 'Another group', '--test');
  await ok('accounts', 'list');
  await ok('accounts', 'show', empty);
  await ok('accounts', 'change', empty, '--name', 'Another home');
  await ok('accounts', 'close', empty);
  await ok('accounts', 'reopen', empty);
  await ok('accounts', 'wipe', empty, '--confirm', 'Another home', '--yes');
  await ok('accounts', 'close', empty);
  await ok('accounts', 'delete', empty, '--confirm', 'Another home', '--yes');
  await ok('locations', 'list');
  await ok('locations', 'show', location);
  await ok('locations', 'change', location, '--time-zone', 'America/Chicago');

  // Keys.
  const tablet = await id('keys', 'create', '--account', account, '--name', 'Lobby tablet');
  await ok('keys', 'list');
  await ok('keys', 'show', tablet);
  await ok('keys', 'rename', tablet, '--name', 'Hall tablet');
  await ok('keys', 'change', tablet, '--allow', 'requests');
  await ok('keys', 'suspend', tablet);
  await ok('keys', 'resume', tablet);
  await ok('keys', 'revoke', await id('keys', 'rotate', tablet, '--overlap', '1h'));

  // Sources, proposals and syncs.
  const system = (await json('keys', 'create', '--account', account, '--name', 'A portal')) as {
    secret: string;
  } & Ids;
  await send('/events/upsert', eventBody(location, 'two'), system.secret);
  const sources: readonly Ids[] = JSON.parse(await ok('sources', 'list', '--json'));
  const [one = '', other = ''] = sources.map(({ unique_identifier }) => unique_identifier);
  await ok('sources', 'show', one);
  await ok('sources', 'change', one, '--name', 'Case management of the group');
  const hours = ['--location', location, '--hours', 'mon-fri 9-17'];
  const expectation = await id('expectations', 'set', one, ...hours);
  await ok('expectations', 'list');
  await ok('expectations', 'show', expectation);
  await ok('expectations', 'delete', expectation);
  const proposed = async (name: string) => {
    const record = await visit(name, { visitor_full_name: 'As a tablet has it' }, system.secret);
    const corrected = { visitor_full_name: 'As the family says' };
    await editor.send('PATCH', `/v1/event_check_in_records/${record}`, corrected);
    await visit(name, { visitor_full_name: 'As a tablet has it now' }, system.secret);
    return { record, proposal: await first('proposals', 'list', '--record', record) };
  };
  const taken = await proposed('taken');
  await ok('proposals', 'show', taken.proposal);
  await ok('proposals', 'accept', taken.proposal);
  const kept = await proposed('kept');
  await ok('proposals', 'pins', kept.record);
  await ok('proposals', 'keep', kept.proposal);
  await ok('proposals', 'unpin', kept.record, '--member', 'visitor_full_name');
  const sync = async (): Promise<string> => {
    const begun = await send('/syncs', { resource: 'event', location, at_most: '100%' });
    return begun.unique_identifier;
  };
  await ok('syncs', 'finish', await sync());
  await ok('syncs', 'list');
  const finished = await first('syncs', 'list');
  await ok('syncs', 'show', finished);
  await ok('syncs', 'undo', finished);
  await ok('sources', 'merge', other, '--into', one);

  // Removals and imports.
  await send(`/event_check_in_records/${await visit('removed')}`, undefined, secret, 'DELETE');
  const removal = await first('removals', 'list');
  await ok('removals', 'show', removal);
  await ok('removals', 'restore', removal);
  const header = 'location_unique_identifier,external_identifier,event_name,event_datetime';
  const sheet = join(cwd, 'services.csv');
  writeFileSync(sheet, `${header}\n${location},imported,A service,2027-03-20T14:30:00Z\n`);
  await ok('import', sheet, '--resource', 'events');
  const imported = await first('imports', 'list');
  await ok('imports', 'show', imported);
  await ok('imports', 'undo', imported, '--yes');
  for (const format of ['ndjson', 'csv', 'xlsx'])
    await ok('export', '--format', format, '--out', join(cwd, `all-${format}`));

  // Follow-ups.
  const followUp = await id('follow-ups', 'create', '--record', visitor);
  await ok('follow-ups', 'list');
  await ok('follow-ups', 'counts');
  await ok('follow-ups', 'show', followUp);
  await ok('follow-ups', 'claim', followUp);
  await ok('follow-ups', 'release', followUp);
  await ok('follow-ups', 'attempt', followUp, '--channel', 'call', '--outcome', 'no_answer');
  await ok('follow-ups', 'schedule', followUp, '--next-at', '2099-01-31T18:00:00Z');
  await ok('follow-ups', 'close', followUp, '--outcome', 'done');
  await ok('follow-ups', 'reopen', followUp, '--reason', 'the family called');
  const { colleagues } = await json('follow-ups', 'colleagues', '--record', visitor);
  const [colleague] = colleagues as readonly Ids[];
  const owner = colleague?.unique_identifier ?? '';
  await ok('follow-ups', 'hand-over', followUp, '--owner', owner);
  const card = examples.find(({ path }) => path === 'direct_mail_replies')?.least;
  const ticked = {
    location_unique_identifier: location,
    additional_metadata: { 'Home phone': 'x' },
  };
  await send('/direct_mail_replies/upsert', { ...card, ...ticked });
  await until(async () => (await ok('follow-ups', 'ticks')).includes('Home phone'));
  await ok('follow-ups', 'tick', await first('follow-ups', 'ticks'), '--meaning', 'nothing');

  // Whom nobody is to contact.
  const number = ['--account', account, '--phone-number', '+14155550188'];
  const entry = await id('do-not-contact', 'create', ...number, '--reason', 'asked at the door');
  await ok('do-not-contact', 'list');
  await ok('do-not-contact', 'show', entry);
  await ok('do-not-contact', 'lift', entry, '--reason', 'they called');
  const numbers = join(cwd, 'numbers.csv');
  writeFileSync(numbers, '4155550189\n');
  await ok('do-not-contact', 'import', '--account', account, '--file', numbers);

  // Holds, retention and erasures.
  const hold = await id(
    ...['holds', 'place', '--account', account, '--record', visitor, '--matter', 'Case 7'],
  );
  await ok('holds', 'list');
  await ok('holds', 'show', hold);
  await ok('holds', 'release', hold, '--reason', 'closed');
  const rule = '--resource event --counted-from event_datetime --after 3y --basis policy'.split(
    ' ',
  );
  const retention = await id('retention', 'create', '--account', account, ...rule);
  await ok('retention', 'list');
  await ok('retention', 'change', retention, '--after', '4y');
  await ok('retention', 'preview', retention);
  await until(async () =>
    (await served.ok('retention', 'show', retention, '--json')).includes('"ready"'),
  );
  await ok('retention', 'show', retention);
  await ok('retention', 'enable', retention);
  await until(
    async () => JSON.parse(await ok('retention', 'runs', retention, '--json')).length > 0,
  );
  await ok('retention', 'pause', retention);
  await ok('retention', 'lift', retention);
  await ok('retention', 'delete', retention);
  const erased = await visit('erased');
  const erasure = await id('erasures', 'create', '--account', account, '--record', erased);
  await ok('erasures', 'list');
  await ok('erasures', 'show', erasure);
  await ok('erasures', 'copy', erasure, '--all');
  await ok('erasures', 'run', erasure, '--all', '--yes');
  await until(async () => (await served.ok('erasures', 'show', erasure)).includes('done'));
  const certificate = join(cwd, 'certificate.json');
  writeFileSync(certificate, await ok('erasures', 'certificate', erasure, '--json'));
  await ok('erasures', 'verify', certificate);
  await ok('erasures', 'lift', erasure, '--record', erased);
  const stays = await visit('stays erased');
  const lasting = await id('erasures', 'create', '--account', account, '--record', stays);
  await ok('erasures', 'run', lasting, '--all', '--yes');
  const asked = await id('erasures', 'create', '--account', account, '--record', visitor);
  await ok('erasures', 'close', asked, '--basis', 'kept one year');

  // Webhooks.
  const receiver = await startReceiver();
  const endpoint = await id('webhooks', 'create', '--key', key, '--url', receiver.url);
  await ok('webhooks', 'list');
  await ok('webhooks', 'show', endpoint);
  await ok('webhooks', 'change', endpoint, '--description', 'A desk');
  await ok('webhooks', 'test', endpoint);
  await visit('notified');
  await receiver.count(2);
  const delivered = async () =>
    JSON.parse(await ok('webhooks', 'deliveries', endpoint, '--json')) as readonly {
      readonly change?: string;
    }[];
  await until(async () => (await delivered()).some(({ change }) => change !== undefined));
  const { change = '' } = (await delivered()).find((one) => one.change !== undefined) ?? {};
  await ok('webhooks', 'resend', endpoint, '--change', change);
  await ok('webhooks', 'replay', endpoint, '--since', '2026-01-20T14:30:00Z');
  await ok('webhooks', 'rotate', endpoint);
  await ok('webhooks', 'pause', endpoint);
  await ok('webhooks', 'enable', endpoint);
  await ok('webhooks', 'delete', endpoint);

  const listening = ['webhooks', 'listen', '--forward', receiver.url, '--service', url];
  noted(listening);
  const { printed, stop } = watch(listening, { cwd, env: { LEDGERSTONE_KEY: secret } });
  await until(() => printed.stdout.includes('Ctrl-C stops it'));
  assert.equal((await stop()).code, 0);

  // People.
  const person = ['--email', 'one@example.com', '--role', 'viewer', '--account', account];
  await ok('staff', 'invite', ...person);
  await ok('staff', 'list');
  await ok('staff', 'show', 'one@example.com');
  await ok('staff', 'change', 'one@example.com', '--role', 'editor');
  await ok('staff', 'end-sessions', 'one@example.com');
  await ok('staff', 'disable', 'one@example.com');
  await ok('staff', 'enable', 'one@example.com');
  await ok('staff', 'delete', 'one@example.com');

  // Self-tests, which the program of a partner opens.
  const tested = (await json('keys', 'create', '--account', account)) as { secret: string } & Ids;
  const test = (await send('/self_tests', {}, tested.secret)).unique_identifier;
  await ok('self-tests', 'list');
  await ok('self-tests', 'show', test);

  // The store.
  await ok('audit', 'list');
  await ok('audit', 'head');
  await ok('audit', 'verify');
  await ok('jobs');
  await ok('config');
  await ok('doctor');
  await ok('migrate', 'status');
  await ok('verify');
  const backup = join(cwd, 'a.backup');
  await ok('backup', backup);
  await ok('restore', '--check', backup);
  await ok('erasures', 'apply', join(cwd, 'data', 'erasures.ndjson'));

  // Those that run until they are stopped, and one that wants the store for itself.
  await service.stop();
  await ok('compact');
  for (const words of [['serve'], ['dev', '--sample']]) {
    noted(words);
    const moments = join(cwd, 'moments');
    const away = { cwd: ownFolder(), env: { SECRET_KEY_FILE } };
    const here = { cwd, env: { ...env, BACKUP_TO: moments } };
    const running = await startProcess({ words, ...(words.includes('dev') ? away : here) });
    if (words.includes('dev')) await running.printed(/Your key/);
    else await until(() => existsSync(moments) && readdirSync(moments).length > 1);
    for (const path of ['/readyz', '/docs', '/console/', '/openapi.json', '/client.tgz'])
      assert.equal((await fetch(running.url + path)).status, 200, path);
    assert.equal((await running.stop()).code, 0);
  }

  await ok('erasures', 'accept-lost-key', '--secret-key-file', secretKeyFile(), '--yes');

  const missing = (await commands())
    .filter(([, { commands: below }]) => below.length === 0)
    .map(([words]) => words)
    .filter((words) => ![...called].some((one) => one === words || one.startsWith(`${words} `)));
  assert.deepEqual(missing, []);
});

/** Operators see the audit on the command line, and what they do is in it; it is whole after a restore. */
// needs: program, both stores with --all
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readSettings } from '../../src/core/config.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { ownFolder, programIn, watch } from '../support/cli-program.ts';
import { call } from '../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount } from '../support/cli-setup.ts';
import { commands } from '../support/commands.ts';
import { withinOneDay } from '../support/same-day.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import { serviceGround, storeEnv } from '../support/service-ground.ts';
import { until } from '../support/until.ts';

const NAME = 'Example Funeral Group';

interface Entry {
  readonly by: string;
  readonly action: string;
  readonly what: string;
  readonly record?: string;
  readonly account?: string;
}

it('an auditor of the account sees what an operator does, and what was refused', async () => {
  const ground = await serviceGround();
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { ...storeEnv(ground), SECRET_KEY_FILE, WEBHOOK_ALLOW: '127.0.0.0/8' };
  const { account, secret, url, run, ok, json, newKey } = await servedAccount(env);
  const record = await makeLocation(url, secret, account, 'home');
  const auditor = await newKey(account, '--allow', 'audit');
  let known = new Set<string>();
  /** The new entries of operators that the auditor sees, the oldest first, as action, what and record. */
  const seen = async (): Promise<readonly string[]> => {
    const { text } = await call(url, auditor.secret, '/v1/audit?by=operator&limit=1000');
    const all: readonly (Entry & { unique_identifier: string })[] = JSON.parse(text).data;
    const fresh = all.filter(({ unique_identifier }) => !known.has(unique_identifier)).toReversed();
    known = new Set(all.map(({ unique_identifier }) => unique_identifier));
    assert.ok(fresh.every((one) => one.account === account));
    return fresh.map(({ action, what, record: on = '' }) => `${action} ${what} ${on}`.trim());
  };
  const done = async (words: readonly string[], ...entries: readonly string[]) => {
    await ok(...words);
    assert.deepEqual(await seen(), entries, words.join(' '));
  };
  const refused = async (words: readonly string[], ...entries: readonly string[]) => {
    assert.equal((await run(...words)).code, 1, words.join(' '));
    assert.deepEqual(await seen(), entries, words.join(' '));
  };
  await seen();

  // Holds, of an account by its name and by its identifier.
  for (const which of [NAME, account]) {
    const place = ['holds', 'place', '--account', which, '--record', record, '--matter'];
    await refused([...place, ''], `hold place_hold ${record}`, `refused place_hold ${record}`);
    const { unique_identifier: hold } = await json(...place, 'Case 7');
    assert.deepEqual(await seen(), [`hold place_hold ${record}`, `command holds place ${hold}`]);
    const release = `release_hold ${hold}`;
    await refused(
      ['holds', 'release', hold, '--reason', ''],
      `hold ${release}`,
      `refused ${release}`,
    );
    await done(['holds', 'release', hold, '--reason', 'closed'], `hold ${release}`);
  }

  // Keys, by identifier, by name and by the end of the secret.
  const key = await newKey(NAME, '--name', 'Lobby tablet', '--allow', 'webhooks');
  const { unique_identifier: id } = key;
  assert.deepEqual(await seen(), ['administer create_key', `command keys create ${id}`]);
  await done(['keys', 'suspend', id], `administer suspend_key ${id}`);
  await done(['keys', 'resume', 'Lobby tablet'], `administer resume_key ${id}`);
  await done(['keys', 'suspend', key.secret.slice(-4)], `administer suspend_key ${id}`);
  await done(['keys', 'rename', id, '--name', 'Hall tablet'], `administer rename_key ${id}`);
  await done(['keys', 'suspend', 'Hall tablet'], `administer suspend_key ${id}`);
  await done(['keys', 'resume', id], `administer resume_key ${id}`);
  const change = `change_key ${id}`;
  await refused(['keys', 'change', id], `administer ${change}`, `refused ${change}`);
  await done(['keys', 'resume', id], `administer resume_key ${id}`);

  // Webhooks.
  const hook = ['webhooks', 'create', '--key', id, '--url', 'http://127.0.0.1:9999/hook'];
  const { unique_identifier: endpoint } = await json(...hook);
  assert.deepEqual((await seen()).at(-1), `command webhooks create ${endpoint}`);
  const resend = `resend_webhook_delivery ${endpoint}`;
  await refused(
    ['webhooks', 'resend', endpoint, '--change', 'chg_x'],
    `administer ${resend}`,
    `refused ${resend}`,
  );
  await done(['webhooks', 'delete', endpoint], `administer delete_webhook_endpoint ${endpoint}`);

  // Retention.
  const rule = '--resource event --counted-from event_datetime --after 3y --basis x'.split(' ');
  const { unique_identifier: ret } = await json('retention', 'create', '--account', NAME, ...rule);
  assert.deepEqual((await seen()).at(-1), `command retention create ${ret}`);
  const enable = `enable_retention_rule ${ret}`;
  await refused(['retention', 'enable', ret], `administer ${enable}`, `refused ${enable}`);
  await done(['retention', 'pause', ret], `administer pause_retention_rule ${ret}`);

  // Erasures.
  const asked = ['--account', NAME, '--record', record];
  const { unique_identifier: erasure } = await json('erasures', 'create', ...asked);
  assert.deepEqual((await seen()).at(-1), `command erasures create ${erasure}`);
  const close = `close_erasure ${erasure}`;
  await refused(
    ['erasures', 'close', erasure, '--basis', ''],
    `erase ${close}`,
    `refused ${close}`,
  );
  await done(['erasures', 'close', erasure, '--basis', 'kept'], `erase ${close}`);

  // People, by email and by identifier.
  const invited = ['--email', 'a@example.com', '--role', 'viewer', '--account', NAME];
  const { unique_identifier: person } = await json('staff', 'invite', ...invited);
  assert.deepEqual((await seen()).at(-1), `command staff invite ${person}`);
  const grant = `change_staff ${person}`;
  await refused(
    ['staff', 'change', 'a@example.com', '--role', 'administrator', '--location', record],
    `administer ${grant}`,
    `refused ${grant}`,
  );
  await done(['staff', 'disable', person], `administer disable_staff ${person}`);
  await done(['staff', 'delete', 'A@example.com'], `administer remove_staff ${person}`);

  // The API says so, too, of what it refuses after it was recorded.
  const officer = await newKey(account, '--allow', 'hold');
  assert.equal((await call(url, officer.secret, '/v1/holds', { account, matter: '' })).status, 400);
  const refusals = `/v1/audit?by=${officer.unique_identifier}&action=refused`;
  const { text } = await call(url, auditor.secret, refusals);
  const found = JSON.parse(text).data.map(({ what }: Entry) => what);
  assert.deepEqual(found, ['place_hold']);
  await seen();

  // What only shows our own objects, and nothing of people, leaves nothing.
  for (const group of ['webhooks', 'accounts', 'keys', 'staff', 'locations'])
    await done([group, 'list']);
  await done(['keys', 'revoke', id], `administer revoke_key ${id}`);
});

it('what an operator does to all accounts is in the audit of each', async () => {
  const ground = await serviceGround();
  const env = { ...storeEnv(ground), SECRET_KEY_FILE: secretKeyFile() };
  const { account, secret, url, run, json } = await servedAccount(env);
  await makeLocation(url, secret, account, 'home');
  const other = await json('accounts', 'create', '--name', 'Another Group', '--test');
  const entriesOf = async (of: string): Promise<readonly string[]> => {
    const listed = await json<Entry[]>('audit', 'list', '--account', of, '--by', 'operator');
    return listed.map(({ action, what }) => `${action} ${what}`);
  };
  const accounts = [account, other.unique_identifier];
  const all = (await commands()).filter(
    ([name, { commands: below, options }]) =>
      below.length === 0 &&
      !/^(?:dev|serve|restore|compact|migrate|jobs)\b| listen$/.test(name) &&
      !options.some(({ mandatory }) => mandatory),
  );
  const shared: string[] = [];
  for (const [name, { registeredArguments }] of all) {
    const needed = registeredArguments.filter(({ required }) => required);
    if (needed.length > 0 && name !== 'backup') continue;
    const before = await Promise.all(accounts.map(entriesOf));
    const given = needed.map(() => '-');
    const { code } = await run(...name.split(' '), ...given);
    if (code !== 0) continue;
    const after = await Promise.all(accounts.map(entriesOf));
    const own = await json<Entry[]>('audit', 'list', '--limit', '100');
    const [first = [], second = []] = after.map((entries, at) =>
      entries.slice(0, entries.length - (before[at]?.length ?? 0)),
    );
    // The lists by which this test looks are entries of one account each.
    assert.deepEqual(
      first.filter((one) => one !== 'list list_audit'),
      second.filter((one) => one !== 'list list_audit'),
      name,
    );
    if (first.some((one) => one !== 'list list_audit')) shared.push(name);
    const lone = own.filter(({ by, account: of }) => by === 'operator' && of === undefined);
    assert.deepEqual(
      // Refused, as nobody is named, an entry of the register has no account either.
      lone.filter(({ what }) => !['create_account', 'create_do_not_contact'].includes(what)),
      [],
      name,
    );
  }
  for (const name of ['backup', 'follow-ups list', 'proposals list', 'erasures list'])
    assert.ok(shared.includes(name), `${name} of ${shared}`);
  const exported = async () =>
    (await entriesOf(other.unique_identifier)).filter((one) => one.endsWith(' export'));
  const before = await exported();
  assert.equal((await run('export', '--account', 'Nobody', '--resource', 'events')).code, 1);
  assert.deepEqual(await exported(), before, 'an account that is not there is not all');
});

it('looks at many accounts fill no disk: each account has the first of a day, and what changes or takes away each time', async () => {
  await withinOneDay();
  const ground = await serviceGround();
  const env = storeEnv(ground);
  const cwd = ownFolder();
  await makeAccount(cwd, env);
  const store = await openStoreAlone(readSettings({}, env), { create: false });
  try {
    for (let nth = 0; nth < 100; nth++)
      await store.accounts.create({ name: `Example ${nth}`, livemode: false });
    const { ok } = programIn(cwd, env);
    const accounts = await store.accounts.list();
    const of = async (action: string, account?: string) =>
      (await store.audit.list({ action, account, by: 'operator', limit: 1_000 })).length;
    for (let time = 1; time <= 3; time++) {
      await ok('follow-ups', 'list');
      await ok('backup', `${time}.backup`);
      for (const at of [0, 50, 100]) {
        const account = accounts[at]?.unique_identifier;
        assert.deepEqual([await of('list', account), await of('command', account)], [1, time]);
      }
      assert.equal(await of('list'), accounts.length + time - 1, 'each look stands somewhere');
    }
    await ok('proposals', 'list');
    assert.equal(await of('list', accounts[100]?.unique_identifier), 2, 'another look');
  } finally {
    await store.close();
  }
});

it('ledgerstone audit shows who saw what, and that nothing of it was changed', async () => {
  const ground = await serviceGround();
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { ...storeEnv(ground), SECRET_KEY_FILE };
  const { cwd, account, secret, url, run, ok, fails, newKey } = await servedAccount(env);
  const location = await makeLocation(url, secret, account, 'home');
  const made = await call(url, secret, '/v1/events/upsert', eventBody(location, 'service'));
  const event: string = JSON.parse(made.text).unique_identifier;

  // What an operator reads, the audit has with the account of the record.
  await ok('records', 'history', event);
  const seen = await ok('audit', 'list', '--record', event, '--account', account, '--json');
  const [entry] = JSON.parse(seen);
  assert.deepEqual(
    [entry.by, entry.action, entry.what, entry.account],
    ['operator', 'history', 'list_event_history', account],
  );
  await ok('backup', 'early.backup');
  assert.match(await ok('audit', 'list'), /operator +command +- +- +backup/);
  assert.match(await ok('audit', 'list'), /operator +history +- +evt_\w+ +list event history/);
  const auditor = await newKey(account, '--allow', 'audit');
  const listed = await call(url, auditor.secret, `/v1/audit?record=${event}`);
  assert.equal(JSON.parse(listed.text).data.length, 1, listed.text);

  assert.match(await ok('audit', 'verify'), /no faults/);
  const head = await ok('audit', 'head');
  writeFileSync(join(cwd, 'head.ndjson'), head);
  await ok('audit', 'verify', '--head', 'head.ndjson');
  const missing = head.replace(/"number":\d+/, '"number":999');
  writeFileSync(join(cwd, 'head-of-another.ndjson'), missing);
  const cut = await run('audit', 'verify', '--head', 'head-of-another.ndjson');
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, /entries \d+ to 999 are missing/);
  // So do the log of the service, and a certificate as it is printed.
  const heads = JSON.parse(`[${missing.trim().replaceAll('\n', ',')}]`);
  const logged = heads.map((one: object) => JSON.stringify({ ...one, msg: 'audit head' }));
  for (const [name, text] of [
    ['service.log', ['listening', '{"msg":"listening"}', ...logged].join('\n')],
    ['certificate.json', JSON.stringify({ audit_head: heads }, null, 2)],
  ] as const) {
    writeFileSync(join(cwd, name), text);
    assert.match((await run('audit', 'verify', '--head', name)).stdout, /to 999 are missing/, name);
  }
  writeFileSync(join(cwd, 'nothing'), 'nothing');
  assert.match(await fails('audit', 'verify', '--head', 'nothing'), /no end of a chain/);

  // What is done from now on is printed as it is done.
  const { printed, stop } = watch(['audit', 'list', '--follow', '--ndjson'], { cwd, env });
  await until(async () => {
    await ok('records', 'history', event);
    return printed.stdout.includes('"list_event_history"');
  });
  await stop('SIGKILL');

  // Another key is no forgery that goes unnoticed.
  const otherKey = secretKeyFile();
  const wrong = await programIn(cwd, { ...env, SECRET_KEY_FILE: otherKey }).run('audit', 'verify');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /entry 1: aud_\w+: does not match its mac/);

  assert.match(await ok('audit', 'verify'), / were read: no faults/);

  // A backup has all chains, and restored they are whole; only the kept head shows what came later.
  await ok('backup', 'store.backup');
  await ok('records', 'history', event);
  const later = await ok('audit', 'head');
  writeFileSync(join(cwd, 'later.ndjson'), later);
  const restored = { SECRET_KEY_FILE, DATABASE_URL: 'sqlite:restored.db' };
  const elsewhere = programIn(cwd, restored);
  await elsewhere.ok('restore', 'store.backup');
  const told = await elsewhere.ok('audit', 'verify', '--head', 'head.ndjson');
  assert.match(told, / were read: no faults/);

  const older = await elsewhere.run('audit', 'verify', '--head', 'later.ndjson');
  assert.equal(older.code, 1);
  const shown = older.stdout;
  assert.match(shown, /missing|kept head/, 'only a head of later shows what the restore took back');
});

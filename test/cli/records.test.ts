/** Operators find, read and list records and what was removed, decide proposals, and see long work. */
// needs: program
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { shapes } from '../../src/core/registry.ts';
import { openStore } from '../../src/store/open.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeLocation, servedAccount, withAccount } from '../support/cli-setup.ts';
import { until } from '../support/until.ts';

interface Proposed {
  readonly unique_identifier: string;
  readonly proposed: string;
}

it('records and proposals are read and decided by commands, here and elsewhere', async () => {
  const { cwd, account, secret } = await withAccount();
  const { url } = await startProcess({ cwd });
  const location = await makeLocation(url, secret, account, 'oak-street');
  const here = programIn(cwd);
  const pinning = await here.json<{ secret: string }>(
    ...['keys', 'create', '--account', account, '--allow', 'pin'],
  );
  const send = async (key: string, event_name: string): Promise<string> => {
    const { status, text } = await call(url, key, '/v1/events/upsert', {
      ...{ location_unique_identifier: location, external_identifier: 'service 1' },
      ...{ event_name, event_datetime: '2027-03-20T14:30:00Z' },
    });
    assert.ok(status < 300, text);
    return JSON.parse(text).unique_identifier;
  };
  const event = await send(secret, 'Jane Doe');
  await send(pinning.secret, 'Jane A. Doe');

  const laptop = programIn(ownFolder(), { LEDGERSTONE_KEY: pinning.secret });
  const from = ['--url', url];
  const both = [
    { ...here, more: [] as string[], decides: 'accept', sends: 'Jane B. Doe' },
    { ...laptop, more: from, decides: 'keep', sends: 'Jane C. Doe' },
  ];
  for (const { run, fails, json, more, decides, sends, ...at } of both) {
    const ok = (...words: readonly string[]) => at.ok(...words, ...more);
    const line = new RegExp(`^${event} +service 1 +Jane \\w\\. Doe +2\\d{3}-`, 'm');
    assert.match(await ok('records', 'list', 'events'), line);
    const late = ['--where', 'event_datetime[gte]=2028-01-01T00:00:00Z'];
    assert.equal(await ok('records', 'list', 'event', ...late), 'There are none.\n');
    assert.match(await ok('records', 'list', 'events', '--location', location), line);
    assert.match(await ok('records', 'list', 'locations', '--account', account), /Main Street/);
    await until(async () => (await ok('records', 'find', 'doe')).includes(event));
    assert.match(await ok('records', 'show', event), /^Event name +Jane \w\. Doe$/m);
    assert.match(await ok('records', 'history', event), /event_name: "Jane Doe" → "Jane A\. Doe"/);
    const changes = (await ok('changes', 'list', '--account', account, '--ndjson')).trim();
    assert.equal(JSON.parse(changes.split('\n').at(-1) ?? '').record, event);

    await send(secret, sends);
    const [open] = await json<Proposed[]>('proposals', 'list', ...more);
    assert.ok(open !== undefined);
    assert.equal(open.proposed, sends);
    const id = open.unique_identifier;
    assert.match(await ok('proposals', 'show', id), new RegExp(`^Proposed +${sends}$`, 'm'));
    const told = await ok('proposals', 'pins', event);
    assert.match(told, /^event_name +"Jane A\. Doe" +"Jane (B\. )?Doe" +2/m);
    await ok('proposals', decides, id);
    assert.match(await fails('proposals', decides, id, ...more), /no longer open/);
    if (decides === 'accept') await send(pinning.secret, 'Jane A. Doe');
    else await ok('proposals', 'unpin', event, '--member', 'event_name');
    const pins = await json<unknown[]>('proposals', 'pins', event, ...more);
    assert.equal(pins.length, decides === 'accept' ? 1 : 0);

    for (const [words, says] of [
      [['records', 'list', 'visitors'], /There is no resource "visitors": there are accounts, /],
      [['records', 'list', 'events', '--where', 'x'], /--where must be a filter/],
      [['records', 'list', 'events', '--where', 'x=1'], /x is not a parameter here/],
      [['records', 'show', 'evt_x'], /There is no record "evt_x" in /],
      [['records', 'show', 'x'], /There is no record "x" in /],
      [['proposals', 'pins', 'x'], /There is no record "x" in /],
      [['proposals', 'unpin', 'evt_x', '--member', 'event_name'], /There is no record "evt_x" in /],
      [['proposals', 'unpin', event, '--member', 'nothing'], /has no pin of nothing/],
      [['proposals', 'keep', 'prp_x'], /There is no proposal "prp_x" in /],
    ] as const) {
      assert.match(await fails(...words, ...more), says);
    }
  }

  // What an operator reads stands in the audit of the account, without what was searched for.
  const entries = await here.json<{ action: string; account: string; record?: string }[]>(
    ...['audit', 'list', '--account', account],
  );
  for (const action of ['list', 'search', 'read', 'history'])
    assert.ok(
      entries.some((one) => one.action === action),
      action,
    );
  // As a word: a random identifier may contain its letters.
  assert.doesNotMatch(JSON.stringify(entries), /\bdoe\b/i);
  await here.run('accounts', 'create', '--name', 'Another');
  const several = await here.run('records', 'find', 'doe');
  assert.match(several.stderr, /--account is required: there are several accounts/);
});

describe('ledgerstone removals', () => {
  it('lists what was removed by its name, and restores it with all that went with it', async () => {
    const { account, secret, url, run: program, fails, ok } = await servedAccount();
    const location = await makeLocation(url, secret, account);
    const event = await call(url, secret, '/v1/events/upsert', {
      ...{ location_unique_identifier: location, external_identifier: 'f' },
      ...{ event_name: 'Memorial', event_datetime: '2027-03-20T14:30:00Z' },
      person: { full_name: 'Agnes Thornbury' },
    });
    const id = String(JSON.parse(event.text).unique_identifier);
    await call(url, secret, '/v1/event_check_in_records/upsert', {
      ...{ event_unique_identifier: id, external_identifier: 'a' },
      ...{ visitor_full_name: 'Ann', visitor_phone_number: '+14155550123' },
    });
    const Authorization = `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;
    const answer = await fetch(`${url}/v1/events/${id}?cascade=true`, {
      ...{ method: 'DELETE', headers: { Authorization } },
    });
    const removal = answer.headers.get('ledgerstone-removal') ?? '';
    const told = await ok('removals', 'list', '--account', account, '--search', 'agnes');
    assert.match(told, new RegExp(`${removal} .* event +2 .*Agnes Thornbury`));
    const shown = await ok('removals', 'restore', removal, '--dry-run');
    assert.match(shown, /Dry run: 2 restored, 0 left removed\. Nothing was written\./);
    assert.match(await ok('removals', 'restore', removal), /^2 restored, 0 left removed\.$/m);
    const back = await fetch(`${url}/v1/events/${id}`, { headers: { Authorization } });
    assert.equal(back.status, 200);
    assert.match(await fails('removals', 'restore', 'rem_nothing'), /There is no such removal/);
    const empty = await program('removals', 'list', '--account', account, '--json');
    assert.equal(empty.stdout, '[]\n');
  });
});

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

/** An operator finds, reads and lists records, and decides proposals, on the store and on a service elsewhere. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
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

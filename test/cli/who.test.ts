/** Lists and entries that commands print for people say who a person or a key is by name: each list that the program has, with what both of them did. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call } from '../support/cli-service.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { commands } from '../support/commands.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';

const RIGHTS = ['follow_up', 'hold', 'do_not_contact', 'sources', 'requests', 'audit'];
/** The columns of what an entry is about, which other commands take. */
const ABOUT = /^(?:ID|RECORD|KEYS?)$/;

it('who did or has something is told by name in each list, and by both where one is shown', async () => {
  const on = await servedAccount({ SECRET_KEY_FILE: secretKeyFile() });
  const { account, url, ok, json } = on;
  const allow = RIGHTS.flatMap((right) => ['--allow', right]);
  const permissions = ['read', 'write', 'delete'].flatMap((one) => ['--permission', one]);
  const named = ['--account', account, '--name', 'Case management'];
  const made = await json<{ secret: string; unique_identifier: string }>(
    ...['keys', 'create', ...named, ...permissions, ...allow],
  );
  const { secret, unique_identifier: key } = made;
  const send = async (path: string, body: object) => {
    const { status, text } = await call(url, secret, path, body);
    assert.equal(status, 200, text);
    return JSON.parse(text).unique_identifier as string;
  };
  const location = await makeLocation(url, secret, account);
  const event = await send('/v1/events/upsert', eventBody(location, 'case', { event_name: 'One' }));
  const visits = '/v1/event_check_in_records/upsert';
  const record = await send(visits, visitorBody(event, 'guest'));
  const followUp = await send('/v1/follow_ups', { record });
  await send('/v1/holds', { account, record: event, matter: 'Case 1' });
  await send('/v1/do_not_contact', { account, phone_number: '+14155550188' });
  await ok(
    'staff',
    'invite',
    '--account',
    account,
    '--name',
    'Ada Marsh',
    '--email',
    'ada@example.com',
    '--role',
    'editor',
  );

  const lists = (await commands()).filter(
    ([name, { registeredArguments, options }]) =>
      / list$/.test(name) &&
      registeredArguments.every(({ required }) => !required) &&
      options.every(({ mandatory }) => !mandatory),
  );
  assert.ok(lists.length > 10);
  const seen: string[] = [];
  for (const [name] of lists) {
    const { stdout, code } = await on.run(...name.split(' '));
    if (code !== 0) continue;
    const lines = stdout.split('\n');
    const ends = [...(lines[0] ?? '').matchAll(/\S+(?: \S+)*/g)];
    for (const line of lines.slice(1))
      for (const { index, 0: cell } of line.matchAll(/\b(?:stf|key)_\w{22}/g)) {
        const heading = ends.findLast((one) => one.index <= index)?.[0] ?? '';
        if (!ABOUT.test(heading)) seen.push(`${name}: ${heading} ${cell}`);
      }
  }
  assert.deepEqual(seen, []);
  const listed = await ok('follow-ups', 'list');
  assert.match(listed, / Case management /);
  const shown = await ok('follow-ups', 'show', followUp);
  assert.ok(shown.includes(`Case management (${key})`), shown);
  const [one] = await json<{ owner: string }[]>('follow-ups', 'list');
  assert.equal(one?.owner, key, 'programs read identifiers');
});

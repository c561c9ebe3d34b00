/** Nothing that somebody else has written is obeyed by a terminal: one file writes all that commands print. */
// needs: program, long
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { createLog } from '../../src/core/observe/log.ts';
import { createPlainLog } from '../../src/core/observe/plain-log.ts';
import { isThere, LAUNCHER, programIn, run } from '../support/cli-program.ts';
import { call } from '../support/cli-service.ts';
import { servedAccount } from '../support/cli-setup.ts';
import { commands } from '../support/commands.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import { until } from '../support/until.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** The files that write, and one that reads what another process writes. */
const WRITERS = [
  'src/cli/output.ts',
  // Draws questions, whose texts go through the same function.
  'src/cli/confirm.ts',
  // Says which folders cannot be synced, also in processes that have no log; through the same function.
  'src/core/owners.ts',
  'client/bin/print.ts',
];
const READER = 'src/app/processes/primary.ts';

it('one file of the service and one of the client writes to the terminal', () => {
  const all = ['src', 'client/src', 'client/bin'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`),
  );
  const writes =
    /\bprocess\.std(?:out|err)\b|\bstd(?:out|err)\b.*= process\b|'(?:node:)?process'|\bconsole\.(?:log|error|warn|info|debug|dir|table|trace)\b|_rawDebug|\bwriteSync\([12]\b|\/dev\/(?:tty|fd|std)/;
  const found = all.filter((path) =>
    readFileSync(join(PROJECT, path), 'utf8')
      .split('\n')
      .some((line) => writes.test(line) && !/^\s*(?:\/\/|\*|\/\*\*)/.test(line)),
  );
  assert.deepEqual(found.sort(), [...WRITERS, READER].sort());
  assert.doesNotMatch(readFileSync(join(PROJECT, READER), 'utf8'), /\bprocess\.std\w+\.write/);
});

/** Clears the screen, renames the window, by 7 and 8 bits; turns the direction of writing; begins a line of its own. */
const HOSTILE = 'Eve\u001b[2J\u001b]0;x\u0007\u009b2J\u202egnp\u2066\rledgerstone: ok';
const OBEYED = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

function wantPlain(text: string, what: string): void {
  const wrong = text.split('\n').find((line) => OBEYED.test(line));
  assert.equal(wrong, undefined, `${what}: ${JSON.stringify(wrong)}`);
}

it('whatever callers and colleagues are called, no command lets a terminal obey it', async () => {
  const env = { SECRET_KEY_FILE: secretKeyFile() };
  const { cwd, account, url, newKey } = await servedAccount(env);
  const key = await newKey(account, '--allow', 'hold,audit,requests,sources,erase,follow_up');
  const send = async (path: string, body: object): Promise<string> => {
    const { status, text } = await call(url, key.secret, `/v1/${path}`, body);
    assert.equal(status, 200, `${path}: ${text}`);
    return JSON.parse(text).unique_identifier;
  };
  const location = await send('locations/upsert', {
    ...{ account_unique_identifier: account, external_identifier: HOSTILE },
    location_name: HOSTILE,
  });
  const event = await send('events/upsert', eventBody(location, HOSTILE, { event_name: HOSTILE }));
  const record = await send('event_check_in_records/upsert', {
    ...{ event_unique_identifier: event, external_identifier: HOSTILE },
    ...{ visitor_full_name: HOSTILE, visitor_phone_number: '+14155550123' },
  });
  const { unique_identifier: id } = key;
  const ids: Record<string, string> = { accounts: account, keys: id, locations: location };
  ids['follow-ups'] = await send('follow_ups', { record, note: HOSTILE });
  ids.holds = await send('holds', { account, matter: HOSTILE });
  await call(url, key.secret, '/v1/events/upsert', { event_name: HOSTILE, [HOSTILE]: HOSTILE });
  const sources = await call(url, key.secret, '/v1/sources');
  const [source] = JSON.parse(sources.text).data;
  await call(url, key.secret, `/v1/sources/${source.unique_identifier}`, { name: HOSTILE });
  ids.sources = source.unique_identifier;

  const program = programIn(cwd, env);
  let telling = 0;
  const tried = async (...words: string[]): Promise<void> => {
    const { stdout, stderr } = await program.run(...words);
    wantPlain(stdout, `${words.join(' ')}, the result`);
    wantPlain(stderr, `${words.join(' ')}, beside it`);
    if (`${stdout}${stderr}`.includes('Eve')) telling += 1;
  };
  /** They serve, replace or remove what the others show. */
  const others = /^(?:dev|serve|restore|migrate|compact|.* (?:listen|delete|remove|revoke))\b/;
  for (const [name, { commands: below, registeredArguments, options }] of await commands()) {
    if (below.length > 0 || others.test(name)) continue;
    const has = (long: string) => options.some((one) => one.long === long);
    const named = has('--account') && name !== 'accounts create' ? ['--account', account] : [];
    const words = [...name.split(' '), ...named];
    const needed = registeredArguments.filter(({ required }) => required);
    if (needed.length === 0) await tried(...words);
    else await tried(...words, ids[name.split(' ')[0] ?? ''] ?? record);
    if (needed.length === 1) await tried(...words, HOSTILE);
    if (has('--ndjson')) await tried(...words, ...needed.map(() => record), '--ndjson');
  }
  await tried('records', 'find', 'Eve', '--account', account);
  await tried('locations', 'list', '--json');
  await tried(HOSTILE);
  await tried('keys', 'list', `--${HOSTILE}`);
  assert.ok(telling > 20, `${telling}`);
});

it('JSON keeps every value, and its characters are escapes', async () => {
  const { cwd, account, secret, url } = await servedAccount();
  const body = { account_unique_identifier: account, external_identifier: 'x' };
  await call(url, secret, '/v1/locations/upsert', { ...body, location_name: HOSTILE });
  const { json } = programIn(cwd);
  let found = '[]';
  // Search is a moment behind what was written.
  await until(async () => {
    found = JSON.stringify(await json('records', 'find', 'Eve', '--account', account));
    return found !== '[]';
  });
  assert.ok(found.includes(JSON.stringify(HOSTILE)), found);
});

it('an export is the same bytes in a pipe, and a text on a terminal', async (test) => {
  if (!isThere('script')) return test.skip('there is no "script", which opens a terminal');
  const { cwd, account, secret, url } = await servedAccount();
  const body = { account_unique_identifier: account, external_identifier: 'x' };
  await call(url, secret, '/v1/locations/upsert', { ...body, location_name: HOSTILE });
  for (const format of ['csv', 'ndjson']) {
    const words = ['export', '--resource', 'locations', '--format', format];
    assert.match(await programIn(cwd).ok(...words), /\u009b2J\u202e/);
    const command = [LAUNCHER, ...words].map((word) => `'${word}'`).join(' ');
    const { stdout } = await run(['-qec', command, '/dev/null'], { cwd, program: 'script' });
    assert.match(stdout, /Eve/);
    // A line of progress of our own is written over.
    wantPlain(stdout.replaceAll('\r\u001b[K', '').replaceAll('\r\n', '\n'), format);
  }
});

it('nor do lines of the log', () => {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  for (const log of [createLog('info', { write }), createPlainLog(write)])
    log.misspelled(`PORT${HOSTILE}`, HOSTILE);
  wantPlain(written, 'the log');
  assert.match(written, /Eve/);
});

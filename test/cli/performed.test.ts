/** A command answers the same JSON on a store and, with --url, by a service elsewhere: each that works on both is compared. */
// needs: --ci, program, long
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rights } from '../../src/records/auth/principal.ts';
import { programIn } from '../support/cli-program.ts';
import { call } from '../support/cli-service.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { commands } from '../support/commands.ts';
import { browserAt, PASSWORD } from '../support/console.ts';
import { type Answer, performFeatures, unlikeOfFeatures } from '../support/performing.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Sent, Service } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Facts of the caller and of the moment, which differ although the answer is the same. A key that copied what it erases is told of that. */
const OF_THE_MOMENT = new Set([
  ...['address', 'request_id', 'duration_ms', 'seconds', 'seal', 'mac', 'chain', 'number'],
  ...['cursor', 'consumers', 'consumers_count'],
  // The service that goes on with a rule may have run it by then, or not.
  'last_run',
]);
// A key that pins would send what staff does.
const ALLOW = Object.keys(rights).filter((right) => right !== 'pin');

/** The answer without what differs between two stores that were filled in the same way, and between two callers. */
function alike(answer: unknown, callers: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value) => {
    if (OF_THE_MOMENT.has(key)) return undefined;
    if (typeof value !== 'string') return value;
    if (callers.includes(value)) return 'the caller';
    return value
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
      .replace(/([a-z]+_)[0-9A-Za-z]{22}(?![0-9A-Za-z])/g, '$1…')
      .replace(/127\.0\.0\.1:\d+/g, 'a port')
      .replace(/(?:sk_test_|whsec_)\S+|[0-9a-f]{32,}/g, 'a secret');
  });
}

/** Performs each command once, in a store of its own or by the service over that; gives the answers by the words. */
async function performed(isElsewhere: boolean): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { SECRET_KEY_FILE, WEBHOOK_ALLOW: '127.0.0.0/8' };
  const { account, cwd, url, newKey, ok } = await servedAccount(env);
  const rights = ['--permission', 'read', 'write', 'delete', '--allow', ...ALLOW];
  const own = await newKey(account, '--name', 'Case management', ...rights);
  const system = await newKey(account, '--name', 'A portal');
  const { secret } = own;
  const caller = [own.unique_identifier, 'operator', 'Case management'];
  const at = programIn(cwd, { ...env, LEDGERSTONE_KEY: secret });
  const answers = new Map<string, unknown[]>();
  const known = new Map(await commands());
  const json = async (...words: string[]): Promise<Answer> => {
    const [first = '', second = ''] = words;
    const of = known.has(`${first} ${second}`) ? `${first} ${second}` : first;
    const hasOwn = known.get(of)?.options.some(({ long }) => long === '--service');
    const service = hasOwn ? '--service' : '--url';
    const answer = await at.json<Answer>(...words, ...(isElsewhere ? [service, url] : []));
    answers.set(of, [...(answers.get(of) ?? []), alike(answer, caller)]);
    return answer;
  };
  const id = async (...words: string[]) => (await json(...words)).unique_identifier;
  const all = async (...words: string[]) => (await json(...words)) as unknown as readonly Answer[];
  const send = async (path: string, body?: object, by = secret, method = 'POST') => {
    const { status, text } = await call(url, by, `/v1${path}`, body, { method });
    assert.ok(status < 300, `${path}: ${text}`);
    return JSON.parse(text);
  };

  const invited = ['--email', 'editor@example.com', '--role', 'editor', '--account', account];
  const told = await ok('staff', 'invite', ...invited, '--port', new URL(url).port);
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

  // Records, and what was refused.
  const location = await makeLocation(url, secret, account, 'home');
  const event = (await send('/events/upsert', eventBody(location, 'one'))).unique_identifier;
  const visit = async (name: string, more: object = {}, by = secret): Promise<string> =>
    (await send('/event_check_in_records/upsert', visitorBody(event, name, more), by))
      .unique_identifier;
  const visitor = await visit('visitor');
  await json('records', 'show', visitor);
  await json('records', 'list', 'events', '--location', location);
  await json('records', 'history', event);
  await until(async () => (await at.ok('records', 'find', 'Nora')).includes(visitor));
  await json('records', 'find', 'Nora', '--account', account);
  await json('changes', 'list', '--account', account);
  await call(url, system.secret, '/v1/events/upsert', { event_name: 'Refused' });
  const refused = ['requests', 'list', '--key', system.unique_identifier];
  await until(async () => (await at.ok(...refused)).includes('/v1/events/upsert'));
  await json(...refused);
  const counted = ['activity', 'list', '--key', system.unique_identifier];
  await until(async () => (await at.ok(...counted)).includes('refused'));
  await json(...counted);

  // Locations, by their own names, too.
  await json('locations', 'list');
  await json('locations', 'show', 'home');
  await json('locations', 'change', location, '--state', 'NY');
  await json('locations', 'list', '--account', 'Example Funeral Group');
  await json('locations', 'show', location);

  // Sources.
  await send('/events/upsert', eventBody(location, 'two'), system.secret);
  const sources = await all('sources', 'list');
  const [one = '', other = ''] = sources.map(({ unique_identifier }) => unique_identifier);
  await json('sources', 'change', one, '--name', 'Case management of the group');
  await json('sources', 'list', '--account', 'Example Funeral Group');
  await json('sources', 'show', one);

  await performFeatures({
    ...{ account, location, event, visitor, source: one, key: own.unique_identifier },
    ...{ cwd, at, elsewhere: isElsewhere ? ['--url', url] : [], json, id, all, visit, send },
    newSecret: async () => (await newKey(account, '--permission', 'read', 'write')).secret,
  });

  // What staff corrected.
  const proposed = async (name: string) => {
    const record = await visit(name, { visitor_full_name: 'As a tablet has it' }, system.secret);
    const corrected = { visitor_full_name: 'As the family says' };
    await editor.send('PATCH', `/v1/event_check_in_records/${record}`, corrected);
    await visit(name, { visitor_full_name: 'As a tablet has it now' }, system.secret);
    const [found] = await all('proposals', 'list', '--record', record);
    return { record, proposal: found?.unique_identifier ?? '' };
  };
  const taken = await proposed('taken');
  await json('proposals', 'show', taken.proposal);
  // Keys are no staff: the right to decide is that of an operator, and of people.
  const kept = await proposed('kept');
  await json('proposals', 'pins', kept.record);
  const decided = isElsewhere ? at.fails : at.ok;
  for (const words of [
    ['proposals', 'accept', taken.proposal],
    ['proposals', 'keep', kept.proposal],
    ['proposals', 'unpin', kept.record, '--member', 'visitor_full_name'],
  ])
    await decided(...words, ...(isElsewhere ? ['--url', url] : []));

  // Syncs and removals.
  const sync = async (): Promise<string> =>
    (await send('/syncs', { resource: 'event', location, at_most: '100%' })).unique_identifier;
  await json('syncs', 'finish', await sync());
  const [finished] = await all('syncs', 'list');
  await json('syncs', 'show', finished?.unique_identifier ?? '');
  await json('syncs', 'undo', finished?.unique_identifier ?? '');
  await json('sources', 'merge', other, '--into', one);
  await send(`/event_check_in_records/${await visit('removed')}`, undefined, secret, 'DELETE');
  const [removal] = await all('removals', 'list', '--account', account);
  await json('removals', 'show', removal?.unique_identifier ?? '');
  await json('removals', 'restore', removal?.unique_identifier ?? '');

  // Erasures.
  const erased = await visit('erased');
  const erasure = await id('erasures', 'create', '--account', account, '--record', erased);
  await json('erasures', 'list');
  await json('erasures', 'show', erasure);
  await json('erasures', 'copy', erasure, '--all');
  await json('erasures', 'run', erasure, '--all', '--yes');
  // How far it has come by then is a matter of time.
  answers.delete('erasures run');
  await until(async () => (await at.ok('erasures', 'show', erasure)).includes('done'));
  await json('erasures', 'show', erasure);
  await json('erasures', 'certificate', erasure);
  await json('erasures', 'lift', erasure, '--record', erased);
  const asked = await id('erasures', 'create', '--account', account, '--record', visitor);
  await json('erasures', 'close', asked, '--basis', 'kept one year');
  return answers;
}

/** The answer of a run says how far it has come; the others decide as staff do, and a key is no staff. */
const UNLIKE = [
  ...['erasures run', ...Object.keys(unlikeOfFeatures)],
  ...['proposals accept', 'proposals keep', 'proposals unpin'],
];

it('each command answers the same on a store and by a service elsewhere', async () => {
  const [here, elsewhere] = await Promise.all([performed(false), performed(true)]);
  for (const [words, answers] of here) assert.deepEqual(elsewhere.get(words), answers, words);
  const both = (await commands())
    .filter(([, { options }]) =>
      options.some(({ description }) => description.includes('LEDGERSTONE_KEY')),
    )
    .map(([words]) => words);
  assert.deepEqual(
    both.filter((words) => !here.has(words)).sort(),
    UNLIKE.sort(),
    'perform each command that takes --url: here, or in performing.ts in the folder of its feature in test/features',
  );
});

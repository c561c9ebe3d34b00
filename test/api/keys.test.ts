/** Who may do what (specification, section 5; decisions, "Keys", "Unknown parent"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSecret } from '../../src/records/auth/issue-key.ts';
import { examples } from '../support/bodies.ts';
import { faultsOf, optionalsOf } from '../support/scenario.ts';
import { type Answer, type Body, type Sent, startService } from '../support/service.ts';
import { refused, world } from '../support/world.ts';

/** Places of another account, which the world's own key may not see. */
let foreign: Record<'account' | 'location' | 'event', string>;
let foreignKey: string;
/** How far the service's clock is ahead, for what takes a second. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
const stage = world({ now, settings: { trust_proxy: '127.0.0.1' } }, async ({ service }) => {
  const other = await service.another();
  foreignKey = other.key;
  const location = await other.location();
  const event = await other.event(location);
  foreign = { account: other.account.unique_identifier, location, event };
});

/** What cannot be seen is answered to the letter like what is not there. */
async function alike(status: number, hidden: Promise<Answer>, missing: Promise<Answer>) {
  const answer = await hidden;
  assert.equal(answer.status, status, answer.text);
  assert.deepEqual(said(answer), said(await missing));
  return answer;
}

/** All that an answer says, but for what no two answers have in common. */
function said({ status, headers, body }: Answer): object {
  const { request_id: _, ...error } = body.error;
  const own = ['request-id', 'date', 'server-timing', 'content-length'];
  return { status, headers: [...headers].filter(([name]) => !own.includes(name)), error };
}

const as = (authorization: string) => ({ key: null, headers: { Authorization: authorization } });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const basic = (text: string) => as(`Basic ${base64(text)}`);
let clients = 0;
/** From an address of its own: answers to many failures of one wait. */
const list = (sent: Sent): Promise<Answer> => {
  clients += 1;
  const headers = { 'X-Forwarded-For': `198.51.100.${clients}`, ...sent.headers };
  return stage.service.get('/v1/accounts', { ...sent, headers });
};

describe('a key is sent', () => {
  it('as a Bearer token or the Basic username with an empty password, its scheme in any case of letters', async () => {
    const { key } = stage.service;
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      assert.equal((await list(as(`${scheme} ${key}`))).status, 200);
    for (const scheme of ['Basic', 'basic', 'BASIC'])
      assert.equal((await list(as(`${scheme} ${base64(`${key}:`)}`))).status, 200);
  });
});

describe('everything else is 401, and says why', () => {
  /** What is sent, what the message says of it, and the code where it is not `api_key_missing`. */
  type Wrong = readonly [sent: Sent, says: RegExp, code?: string];
  const wrong = async (): Promise<Record<string, Wrong>> => {
    const { service } = stage;
    const { key } = service;
    const { keys, accounts } = service.app.store;
    const { secret: revoked, key: stored } = await service.newKey();
    await keys.revoke(stored.unique_identifier);
    const { secret: suspended, key: resting } = await service.newKey();
    await keys.suspend(resting.unique_identifier);
    const { secret: elsewhere } = await service.newKey({ from: ['203.0.113.0/24'] });
    const endedAt = '2026-01-02T03:04:05Z';
    const { secret: expired } = await service.newKey({ expires_at: Date.parse(endedAt) });
    const { account: closed, key: ofClosed } = await service.another();
    await accounts.close(closed.unique_identifier);
    const end = (secret: string): string => `ends in ${secret.slice(-4)}`;
    const unknown = createSecret(false);
    const live = createSecret(true);
    const changed = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    return {
      'no header': [{ key: null }, /no Authorization header/],
      'an empty header': [as(''), /no Authorization header/],
      'a preflight': [
        { key: null, headers: { 'Access-Control-Request-Method': 'GET' } },
        /page of another origin.*CORS_ORIGINS/,
      ],
      'a header of others': [{ key: null, headers: { 'X-Api-Key': key } }, /X-Api-Key is not read/],
      'the key as the password': [basic(`:${key}`), /sent as the password/],
      'the key as both': [basic(`${key}:${key}`), /password, and it must be empty/],
      'a user and the key as the password': [basic(`user:${key}`), /password, and it must/],
      'a password that is not empty': [basic(`${key}:x`), /password, and it must be empty/],
      'a password of a space': [basic(`${key}: `), /password, and it must be empty/],
      'a password of a colon': [basic(`${key}::`), /password, and it must be empty/],
      'no colon': [basic(key), /base64 of the key and a colon/],
      'nothing but a colon': [basic(':'), /username is empty/],
      'Basic without credentials': [as('Basic'), /base64 of the key and a colon/],
      'Basic with no base64': [as('Basic ???'), /base64 of the key and a colon/],
      'Basic with the key as it is': [as(`Basic ${key}`), /base64 of the key and a colon/],
      'Bearer without a key': [as('Bearer'), /nothing after Bearer/],
      'Bearer with a colon': [as(`Bearer ${key}:`), /not sent alone: there is behind it a colon/],
      'a line of a file': [basic(`LEDGERSTONE_KEY=${key}:`), /there is before it more text/],
      'a key after what nobody sees': [
        basic(`\ufeff${key}:`),
        /before it a (?:blank|character that)/,
      ],
      'a key with the end of a line of Windows': [
        basic(`${key}\r:`),
        /behind it a line end of Windows/,
      ],
      'a key with the end of a line': [basic(`${key}\n:`), /behind it a line end\./],
      'a key in quotes': [
        basic(`"${key}":`),
        /before it a quotation mark, and behind it a quotation mark/,
      ],
      'a key as Bearer in quotes': [as(`Bearer '${key}'`), /before it a quotation mark/],
      'Bearer with base64': [
        as(`Bearer ${base64(`${key}:`)}`),
        /not an API key: a secret begins with sk_live_ or sk_test_/,
      ],
      'another scheme': [as(`Digest username="${key}"`), /neither Basic nor Bearer/],
      'no scheme': [as(key), /neither Basic nor Bearer/],
      'two keys': [as(`Bearer ${key} ${key}`), /more than a key/],
      'the identifier of a key': [as(`Bearer ${stored.unique_identifier}`), /identifier of a key/],
      'an unknown key': [basic(`${unknown}:`), new RegExp(end(unknown)), 'api_key_unknown'],
      'an unknown live key': [basic(`${live}:`), new RegExp(end(live)), 'api_key_unknown'],
      'a key with a wrong checksum': [
        basic(`${changed}:`),
        new RegExp(`${end(changed)}, .* changed`),
        'api_key_unknown',
      ],
      'a key in other letters': [basic(`${key.toUpperCase()}:`), /not an API key/],
      'a key with a space': [basic(` ${key}:`), /there is before it a blank/],
      'half a key': [basic(`${key.slice(0, 20)}:`), /cut off: 20 of its 46 characters/],
      'a key and more': [basic(`${key}x:`), /changed on the way/, 'api_key_unknown'],
      'no key at all': [basic('x:'), /not an API key/],
      'bytes that are no text': [basic('\u0000\u00ff\ufffd:'), /not an API key/],
      'a megabyte of a key': [as(`Bearer ${'x'.repeat(8000)}`), /not an API key/],
      'a revoked key': [basic(`${revoked}:`), new RegExp(`${end(revoked)} was`), 'api_key_revoked'],
      'a suspended key': [
        basic(`${suspended}:`),
        new RegExp(`${end(suspended)} is suspended`),
        'api_key_suspended',
      ],
      'a key of other addresses': [basic(`${elsewhere}:`), /from your address/, 'api_key_address'],
      'an expired key': [
        basic(`${expired}:`),
        new RegExp(`${end(expired)} expired at ${endedAt}`),
        'api_key_expired',
      ],
      'a key of a closed account': [basic(`${ofClosed}:`), /closed/, 'authentication_failed'],
      'a revoked key as Bearer': [as(`Bearer ${revoked}`), /revoked/, 'api_key_revoked'],
    };
  };

  it('by its code and its message; its headers and its stages are alike for all', async () => {
    const sent = await wrong();
    const stagesOf = ({ headers }: Answer) =>
      (headers.get('server-timing') ?? '').replaceAll(/[\d.]+/g, '');
    let expected: object | undefined;
    for (const [what, [how, says, code = 'api_key_missing']] of Object.entries(sent)) {
      const answer = await list(how);
      assert.equal(answer.status, 401, what);
      const { error } = answer.body;
      assert.deepEqual([error.type, error.code], ['authentication_error', code], what);
      assert.match(error.message, says, what);
      assert.ok(error.doc_url.endsWith(code));
      if (code === 'api_key_missing') assert.match(error.message, /Send the key as the Basic/);
      assert.ok(!answer.text.includes(stage.service.key.slice(8, 20)), 'no key is repeated');
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /);
      const { error: _, ...alike } = said(answer) as { error: object };
      expected ??= alike;
      assert.deepEqual(alike, expected, what);
      assert.equal(stagesOf(answer), stagesOf(await list({ key: null })));
    }
  });

  it('also of a key in the query', async () => {
    const { service } = stage;
    for (const name of ['api_key', 'apikey', 'access_token']) {
      const answer = await service.get(`/v1/accounts?${name}=${service.key}`, { key: null });
      assert.equal(answer.body.error.code, 'api_key_missing');
      assert.match(answer.body.error.message, new RegExp(`${name} in the query is not read`));
    }
  });
});

describe('revoking and expiring', () => {
  it('a revoked or suspended key stops working within a second, and works again when it is resumed', async () => {
    let clock = Date.now();
    const service = await startService({ now: () => clock });
    const { keys } = service.app.store;
    for (const how of ['revoke', 'suspend'] as const) {
      const { secret, key } = await service.newKey();
      const status = async () => (await service.get('/v1/accounts', { key: secret })).status;
      assert.equal(await status(), 200);
      await keys[how](key.unique_identifier);
      clock += 1_000;
      assert.equal(await status(), 401);
      if (how === 'revoke') continue;
      await keys.resume(key.unique_identifier);
      assert.equal(await status(), 200);
    }
  });

  it('a key that was read before it was revoked works no longer for that, however late the store answered', async (t) => {
    let clock = Date.now();
    const service = await startService({ now: () => clock });
    const { secret, key } = await service.newKey();
    const { keys } = service.app.store;
    const authenticate = keys.authenticate.bind(keys);
    t.mock.method(keys, 'authenticate', async (hash: Buffer) => {
      const found = await authenticate(hash);
      clock += 900;
      return found;
    });
    assert.equal((await service.get('/v1/accounts', { key: secret })).status, 200);
    await keys.revoke(key.unique_identifier);
    assert.equal((await service.get('/v1/accounts', { key: secret })).status, 401);
  });

  it('a key stops working at the moment when it expires, though it is in use', async () => {
    let clock = Date.now();
    const service = await startService({ now: () => clock });
    const { secret: key } = await service.newKey({ expires_at: clock + 100 });
    clock += 99;
    assert.equal((await service.get('/v1/accounts', { key })).status, 200);
    clock += 1;
    assert.equal((await service.get('/v1/accounts', { key })).status, 401);
  });

  it('a key in its last 30 days is told when it ends, by every answer', async () => {
    const day = 86_400_000;
    const { secret: soon } = await stage.service.newKey({ expires_at: Date.now() + 29 * day });
    const { secret: later } = await stage.service.newKey({ expires_at: Date.now() + 31 * day });
    const told = async (path: string, key: string): Promise<string | null> =>
      (await stage.service.get(path, { key })).headers.get('ledgerstone-key-expires');
    for (const path of ['/v1/accounts', '/v1/me', '/v1/accounts?limit=0', '/v1/nothing']) {
      const ends = (await told(path, soon)) ?? assert.fail(path);
      assert.match(ends, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.ok(Math.abs(Date.parse(ends) - Date.now() - 29 * day) < 60_000, ends);
      assert.equal(await told(path, later), null);
      assert.equal(await told(path, stage.service.key), null);
    }
    const upserted = await stage.upsert('locations', { key: soon });
    assert.notEqual(upserted.headers.get('ledgerstone-key-expires'), null);
  });
});

describe('permission', () => {
  it('delete: a right of its own', async () => {
    const { service } = stage;
    const { body } = await stage.upsert('locations', { as: 'to delete' });
    const path = `/v1/locations/${body.unique_identifier}`;
    const { secret: tablet } = await service.newKey({ permissions: ['read', 'write'] });
    for (const query of ['', '?cascade=true', '?dry_run=true']) {
      const may = await service.send('DELETE', path + query, { key: tablet });
      refused(may, 403, 'permission_denied');
      assert.equal(
        may.body.error.message,
        'This API key may not delete: it has the permissions "read" and "write", and this request needs "delete".',
      );
    }
    assert.equal((await service.get(path, { key: tablet })).status, 200);
    assert.equal((await stage.upsert('locations', { as: 'to delete', key: tablet })).status, 200);

    const { secret: cleaner } = await service.newKey({ permissions: ['delete'] });
    const cascade = await service.send('DELETE', `${path}?cascade=true`, { key: cleaner });
    assert.equal(cascade.status, 200);
    assert.equal((await service.get(path)).status, 404);
  });

  it('a write-only key gets the merged object back', async () => {
    const { secret: key } = await stage.service.newKey({ permissions: ['write'] });
    const person = { full_name: 'A', date_of_birth: '1948-02-29' };
    const as = 'merged';
    await stage.upsert('events', { json: { person, additional_event_metadata: { a: 1 } }, as });
    const json = { additional_event_metadata: { b: 2 } };
    const { body } = await stage.upsert('events', { json, as, key });
    const merged = { person, additional_event_metadata: { a: 1, b: 2 } };
    assert.deepEqual(optionalsOf('events', body), merged);
  });

  it('named resources: those, by their path names, and no others', async () => {
    const { secret: key } = await stage.service.newKey({ resources: ['events', 'accounts'] });
    for (const { path } of examples) {
      const { status } = await stage.upsert(path, { key });
      assert.equal(status, path === 'events' ? 200 : 403, path);
    }
    assert.equal((await stage.service.get('/v1/accounts', { key })).status, 200);
    assert.equal((await stage.service.get('/v1/locations', { key })).status, 403);
  });
});

describe('what the key may not see does not exist', () => {
  for (const { path, parent } of examples) {
    const param = `${parent}_unique_identifier`;
    it(`${path}: a parent of another account is answered to the letter like one that is not there`, async () => {
      for (const kind of ['json', 'form'] as const) {
        const under = (id: string) =>
          stage.upsert(
            path,
            kind === 'json' ? { json: { [param]: id } } : { form: `${param}=${id}` },
          );
        const missing = under(`${foreign[parent].slice(0, -1)}!`);
        await alike(404, under(foreign[parent]), missing);
        assert.deepEqual(faultsOf(await missing), [[param, 'resource_missing']]);
        const json = { [param]: stage.parents[parent] };
        await alike(404, stage.upsert(path, { json, key: foreignKey }), missing);
      }
    });
  }

  it('a fault of the body is told before anything of the parent', async () => {
    const under = (location_unique_identifier: string) =>
      stage.upsert('events', { json: { location_unique_identifier, event_name: 7 } });
    await alike(400, under(foreign.location), under('x'));
  });

  it('a parent just used by another key does not become visible', async () => {
    const sent = { json: { location_unique_identifier: foreign.location }, as: 'seen' };
    assert.equal((await stage.upsert('events', { ...sent, key: foreignKey })).status, 200);
    assert.equal((await stage.upsert('events', sent)).status, 404);
  });

  it('a key of two accounts works in both, and a pair is one of its account alone', async () => {
    const accounts = [stage.parents.account, foreign.account];
    const { secret: key } = await stage.service.newKey({ accounts });
    const upsert = (account_unique_identifier: string) =>
      stage.upsert('locations', { json: { account_unique_identifier }, as: 'of both', key });
    const one = await upsert(stage.parents.account);
    const another = await upsert(foreign.account);
    assert.notEqual(one.body.unique_identifier, another.body.unique_identifier);
    assert.equal(another.body.account_unique_identifier, foreign.account);
    assert.equal((await upsert(foreign.account)).headers.get('ledgerstone-outcome'), 'unchanged');
  });
});

describe('a key of single locations', () => {
  const setUp = async () => {
    const { service, parents } = stage;
    const own = await service.location('own');
    const other = await service.location('not own');
    const { secret: key } = await service.newKey({ anchors: [own] });
    return { service, parents, own, other, key };
  };

  it('of several accounts lists them all, and walks them page by page', async () => {
    const { service, parents, own, other } = await setUp();
    const { secret: key } = await service.newKey({
      accounts: [parents.account, foreign.account],
      anchors: [foreign.location, own, other],
    });
    const seen: string[] = [];
    for (let query = '?limit=1'; ; query = `?limit=1&starting_after=${seen.at(-1)}`) {
      const { body } = await service.get(`/v1/locations${query}`, { key });
      seen.push(...body.data.map((one: Body) => one.unique_identifier));
      if (!body.has_more) break;
    }
    assert.deepEqual(new Set(seen), new Set([own, other, foreign.location]));
    assert.equal(seen.length, 3);
    assert.equal((await service.get('/v1/accounts', { key })).body.data.length, 2);
  });

  it('knows no cursor beside its locations', async () => {
    const { service, own, other, key } = await setUp();
    assert.equal((await service.get(`/v1/locations?starting_after=${own}`, { key })).status, 200);
    const after = (id: string) => service.get(`/v1/locations?starting_after=${id}`, { key });
    await alike(400, after(other), after('nothing'));
  });

  it('may upsert its locations', async () => {
    const { own, key } = await setUp();
    const json = { location_name: 'Renamed' };
    const answer = await stage.upsert('locations', { json, as: 'own', key });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.unique_identifier, own);
    assert.equal(answer.body.location_name, 'Renamed');
  });

  it('gets 403 for any other location, alike whether it exists or not, and makes none', async () => {
    const { service, key } = await setUp();
    const take = (as: string) =>
      stage.upsert('locations', { as, json: { location_name: 'Taken' }, key });
    const exists = await alike(403, take('not own'), take('nowhere'));
    refused(exists, 403, 'location_not_permitted');
    assert.equal(exists.body.error.type, 'permission_error');
    const { body } = await service.get('/v1/locations');
    assert.ok(!body.data.some((one: Body) => one.name === 'Taken'));
  });

  it('gets 404 for a location of another account', async () => {
    const { key } = await setUp();
    const under = (account_unique_identifier: string) =>
      stage.upsert('locations', { as: 'x', json: { account_unique_identifier }, key });
    await alike(404, under(foreign.account), under(`${foreign.account}x`));
  });

  it('upserts what is at its locations, and gets 404 for what is at others', async () => {
    const { service, own, other, key } = await setUp();
    const events = { own: await service.event(own), other: await service.event(other) };
    for (const { path, parent } of examples) {
      if (parent === 'account') continue;
      const param = `${parent}_unique_identifier`;
      const places = parent === 'event' ? events : { own, other };
      const under = (id: string) => stage.upsert(path, { json: { [param]: id }, key });
      const permitted = await under(places.own);
      assert.equal(permitted.status, 200, permitted.text);
      assert.equal(permitted.body.location_unique_identifier, own);
      await alike(404, under(places.other), under(`${places.other}x`));
    }
  });
});

describe('a closed account', () => {
  it('is invisible, with all that is in it, and comes back when it is opened again', async () => {
    const { service, parents } = stage;
    const { accounts } = service.app.store;
    const closing = await service.another();
    const { key } = closing;
    const account = closing.account.unique_identifier;
    const { secret: both } = await service.newKey({ accounts: [parents.account, account] });
    const inIt = { account_unique_identifier: account };
    const location = await closing.location('in it');
    const at = { location_unique_identifier: location };
    const event = await closing.event(location, 'in it');
    assert.equal((await stage.upsert('events', { json: at, key: both })).status, 200);

    await accounts.close(account);
    // Within a second, as for a revoked key.
    aheadMs += 1000;

    assert.equal((await list({ key })).status, 401);
    for (const [path, json] of [
      ['locations', inIt],
      ['events', at],
      ['online_arrangements', at],
      ['event_administrators', { event_unique_identifier: event }],
    ] as const) {
      for (const name of ['in it', 'new']) {
        const under = (json: Body) => stage.upsert(path, { json, as: name, key: both });
        const [[param, named] = ['', '']] = Object.entries(json);
        await alike(404, under(json), under({ [param]: `${named}x` }));
      }
    }
    const identifiers = async (path: string): Promise<string[]> =>
      (await service.get(path, { key: both })).body.data.map((one: Body) => one.unique_identifier);
    assert.deepEqual(await identifiers('/v1/accounts'), [parents.account]);
    assert.ok(!(await identifiers('/v1/locations')).includes(location));
    const after = `/v1/locations?starting_after=${location}`;
    refused(await service.get(after, { key: both }), 400);

    await accounts.reopen(account);
    aheadMs += 1000;
    assert.equal((await list({ key })).status, 200);
    assert.ok((await identifiers('/v1/locations')).includes(location));
    const again = await stage.upsert('locations', {
      json: { ...inIt, location_name: 'Main Street Chapel' },
      as: 'in it',
      key,
    });
    assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
  });

  it('takes nothing at the very moment it is closed, whatever was seen before', async () => {
    const { service } = stage;
    const { key, account } = await service.another();
    const json = { account_unique_identifier: account.unique_identifier };
    const upsert = (as: string) => stage.upsert('locations', { json, as, key });
    assert.equal((await upsert('before')).status, 200);
    await service.app.store.accounts.close(account.unique_identifier);
    const { status } = await upsert('after');
    assert.ok(status === 404 || status === 401, String(status));
  });
});

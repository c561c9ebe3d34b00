/** Every operation keeps to its declaration: who may call it, what it takes, how its lists go on. One that is added is tried, too. */
// needs: both stores with --all, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { resources } from '../../src/core/registry.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { listParams } from '../../src/core/schema/parse/parse-list.ts';
import { isRawNumber, type Json } from '../../src/core/schema/values.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { rights } from '../../src/records/auth/principal.ts';
import { administrator, type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { expectedOf } from '../support/expected.ts';
import { operationsOf as operationsIn } from '../support/openapi.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import type { Answer, Body, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { refused, world } from '../support/world.ts';

/** In all content that limits keep from a key. */
const MARK = 'Rumpelstilzchen';
const IDENTIFIER = /[a-z]{2,5}_[0-9A-Za-z]{22}/g;
const MINUTE = 60_000;
const ALL = Object.keys(rights);
const PERMISSIONS = ['read', 'write', 'delete'] as const;

/** Operations that answer a key that is limited, each with why that shows nothing beyond its limits. */
const ANSWERS: Readonly<Record<string, string>> = {
  list_changes: 'leaves out other resources',
  list_removals: 'leaves out other resources',
  list_proposals: 'leaves out other resources',
  search: 'looks through its resources alone',
  search_by_body: 'looks through its resources alone',
  retrieve_account_settings: 'are of the account',
  patch_account_settings: 'are of the account',
  list_location_settings: 'are of locations',
  retrieve_location_settings: 'are of locations',
  patch_location_settings: 'are of locations',
  list_location_pins: 'are of locations',
  list_direct_mail_reply_pins: 'are of a resource of the key',
  delete_location_pin: 'are of locations',
  list_sources: 'are names of systems',
  list_syncs: 'leaves out other resources',
  get_me: 'is the key itself',
  acknowledge_erasure: 'takes a word, and shows nothing',
  list_webhook_endpoints: 'are its own',
  create_webhook_endpoint: 'is its own, and delivers what the key may read',
  list_self_tests: 'are its own',
  open_self_test: 'is its own',
  get_self_test: 'shows checks, and no records',
  ...expectedOf('answers'),
};
/** Lists that grow by what is done here. */
const GROWING = ['list_audit', 'list_requests', 'list_activity', 'list_changes'];

/** Of these an account is a filter like others: nothing is found of one that the key does not see. */
const FILTERED = ['list_requests', 'list_activity', 'list_audit'];

const operations = operationsOf(resources);
type Operation = (typeof operations)[number];
type Tried = Pick<Operation, 'route' | 'query' | 'body' | 'sends'>;

/** How far the service's clock is ahead. */
let ahead = 0;
let all: string;
let foreign: Service;
let officer: ConsoleBrowser;
const limited: Record<string, string> = {};
/** An object of each path that names one. */
const ids: Record<string, string> = {};

const on = world(
  { settings: { ...keyed(), trust_proxy: '127.0.0.1' }, now: () => Date.now() + ahead },
  async ({ service, account, location, event, ok, read, visit, visitor }) => {
    const key = async (more: object = {}) =>
      (await service.newKey({ permissions: [...PERMISSIONS], allow: ALL, ...more })).secret;
    all = await key({ name: 'all' });
    const other = await service.location('other');
    await ok(`/v1/locations/${other}/settings`, { region: 'West' }, all, 'PATCH');
    limited.resources = await key({ resources: ['locations', 'direct_mail_replies'] });
    limited.locations = await key({ anchors: [other] });
    limited.region = await key({ anchors: [], region: 'West' });
    foreign = await service.another();
    officer = await administrator(service, 'all@example.com', undefined, [
      'audit',
      'erase',
      'hold',
    ]);

    const source = (await service.newKey({ name: 'a source' })).secret;
    const made: Body[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) made.push(await visit(`${MARK} ${name}`));
    const [one, two, three, four] = made.map(({ unique_identifier }) => unique_identifier);
    for (const id of [three, four])
      await service.send('DELETE', `/v1/event_check_in_records/${id}`, { key: all });
    const changed = { visitor_full_name: `${MARK} X` };
    for (const id of [one, two])
      await ok(`/v1/event_check_in_records/${id}`, changed, all, 'PATCH');
    for (const name of ['One', 'Two']) {
      const sent = visitor(`${MARK} ${name}`, { visitor_full_name: `${MARK} Y` });
      await ok('/v1/event_check_in_records/upsert', sent, source);
    }
    for (const record of [one, two]) {
      await on.begin([record]);
      await on.place({ record });
    }
    for (const resource of ['event_check_in_record', 'event'])
      await ok('/v1/syncs', { resource, location }, all);
    const rule = { account, resource: 'event', since: 'event_datetime', basis: 'policy' };
    for (const after_days of [900, 901])
      await ok('/v1/retention_rules', { ...rule, after_days }, all);
    for (const port of [8001, 8002])
      await ok('/v1/webhook_endpoints', { url: `http://127.0.0.1:${port}/` }, all);
    // Self-tests refuse some requests of their keys.
    const tester = await key();
    for (const _ of [1, 2]) await ok('/v1/self_tests', {}, tester);
    for (const name of ['one', 'two']) {
      const file = `external_identifier,location_name\n${name},Hill\n`;
      const sent = { key: all, headers: { 'Content-Type': 'text/csv' }, body: file };
      const uploaded = await service.send('POST', `/v1/uploads?name=${name}.csv`, sent);
      const { unique_identifier: upload } = uploaded.body;
      await ok('/v1/imports', { upload, resource: 'locations' }, all);
    }
    const { data: sources } = await read('/v1/sources');
    for (const { unique_identifier } of sources.slice(0, 2))
      await ok('/v1/expectations', { source: unique_identifier, location, hours: 'mon 8-9' }, all);
    await service.json('/v1/events/upsert', { event_name: MARK }, { key: all });
    for (const { route, query = {} } of operations) {
      const [method, path = ''] = route.split(' ');
      if (
        method !== 'GET' ||
        path.includes(':') ||
        Object.values(query).some(({ required }) => required) ||
        /search|changes|_settings|templates|counts|me$/.test(path)
      )
        continue;
      ids[path] = (await read(path, all)).data[0]?.unique_identifier;
    }
    Object.assign(ids, { '/v1/accounts': account, '/v1/locations': location, '/v1/events': event });
    ids['/v1/event_check_in_records'] = one;
    for (const path of ['event_administrators', 'online_arrangements', 'direct_mail_replies'])
      ids[`/v1/${path}`] = (await on.made(path)).unique_identifier;
  },
);

let networks = 0;
/** Says that a request comes from a network that has sent none: those of one that fails often are answered late. */
function fromElsewhere(): Record<string, string> {
  networks += 1;
  return { 'X-Forwarded-For': `2001:db8:${networks.toString(16)}::1` };
}

function partsOf({ route }: Tried, id?: string) {
  const [method = '', path = ''] = route.split(' ');
  const [group = '', ...rest] = path.split('/:');
  const of = id ?? ids[group] ?? 'loc_0000000000000000000000';
  const at = path.replace(':unique_identifier', of).replace(':member', 'location_name');
  return { method, at, isOfOne: rest.length > 0 };
}

/** A body with its required members alone. */
function required({ body = {} }: Tried): Record<string, Json> {
  const fields = Object.entries(body).filter(([, field]) => field.required);
  const sample = ([name, { kind, example }]: (typeof fields)[number]) =>
    [name, example ?? kind.samples().accepted[0]?.send ?? null] as const;
  return Object.fromEntries(fields.map(sample));
}

/** A body as the reference shows it, for the account here. */
function bodyOf(one: Tried): Record<string, Json> {
  const own = one.body?.account?.required === true ? { account: on.account } : {};
  return { ...required(one), ...one.sends, ...own };
}

interface Call {
  readonly key?: string | null;
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function call(one: Tried, { key = all, id, query = '', body = bodyOf(one), headers }: Call) {
  const { method, at } = partsOf(one, id);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const takes = one.body !== undefined || typeof body === 'string';
  return on.service.send(method, at + query, {
    ...{ key, headers: { ...(takes && { 'Content-Type': 'application/json' }), ...headers } },
    ...(takes && { body: text }),
  });
}

const coded = ({ status, body }: Answer) => [status, body?.error?.code];
/** What a refusal says, without what no two have in common. */
const said = ({ status, body }: Answer, id: string) =>
  JSON.stringify([status, { ...body.error, request_id: '' }]).replaceAll(id, 'ID');

for (const one of operations) {
  const { name, route, needs = {}, open, keysOnly, query = {}, body } = one;
  describe(name, () => {
    if (open !== true)
      it(`${name} is for keys`, async () => {
        assert.deepEqual(coded(await call(one, { key: null })), [401, 'api_key_missing']);
      });

    it(`${name} is refused without each permission and right that it needs`, async () => {
      const { permission, right } = needs;
      const lacking = [
        permission && { permissions: PERMISSIONS.filter((one) => one !== permission), allow: ALL },
        right && { permissions: PERMISSIONS, allow: ALL.filter((one) => one !== right) },
      ];
      for (const limits of lacking) {
        if (!limits) continue;
        const { secret } = await on.service.newKey(limits as object);
        assert.deepEqual(coded(await call(one, { key: secret })), [403, 'permission_denied']);
      }
    });

    it(`${name} shows a limited key nothing beyond its limits`, async () => {
      for (const [limit, key] of Object.entries(limited)) {
        const answer = await call(one, { key, body: {} });
        const why = `${limit}: ${answer.status} ${answer.text}`;
        assert.ok(!answer.text.includes(MARK), why);
        if (needs.whole === true)
          assert.deepEqual(coded(answer), [403, 'whole_account_needed'], why);
        else
          assert.ok(answer.status >= 400 || name in ANSWERS, `${why}: say in ANSWERS why it may`);
      }
    });

    it(`${name} knows nothing of another account`, async () => {
      const { secret: key } = await foreign.newKey({ permissions: [...PERMISSIONS], allow: ALL });
      const { isOfOne, at } = partsOf(one);
      if (isOfOne) {
        const own = at.split('/')[3] ?? '';
        const none = `${own.slice(0, -22)}${'0'.repeat(22)}`;
        const answer = await call(one, { key });
        assert.equal(answer.status, 404, answer.text);
        assert.equal(said(answer, own), said(await call(one, { key, id: none }), none));
        return;
      }
      const answer = await call(one, { key });
      assert.ok(!answer.text.includes(MARK), answer.text);
      // The audit names what a key of the account has named.
      if (route.startsWith('GET ') && name !== 'list_audit')
        for (const [id] of (await call(one, {})).text.matchAll(IDENTIFIER))
          assert.ok(!answer.text.includes(id), `${id}: ${answer.text}`);
      if ('account' in query) {
        const named = await call(one, { key, query: `?account=${on.account}${needed(query)}` });
        const wanted = FILTERED.includes(name) ? [200, undefined] : [404, 'resource_missing'];
        assert.deepEqual(coded(named), wanted, named.text);
        assert.ok(!named.text.includes(MARK), named.text);
      }
      if (body !== undefined && 'account' in body) {
        const sent = body.account?.required ? bodyOf(one) : required(one);
        const named = await call(one, { key, body: { ...sent, account: on.account } });
        assert.deepEqual(coded(named), [404, 'resource_missing'], named.text);
      }
    });

    it(`${name} refuses each parameter that is missing, wrong, too long, doubled or unknown, by its name`, () =>
      wantRefusals(one));

    if (one.refusesIdempotencyKey !== undefined)
      it(`${name} takes no Idempotency-Key, and says so`, async () => {
        const answer = await call(one, { headers: { 'Idempotency-Key': 'one' } });
        refused(answer, 400, 'header_invalid');
        assert.match(answer.body.error.message, /send the request without/);
      });

    if (route.includes(':unique_identifier'))
      it(`${name} refuses what identifies nothing`, async () => {
        for (const id of ['x', 'x'.repeat(3_000), '%00', '%ff', ids['/v1/holds'] ?? '']) {
          if (at(one).startsWith('/v1/holds') && id.startsWith('hld_')) continue;
          const { status, text } = await call(one, { id });
          assert.ok([400, 404, 414].includes(status), `${id.slice(0, 30)}: ${status} ${text}`);
        }
      });

    if ('starting_after' in query && 'limit' in query && !GROWING.includes(name))
      it(`${name} goes on from page to page, each entry once`, async () => {
        const whole = (await call(one, {})).body;
        const cursor = one.answers.cursor ?? 'unique_identifier';
        const found: string[] = [];
        for (let after = '', more = true; more; ) {
          const { body: page, text } = await call(one, { query: `?limit=1${after}` });
          // Settings of accounts come with the first page, beside its limit.
          const isOne = page.data.length === Math.min(1, whole.data.length);
          assert.ok(isOne || name === 'list_location_settings', text);
          found.push(...page.data.map((entry: Body) => entry[cursor]));
          after = `&starting_after=${encodeURIComponent(found.at(-1) ?? '')}`;
          more = page.has_more;
        }
        assert.deepEqual(found, pluck<Body>(whole.data, cursor));
      });

    it(`${name} is for people at the console, if not for keys alone`, async () => {
      const { method, at } = partsOf(one);
      const path = `/console/api${at}`;
      const headers = { ...OWN, ...fromElsewhere() };
      const outside = await on.service.send(method, path, { key: null, headers });
      assert.deepEqual(coded(outside), [401, 'sign_in_needed'], outside.text);
      assert.equal(outside.headers.get('www-authenticate'), null, 'no browser asks for a password');
      const keyed = await on.service.send(method, path, { key: all, headers });
      assert.equal(keyed.status, 401, keyed.text);
      const sent = body === undefined ? undefined : bodyOf(one);
      if (keysOnly === true)
        assert.deepEqual(coded(await officer.send(method, at, sent)), [404, 'path_unknown']);
    });
  });
}

const at = (one: Operation): string => partsOf(one).at;

/** The required members of a query, to go behind others. */
function needed(query: Members): string {
  const sample = ({ kind }: Members[string] & {}) =>
    encodeURIComponent(`${kind.samples().accepted[0]?.send}`);
  const all = Object.entries(query).filter(([, { required }]) => required);
  return all.map(([name, field]) => `&${name}=${sample(field)}`).join('');
}

/** Sends each parameter in each way that is wrong: it is refused, by its name. */
async function wantRefusals(one: Tried): Promise<void> {
  for (const { what, param, code, ...sent } of wrongs(one)) {
    const answer = await call(one, sent);
    const why = `${param} ${what}: ${answer.text}`;
    assert.equal(answer.status, 400, why);
    const isIt = (fault: Body): boolean =>
      (fault.param === param || fault.param?.startsWith(`${param}.`)) &&
      (code === undefined || fault.code === code);
    assert.ok(answer.body.error.errors.some(isIt), why);
  }
}

interface Wrong extends Call {
  readonly what: string;
  readonly param: string;
  readonly code?: string;
}

/** One request for each way in which a parameter can be wrong. */
function wrongs(one: Tried): readonly Wrong[] {
  const { query = {}, body } = one;
  const found: Wrong[] = [];
  let name = 'quite_unknown';
  const add = (what: string, sent: Call, code?: string) =>
    found.push({ what, param: name, ...sent, ...(code !== undefined && { code }) });
  add('an unknown query', { query: '?quite_unknown=1' }, 'parameter_unknown');
  for (const [param, { kind, required }] of Object.entries(query)) {
    name = param;
    const rest = needed(query);
    const isList = kind.schema.type === 'array';
    const isScalar = !isList && kind.members === undefined;
    if (required) add('left out', { query: '' }, 'parameter_missing');
    add('empty', { query: `?${param}=` });
    if (isScalar) add('doubled', { query: `?${param}=1&${param}=2${rest}` }, 'parameter_repeated');
    if (isList) add('no list', { query: `?${param}=1${rest}` }, 'type_invalid');
    for (const { send, code } of isScalar ? kind.samples().refused : []) {
      if (code === 'type_invalid' || isRawNumber(send)) continue;
      const query = `?${param}=${encodeURIComponent(String(send))}${rest}`;
      add(`wrong as ${String(send).slice(0, 60)}`, { query });
    }
  }
  if (body === undefined) return found;
  const valid = bodyOf(one);
  name = 'quite_unknown';
  add('an unknown member', { body: { ...valid, quite_unknown: 1 } }, 'parameter_unknown');
  for (const [param, { kind, required }] of Object.entries(body)) {
    name = param;
    const { [param]: _, ...rest } = valid;
    if (required) {
      add('left out', { body: rest }, 'parameter_missing');
      add('null', { body: { ...rest, [param]: null } }, 'parameter_missing');
    }
    const [sample] = kind.samples().accepted;
    const twice = JSON.stringify({ [param]: sample?.send ?? null }).slice(1, -1);
    const others = JSON.stringify(rest).slice(1);
    const comma = others === '}' ? '' : ',';
    add('doubled', { body: `{${twice},${twice}${comma}${others}` }, 'parameter_repeated');
    for (const { send, code } of kind.samples().refused)
      add(
        `wrong as ${JSON.stringify(send).slice(0, 60)}`,
        { body: { ...rest, [param]: send } },
        isRawNumber(send) ? undefined : code,
      );
  }
  return found;
}

/** The operations on records, which the OpenAPI document has beside those that are declared singly. */
const ofRecords = operationsIn(JSON.parse(JSON.stringify(openapiDocument(resources, '')))).filter(
  ({ method, path }) =>
    path.startsWith('/v1/') &&
    !operations.some(({ route }) => route.replace(/:(\w+)/g, '{$1}') === `${method} ${path}`),
);

describe('A list of records', () => {
  for (const resource of resources) {
    const route = `GET /v1/${resource.path}` as const;
    it(`${route} refuses each filter that is wrong, doubled or unknown, by its name`, () =>
      wantRefusals({ route, query: listParams(resource) }));
  }
});

describe('An operation on records', () => {
  assert.ok(ofRecords.length > 50);
  for (const { method, path } of ofRecords) {
    const group = path.split('/').slice(0, 3).join('/');
    const permission = { GET: 'read', DELETE: 'delete' }[method] ?? 'write';
    const restores = path.endsWith('/restore') ? '{"version":1}' : '{}';
    const body = ['GET', 'DELETE'].includes(method) ? undefined : restores;
    const send = (key: string | null, { id = ids[group] ?? '', query = '' } = {}) => {
      const at = path.replace('{unique_identifier}', id).replace('{index}', '0') + query;
      const headers = { ...fromElsewhere(), ...(body && { 'Content-Type': 'application/json' }) };
      return on.service.send(method, at, { key, headers, ...(body && { body }) });
    };

    it(`${method} ${path} is for keys with its permission, within their limits`, async () => {
      assert.deepEqual(coded(await send(null)), [401, 'api_key_missing']);
      const others = PERMISSIONS.filter((one) => one !== permission);
      const { secret } = await on.service.newKey({ permissions: others, allow: ALL });
      assert.deepEqual(coded(await send(secret)), [403, 'permission_denied']);
      const query = method === 'DELETE' ? '?dry_run=true' : '';
      for (const key of Object.values(limited)) {
        const { text } = await send(key, { query });
        assert.ok(!text.includes(MARK), text);
      }
      if (['locations', 'accounts', 'direct_mail_replies'].some((one) => group.endsWith(one)))
        return;
      assert.deepEqual(coded(await send(limited.resources ?? '')), [403, 'permission_denied']);
    });

    it(`${method} ${path} knows nothing of another account, and ignores no query`, async () => {
      const { secret } = await foreign.newKey({ permissions: [...PERMISSIONS], allow: ALL });
      if (path.includes('{')) {
        const own = ids[group] ?? assert.fail(group);
        const none = `${own.slice(0, -22)}${'0'.repeat(22)}`;
        for (const [key, isForeign] of [
          [secret, true],
          [limited.locations ?? '', false],
        ] as const) {
          // A key of locations sees its account, and is told of others that it may not change them.
          if (!isForeign && group === '/v1/accounts') continue;
          const answer = await send(key);
          assert.equal(said(answer, own), said(await send(key, { id: none }), none));
          if (isForeign || group !== '/v1/locations') assert.equal(answer.status, 404, answer.text);
        }
        const strange = ids[group === '/v1/locations' ? '/v1/events' : '/v1/locations'];
        const { status, text } = await send(all, { id: strange ?? '' });
        assert.equal(status, 404, text);
      } else {
        const { text } = await send(secret);
        assert.ok(!text.includes(MARK), text);
        for (const [id] of (await send(all)).text.matchAll(IDENTIFIER))
          assert.ok(!text.includes(id), `${id}: ${text}`);
      }
      const { status, body, text } = await send(all, { query: '?quite_unknown=1' });
      assert.equal(status, 400, text);
      const codes = body.error.errors.map(({ code }: Body) => code);
      assert.ok(codes.includes('parameter_unknown'), text);
    });
  }
});

describe('What people confirm', () => {
  const confirmed = operations.filter(
    ({ confirms, route }) => confirms === true && route.includes(':'),
  );
  const send = (one: Operation, id: string) => {
    const { method, at } = partsOf(one, id);
    return officer.send(method, at, one.body === undefined ? undefined : bodyOf(one));
  };

  it('leaves an entry of the audit also where it is refused', async () => {
    const refusals = new Set<string>();
    for (const one of confirmed) {
      const { status, text } = await send(one, 'none');
      assert.ok(status >= 400 && status < 500, `${one.name}: ${text}`);
      refusals.add(one.name);
    }
    await until(async () => {
      const { data } = await on.read('/v1/audit?action=refused&limit=100');
      const found = new Set(data.map(({ what }: Body) => what));
      return refusals.isSubsetOf(found);
    });
  });

  it('is refused in a session that is older than some minutes', async () => {
    ahead += 20 * MINUTE;
    for (const one of confirmed)
      assert.deepEqual(coded(await send(one, 'none')), [403, 'reauthentication_needed'], one.name);
  });
});

it('no role of people has a right that only operators give', async () => {
  const viewer = await signedIn(on.service, 'viewer@example.com', { role: 'viewer' });
  for (const one of operations) {
    const { right = '', permission } = one.needs ?? {};
    const isGiven = ['erase', 'hold', 'audit', 'sources', 'webhooks'].includes(right);
    if (!isGiven && permission !== 'write') continue;
    const { method, at } = partsOf(one);
    const sent = one.body === undefined ? undefined : bodyOf(one);
    const answer = await viewer.send(method, at, sent);
    assert.deepEqual(coded(answer), [403, 'permission_denied'], `${one.name}: ${answer.text}`);
  }
});

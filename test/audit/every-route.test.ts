/** Nobody reads unseen: of whatever any route shows a person of records, the audit or the log of changes says who saw it. */
// needs: both stores with --all, release
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { CONSOLE_FORMATS } from '../../src/features/exports/serves/formats.ts';
import { rights } from '../../src/records/auth/principal.ts';
import { administrator, type ConsoleBrowser, OWN } from '../support/console.ts';
import { type Call, expectedCalls } from '../support/expected.ts';
import { localServer } from '../support/local-server.ts';
import { keyed } from '../support/secret-key.ts';
import type { Body, Service } from '../support/service.ts';
import { startWithRoutes } from '../support/service-routes.ts';
import { until } from '../support/until.ts';

const CONSOLE = '/console/api';
/** In every record, and in nothing that the person sends. */
const MARK = 'Quirinus';
/** Far longer than until an entry is written. */
const LONGEST_MS = 10_000;
const RECORD = /(?:evt|ead|ecr|oa|dmr)_[0-9A-Za-z]{22}/g;
const LINES = { Accept: 'application/x-ndjson' };

/** Routes on colleagues, keys and the own session, which have no services that read records; and one that keys alone use. */
const OF_OTHERS = new Set([
  ...['GET /sign_in', 'GET /session', 'POST /sign_in', 'POST /sign_in/passkey/begin'],
  ...['POST /sign_in/passkey', 'POST /reauthenticate', 'POST /reauthenticate/passkey/begin'],
  ...['POST /reauthenticate/passkey', 'POST /sign_out', 'POST /single_sign_on/begin'],
  ...['POST /invitations/look', 'POST /invitations/passkey', 'POST /invitations/redeem'],
  ...['GET /account', 'POST /account', 'POST /account/password', 'POST /account/passkeys/begin'],
  ...['POST /account/passkeys', 'DELETE /account/passkeys/:unique_identifier'],
  ...['DELETE /account/sessions/:unique_identifier', 'POST /account/sessions/end_others'],
  ...['GET /staff', 'POST /staff/invite', 'POST /staff/:unique_identifier/invite'],
  ...['grant', 'disable', 'enable', 'remove', 'end_sessions'].map(
    (what) => `POST /staff/:unique_identifier/${what}`,
  ),
  ...['GET /keys', 'POST /keys', 'POST /v1/self_tests'],
  ...['rotate', 'revoke', 'suspend', 'resume'].map(
    (what) => `POST /keys/:unique_identifier/${what}`,
  ),
]);

/** A request. */
interface Answered {
  readonly says: string;
  readonly status: number;
  readonly request: string | null;
  readonly text: string;
  readonly isPicture: boolean;
  /** The operation that the audit names, where it is a list. */
  readonly list: string | undefined;
  /** What the person made or changed is in the log of changes, with who did it. */
  readonly isWrite: boolean;
}

let service: Service;
/** The address of a server of pictures. */
let images: string;
let person: ConsoleBrowser & { session: Body };
let account: string;
let location: string;
let event: string;
let source: string;
let routes: readonly string[];
/** Those that keys use, too. */
let ofKeys: readonly string[];

before(async () => {
  const picture = Buffer.from('ffd8ffc0000b080258038401011100ffd9', 'hex');
  images = await localServer((_, response) => void response.end(picture));
  const started = await startWithRoutes({ settings: keyed() });
  service = started.service;
  ofKeys = started.routes
    .filter(({ method, url }) => url.startsWith('/v1/') && method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url}`);
  routes = started.routes
    .filter(({ url }) => url.startsWith(`${CONSOLE}/`) && !url.endsWith('*'))
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url.slice(CONSOLE.length)}`);
  account = service.account.unique_identifier;
  source = (await service.newKey({ name: 'a source' })).secret;
  const allow = ['audit', 'erase', 'hold'];
  person = await administrator(service, 'officer@example.com', undefined, allow);
  location = await service.location('main');
  event = await service.event(location, 'main');
});

/** The member of each resource that has the mark. */
const MARKED: Readonly<Record<string, string>> = {
  locations: 'location_name',
  events: 'event_name',
  event_administrators: 'person_full_name',
  event_check_in_records: 'visitor_full_name',
  online_arrangements: 'person_full_name',
  direct_mail_replies: 'respondent_person.full_name',
};
/** Where a resource is below services, and not at a location. */
const OF_SERVICES = ['event_administrators', 'event_check_in_records'];

function named(path: string, name: string): object {
  const [member = '', inner] = (MARKED[path] ?? '').split('.');
  return { [member]: inner === undefined ? name : { [inner]: name } };
}

/** Sends what a key sends, and what it answers. */
async function key(method: string, path: string, body?: unknown, secret = service.key) {
  // A text is a file.
  const isFile = typeof body === 'string';
  const headers = { 'Content-Type': isFile ? 'text/csv' : 'application/json' };
  const sent = body === undefined ? {} : { headers, body: isFile ? body : JSON.stringify(body) };
  const answer = await service.send(method, path, { key: secret, ...sent });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

/** What the person does on the way to what is tried. */
async function does(method: string, path: string, body?: unknown): Promise<Body> {
  // A text is a file.
  const answer = await person.send(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

let made = 0;

/** A new record, as its source sends it; `pair` is what a query finds it by. */
async function make(path: string): Promise<{ id: string; body: Body; pair: string }> {
  made += 1;
  const phone = `+1415555${1_000 + made}`;
  const more: Readonly<Record<string, object>> = {
    events: { event_datetime: '2026-01-20T14:30:00Z' },
    event_administrators: { person_phone_number: phone },
    event_check_in_records: { visitor_phone_number: phone },
    online_arrangements: { person_phone_number: phone, cart_summary: 'Cremation' },
    direct_mail_replies: { image_urls: [`${images}/card.jpg`] },
  };
  const above =
    path === 'locations'
      ? { account_unique_identifier: account }
      : OF_SERVICES.includes(path)
        ? { event_unique_identifier: event }
        : { location_unique_identifier: location };
  const own = { ...above, external_identifier: `own-${made}` };
  // Places say nothing of people.
  const name = path === 'locations' ? 'A chapel' : `${MARK} ${made}`;
  const body = { ...own, ...more[path], ...named(path, name) };
  const { unique_identifier: id } = await key('POST', `/v1/${path}/upsert`, body, source);
  return { id, body, pair: `?${new URLSearchParams(own)}` };
}
const visitor = () => make('event_check_in_records');

/** A record that the person corrected, and of which its source proposes otherwise. */
async function corrected(path: string): Promise<{ id: string; proposal: string }> {
  const one = await make(path);
  await does('PATCH', `/v1/${path}/${one.id}`, named(path, 'Corrected'));
  await key('POST', `/v1/${path}/upsert`, { ...one.body, ...named(path, `${MARK} B`) }, source);
  const { data } = await key('GET', `/v1/proposals?record=${one.id}`);
  return { id: one.id, proposal: data[0]?.unique_identifier };
}

/** A proposal, twice. */
async function proposed(): Promise<readonly Call[]> {
  const { proposal: id } = await corrected('event_check_in_records');
  return [{ id }, { id }];
}

/** Of each route of a resource, requests that show whatever it can. */
const OF_RESOURCES: Readonly<Record<string, (path: string) => Promise<readonly Call[]>>> = {
  'GET ': async () => [
    {},
    { headers: LINES },
    { headers: { Accept: 'text/csv' } },
    { query: '?limit=1&%65xpand[]=source' },
  ],
  'GET /:unique_identifier': async (path) => {
    const id = path === 'accounts' ? account : (await make(path)).id;
    return [{ id }, { id: `%${id.charCodeAt(0).toString(16)}${id.slice(1)}` }, { id: 'none' }];
  },
  'GET /:unique_identifier/history': async (path) => [
    { id: path === 'accounts' ? account : (await make(path)).id },
  ],
  'POST /upsert': async (path) => {
    const { body } = await make(path);
    const fresh = { ...body, external_identifier: `of a person ${made}` };
    const wrong = { ...body, external_identifier: 7 };
    return [{ body }, { body, query: '?dry_run=true' }, { body: fresh }, { body: wrong }];
  },
  'POST /upsert_many': async (path) => {
    const { body } = await make(path);
    const wrong = { ...body, external_identifier: 7 };
    return [
      { body: [body, wrong] },
      { body: [body], query: '?dry_run=true' },
      { body, headers: { 'Content-Type': 'application/x-ndjson' } },
    ];
  },
  'PATCH /:unique_identifier': async (path) => {
    const { id } = await make(path);
    const stale = { 'If-Match': '"99"' };
    const other = named(path, 'Another');
    return [
      ...[{ body: {} }, { body: {}, headers: stale }, { body: { nonsense: 1 } }],
      ...[{ body: other, query: '?dry_run=true' }, { body: other }, { body: {} }],
    ].map((one) => ({ id, ...one }));
  },
  'PATCH ': async (path) => [{ body: {}, query: (await make(path)).pair }],
  'DELETE /:unique_identifier': async (path) => {
    const { id } = await make(path);
    return [{ id, query: '?dry_run=true' }, { id }, { id }];
  },
  'DELETE ': async (path) => [{ query: (await make(path)).pair }],
  'POST /:unique_identifier/restore': async (path) => {
    const { id } = await make(path);
    const one = { id, body: { version: 1 } };
    return [{ ...one, query: '?dry_run=true' }, one];
  },
  'GET /:unique_identifier/pins': async (path) => [{ id: (await corrected(path)).id }],
  'DELETE /:unique_identifier/pins/:member': async (path) => {
    const one = { id: (await corrected(path)).id, rest: MARKED[path] ?? '' };
    return [one, one];
  },
  'GET /:unique_identifier/images/:index': async (path) => [
    { id: (await make(path)).id, rest: '0' },
  ],
};

const ids = (one: { readonly unique_identifier: string }): readonly Call[] => [
  { id: one.unique_identifier },
];
const found = async (path: string) => (await key('GET', path)).data[0];

async function expected(): Promise<object> {
  const { unique_identifier: source } = await found('/v1/sources');
  return { source, location, hours: 'mon 8-9' };
}

const STREAM = { Accept: 'text/event-stream' };

async function removal(): Promise<string> {
  const { id } = await visitor();
  await key('DELETE', `/v1/event_check_in_records/${id}`);
  return (await found(`/v1/removals?record=${id}`)).unique_identifier;
}

/** A sync of services that leaves one out, whose own identifier is somebody's name. */
async function sync(...then: readonly string[]): Promise<{ readonly unique_identifier: string }> {
  const place = (await make('locations')).id;
  const { body } = await make('events');
  const at = { ...body, location_unique_identifier: place, external_identifier: `${MARK}-1` };
  await key('POST', '/v1/events/upsert', at, source);
  const begun = { resource: 'event', location: place, at_most: '100%' };
  const one = await key('POST', '/v1/syncs', begun, source);
  for (const what of then)
    await key('POST', `/v1/syncs/${one.unique_identifier}/${what}`, undefined, source);
  return one;
}

async function endpoint(): Promise<{ readonly unique_identifier: string }> {
  const url = `${images}/hook`;
  return does('POST', '/v1/webhook_endpoints', { url, account, payload: 'full' });
}

/** A delivery at an endpoint. */
async function delivered(): Promise<Body> {
  const { unique_identifier: id } = await endpoint();
  await visitor();
  const path = `/v1/webhook_endpoints/${id}/deliveries`;
  await until(async () => (await does('GET', path)).data.length > 0);
  return (await does('GET', path)).data[0];
}

async function erasure(status: 'ready' | 'done' = 'ready') {
  const { id: record } = await visitor();
  const one = await does('POST', '/v1/erasures', { account, records: [record] });
  const { unique_identifier: id } = one;
  if (status === 'done') {
    await does('POST', `/v1/erasures/${id}/run`, { records: [record] });
    const ended = async () => (await does('GET', `/v1/erasures/${id}`)).status;
    await until(async () => (await ended()) === 'done');
  }
  return { id, record };
}

const ruled = () => ({
  ...{ account, resource: 'online_arrangement', after_days: 30, since: 'inserted_at' },
  basis: 'policy',
});
const rule = (): Promise<{ readonly unique_identifier: string }> =>
  does('POST', '/v1/retention_rules', ruled());

async function previewed() {
  const one = await rule();
  await does('POST', `/v1/retention_rules/${one.unique_identifier}/preview`);
  await until(async () => {
    const { preview } = await does('GET', `/v1/retention_rules/${one.unique_identifier}`);
    return preview?.status === 'ready';
  });
  return one;
}

const hold = () =>
  visitor().then(({ id }) => does('POST', '/v1/holds', { account, record: id, matter: 'a case' }));

/** Of every other route, the same. */
const OTHERS: Readonly<Record<string, () => Promise<readonly Call[]>>> = {
  ...Object.fromEntries(
    [
      ...['/v1/location_settings', '/v1/sources', '/v1/syncs', '/v1/webhook_endpoints'],
      ...['/v1/activity', '/v1/expectations', '/v1/erasures', '/v1/holds', '/v1/retention_rules'],
      ...['/v1/self_tests', '/exports', '/backup'],
    ].map((path) => [`GET ${path}`, async () => [{}]]),
  ),
  'GET /v1/changes': async () => [
    ...[{}, { query: '?expand[]=record' }, { query: '?%65xpand[]=record&limit=3' }],
    ...[STREAM, LINES].map((headers) => ({ query: '?expand[]=record', headers })),
  ],
  'GET /v1/removals': async () => [{}, { query: `?record=${(await visitor()).id}` }],
  'GET /v1/removals/:unique_identifier': async () => [{ id: await removal() }],
  'POST /v1/removals/:unique_identifier/restore': async () => {
    const id = await removal();
    return [{ id, query: '?dry_run=true' }, { id }];
  },
  'GET /v1/proposals': async () => [{ query: `?record=${(await corrected('events')).id}` }],
  'POST /v1/proposals/:unique_identifier/accept': proposed,
  'POST /v1/proposals/:unique_identifier/keep': proposed,
  'GET /v1/search': async () => [{ query: `?q=${MARK}` }],
  'POST /v1/search': async () => [{ body: { q: MARK } }],
  'GET /v1/accounts/:unique_identifier/settings': async () => [{ id: account }],
  'PATCH /v1/accounts/:unique_identifier/settings': async () => [{ id: account, body: {} }],
  'GET /v1/locations/:unique_identifier/settings': async () => [{ id: location }],
  'PATCH /v1/locations/:unique_identifier/settings': async () => [{ id: location, body: {} }],
  'PATCH /v1/sources/:unique_identifier': async () => [
    { id: (await found('/v1/sources')).unique_identifier, body: { name: `named ${made}` } },
  ],
  'POST /v1/sources/:unique_identifier/merge': async () => {
    const own = (await service.newKey({ name: `another source ${made}` })).secret;
    const { body } = await make('events');
    await key('POST', '/v1/events/upsert', { ...body, external_identifier: 'merged' }, own);
    const [first, last] = (await key('GET', '/v1/sources', undefined)).data;
    return [{ id: last.unique_identifier, body: { into: first.unique_identifier } }];
  },
  'POST /v1/syncs': async () => [{ body: { resource: 'event', location } }],
  'GET /v1/syncs/:unique_identifier': async () => [await sync('finish'), await sync()].flatMap(ids),
  'POST /v1/syncs/:unique_identifier/finish': async () => {
    const { unique_identifier: id } = await sync();
    return [{ dry_run: true }, {}].map((body) => ({ id, body }));
  },
  'POST /v1/syncs/:unique_identifier/undo': async () => ids(await sync('finish')),
  'POST /v1/webhook_endpoints': async () => [
    { body: { url: 'http://127.0.0.1:8080/hook', account, payload: 'full' } },
  ],
  'GET /v1/webhook_endpoints/:unique_identifier': async () => ids(await endpoint()),
  'PATCH /v1/webhook_endpoints/:unique_identifier': async () =>
    ids(await endpoint()).map((one) => ({ ...one, body: { description: 'A desk' } })),
  'DELETE /v1/webhook_endpoints/:unique_identifier': async () => ids(await endpoint()),
  'POST /v1/webhook_endpoints/:unique_identifier/rotate_secret': async () => ids(await endpoint()),
  'POST /v1/webhook_endpoints/:unique_identifier/replay': async () =>
    ids(await endpoint()).map((one) => ({ ...one, body: { since: '2026-01-20T14:30:00Z' } })),
  'POST /v1/webhook_endpoints/:unique_identifier/resend': async () => {
    const { webhook_endpoint: id, change } = await delivered();
    return [{ id, body: { change } }];
  },
  'POST /v1/webhook_endpoints/:unique_identifier/test': async () => ids(await endpoint()),
  'GET /v1/webhook_endpoints/:unique_identifier/deliveries': async () => [
    { id: (await delivered()).webhook_endpoint },
  ],
  'GET /v1/requests': async () => {
    const { body } = await visitor();
    const wrong = { ...body, visitor_phone_number: MARK };
    await service.json('/v1/event_check_in_records/upsert', wrong);
    return [{}, { headers: LINES }];
  },
  'GET /v1/audit': async () => [{}, { headers: LINES }],
  'POST /v1/expectations': async () => [{ body: await expected() }],
  'DELETE /v1/expectations/:unique_identifier': async () =>
    ids(await does('POST', '/v1/expectations', await expected())),
  'POST /v1/erasures': async () => [{ body: { account, records: [(await visitor()).id] } }],
  'GET /v1/erasures/:unique_identifier': async () => [{ id: (await erasure()).id }],
  'GET /v1/erasures/:unique_identifier/copy': async () => [{ id: (await erasure()).id }],
  'POST /v1/erasures/:unique_identifier/run': async () => {
    const { id, record } = await erasure();
    return [{ id, body: { records: [record] } }];
  },
  'POST /v1/erasures/:unique_identifier/close': async () => [
    { id: (await erasure()).id, body: { basis: 'kept one year' } },
  ],
  'POST /v1/erasures/:unique_identifier/lift': async () => {
    const { id, record } = await erasure('done');
    return [{ id, body: { record } }];
  },
  'GET /v1/erasures/:unique_identifier/certificate': async () => [
    { id: (await erasure('done')).id },
  ],
  ...expectedCalls({ visitor, does }),
  'POST /v1/holds': async () => [
    { body: { account, record: (await visitor()).id, matter: 'a case' } },
  ],
  'GET /v1/holds/:unique_identifier': async () => ids(await hold()),
  'POST /v1/holds/:unique_identifier/release': async () =>
    ids(await hold()).map((one) => ({ ...one, body: { reason: 'the case is closed' } })),
  'POST /v1/retention_rules': async () => [{ body: ruled() }],
  'GET /v1/retention_rules/:unique_identifier': async () => ids(await previewed()),
  'PATCH /v1/retention_rules/:unique_identifier': async () =>
    ids(await rule()).map((one) => ({ ...one, body: { after_days: 31 } })),
  'DELETE /v1/retention_rules/:unique_identifier': async () => ids(await rule()),
  'POST /v1/retention_rules/:unique_identifier/preview': async () => ids(await rule()),
  'POST /v1/retention_rules/:unique_identifier/enable': async () => ids(await previewed()),
  'POST /v1/retention_rules/:unique_identifier/pause': async () => {
    const { unique_identifier: id } = await previewed();
    await does('POST', `/v1/retention_rules/${id}/enable`);
    return [{ id }];
  },
  'POST /v1/retention_rules/:unique_identifier/lift': async () =>
    ids(await rule()).map((one) => ({ ...one, body: {} })),
  'GET /v1/retention_rules/:unique_identifier/runs': async () => ids(await rule()),
  'GET /v1/self_tests/:unique_identifier': async () =>
    ids(await key('POST', '/v1/self_tests', {}, (await service.newKey()).secret)),
  'POST /exports': async () => [
    ...Object.keys(CONSOLE_FORMATS).map((format) => ({
      body: { resources: ['events', 'event_check_in_records'], format },
    })),
    { body: { resources: ['events'], format: 'csv', filters: 'limit=none' } },
  ],
  'POST /printed': async () => [{ body: { what: 'events' } }],
  'POST /names': async () => [{ body: { identifiers: [person.session.staff.unique_identifier] } }],
  'POST /names/records': async () => [{ body: { identifiers: [event] } }],
};

/** Operations that are lists: the audit names each, whatever it has shown. */
const LISTS: ReadonlyMap<string, string> = new Map(
  operationsOf(resources)
    .filter(({ audits }) => audits === 'list')
    .map(({ route, name }) => [route, name]),
);

/** These change a record, and say so without a header. */
const DECISIONS = new Set(
  ['accept', 'keep'].map((what) => `POST /v1/proposals/:unique_identifier/${what}`),
);

/** The records that the person made or changed, by the log. */
async function written(): Promise<ReadonlySet<string>> {
  const { secret } = await service.newKey({ permissions: ['read'], allow: ['requests'] });
  const records = new Set<string>();
  for (let after = ''; ; ) {
    const page = await key('GET', `/v1/changes?limit=1000${after}`, undefined, secret);
    for (const { key: by, record } of page.data)
      if (by === person.session.staff.unique_identifier) records.add(record);
    if (!page.has_more) return records;
    after = `&starting_after=${page.position}`;
  }
}

/** Sends a call as the person does it, or as other headers say. */
function request(base: string, route: string, call: Call, headers: object, signal: AbortSignal) {
  const [method = '', path = ''] = route.split(' ');
  const url = path
    .replace(':unique_identifier', call.id ?? '')
    .replace(/:\w+/, call.rest ?? '')
    .concat(call.query ?? '');
  const { body } = call;
  return fetch(`${service.url}${base}${url}`, {
    method,
    headers: {
      ...headers,
      'Accept-Encoding': 'identity',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal,
  });
}

/** What the person is answered; of what does not end, the beginning. */
async function ask(route: string, call: Call): Promise<Answered> {
  const [, path = ''] = route.split(' ');
  const leaving = new AbortController();
  const own = { ...OWN, Cookie: person.cookie ?? '' };
  const answer = await request(CONSOLE, route, call, own, leaving.signal);
  const isEndless = path === '/v1/changes' && call.headers !== undefined;
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (isEndless && text.includes(MARK)) break;
  }
  leaving.abort();
  const outcome = answer.headers.get('ledgerstone-outcome') ?? 'unchanged';
  return {
    says: `${route} ${call.query ?? ''}: ${answer.status}`,
    status: answer.status,
    request: answer.headers.get('request-id'),
    text,
    // Changes that a page follows by itself show records only with `expand`.
    list: path === '/v1/changes' && call.query === undefined ? undefined : LISTS.get(route),
    isPicture: answer.headers.get('content-type')?.startsWith('image/') === true,
    isWrite:
      (outcome !== 'unchanged' || DECISIONS.has(route)) &&
      answer.headers.get('ledgerstone-dry-run') === null,
  };
}

function callsOf(route: string): (() => Promise<readonly Call[]>) | undefined {
  const known = OTHERS[route];
  if (known !== undefined) return known;
  const [, method, path = '', rest = ''] = /^(\w+) \/v1\/(\w+)(.*)$/.exec(route) ?? [];
  const ofResource = OF_RESOURCES[`${method} ${rest}`];
  return resources.some((one) => one.path === path)
    ? ofResource && (() => ofResource(path))
    : undefined;
}

/** All entries of the person, by the requests that they are of. */
async function entries(): Promise<ReadonlyMap<string, Body>> {
  const all = new Map<string, Body>();
  const { app } = service;
  let place = { chain: '', number: 0 };
  for (;;) {
    const some = await app.store.audit.walk(place, 500);
    for (const one of some) if (one.request_id !== null) all.set(one.request_id, one);
    const last = some.at(-1);
    if (last === undefined) return all;
    place = last;
  }
}

it('each response to a person that has content of records is in the audit, or changed them', async () => {
  const unknown = routes.filter((one) => !OF_OTHERS.has(one) && callsOf(one) === undefined);
  assert.deepEqual(
    unknown,
    [],
    'say how they are called, so that it is seen what they show: in `calls` of expected.ts of their feature in test/features, or here',
  );
  const answers: Answered[] = [];
  const silent: string[] = [];
  for (const route of routes) {
    const calls = await callsOf(route)?.();
    if (calls === undefined) continue;
    const own: Answered[] = [];
    for (const call of calls) own.push(await ask(route, call));
    if (!own.some(({ status }) => status < 300))
      silent.push(
        `${route}: ${own.map(({ says, status, text }) => `${says} ${status} ${text.slice(0, 300)}`).join('; ')}`,
      );
    answers.push(...own);
  }
  assert.deepEqual(silent, [], 'routes that were not called as they want to be');
  const changed = await written();
  const shown = answers.filter(
    ({ status, text, list, isPicture, isWrite }) =>
      (isPicture || text.includes(MARK) || (list !== undefined && status === 200)) &&
      !(isWrite && [...text.matchAll(RECORD)].some(([id]) => changed.has(id))),
  );
  assert.ok(shown.length > 40, `${shown.length} of ${answers.length} have content`);
  const by = person.session.staff.unique_identifier;
  let missing = shown;
  const isNoted = async (): Promise<boolean> => {
    const noted = await entries();
    // An entry says of which record it is, or of which list.
    missing = missing.filter(({ request, list }) => {
      const { by: who, record, resource, what } = noted.get(request ?? '') ?? {};
      return who !== by || (list ?? what) !== what || (record ?? resource ?? what ?? null) === null;
    });
    return missing.length === 0;
  };
  await until(isNoted, LONGEST_MS).catch(() => undefined);
  const left = missing.map(({ says, text }) => `${says} ${text.slice(0, 200)}`);
  assert.deepEqual(left, []);
});

/** What keys alone are asked for. */
const KEYS_ALONE: Readonly<Record<string, () => Promise<readonly Call[]>>> = {
  'GET /v1/me': async () => [{}],
  'POST /v1/self_tests': async () => [{ body: {} }],
  'POST /v1/erasures/:unique_identifier/acknowledge': async () => [
    { id: (await erasure('done')).id },
  ],
};

it('each route of the API does for a key what it is there for', async () => {
  const allow = Object.keys(rights);
  const failed: string[] = [];
  for (const route of ofKeys) {
    // One that tests itself is refused some requests, and a sync goes on by its source alone.
    const secret = /v1.syncs.:/.test(route)
      ? source
      : (await service.newKey({ permissions: ['read', 'write', 'delete'], allow })).secret;
    const does: typeof key = (method, path, body) => key(method, path, body, secret);
    const ofFeature = expectedCalls({ visitor, does })[route];
    const own = { Authorization: `Bearer ${secret}` };
    const calls = await (KEYS_ALONE[route] ?? ofFeature ?? callsOf(route))?.();
    const answers: string[] = [];
    for (const call of calls ?? []) {
      const leaving = new AbortController();
      const answer = await request('', route, call, own, leaving.signal);
      answers.push(`${answer.status}`);
      // Some of what is sent does not end.
      leaving.abort();
      if (answer.status >= 500) failed.push(`${route} ${call.query ?? ''}: ${answer.status}`);
    }
    if (!answers.some((one) => one.startsWith('2'))) failed.push(`${route}: ${answers.join(', ')}`);
  }
  assert.deepEqual(failed, []);
  assert.ok(ofKeys.length > 100, `${ofKeys.length} routes`);
});

/** How wrong requests are told what is wrong, and in which order (decisions: "Unknown fields", "All faults at once", "Order of checks", "Unknown parent"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, play, type Scenario } from '../support/scenario.ts';
import type { Sent } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();
const IGNORE = { 'Ledgerstone-Unknown-Fields': 'ignore' };

describe('unknown fields are 400 parameter_unknown, with the nearest known name', () => {
  const named = (...params: string[]) =>
    params.map((param) => [param, 'parameter_unknown'] as const);
  const unknown = (on: string, param: string, nearest: string): Scenario => {
    const [name = '', member] = param.split('.');
    return {
      rule: `${on}: ${param} is like ${nearest}`,
      on,
      json: { [name]: member === undefined ? 'x' : { full_name: 'A', [member]: 'x' } },
      faults: named(param),
      says: new RegExp(`\\b${nearest.replace('.', '\\.')}\\b`),
    };
  };
  play(stage, [
    unknown('events', 'eventName', 'event_name'),
    unknown('events', 'person.fullname', 'person.full_name'),
    {
      rule: 'by form',
      on: 'events',
      form: 'event_nam=x&person[full_name]=A&person[fullname]=B',
      faults: named('person.fullname', 'event_nam'),
    },
    {
      rule: 'members of answers are no parameters',
      on: 'events',
      json: { public_data: {}, object: 'event', unique_identifier: 'x', inserted_at: 'x' },
      faults: named('public_data', 'object', 'unique_identifier', 'inserted_at'),
    },
    {
      rule: 'a field of another resource',
      on: 'locations',
      json: { event_name: 'x' },
      faults: named('event_name'),
    },
    {
      rule: 'though its value is null',
      on: 'events',
      json: { nothing: null },
      faults: named('nothing'),
    },
    {
      rule: 'in free-form content no name is unknown',
      on: 'events',
      json: { additional_event_metadata: { event_nam: 1 } },
      gives: { additional_event_metadata: { event_nam: 1 } },
    },
    {
      rule: 'an unknown name does not make the others silent',
      on: 'events',
      json: { event_name: null, eventname: 'x' },
      faults: [['event_name', 'parameter_missing'], ...named('eventname')],
    },
  ]);

  it('a name like none is told the known ones', async () => {
    const answer = await stage.upsert('locations', { json: { zzzzzzzzzzzzzzzzzzzzzzzzzz: 1 } });
    assert.match(answer.body.error.message, /location_name/);
  });
});

describe('Ledgerstone-Unknown-Fields: ignore', () => {
  const ignored: readonly Scenario[] = [
    {
      rule: 'what is not known is left out, and what is known is taken',
      json: { nothing: { a: 1 }, person: { full_name: 'A', nothing: 1 } },
      gives: { person: { full_name: 'A' } },
      lacks: ['nothing'],
    },
    {
      rule: 'by form',
      form: 'nothing[a]=1&person[full_name]=A&person[nothing]=1&more[]=1',
      gives: { person: { full_name: 'A' } },
      lacks: ['nothing', 'more'],
    },
    {
      rule: 'it forgives nothing else',
      json: { nothing: 1, event_name: 7, person: {} },
      faults: [
        ['event_name', 'type_invalid'],
        ['person.full_name', 'parameter_missing'],
      ],
    },
    {
      rule: 'what is unknown must be readable all the same: duplicates',
      json: '"nothing":{"a":1,"a":2}',
      faults: [['nothing.a', 'parameter_repeated']],
    },
    {
      rule: 'what is unknown must be readable all the same: texts',
      json: '"nothing":"\\u0000"',
      faults: [['nothing', 'text_invalid']],
    },
  ];
  play(stage, 'events', [
    ...ignored.map((scenario) => ({ ...scenario, headers: IGNORE })),
    {
      rule: 'in any case of letters',
      headers: { 'ledgerstone-unknown-fields': 'IGNORE' },
      json: { x: 1 },
      status: 200,
    },
    {
      rule: 'any other value is 400',
      headers: { 'Ledgerstone-Unknown-Fields': 'yes' },
      json: {},
      status: 400,
      says: /Ledgerstone-Unknown-Fields.*ignore/,
    },
  ]);

  it('is for one request', async () => {
    const ignored = await stage.upsert('events', { headers: IGNORE, json: { x: 1 } });
    assert.equal(ignored.status, 200);
    assert.equal((await stage.upsert('events', { json: { x: 1 } })).status, 400);
  });
});

describe('all faults at once', () => {
  play(stage, [
    {
      rule: 'every fault of the body, in the order of the reference',
      on: 'direct_mail_replies',
      json: {
        external_identifier: 7,
        image_urls: ['https://a.example/1.jpg', 'x', 'https://a.example/1.png'],
        respondent_person: { phone_number1: 'x', fullname: 'A' },
        additional_metadata: { a: 1 },
        colour: 'blue',
      },
      faults: [
        ['external_identifier', 'type_invalid'],
        ['image_urls.1', 'image_url_invalid'],
        ['image_urls.2', 'image_url_invalid'],
        ['respondent_person.phone_number1', 'phone_number_invalid'],
        ['respondent_person.fullname', 'parameter_unknown'],
        ['additional_metadata.a', 'type_invalid'],
        ['colour', 'parameter_unknown'],
      ],
    },
    {
      rule: 'by form',
      on: 'event_administrators',
      form: 'person_phone_number=x&person_interested_in_pre_planning=maybe&person_email_address=%zz&colour=blue',
      status: 400,
      has: [
        'person_phone_number',
        'person_interested_in_pre_planning',
        'person_email_address',
        'colour',
      ].map((name) => `"param":"${name}"`),
    },
    {
      rule: 'one fault is the whole answer',
      on: 'events',
      json: { event_name: 7 },
      faults: [['event_name', 'type_invalid']],
      lacks: ['more'],
    },
  ]);

  const many = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => [`unknown_${index}`, 1]);
    return stage.upsert('events', { json: Object.fromEntries(names) });
  };

  it('the message is that of the first fault, and says how many more there are', async () => {
    const { body } = await many(3);
    assert.deepEqual([body.error.param, body.error.code], ['unknown_0', 'parameter_unknown']);
    assert.ok(body.error.message.startsWith(body.error.errors[0].message));
    assert.match(body.error.message, /\b2 more\b/);
  });

  it('of thousands likewise, and the answer stays small', async () => {
    const { body, text } = await many(20_000);
    assert.equal(body.error.errors.length, 100);
    assert.match(body.error.message, /\b19,?900\b/);
    assert.ok(text.length < 100_000);
  });

  it('faults that JSON itself has are named with those of the fields', async () => {
    const answer = await stage.upsert('events', {
      json: '"person":{"full_name":"A","full_name":"B","date_of_birth":"x"},"additional_event_metadata":{"a":"\\ud800","b":1e2000}',
    });
    assert.deepEqual(
      new Set(faultsOf(answer).map(String)),
      new Set([
        'person.full_name,parameter_repeated',
        'person.date_of_birth,date_invalid',
        'additional_event_metadata.a,text_invalid',
        'additional_event_metadata.b,number_out_of_range',
      ]),
    );
  });
});

describe('the parent', () => {
  for (const { path, parent } of examples) {
    const param = `${parent}_unique_identifier`;
    it(`${path}: is looked up only when the body has no fault`, async () => {
      const answer = await stage.upsert(path, { json: { [param]: 'nothing', colour: 1 } });
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [['colour', 'parameter_unknown']]);
    });
  }
});

describe('order of checks', () => {
  const keys: Record<string, string> = {};
  before(async () => {
    const { service, parents } = stage;
    keys.reader = (await service.newKey({ permissions: ['read'] })).secret;
    keys.ofEvents = (await service.newKey({ resources: ['events'] })).secret;
    keys.scoped = (await service.newKey({ anchors: [parents.location] })).secret;
  });

  const UPSERT = 'POST /v1/events/upsert';
  const [UNKNOWN, ACCOUNTS] = ['POST /v1/nothing/upsert', 'POST /v1/accounts'];
  const LIST = 'GET /v1/accounts?limit=0';
  const LOCATIONS = 'POST /v1/locations/upsert';
  const STATUSES: Readonly<Record<string, number>> = {
    ...{ api_key_missing: 401, permission_denied: 403, location_not_permitted: 403 },
    ...{ path_unknown: 404, resource_missing: 404, method_not_allowed: 405 },
    ...{ body_too_large: 413, media_type_unsupported: 415, parameter_unknown: 400 },
  };
  const UNSUPPORTED = 'media_type_unsupported';
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const NOTHING: Sent = {};
  const KEYLESS: Sent = { key: null };
  const TEXT: Sent = { headers: { 'Content-Type': 'text/plain' }, body: 'x' };
  const BROKEN: Sent = { headers: JSON_TYPE, body: '{' };
  const ZIPPED: Sent = { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: '{' };
  const BLANKS = ' '.repeat(1_048_577);
  const HUGE: Sent = { headers: JSON_TYPE, body: BLANKS };
  const HUGE_TEXT: Sent = { headers: { 'Content-Type': 'text/html' }, body: BLANKS };
  const STRANGE: Sent = {
    ...TEXT,
    headers: { ...TEXT.headers, 'Ledgerstone-Unknown-Fields': 'x' },
  };

  /** What is sent to a route, and by which key where that is not the service's own. */
  type Check = readonly [rule: string, route: string, sent: Sent, code: string, key?: string];
  const checked = (rule: string, route: string, sent: () => Sent, code: string, key?: string) =>
    it(rule, async () => {
      const [method = '', path = ''] = route.split(' ');
      const by = key === undefined ? {} : { key: keys[key] ?? '' };
      const answer = await stage.service.send(method, path, { ...sent(), ...by });
      assert.equal(answer.body.error.code, code, answer.text);
      assert.equal(answer.status, STATUSES[code], answer.text);
    });
  const checks: Readonly<Record<string, readonly Check[]>> = {
    '401 comes first': [
      ['before 404 for the path', 'GET /v1/nothing', KEYLESS, 'api_key_missing'],
      ['before 404 outside /v1', 'GET /nothing', KEYLESS, 'api_key_missing'],
      ['before 405', 'DELETE /v1/events/upsert', KEYLESS, 'api_key_missing'],
      ['before 413', UPSERT, { ...HUGE, ...KEYLESS }, 'api_key_missing'],
      ['before 415', UPSERT, { ...TEXT, ...KEYLESS }, 'api_key_missing'],
      ['before 400', UPSERT, { ...BROKEN, ...KEYLESS }, 'api_key_missing'],
      ['before 400 of a list', LIST, KEYLESS, 'api_key_missing'],
      ['before 404 for a path that cannot be decoded', 'GET /v1/%zz', KEYLESS, 'api_key_missing'],
    ],
    'then 404 and 405 for the path': [
      ['404 before 403', UNKNOWN, NOTHING, 'path_unknown', 'reader'],
      ['404 before 415', UNKNOWN, TEXT, 'path_unknown'],
      ['404 before 413', UNKNOWN, HUGE, 'path_unknown'],
      ['405 before 403', 'GET /v1/locations/upsert', NOTHING, 'method_not_allowed', 'ofEvents'],
      ['405 before 403 for permission', ACCOUNTS, NOTHING, 'method_not_allowed', 'reader'],
      ['405 before 415', 'PUT /v1/events/upsert', TEXT, 'method_not_allowed'],
      ['405 before 413', 'PUT /v1/events/upsert', HUGE, 'method_not_allowed'],
      ['405 before 400', 'POST /v1/accounts?limit=0', NOTHING, 'method_not_allowed'],
    ],
    'then 403 for permission or resource': [
      ['before 413', UPSERT, HUGE, 'permission_denied', 'reader'],
      ['before 415', UPSERT, TEXT, 'permission_denied', 'reader'],
      ['before 400', UPSERT, BROKEN, 'permission_denied', 'reader'],
      ['of the resource before 415', LOCATIONS, TEXT, 'permission_denied', 'ofEvents'],
      ['of the resource before 400', LIST, NOTHING, 'permission_denied', 'ofEvents'],
    ],
    'then 413 and 415': [
      ['413 before 400 of the query', `${UPSERT}?x=1`, HUGE, 'body_too_large'],
      ['413 before 415', UPSERT, HUGE_TEXT, 'body_too_large'],
      ['415 where another type may be as large', `${UPSERT}_many`, HUGE_TEXT, UNSUPPORTED],
      ['415 where a file may be as large', 'POST /v1/uploads?name=a.csv', HUGE_TEXT, UNSUPPORTED],
      ['415 before 400 of the query', `${UPSERT}?x=1`, TEXT, 'media_type_unsupported'],
      ['415 before 400 of a header', UPSERT, STRANGE, 'media_type_unsupported'],
      ['415 before 400 of the body', UPSERT, ZIPPED, 'media_type_unsupported'],
    ],
  };
  for (const [step, all] of Object.entries(checks))
    describe(step, () => {
      for (const [rule, route, sent, code, key] of all) checked(rule, route, () => sent, code, key);
    });

  describe('then 400, then 404 for the parent, then 403 for the location', () => {
    const location = (account: string, more: object = {}): Sent => ({
      headers: JSON_TYPE,
      body: stage.text('locations', { account_unique_identifier: account, ...more }, 'elsewhere'),
    });
    const own = (more?: object) => location(stage.parents.account, more);
    const colour = { colour: 'x' };
    const UNKNOWN_NAME = 'parameter_unknown';
    const nowhere = () => location('nothing', colour);
    checked('400 before 404', LOCATIONS, nowhere, UNKNOWN_NAME, 'scoped');
    checked('400 before 403', LOCATIONS, () => own(colour), UNKNOWN_NAME, 'scoped');
    checked('404 before 403', LOCATIONS, () => location('nothing'), 'resource_missing', 'scoped');
    checked('403 last', LOCATIONS, () => own(), 'location_not_permitted', 'scoped');
  });
});

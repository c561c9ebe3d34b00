/** How wrong requests are told what is wrong, and in which order (decisions: "Unknown fields", "All faults at once", "Order of checks", "Unknown parent"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, play, type Scenario } from '../support/scenario.ts';
import type { Answer, Sent } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();
const IGNORE = { 'Ledgerstone-Unknown-Fields': 'ignore' };

describe('unknown fields are 400 parameter_unknown, with the nearest known name', () => {
  const unknown = (on: string, param: string, nearest: string): Scenario => {
    const [name = '', member] = param.split('.');
    return {
      rule: `${on}: ${param} is like ${nearest}`,
      on,
      json: { [name]: member === undefined ? 'x' : { full_name: 'A', [member]: 'x' } },
      faults: [[param, 'parameter_unknown']],
      says: new RegExp(`\\b${nearest.replace('.', '\\.')}\\b`),
    };
  };
  play(stage, [
    unknown('events', 'event_nam', 'event_name'),
    unknown('events', 'eventName', 'event_name'),
    unknown('events', 'Event_Name', 'event_name'),
    unknown('events', 'event_date_time', 'event_datetime'),
    unknown('events', 'location_unique_identifer', 'location_unique_identifier'),
    unknown('events', 'external_id', 'external_identifier'),
    unknown('events', 'persn', 'person'),
    unknown('events', 'person.fullname', 'person.full_name'),
    unknown('events', 'person.date_of_brith', 'person.date_of_birth'),
    unknown('locations', 'name', 'location_name'),
    unknown('event_administrators', 'person_phone', 'person_phone_number'),
    unknown('direct_mail_replies', 'image_url', 'image_urls'),
    unknown(
      'direct_mail_replies',
      'respondent_person.phone_number',
      'respondent_person.phone_number1',
    ),
    {
      rule: 'by form',
      on: 'events',
      form: 'event_nam=x&person[full_name]=A&person[fullname]=B',
      faults: [
        ['person.fullname', 'parameter_unknown'],
        ['event_nam', 'parameter_unknown'],
      ],
    },
    {
      rule: 'members of answers are no parameters',
      on: 'events',
      json: { public_data: {}, object: 'event', unique_identifier: 'x', inserted_at: 'x' },
      faults: ['public_data', 'object', 'unique_identifier', 'inserted_at'].map(
        (name) => [name, 'parameter_unknown'] as const,
      ),
    },
    {
      rule: 'a field of another resource',
      on: 'locations',
      json: { event_name: 'x' },
      faults: [['event_name', 'parameter_unknown']],
    },
    {
      rule: 'though its value is null',
      on: 'events',
      json: { nothing: null },
      faults: [['nothing', 'parameter_unknown']],
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
      faults: [
        ['event_name', 'parameter_missing'],
        ['eventname', 'parameter_unknown'],
      ],
    },
  ]);

  it('a name like none is told the known ones', async () => {
    const answer = await stage.upsert('locations', { json: { zzzzzzzzzzzzzzzzzzzzzzzzzz: 1 } });
    assert.match(answer.body.error.message, /location_name/);
  });
});

describe('Ledgerstone-Unknown-Fields: ignore', () => {
  play(stage, 'events', [
    {
      rule: 'what is not known is left out, and what is known is taken',
      headers: IGNORE,
      json: { nothing: { a: 1 }, person: { full_name: 'A', nothing: 1 } },
      gives: { person: { full_name: 'A' } },
      lacks: ['nothing'],
    },
    {
      rule: 'by form',
      headers: IGNORE,
      form: 'nothing[a]=1&person[full_name]=A&person[nothing]=1&more[]=1',
      gives: { person: { full_name: 'A' } },
      lacks: ['nothing', 'more'],
    },
    {
      rule: 'it forgives nothing else',
      headers: IGNORE,
      json: { nothing: 1, event_name: 7, person: {} },
      faults: [
        ['event_name', 'type_invalid'],
        ['person.full_name', 'parameter_missing'],
      ],
    },
    {
      rule: 'what is unknown must be readable all the same: duplicates',
      headers: IGNORE,
      json: '"nothing":{"a":1,"a":2}',
      faults: [['nothing.a', 'parameter_repeated']],
    },
    {
      rule: 'what is unknown must be readable all the same: texts',
      headers: IGNORE,
      json: '"nothing":"\\u0000"',
      faults: [['nothing', 'text_invalid']],
    },
    {
      rule: 'in any case of letters',
      headers: { 'ledgerstone-unknown-fields': 'IGNORE' },
      json: { x: 1 },
      status: 200,
    },
    {
      rule: 'refuse is the default',
      headers: { 'Ledgerstone-Unknown-Fields': 'refuse' },
      json: { x: 1 },
      status: 400,
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

  const many = (count: number) =>
    stage.upsert('events', {
      json: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`unknown_${index}`, 1]),
      ),
    });

  it('the message is that of the first fault, and says how many more there are', async () => {
    const { body } = await many(3);
    assert.equal(body.error.param, 'unknown_0');
    assert.equal(body.error.code, 'parameter_unknown');
    assert.ok(body.error.message.startsWith(body.error.errors[0].message));
    assert.match(body.error.message, /\b2 more\b/);
  });

  it('a hundred are named', async () => {
    const { body } = await many(100);
    assert.equal(body.error.errors.length, 100);
  });

  it('of more, the first hundred are named, and then it is said how many more there are', async () => {
    const { body } = await many(150);
    assert.equal(body.error.errors.length, 100);
    assert.equal(body.error.errors[99].param, 'unknown_99');
    assert.match(body.error.message, /\b50\b/);
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
  for (const { path, parent, least } of examples) {
    const param = `${parent}_unique_identifier`;
    it(`${path}: is looked up only when the body has no fault`, async () => {
      const answer = await stage.upsert(path, { json: { [param]: 'nothing', colour: 1 } });
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [['colour', 'parameter_unknown']]);
    });
    it(`${path}: that is not there is 404 resource_missing, and named`, async () => {
      const json = { ...least, [param]: 'nothing' };
      const answer = await stage.upsert(path, { json });
      assert.equal(answer.status, 404);
      assert.equal(answer.body.error.type, 'invalid_request_error');
      assert.equal(answer.body.error.code, 'resource_missing');
      assert.deepEqual(faultsOf(answer), [[param, 'resource_missing']]);
    });
  }
});

describe('order of checks', () => {
  let readOnly: string;
  let eventsOnly: string;
  let scoped: string;
  before(async () => {
    const { service, parents } = stage;
    ({ secret: readOnly } = await service.newKey({ permissions: ['read'] }));
    ({ secret: eventsOnly } = await service.newKey({ resources: ['events'] }));
    ({ secret: scoped } = await service.newKey({ anchors: [parents.location] }));
  });

  const UPSERT = '/v1/events/upsert';
  const TEXT = { 'Content-Type': 'text/plain' };
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const HUGE = ' '.repeat(1_048_577);
  const order = (
    rule: string,
    method: string,
    path: string,
    sent: () => Sent,
    status: number,
    code?: string,
  ) =>
    it(rule, async () => {
      const answer: Answer = await stage.service.send(method, path, sent());
      assert.equal(answer.status, status, answer.text);
      if (code !== undefined) assert.equal(answer.body.error.code, code);
    });

  describe('401 comes first', () => {
    order('before 404 for the path', 'GET', '/v1/nothing', () => ({ key: null }), 401);
    order('before 404 outside /v1', 'GET', '/nothing', () => ({ key: null }), 401);
    order('before 405', 'DELETE', UPSERT, () => ({ key: null }), 401);
    order('before 413', 'POST', UPSERT, () => ({ key: null, headers: JSON_TYPE, body: HUGE }), 401);
    order('before 415', 'POST', UPSERT, () => ({ key: null, headers: TEXT, body: 'x' }), 401);
    order('before 400', 'POST', UPSERT, () => ({ key: null, headers: JSON_TYPE, body: '{' }), 401);
    order('before 400 of a list', 'GET', '/v1/accounts?limit=0', () => ({ key: null }), 401);
    order(
      'before 404 for a path that cannot be decoded',
      'GET',
      '/v1/%zz',
      () => ({ key: null }),
      401,
    );
  });

  describe('then 404 and 405 for the path', () => {
    order(
      '404 before 403',
      'POST',
      '/v1/nothing/upsert',
      () => ({ key: readOnly }),
      404,
      'path_unknown',
    );
    order(
      '404 before 415',
      'POST',
      '/v1/nothing/upsert',
      () => ({ headers: TEXT, body: 'x' }),
      404,
    );
    order(
      '404 before 413',
      'POST',
      '/v1/nothing/upsert',
      () => ({ headers: TEXT, body: HUGE }),
      404,
    );
    order(
      '405 before 403',
      'GET',
      '/v1/locations/upsert',
      () => ({ key: eventsOnly }),
      405,
      'method_not_allowed',
    );
    order('405 before 403 for permission', 'POST', '/v1/accounts', () => ({ key: readOnly }), 405);
    order('405 before 415', 'PUT', UPSERT, () => ({ headers: TEXT, body: 'x' }), 405);
    order('405 before 413', 'PUT', UPSERT, () => ({ headers: TEXT, body: HUGE }), 405);
    order('405 before 400', 'POST', '/v1/accounts?limit=0', () => ({}), 405);
  });

  describe('then 403 for permission or resource', () => {
    order(
      'before 413',
      'POST',
      UPSERT,
      () => ({ key: readOnly, headers: JSON_TYPE, body: HUGE }),
      403,
      'permission_denied',
    );
    order('before 415', 'POST', UPSERT, () => ({ key: readOnly, headers: TEXT, body: 'x' }), 403);
    order(
      'before 400',
      'POST',
      UPSERT,
      () => ({ key: readOnly, headers: JSON_TYPE, body: '{' }),
      403,
    );
    order(
      'of the resource before 415',
      'POST',
      '/v1/locations/upsert',
      () => ({ key: eventsOnly, headers: TEXT, body: 'x' }),
      403,
    );
    order(
      'of the resource before 400 of a list',
      'GET',
      '/v1/accounts?limit=0',
      () => ({ key: eventsOnly }),
      403,
    );
  });

  describe('then 413 and 415', () => {
    order(
      '413 before 400 of the query',
      'POST',
      `${UPSERT}?x=1`,
      () => ({ headers: JSON_TYPE, body: HUGE }),
      413,
    );
    order(
      '415 before 400 of the query',
      'POST',
      `${UPSERT}?x=1`,
      () => ({ headers: TEXT, body: 'x' }),
      415,
    );
    order(
      '415 before 400 of a header',
      'POST',
      UPSERT,
      () => ({ headers: { ...TEXT, 'Ledgerstone-Unknown-Fields': 'x' }, body: 'x' }),
      415,
    );
    order(
      '415 before 400 of the body',
      'POST',
      UPSERT,
      () => ({ headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: '{' }),
      415,
    );
  });

  describe('then 400, then 404 for the parent, then 403 for the location', () => {
    const location = (account: string, colour?: string): Sent => ({
      key: scoped,
      headers: JSON_TYPE,
      body: JSON.stringify({
        account_unique_identifier: account,
        external_identifier: 'elsewhere',
        location_name: 'Elsewhere',
        ...(colour === undefined ? {} : { colour }),
      }),
    });
    const path = '/v1/locations/upsert';
    order('400 before 404', 'POST', path, () => location('nothing', 'x'), 400);
    order('400 before 403', 'POST', path, () => location(stage.parents.account, 'x'), 400);
    order('404 before 403', 'POST', path, () => location('nothing'), 404, 'resource_missing');
    order(
      '403 last',
      'POST',
      path,
      () => location(stage.parents.account),
      403,
      'location_not_permitted',
    );
  });
});

/** What fields take, one kind after the other, and how numbers and times are kept (decisions, "`event_datetime`", "Dates", "E.164 fields", "Direct mail phones", "`image_urls`", "`cart_value_in_cents`", "Emails", "Numbers in free-form content"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, play, type Scenario } from '../support/scenario.ts';
import type { Answer, Body } from '../support/service.ts';
import { leastOf, world } from '../support/world.ts';

const stage = world();

it('required parameters are those of the specification', () => {
  const all = examples.map(({ path }) => [path, Object.keys(leastOf(path))]);
  const required = Object.fromEntries(all);
  assert.deepEqual(required, {
    locations: ['location_name'],
    events: ['event_name', 'event_datetime'],
    event_administrators: ['person_full_name', 'person_phone_number'],
    event_check_in_records: ['visitor_full_name', 'visitor_phone_number'],
    online_arrangements: ['person_full_name', 'person_phone_number', 'cart_summary'],
    direct_mail_replies: ['image_urls'],
  });
});
describe('email addresses are not judged', () => {
  play(
    stage,
    ['a@b.example', 'no address', '@', ' ', 'a@b@c', '\u00e9@\u00fc.example', 'a'.repeat(320)].map(
      (text) => ({
        rule: `${text.slice(0, 20)} is taken`,
        on: 'event_administrators',
        json: { person_email_address: text },
        gives: { person_email_address: text },
      }),
    ),
  );
});

describe('cart_currency is exactly USD', () => {
  const on = 'online_arrangements';
  const cart = (is: string) => ({ on, json: { additional_cart_metadata: { cart_currency: is } } });
  play(stage, [
    { rule: 'USD', ...cart('USD'), gives: { additional_cart_metadata: { cart_currency: 'USD' } } },
    {
      rule: 'usd is refused',
      ...cart('usd'),
      faults: [['additional_cart_metadata.cart_currency', 'choice_invalid']],
      says: /USD/,
    },
  ]);
});

describe('cart_value_in_cents is a whole number from 0 to 2^53-1, however spelled', () => {
  const on = 'online_arrangements';
  const param = 'additional_cart_metadata.cart_value_in_cents';
  const cents = (spelled: string) => ({
    rule: spelled,
    on,
    json: `"additional_cart_metadata":{"cart_currency":"USD","cart_value_in_cents":${spelled}}`,
  });
  const taken: readonly (readonly [string, string])[] = [
    ['-0.0', '0'],
    ['1500e-2', '15'],
    ['9007199254740991.0', '9007199254740991'],
  ];
  const refused = ['1.5', '-1', '9007199254740992', '1e400', '9007199254740991.4'];
  play(stage, [
    ...taken.map(([spelled, answered]) => ({
      ...cents(spelled),
      status: 200,
      has: [`"cart_value_in_cents":${answered}`],
      contains: { additional_cart_metadata: { cart_value_in_cents: Number(answered) } },
    })),
    ...refused.map((spelled) => ({ ...cents(spelled), status: 400, has: [`"param":"${param}"`] })),
  ]);
});

describe('image_urls', () => {
  const on = 'direct_mail_replies';
  const many = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `https://a.example/${index}.jpg`);
  const taken = ['HTTPS://A.EXAMPLE/1.Jpeg', 'https://a.example/é.jpg?a=1&b=2+3'];
  const refused = ['https://a.example/1.png', '', 'ftp://a.example/1.jpg'];
  const long = (length: number, filler: string): string => {
    const start = 'https://a.example/';
    return start + filler.repeat(length - start.length);
  };
  play(stage, on, [
    ...taken.map((url) => ({
      rule: `${url} is kept verbatim`,
      json: { image_urls: [url] },
      contains: { public_data: { image_urls: [url] } },
    })),
    ...refused.map((url) => ({
      rule: `${JSON.stringify(url)} is refused`,
      json: { image_urls: ['https://a.example/1.jpg', url] },
      faults: [['image_urls.1', 'image_url_invalid']] as const,
    })),
    ...[1, 10].map((count) => ({
      rule: `${count} of them`,
      json: { image_urls: many(count) },
      contains: { public_data: { image_urls: many(count) } },
    })),
    ...[0, 11, 1000].map((count) => ({
      rule: `${count} of them is too few or too many`,
      json: { image_urls: many(count) },
      faults: [['image_urls', 'array_length_invalid']] as const,
      says: /\b1\b.*\b10\b/,
    })),
    { rule: 'one may be there twice', json: { image_urls: [...many(1), ...many(1)] }, status: 200 },
    ...['x', 'é', '\u{1f56f}'].flatMap((filler) => [
      {
        rule: `2,048 characters ${filler}`,
        json: { image_urls: [long(2048, filler)] },
        contains: { public_data: { image_urls: [long(2048, filler)] } },
      },
      {
        rule: `2,049 characters ${filler}`,
        json: { image_urls: [long(2049, filler)] },
        faults: [['image_urls.0', 'image_url_invalid']] as const,
      },
    ]),
  ]);
});

describe('event_datetime', () => {
  play(stage, 'events', [
    {
      rule: 'any offset is turned into UTC, and parts of a second go',
      json: { event_datetime: '2026-11-20 09:30:00.999-05' },
      contains: { event_datetime: '2026-11-20T14:30:00Z' },
    },
    {
      rule: 'words are refused',
      json: { event_datetime: 'tomorrow' },
      faults: [['event_datetime', 'datetime_invalid']],
    },
    ...['2026-11-20T14:30:00', '2026-11-20 14:30', '2026-11-20T14:30:00.123'].map((sent) => ({
      rule: `${sent} has no offset, and the error says why that matters`,
      json: { event_datetime: sent },
      faults: [['event_datetime', 'datetime_offset_missing']] as const,
      says: /offset/,
    })),
    {
      rule: 'by form, with its plus percent-encoded',
      form: 'event_datetime=2026-11-20T15:30:00%2B01:00',
      contains: { event_datetime: '2026-11-20T14:30:00Z' },
    },
    {
      rule: 'by form, with its plus lost, never taken for a time without an offset',
      form: 'event_datetime=2026-11-20T15:30:00+01:00',
      status: 400,
      says: /%2B/,
    },
  ]);
});

describe('A death before the birth', () => {
  const person = (dates: Body): Body => ({ person: { full_name: 'A', ...dates } });
  const fault = ['person.date_of_death', 'date_too_early'];

  it('is refused by an upsert, in the same request or against what is stored, and by a PATCH', async () => {
    const born = { date_of_birth: '1948-02-29' };
    const died = { date_of_death: '1948-02-28' };
    const both = await stage.upsert('events', { as: 'order', json: person({ ...born, ...died }) });
    assert.equal(both.status, 400, both.text);
    assert.deepEqual(faultsOf(both), [fault]);
    assert.match(both.body.error.message, /1948-02-28, which is before date_of_birth, 1948-02-29/);
    const stored = await stage.upsert('events', { as: 'order', json: person(born) });
    assert.equal(stored.status, 200, stored.text);
    const later = await stage.upsert('events', { as: 'order', json: person(died) });
    assert.deepEqual(faultsOf(later), [fault]);
    const at = `/v1/events/${stored.body.unique_identifier}`;
    const patched = await stage.service.patch(at, person(died));
    assert.deepEqual(faultsOf(patched), [fault]);
    const json = person({ date_of_death: '1948-02-29' });
    const same = await stage.upsert('events', { as: 'order', json });
    assert.equal(same.status, 200, 'a child may die on the day of its birth');
  });
});

describe('dates', () => {
  const taken = ['1948-02-29', '0001-01-01'];
  const refused = {
    '1949-02-29': 'date_not_real',
    '9999-12-31': 'date_in_future',
    '01/02/2026': 'date_invalid',
  };
  for (const [on, object, name, beside] of [
    ['events', 'person', 'date_of_birth', { full_name: 'A' }],
    ['events', 'person', 'date_of_death', { full_name: 'A' }],
    ['online_arrangements', 'additional_person_metadata', 'birth_date', {}],
  ] as const) {
    const json = (date: string) => ({ [object]: { ...beside, [name]: date } });
    play(stage, on, [
      ...taken.map((date) => ({
        ...{ rule: `${name} takes ${date}`, json: json(date), gives: json(date) },
      })),
      ...Object.entries(refused).map(([date, code]) => ({
        ...{ rule: `${name} refuses ${date}`, json: json(date) },
        faults: [[`${object}.${name}`, code]] as const,
      })),
    ]);
  }
  play(
    stage,
    ['May 1st, 1950', ' 5/1/50 ', '0000-99-99', '1950?', '\u4e8c\u6708', '-', '1949-02-29'].map(
      (birth_date) => ({
        rule: `the birth_date of a reply is any text: ${birth_date}`,
        on: 'direct_mail_replies',
        json: { respondent_person: { birth_date } },
        gives: { respondent_person: { birth_date } },
      }),
    ),
  );
});

describe('E.164 numbers', () => {
  for (const [on, name] of [
    ['event_administrators', 'person_phone_number'],
    ['event_check_in_records', 'visitor_phone_number'],
    ['online_arrangements', 'person_phone_number'],
  ] as const) {
    const contains = { [name]: '+442079460958' };
    const json = { [name]: '+1 415 555 0123' };
    const faults = [[name, 'phone_number_invalid']] as const;
    play(stage, on, [
      { rule: `${on} takes one by form`, form: `${name}=%2B442079460958`, contains },
      { rule: `${on} refuses one as people write it`, json, faults },
    ]);
  }

  const advised = (text: string, says: RegExp): Scenario => ({
    rule: `${text}: the error says what to send instead`,
    on: 'event_administrators',
    json: { person_phone_number: text },
    status: 400,
    says,
  });
  play(stage, 'event_administrators', [
    advised('(415) 555-0123', /\+14155550123/),
    advised('415.555.0123', /\+14155550123/),
    advised('4155550123', /\+14155550123/),
    advised('1 415 555 0123', /\+14155550123/),
    advised('+1 (415) 555-0123', /\+14155550123/),
    advised('+44 20 7946 0958', /\+442079460958/),
    advised('00442079460958', /\+442079460958/),
    advised(' +14155550123', /\+14155550123/),
    { ...advised('no number', /E\.164/), lacks: ['+no'] },
    {
      rule: 'a form value that starts with a space has lost its plus',
      form: 'person_phone_number=+14155550123',
      faults: [['person_phone_number', 'phone_number_invalid']],
      says: /percent-encode.*%2B/,
    },
    {
      rule: 'JSON is not told to percent-encode',
      json: { person_phone_number: ' 14155550123' },
      status: 400,
      lacks: ['%2B'],
    },
  ]);
});

describe('telephone numbers of direct mail replies', () => {
  const on = 'direct_mail_replies';
  play(stage, on, [
    ...['0000000000', '1234567890', '9119119111', '0114155550'].map((text) => ({
      rule: `the area code of ${text} is not judged`,
      json: { respondent_person: { phone_number2: text } },
      gives: { respondent_person: { phone_number2: `+1${text}` } },
    })),
    {
      rule: 'an unencoded plus in a form is a space, which does not matter here',
      form: 'respondent_person[phone_number1]=+1 (415) 555-0123',
      gives: { respondent_person: { phone_number1: '+14155550123' } },
    },
    {
      rule: 'both are judged',
      json: { respondent_person: { phone_number1: 'x', phone_number2: 'y' } },
      faults: [
        ['respondent_person.phone_number1', 'phone_number_invalid'],
        ['respondent_person.phone_number2', 'phone_number_invalid'],
      ],
    },
  ]);
});

const send = (number: string, as?: string): Promise<Answer> =>
  stage.upsert('online_arrangements', {
    ...{ json: `"additional_data":{"n":${number}}`, ...(as !== undefined && { as }) },
  });

/** The number as the text of an answer spells it. */
function spelled(answer: Answer): string | undefined {
  assert.equal(answer.status, 200, answer.text);
  return /"additional_data":\{"n":([^,}\]]*)\}/.exec(answer.text)?.[1];
}

const nines = (count: number): string => '9'.repeat(count);
const zeros = (count: number): string => '0'.repeat(count);

describe('the value is kept, in one canonical spelling', () => {
  const spellings: readonly (readonly [sent: string, answered: string])[] = [
    ['-0.0', '0'],
    ['0.3000000000000000400', '0.30000000000000004'],
    ['1.2345678901234567890e19', '12345678901234567890'],
    ['1e21', '1e+21'],
    ['0.00000001', '1e-8'],
    // What no double holds.
    ['1e400', '1e+400'],
    // Bounds.
    [`1${zeros(1000)}`, '1e+1000'],
    [`0.${zeros(999)}1`, '1e-1000'],
    [nines(1000), `9.${nines(999)}e+999`],
  ];
  for (const [index, [sent, answered]] of spellings.entries()) {
    it(`${short(sent)} is ${short(answered)}`, async () => {
      assert.equal(spelled(await send(sent, `number ${index}`)), answered);
      const again = await send(answered, `number ${index}`);
      assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
      assert.equal(spelled(again), answered);
    });
  }

  it('in arrays, in objects and beside other members alike', async () => {
    const mixed = '{"a":[1e400,[0.10,-0]],"b":{"c":12345678901234567890},"d":1e400}';
    const json = `"additional_event_metadata":${mixed}`;
    const answer = await stage.upsert('events', { json, as: 'mixed' });
    for (const part of ['[1e+400,[0.1,0]]', '"c":12345678901234567890', '"d":1e+400']) {
      assert.ok(answer.text.includes(part), answer.text);
    }
    // A merge of something else leaves them as they are.
    const other = '"additional_event_metadata":{"a":null,"b":{"e":9007199254740993}}';
    const merged = await stage.upsert('events', { json: other, as: 'mixed' });
    for (const part of ['12345678901234567890', '"e":9007199254740993', '"d":1e+400']) {
      assert.ok(merged.text.includes(part), merged.text);
    }
  });

  it('a text of digits stays a text, and an object that looks like a raw number an object', async () => {
    const data = { n: '1e400', rawJSON: '1e400', o: { rawJSON: '1' }, a: [{ rawJSON: 7 }] };
    const answer = await stage.upsert('online_arrangements', { json: { additional_data: data } });
    assert.deepEqual(answer.body.additional_data, data);
  });
});

describe('out of range is 400 number_out_of_range, and named', () => {
  const refused = [nines(1001), `0.${zeros(1000)}1`, '-1e1001', '1e-1001', `1e${nines(400)}`];
  for (const number of refused) {
    it(short(number), async () => {
      const answer = await send(number);
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [['additional_data.n', 'number_out_of_range']]);
      assert.match(answer.body.error.message, /1,?000/);
    });
  }

  it('each of them is named by its path', async () => {
    const answer = await stage.upsert('online_arrangements', {
      json: '"additional_data":{"a":[1,1e1001,{"b":-1e1001}],"c":1e1000,"d":{"e":1e-1001}}',
    });
    assert.deepEqual(faultsOf(answer), [
      ['additional_data.a.1', 'number_out_of_range'],
      ['additional_data.a.2.b', 'number_out_of_range'],
      ['additional_data.d.e', 'number_out_of_range'],
    ]);
  });
});

function short(number: string): string {
  return number.length <= 45
    ? number
    : `${number.slice(0, 20)}…${number.slice(-20)} (${number.length})`;
}

/** Form bodies: their conventions and their strictness (decisions, "Requests": Encodings, Form strictness, Types). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf, play, type Scenario } from '../support/scenario.ts';
import { world } from '../support/world.ts';

const stage = world();
const images = (...names: string[]) => ({
  public_data: { image_urls: names.map((name) => `https://a.example/${name}.jpg`) },
});
const url = (name: string): string => `https://a.example/${name}.jpg`;

describe('names with brackets', () => {
  play(stage, [
    {
      rule: 'a[b] is a member of an object',
      on: 'events',
      form: 'person[full_name]=A+Name&person[date_of_birth]=1948-02-29',
      gives: { person: { full_name: 'A Name', date_of_birth: '1948-02-29' } },
    },
    {
      rule: 'ten indices sort as numbers',
      on: 'direct_mail_replies',
      form: Array.from({ length: 10 }, (_, n) => `image_urls[${9 - n}]=${url(String(9 - n))}`).join(
        '&',
      ),
      contains: images(...Array.from({ length: 10 }, (_, n) => String(n))),
    },
  ]);
});

describe('brackets in free-form content', () => {
  const on = 'online_arrangements';
  const gives = (additional_data: unknown) => ({ gives: { additional_data } });
  const data = (...fields: string[]): string =>
    fields.map((field) => `additional_data${field}`).join('&');
  const wrong = (param: string) => ({ faults: [[param, 'type_invalid']] as const });
  play(stage, on, [
    {
      rule: 'values are texts, whatever they look like',
      form: data('[a]=1', '[b]=true', '[c]=null', '[d]=', '[e]={}'),
      ...gives({ a: '1', b: 'true', c: 'null', d: '', e: '{}' }),
    },
    {
      rule: 'a scalar for the whole content',
      form: 'additional_data=x',
      ...wrong('additional_data'),
    },
  ]);
});

describe('values', () => {
  const on = 'online_arrangements';
  const summary = (form: string, cart_summary: string) => ({
    on,
    form: `cart_summary=${form}`,
    contains: { cart_summary },
  });
  play(stage, [
    { rule: 'spaces, pluses and escapes', ...summary(' a+b%2Bc=d%26e;f', ' a b+c=d&e;f') },
    { rule: 'line breaks of both kinds', ...summary('a%0D%0Ab%0Ac', 'a\r\nb\nc') },
    { rule: 'neither trimmed nor normalised', ...summary('%20e%CC%81%20', ' e\u0301 ') },
    {
      rule: 'a name without an equals sign has the value ""',
      on: 'event_administrators',
      stored: { person_email_address: 'a@b.example' },
      form: 'person_email_address',
      gives: {},
    },
    {
      rule: 'a required name without an equals sign is missing',
      on,
      form: 'cart_summary',
      faults: [['cart_summary', 'parameter_missing']],
    },
  ]);
});

describe('booleans and numbers', () => {
  const administrators = 'event_administrators';
  const name = 'person_interested_in_pre_planning';
  for (const [text, value] of [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const) {
    play(stage, [
      {
        rule: `${text} is ${value}`,
        on: administrators,
        form: `${name}=${text}`,
        gives: { [name]: value },
      },
    ]);
  }
  play(
    stage,
    ['TRUE', 'True', 'yes', 'no', 'on', 'off', '2', '01', 'true%20', '%20true', 'null', 't'].map(
      (text) => ({
        rule: `${text} is no boolean`,
        on: administrators,
        form: `${name}=${text}`,
        faults: [[name, 'type_invalid']],
      }),
    ),
  );

  const on = 'online_arrangements';
  const cents = (text: string): Pick<Scenario, 'on' | 'form'> => ({
    on,
    form: `additional_cart_metadata[cart_value_in_cents]=${text}&additional_cart_metadata[cart_currency]=USD`,
  });
  for (const [text, value] of [
    ['0', 0],
    ['149900', 149_900],
    ['9007199254740991', 9007199254740991],
  ] as const) {
    play(stage, [
      {
        rule: `${text} is a number`,
        ...cents(text),
        gives: { additional_cart_metadata: { cart_value_in_cents: value, cart_currency: 'USD' } },
      },
    ]);
  }
  for (const text of [
    '1e2',
    '1.0',
    '1.5',
    '-1',
    '%2B1',
    '+1',
    '0x10',
    '1,000',
    '1_000',
    'ten',
    '%EF%BC%91',
    '%D9%A1',
    '9007199254740992',
    '9007199254740993',
    '99999999999999999999',
  ]) {
    play(stage, [
      {
        rule: `${text} is no whole number in decimal digits`,
        ...cents(text),
        status: 400,
        has: ['"param":"additional_cart_metadata.cart_value_in_cents"'],
      },
    ]);
  }
});

describe('what cannot be read in exactly one way is refused, and the field named', () => {
  const refused = (
    rule: string,
    on: string,
    form: string,
    ...faults: [string, string][]
  ): Scenario => ({ rule, on, form, faults });
  const A = 'online_arrangements';
  const R = 'direct_mail_replies';
  play(stage, [
    refused('a scalar twice', A, 'cart_summary=a&cart_summary=b', [
      'cart_summary',
      'parameter_repeated',
    ]),
    refused('one scalar for an array', R, `image_urls=${url('a')}`, ['image_urls', 'type_invalid']),
    refused('an object for an element', R, `image_urls[0][a]=${url('a')}`, [
      'image_urls.0',
      'type_invalid',
    ]),
    refused('an array for a text', A, 'cart_summary[]=a', ['cart_summary', 'type_invalid']),
    refused('a text for an object', 'events', 'person=A', ['person', 'type_invalid']),
  ]);

  const malformed: readonly (readonly [rule: string, form: string, param: string])[] = [
    ['a value that ends in %', 'cart_summary=100%', 'cart_summary'],
  ];
  for (const [rule, form, param] of malformed) {
    it(`${rule} is form_invalid, and the field named`, async () => {
      const path = form.startsWith('image') ? 'direct_mail_replies' : 'online_arrangements';
      const answer = await stage.upsert(path, { form });
      assert.equal(answer.status, 400, answer.text);
      const [fault] = faultsOf(answer);
      assert.equal(fault?.[1], 'form_invalid', answer.text);
      assert.ok(fault?.[0]?.startsWith(param), answer.text);
    });
  }
});

describe('JSON that is sent as a form is told so, once, and not repeated', () => {
  const json = '{"external_identifier": "x&y=z", "location_name": "Jane & Sons"}';
  const bodies: readonly (readonly [rule: string, body: string])[] = [
    ['an object', json],
    ['an object over several lines', ` {\r\n\t${json.slice(1)}\n`],
    ['an object that ends early', json.slice(0, -1)],
    ['an object that curl has percent-encoded', encodeURIComponent(json)],
    ['an object that a form has encoded', `${new URLSearchParams({ [json]: '' })}`],
    ['an empty object', '{}'],
    ['an array of objects', `[${json}]`],
  ];
  for (const [rule, body] of bodies) {
    it(rule, async () => {
      const { service } = stage;
      const typed = await service.form('/v1/locations/upsert', body);
      const untyped = await service.send('POST', '/v1/locations/upsert', {
        // fetch would give a text a Content-Type.
        body: Buffer.from(body),
      });
      for (const answer of [typed, untyped]) {
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), [[undefined, 'form_invalid']]);
        assert.match(answer.body.error.message, /Content-Type: application\/json/);
        assert.ok(!answer.text.includes('Jane'), answer.text);
      }
    });
  }
});

describe('an ampersand that is not encoded', () => {
  const says = (field: string): RegExp =>
    new RegExp(`value of ${field.replace(/[[\]]/g, '\\$&')},.*%26`);
  play(stage, [
    {
      rule: 'is told where a value went on after it',
      on: 'online_arrangements',
      form: 'cart_summary=Urn & flowers',
      faults: [[' flowers', 'parameter_unknown']],
      says: says('cart_summary'),
    },
    {
      rule: 'is told within a word',
      on: 'events',
      form: 'person[full_name]=A&B',
      faults: [['B', 'parameter_unknown']],
      says: says('person[full_name]'),
    },
    {
      rule: 'is told where what follows has an equals sign',
      on: 'online_arrangements',
      form: 'cart_summary=Urn+%2B+1&+flowers=2',
      faults: [[' flowers', 'parameter_unknown']],
      says: says('cart_summary'),
    },
    {
      rule: 'is told for each part of a value',
      on: 'online_arrangements',
      form: 'cart_summary=a&b&c',
      faults: [
        ['b', 'parameter_unknown'],
        ['c', 'parameter_unknown'],
      ],
      says: says('cart_summary'),
    },
    {
      rule: 'is not suspected where a field with its value is misspelt',
      on: 'online_arrangements',
      form: 'cart_summary=a&cart_sumary=b',
      faults: [['cart_sumary', 'parameter_unknown']],
      says: /Did you mean cart_summary\?$/,
    },
  ]);
});

describe('query strings of upserts follow the form rules', () => {
  const on = 'events';
  play(stage, on, [
    {
      rule: 'a parameter that is not known',
      query: '?limit=5',
      faults: [['limit', 'parameter_unknown']],
    },
    {
      rule: 'a parameter of the body',
      query: '?event_name=x',
      faults: [['event_name', 'parameter_unknown']],
    },
    { rule: 'a parameter without a value', query: '?x', faults: [['x', 'parameter_unknown']] },
    { rule: 'a malformed name', query: '?a[=x', status: 400 },
    { rule: 'malformed UTF-8', query: '?a=%ff', status: 400 },
    { rule: 'a lone question mark is nothing', query: '?', status: 200 },
    {
      rule: 'its faults are named with those of the body',
      query: '?x=1',
      json: { event_name: 7 },
      faults: [
        ['x', 'parameter_unknown'],
        ['event_name', 'type_invalid'],
      ],
    },
    {
      rule: 'what is not known is ignored where the header says so',
      query: '?x=1',
      headers: { 'Ledgerstone-Unknown-Fields': 'ignore' },
      status: 200,
    },
  ]);
});

/** Form bodies: their conventions and their strictness (decisions, "Requests": Encodings, Form strictness, Types). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf, play, type Scenario } from '../support/scenario.ts';
import { world } from '../support/world.ts';

const stage = world();
const CART = 'additional_cart_metadata';

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
  const boolean = (text: string) => ({ on: administrators, form: `${name}=${text}` });
  const cents = (text: string): Pick<Scenario, 'on' | 'form'> => ({
    on: 'online_arrangements',
    form: `${CART}[cart_value_in_cents]=${text}&${CART}[cart_currency]=USD`,
  });
  const neither = 'TRUE True yes no on off 2 01 true%20 %20true null t'.split(' ');
  const large = '9007199254740992 9007199254740993 99999999999999999999';
  const odd = `1e2 1.0 1.5 -1 %2B1 +1 0x10 1,000 1_000 ten %EF%BC%91 %D9%A1 ${large}`.split(' ');
  play(stage, [
    ...Object.entries({ true: true, 1: true, false: false, 0: false }).map(([text, value]) => ({
      ...{ rule: `${text} is ${value}`, ...boolean(text), gives: { [name]: value } },
    })),
    ...neither.map((text) => ({
      ...{ rule: `${text} is no boolean`, ...boolean(text) },
      faults: [[name, 'type_invalid']] as const,
    })),
    ...['0', '149900', '9007199254740991'].map((text) => ({
      ...{ rule: `${text} is a number`, ...cents(text) },
      gives: { [CART]: { cart_value_in_cents: Number(text), cart_currency: 'USD' } },
    })),
    ...odd.map((text) => ({
      ...{ rule: `${text} is no whole number in decimal digits`, ...cents(text), status: 400 },
      has: [`"param":"${CART}.cart_value_in_cents"`],
    })),
  ]);
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
      const untyped = await service.send('POST', '/v1/locations/upsert', { body });
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
  const told = (rule: string, on: string, form: string, field: string, ...names: string[]) => ({
    ...{ rule, on, form, faults: names.map((name) => [name, 'parameter_unknown'] as const) },
    says: says(field),
  });
  const [A, summary] = ['online_arrangements', 'cart_summary'];
  const plus = `${summary}=Urn+%2B+1&+flowers=2`;
  play(stage, [
    told(
      'is told where a value went on after it',
      A,
      `${summary}=Urn & flowers`,
      summary,
      ' flowers',
    ),
    told('is told within a word', 'events', 'person[full_name]=A&B', 'person[full_name]', 'B'),
    told('is told where what follows has an equals sign', A, plus, summary, ' flowers'),
    told('is told for each part of a value', A, `${summary}=a&b&c`, summary, 'b', 'c'),
    {
      rule: 'is not suspected where a field with its value is misspelt',
      ...{
        on: A,
        form: `${summary}=a&cart_sumary=b`,
        faults: [['cart_sumary', 'parameter_unknown']],
      },
      says: /cart_sumary is not a parameter here, and cart_summary is sent as well/,
    },
  ]);
});

describe('query strings of upserts follow the form rules', () => {
  const on = 'events';
  play(stage, on, [
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

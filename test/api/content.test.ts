/** Free-form content: merged by RFC 7396, compared as JSON values, limited in bytes (decisions, "Merge", "Sizes"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf, optionalsOf, play, type Scenario } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

/** By JSON `hostile.test.ts` proves it for whatever is sent. */
describe('free-form content is merged by RFC 7396', () => {
  play(stage, [
    {
      rule: '"" is a value like any other, by form',
      on: 'events',
      stored: { additional_event_metadata: { a: 'x' } },
      form: 'additional_event_metadata[a]=',
      gives: { additional_event_metadata: { a: '' } },
    },
    {
      rule: 'a form merges too, its values as texts',
      on: 'events',
      stored: { additional_event_metadata: { a: { b: 1, c: 2 }, d: [1] } },
      form: 'additional_event_metadata[a][b]=7&additional_event_metadata[d][]=8',
      gives: { additional_event_metadata: { a: { b: '7', c: 2 }, d: ['8'] } },
    },
    {
      rule: 'content with no key left is omitted',
      on: 'events',
      stored: { additional_event_metadata: { a: 'x' } },
      json: { additional_event_metadata: { a: null } },
      outcome: 'updated',
      gives: {},
    },
  ]);
});

describe('additional_metadata: text to text', () => {
  const on = 'direct_mail_replies';
  const at = (key: string) => [[`additional_metadata.${key}`, 'type_invalid']] as const;
  play(stage, on, [
    {
      rule: 'null removes a key, others stay',
      stored: { additional_metadata: { a: '1', b: '2' } },
      json: { additional_metadata: { a: null, c: '3' } },
      gives: { additional_metadata: { b: '2', c: '3' } },
    },
    {
      rule: '"" is a value by form',
      stored: { additional_metadata: { a: '1' } },
      form: 'additional_metadata[a]=',
      gives: { additional_metadata: { a: '' } },
    },
    {
      rule: 'every value that is no text is named',
      json: { additional_metadata: { a: 1, b: 'fine', c: {} } },
      faults: [...at('a'), ...at('c')],
    },
    { rule: 'an object by form is no text', form: 'additional_metadata[a][b]=x', faults: at('a') },
  ]);
});

describe('unchanged means equal as JSON values', () => {
  const content = (text: string): string => `"additional_data":{"x":${text}}`;
  const compare = (rule: string, stored: string, sent: string, outcome: Scenario['outcome']) =>
    it(rule, async () => {
      const upsert = (text: string) =>
        stage.upsert('online_arrangements', { json: content(text), as: rule });
      const before = await upsert(stored);
      assert.equal(before.status, 200, before.text);
      const after = await upsert(sent);
      assert.equal(after.headers.get('ledgerstone-outcome'), outcome, after.text);
      if (outcome === 'unchanged') assert.deepEqual(after.body, before.body);
    });

  compare('numbers by value', '0.10', '1E-1', 'unchanged');
  compare('a number and its text differ', '1', '"1"', 'updated');
  compare('members in any order', '{"a":1,"b":{"c":2}}', '{"b":{"c":2},"a":1}', 'unchanged');
  compare('elements have an order', '[1,2]', '[2,1]', 'updated');
  compare('é composed and decomposed differ', '"\u00e9"', '"e\u0301"', 'updated');
  compare('an escape is what it stands for', '"\u00e9"', '"\\u00e9"', 'unchanged');

  const same = (rule: string, on: string, stored: Body, sent: Pick<Scenario, 'json' | 'form'>) => ({
    ...{ rule: `the same ${rule}`, on, stored, ...sent, outcome: 'unchanged' as const },
  });
  const phone = (phone_number1: string) => ({ respondent_person: { phone_number1 } });
  const moment = (event_datetime: string) => ({ event_datetime });
  const cart = { additional_cart_metadata: { cart_value_in_cents: 100, cart_currency: 'USD' } };
  const person = { person_interested_in_pre_planning: true, person_email_address: 'a+b@c.example' };
  play(stage, [
    same('moment with another offset', 'events', moment('2026-11-20T14:30:00Z'), {
      json: moment('2026-11-20 09:30-0500'),
    }),
    same('number with other punctuation', 'direct_mail_replies', phone('(415) 555-0123'), {
      json: phone('+1 415.555.0123'),
    }),
    same('cents, however spelled', 'online_arrangements', cart, {
      json: '"additional_cart_metadata":{"cart_value_in_cents":1.0e2,"cart_currency":"USD"}',
    }),
    same('values by form', 'event_administrators', person, {
      form: 'person_interested_in_pre_planning=1&person_email_address=a%2Bb@c.example',
    }),
    {
      rule: 'names composed and decomposed differ',
      ...{ on: 'locations', stored: { location_name: 'Caf\u00e9' } },
      ...{ json: { location_name: 'Cafe\u0301' }, outcome: 'updated' },
      contains: { location_name: 'Cafe\u0301' },
    },
  ]);
});

/** Content of exactly so many bytes of compact JSON, in one member. */
function sized(bytes: number, key = 'a', filler = 'x'): Body {
  const room = bytes - JSON.stringify({ [key]: '' }).length;
  const text = filler.repeat(Math.floor(room / Buffer.byteLength(filler)));
  return { [key]: text + 'x'.repeat(room - Buffer.byteLength(text)) };
}

for (const [on, name, limit] of [
  ['events', 'additional_event_metadata', 10_240],
  ['online_arrangements', 'additional_data', 65_536],
  ['direct_mail_replies', 'additional_metadata', 65_536],
] as const)
  describe(`${name}: ${limit} bytes of compact canonical JSON`, () => {
    const tooLarge = [[name, 'value_too_large']] as const;
    const half = limit / 2;
    const of = (bytes: number, key?: string) => ({ [name]: sized(bytes, key) });
    const all = of(limit);
    const spaced = `{  "a"  :\n\n "\\u0078\\u0078${sized(limit).a.slice(2)}"  }`;
    const moved = { a: null, ...sized(half, 'b') };
    const nulls = Array.from({ length: limit / 8 }, (_, index) => [`k${index}`, null]);
    play(stage, on, [
      { rule: 'exactly so many are taken', json: all, gives: all },
      {
        rule: 'one more is refused, and the message names the size and the limit',
        ...{ json: of(limit + 1), faults: tooLarge },
        says: new RegExp(`${limit + 1}\\D.*${limit}\\D`),
      },
      {
        rule: 'white space between tokens and needless escapes are not counted',
        ...{ json: `"${name}":${spaced}`, gives: all },
      },
      { rule: 'by form', form: `${name}[a]=${sized(limit).a}`, gives: all },
      {
        rule: 'what the merge gives counts: one more is refused, and nothing is changed',
        ...{ stored: of(half), json: of(half + 2, 'b'), faults: tooLarge },
      },
      {
        rule: 'a removal makes room in the same request',
        ...{ stored: all, json: { [name]: moved }, gives: of(half, 'b') },
      },
      {
        rule: 'what is sent counts, though the merge would give less',
        ...{ json: { [name]: Object.fromEntries(nulls) }, faults: tooLarge },
      },
    ]);
  });

describe('canonical spellings are counted', () => {
  it('a number counts with the digits of its one spelling', async () => {
    // 10,240 bytes as 1 and 5,116 times ,1; spelled 1.0 they were twice as many.
    const numbers = (count: number, spelling: string): string =>
      `"additional_event_metadata":{"n":[${Array(count).fill(spelling).join(',')}]}`;
    const most = (10_240 - '{"n":[]}'.length) / 2;
    const upsert = (count: number, spelling: string, as: string) =>
      stage.upsert('events', { json: numbers(count, spelling), as });
    const taken = await upsert(most, '1.000e0', 'numbers');
    assert.equal(taken.status, 200, taken.text);
    assert.equal(optionalsOf('events', taken.body).additional_event_metadata.n.length, most);
    const refused = await upsert(most + 1, '1.000e0', 'more numbers');
    assert.deepEqual(faultsOf(refused), [['additional_event_metadata', 'value_too_large']]);
    // An exponent is short, the digits that it stands for are not.
    const long = await upsert(600, '1e20', 'long numbers');
    assert.deepEqual(faultsOf(long), [['additional_event_metadata', 'value_too_large']]);
  });
});

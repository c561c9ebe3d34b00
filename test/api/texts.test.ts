/** Texts: their types, what they hold, when they are blank and how long they may be (decisions, "Strings", "Types", "Required fields", "Sizes"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, play, type Scenario } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

describe('JSON takes JSON types only', () => {
  play(stage, 'direct_mail_replies', [
    {
      rule: 'nothing is turned into a text, a boolean or an array',
      json: { image_urls: 'https://a.example/1.jpg', respondent_person: { full_name: 7 } },
      faults: [
        ['image_urls', 'type_invalid'],
        ['respondent_person.full_name', 'type_invalid'],
      ],
    },
    {
      rule: 'an array has elements of its type alone',
      json: { image_urls: ['https://a.example/1.jpg', null] },
      faults: [['image_urls.1', 'type_invalid']],
    },
  ]);
});

describe('texts come back as they were', () => {
  const texts: readonly (readonly [rule: string, text: string])[] = [
    ['white space around them', ' \t A Name \n '],
    ['composed and decomposed', '\u00e9 e\u0301 \u212b \ufb01'],
    ['beyond the basic plane', '\u{1f56f}\u{fe0f} \u{10ffff}'],
    ['right to left', '\u202eabc\u202c \u05e9\u05dc\u05d5\u05dd'],
    ['joiners and variation selectors', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a byte order mark', '\ufeffA'],
    ['noncharacters and private use', '\uffff\ufffe\ue000'],
    ['control characters', '\u0001\u001f\u007f\u0085'],
    ['line separators', 'a\u2028b\u2029c'],
    ['quotes and backslashes', '"\'\\`$'],
    ['markup', '<script>alert(1)</script>&amp;'],
    ['SQL', "'; DROP TABLE location; --"],
    ['the replacement character', '\ufffd'],
  ];
  for (const [rule, text] of texts) {
    it(rule, async () => {
      const json = await stage.upsert('locations', { json: { location_name: text }, as: text });
      assert.equal(json.body.location_name, text);
      assert.equal(json.body.external_identifier, text);
      const field = `location_name=${encodeURIComponent(text)}`;
      const form = await stage.upsert('locations', { form: field, as: text });
      assert.equal(form.headers.get('ledgerstone-outcome'), 'unchanged', form.text);
    });
  }

  it('external identifiers are told apart by code point', async () => {
    const alike = ['a', 'A', ' a', 'a ', '\u00e9', 'e\u0301', 'a\u200b', '1', '01', '1.0', 'true'];
    const found = new Set<string>();
    for (const as of alike) {
      const { headers, body } = await stage.upsert('events', { as });
      assert.equal(headers.get('ledgerstone-outcome'), 'created', JSON.stringify(as));
      found.add(body.unique_identifier);
    }
    assert.equal(found.size, alike.length);
  });

  it('one external identifier names a record for each parent', async () => {
    const other = await stage.service.location('another');
    const first = await stage.upsert('events', { as: 'shared' });
    const json = { location_unique_identifier: other };
    const second = await stage.upsert('events', { as: 'shared', json });
    assert.equal(second.headers.get('ledgerstone-outcome'), 'created');
    assert.notEqual(second.body.unique_identifier, first.body.unique_identifier);
    assert.equal(second.body.location_unique_identifier, other);
  });

  it('one external identifier names a record for each resource', async () => {
    const identifiers = new Set<string>();
    for (const { path, prefix } of examples) {
      const { body } = await stage.upsert(path, { as: 'everywhere' });
      assert.ok(body.unique_identifier.startsWith(prefix));
      identifiers.add(body.unique_identifier);
    }
    assert.equal(identifiers.size, examples.length);
  });
});

describe('blank is missing, and only Unicode White_Space is blank', () => {
  const blanks = ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000';
  const missing = [['location_name', 'parameter_missing']] as const;
  const code = (character: string): string => `U+${character.charCodeAt(0).toString(16)}`;
  play(stage, [
    ...[...blanks].map((location_name) => ({
      rule: `${code(location_name)} is blank`,
      ...{ on: 'locations', json: { location_name }, faults: missing },
    })),
    { rule: 'all together', on: 'locations', json: { location_name: blanks }, faults: missing },
    { rule: 'by form', on: 'locations', form: 'location_name=+%C2%A0', faults: missing },
    ...[...'\u200b\ufeff\u180e\u2060\u00ad\u0001'].map((location_name) => ({
      rule: `${code(location_name)} is not`,
      ...{ on: 'locations', json: { location_name }, contains: { location_name } },
    })),
    {
      rule: 'a blank parent is missing',
      on: 'events',
      json: { location_unique_identifier: ' ' },
      faults: [['location_unique_identifier', 'parameter_missing']],
    },
    {
      rule: 'a blank external_identifier is missing',
      on: 'events',
      json: { external_identifier: '\u3000' },
      faults: [['external_identifier', 'parameter_missing']],
    },
    {
      rule: 'blank is a value for an optional text',
      on: 'event_administrators',
      json: { person_relationship_to_deceased: ' ' },
      gives: { person_relationship_to_deceased: ' ' },
    },
  ]);
});

describe('lengths are counted in code points', () => {
  const CANDLE = '\u{1f56f}';
  const ADDRESS = ['city', 'county', 'state', 'country', 'postal_code'];
  const limits: readonly (readonly [on: string, param: string, most: number])[] = [
    ...examples.map(({ path }) => [path, 'external_identifier', 255] as const),
    ['locations', 'location_name', 500],
    ['events', 'event_name', 500],
    ['events', 'person.full_name', 500],
    ['event_administrators', 'person_full_name', 500],
    ['event_administrators', 'person_relationship_to_deceased', 2000],
    ['event_administrators', 'person_email_address', 320],
    ['event_check_in_records', 'visitor_full_name', 500],
    ['event_check_in_records', 'visitor_relationship_to_deceased', 2000],
    ['event_check_in_records', 'visitor_email_address', 320],
    ['online_arrangements', 'person_full_name', 500],
    ['online_arrangements', 'additional_person_metadata.email_address', 320],
    ['online_arrangements', 'additional_person_metadata.mailing_address', 2000],
    ['online_arrangements', 'additional_person_metadata.gender', 2000],
    ['direct_mail_replies', 'respondent_person.full_name', 500],
    ['direct_mail_replies', 'respondent_person.email_address', 320],
    ['direct_mail_replies', 'respondent_person.birth_date', 2000],
    ...['street_address_line_1', 'street_address_line_2', ...ADDRESS].map(
      (member) => ['direct_mail_replies', `respondent_address.${member}`, 2000] as const,
    ),
  ];
  for (const [on, param, most] of limits) {
    it(`${on}: ${param} takes ${most}`, async () => {
      const [name = '', member] = param.split('.');
      const body = (text: string): Body => ({
        [name]: member === undefined ? text : { [member]: text },
      });
      for (const character of ['x', CANDLE]) {
        const taken = await stage.upsert(on, { json: body(character.repeat(most)) });
        assert.equal(taken.status, 200, taken.text);
        assert.ok(taken.text.includes(character.repeat(most)));
        const refused = await stage.upsert(on, { json: body(character.repeat(most + 1)) });
        assert.deepEqual(faultsOf(refused), [[param, 'text_too_long']]);
        assert.match(refused.body.error.message, new RegExp(String(most)));
      }
    });
  }

  const summary = (text: string, rest: Partial<Scenario>): Scenario => ({
    rule: `${Buffer.byteLength(text)} bytes of ${text[0] === 'x' ? 'ASCII' : 'four each'}`,
    on: 'online_arrangements',
    json: { cart_summary: text },
    ...rest,
  });
  describe('cart_summary takes 65,536 bytes of UTF-8', () => {
    const faults = [['cart_summary', 'text_too_long']] as const;
    play(stage, [
      summary('x'.repeat(65_536), { contains: { cart_summary: 'x'.repeat(65_536) } }),
      summary('x'.repeat(65_537), { faults }),
      summary(CANDLE.repeat(16_384), { contains: { cart_summary: CANDLE.repeat(16_384) } }),
      summary(`${CANDLE.repeat(16_384)}x`, { faults }),
    ]);
  });
});

describe('identifiers of parents are looked up, never judged by their shape', () => {
  const missing = [['location_unique_identifier', 'resource_missing']];
  const isMissing = async (location_unique_identifier: string) => {
    const answer = await stage.upsert('events', { json: { location_unique_identifier } });
    assert.equal(answer.status, 404);
    assert.deepEqual(faultsOf(answer), missing);
  };
  const EVENT = 'evt_0350hLTg4Qw7ghih1EWE8L';
  for (const identifier of ['x', 'loc_', EVENT, '🕯', 'null', ' x ', 'x'.repeat(1500)])
    it(`${identifier.slice(0, 30)} is not found`, () => isMissing(identifier));

  it('one of another kind of record, or with white space around it, is not found', async () => {
    const { account, event, location } = stage;
    for (const identifier of [account, event, ` ${location}`]) await isMissing(identifier);
  });
});

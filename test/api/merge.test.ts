/** What an upsert makes of a record that is there (decisions, "Merge"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples, formOf } from '../support/bodies.ts';
import { faultsOf, optionalsOf, play } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';
import { leastOf, world } from '../support/world.ts';

let clock = Date.parse('2026-03-01T10:00:00.250Z');
const stage = world({ now: () => clock });

const FREE_FORM = ['additional_event_metadata', 'additional_data', 'additional_metadata'];

/** What goes with a member of a documented object whenever that object, or that member, is sent. */
const NEEDED: Readonly<Record<string, Body>> = {
  person: { full_name: 'A Name' },
  'additional_cart_metadata.cart_currency': { cart_value_in_cents: null },
};

interface Optional {
  readonly object?: string;
  readonly name: string;
  readonly path: string;
  readonly scalar: boolean;
}

/** Every optional parameter of an example, members of documented objects included. */
function optionals(full: Body, least: Body): Optional[] {
  const found: Optional[] = [];
  for (const name of Object.keys(full)) {
    if (Object.hasOwn(least, name)) continue;
    const value = full[name];
    const scalar = typeof value !== 'object';
    found.push({ name, path: name, scalar });
    if (scalar || FREE_FORM.includes(name)) continue;
    for (const member of Object.keys(value)) {
      if (Object.hasOwn(NEEDED[name] ?? {}, member)) continue;
      found.push({ object: name, name: member, path: `${name}.${member}`, scalar: true });
    }
  }
  return found;
}

/** The member set to that value, with what it cannot be sent without. */
function sending({ object, name, path }: Optional, value: Body): Body {
  if (object === undefined) return { [name]: value };
  return { [object]: { ...NEEDED[object], ...NEEDED[path], [name]: value } };
}

function without(optionals: Body, { object, name, path }: Optional): Body {
  const rest = structuredClone(optionals);
  if (object === undefined) delete rest[name];
  else for (const gone of [name, ...Object.keys(NEEDED[path] ?? {})]) delete rest[object][gone];
  return rest;
}

for (const { path, full, least } of examples) {
  const { external_identifier: _, ...given } = full;
  const required = Object.keys(leastOf(path)).map((name) => [name, full[name]]);
  const requiredPart = Object.fromEntries(required);

  describe(`${path}: every parameter`, () => {
    it('a parameter left out is untouched', async () => {
      const before = await stage.upsert(path, { json: given, as: 'left out' });
      const after = await stage.upsert(path, { json: requiredPart, as: 'left out' });
      assert.equal(after.headers.get('ledgerstone-outcome'), 'unchanged');
      assert.deepEqual(after.body, before.body);
    });

    for (const one of optionals(full, least)) {
      const removes = async (how: string, change: Parameters<typeof stage.upsert>[1]) => {
        const as = `${one.path} by ${how}`;
        const before = await stage.upsert(path, { json: given, as });
        assert.equal(before.status, 200, before.text);
        const after = await stage.upsert(path, { ...change, as });
        assert.equal(after.status, 200, after.text);
        assert.equal(after.headers.get('ledgerstone-outcome'), 'updated');
        const left = without(optionalsOf(path, before.body), one);
        assert.deepEqual(optionalsOf(path, after.body), left);
      };

      it(`null removes ${one.path} alone`, () =>
        removes('null', { json: { ...requiredPart, ...sending(one, null) } }));

      it(`"" in a form removes ${one.path} alone`, () =>
        removes('form', { form: formOf({ ...requiredPart, ...sending(one, null) }) }));

      if (one.scalar) {
        it(`"" in JSON removes ${one.path} alone`, () =>
          removes('""', { json: { ...requiredPart, ...sending(one, '') } }));
      } else {
        it(`"" in JSON is no value for ${one.path}`, async () => {
          const answer = await stage.upsert(path, { json: { [one.name]: '' } });
          assert.equal(answer.status, 400);
          assert.deepEqual(faultsOf(answer), [[one.path, 'type_invalid']]);
        });
      }
    }
  });
}

describe('documented objects', () => {
  play(stage, 'direct_mail_replies', [
    {
      rule: 'an object is merged member by member',
      stored: { respondent_address: { city: 'Springfield', state: 'IL' } },
      json: { respondent_address: { city: 'Shelbyville', postal_code: '62565' } },
      outcome: 'updated',
      gives: { respondent_address: { city: 'Shelbyville', state: 'IL', postal_code: '62565' } },
    },
    {
      rule: 'an object is merged member by member, by form',
      stored: { respondent_address: { city: 'Springfield', state: 'IL' } },
      form: 'respondent_address[city]=Shelbyville&respondent_address[postal_code]=62565',
      gives: { respondent_address: { city: 'Shelbyville', state: 'IL', postal_code: '62565' } },
    },
    {
      rule: 'an array replaces the stored one whole',
      stored: { image_urls: ['https://a.example/1.jpg', 'https://a.example/2.jpg'] },
      json: { image_urls: ['https://a.example/2.jpg'] },
      contains: { public_data: { image_urls: ['https://a.example/2.jpg'] } },
    },
    {
      rule: 'an object with no member left is omitted',
      stored: { respondent_address: { city: 'Springfield' } },
      json: { respondent_address: { city: null } },
      outcome: 'updated',
      gives: {},
    },
    {
      rule: 'an object sent empty is omitted',
      json: { respondent_address: {}, respondent_person: {}, additional_metadata: {} },
      outcome: 'created',
      gives: {},
    },
  ]);
});

describe('person.full_name is required whenever person is an object', () => {
  const person = { full_name: 'A Name', date_of_birth: '1948-02-29' };
  const stored = { person };
  const faults = [['person.full_name', 'parameter_missing']] as const;
  const sent = (person: Body) => ({ json: { person } });
  const gone = { outcome: 'updated', gives: {} } as const;
  play(stage, 'events', [
    { rule: 'in a first upsert', ...sent({ date_of_birth: '1948-02-29' }), faults },
    { rule: 'of an empty object', ...sent({}), faults },
    { rule: 'though it is stored', stored, ...sent({ date_of_birth: null }), faults },
    { rule: 'null does not remove it', stored, ...sent({ full_name: null }), faults },
    { rule: '"" does not remove it', stored, ...sent({ full_name: '' }), faults },
    { rule: 'null removes the whole person', stored, ...sent(null), ...gone },
    { rule: '"" in a form removes the whole person', stored, form: 'person=', ...gone },
    {
      rule: 'and may change',
      ...{ stored, ...sent({ full_name: 'Other' }) },
      gives: { person: { ...person, full_name: 'Other' } },
    },
  ]);
});

describe('cart_currency is required whenever cart_value_in_cents is sent, and stays while a value does', () => {
  const cart = { cart_value_in_cents: 100, cart_currency: 'USD', is_abandoned_cart: true };
  const stored = { additional_cart_metadata: cart };
  const missing = [['additional_cart_metadata.cart_currency', 'parameter_missing']] as const;
  const json = (additional_cart_metadata: Body) => ({ json: { additional_cart_metadata } });
  const gives = (additional_cart_metadata: Body) => ({ gives: { additional_cart_metadata } });
  const value = { cart_value_in_cents: 100 };
  play(stage, 'online_arrangements', [
    { rule: 'a value without a currency', ...json(value), faults: missing },
    {
      rule: 'a value without a currency, though one is stored',
      ...{ stored, ...json({ cart_value_in_cents: 200 }), faults: missing },
    },
    { rule: 'a value of 0 is a value', ...json({ cart_value_in_cents: 0 }), faults: missing },
    {
      rule: 'a value and null for the currency',
      ...{ ...json({ ...value, cart_currency: null }), faults: missing },
    },
    {
      rule: 'a wrong value without a currency: both faults at once',
      ...json({ cart_value_in_cents: '100' }),
      faults: [['additional_cart_metadata.cart_value_in_cents', 'type_invalid'], ...missing],
    },
    {
      rule: 'a value and a wrong currency: it is not missing',
      ...json({ ...value, cart_currency: 'EUR' }),
      faults: [['additional_cart_metadata.cart_currency', 'choice_invalid']],
    },
    { rule: 'null while a value stays', stored, ...json({ cart_currency: null }), faults: missing },
    {
      rule: 'both may go together',
      ...{ stored, ...json({ cart_value_in_cents: null, cart_currency: null }) },
      ...gives({ is_abandoned_cart: true }),
    },
    {
      rule: '"" for the value, by form, wants no currency',
      ...{ stored, form: 'additional_cart_metadata[cart_value_in_cents]=' },
      ...gives({ cart_currency: 'USD', is_abandoned_cart: true }),
    },
    { rule: 'the whole cart may go', stored, ...json(null), gives: {} },
    {
      rule: 'the currency may be there alone',
      ...{ ...json({ cart_currency: 'USD' }), ...gives({ cart_currency: 'USD' }) },
    },
    {
      rule: 'another member needs no currency',
      ...{ stored, ...json({ is_abandoned_cart: false }) },
      ...gives({ ...cart, is_abandoned_cart: false }),
    },
  ]);
});

describe('required fields take neither null nor ""', () => {
  for (const { path } of examples) {
    for (const name of Object.keys(leastOf(path))) {
      const sent = name === 'image_urls' ? ['null', '[]'] : ['null', '""', '" \\u00a0"'];
      play(stage, path, [
        ...sent.map((text) => ({
          ...{
            rule: `${path}: ${text} for ${name}`,
            stored: {},
            json: { [name]: JSON.parse(text) },
          },
          faults: [[name, text === '[]' ? 'array_length_invalid' : 'parameter_missing']] as const,
        })),
        {
          ...{ rule: `${path}: "" in a form for ${name}`, stored: {}, form: `${name}=` },
          faults: [[name, 'parameter_missing']],
        },
      ]);
    }
  }
});

describe('updated_at', () => {
  it('stays when nothing changes, and moves when something does; inserted_at never moves', async () => {
    const upsert = (event_name: string) =>
      stage.upsert('events', { json: { event_name }, as: 'times' });
    clock = Date.parse('2026-03-01T10:00:00.250Z');
    const created = await upsert('One');
    const { inserted_at, updated_at } = created.body;
    assert.deepEqual([inserted_at, updated_at], Array(2).fill('2026-03-01T10:00:00Z'));
    clock += 90_000;
    assert.deepEqual((await upsert('One')).body, created.body);
    clock += 90_749;
    const updated = await upsert('Two');
    // Whole seconds: cut, not rounded.
    const changed = { event_name: 'Two', updated_at: '2026-03-01T10:03:00Z' };
    assert.deepEqual(updated.body, { ...created.body, ...changed });
    clock += 60_000;
    assert.deepEqual((await upsert('Two')).body, updated.body);
  });
});

/** What an upsert gives (decisions, "Merge"): the definition that every store keeps to. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { byteLength, equalJson, parseStored, stringify } from '../../src/core/schema/json/json.ts';
import { merge, mergesToPatch } from '../../src/core/schema/merge/merge.ts';
import type { ContentShape, ObjectShape, Shape } from '../../src/core/schema/shape.ts';
import { isObject, type Json, type JsonObject, setMember } from '../../src/core/schema/values.ts';
import { ALL } from '../support/all.ts';
import { frozen, json, jsonObject } from '../support/values.ts';

const RUNS = ALL ? { more: 4000, many: 8000 } : { more: 1000, many: 2000 };

const content = (maxBytes = 1_000_000): ContentShape => ({
  is: 'content',
  maxBytes,
  param: 'free',
});
const object = (members: Record<string, Shape>, more: Partial<ObjectShape> = {}): ObjectShape => ({
  is: 'object',
  members: new Map(Object.entries(members)),
  stays: false,
  needs: [],
  ...more,
});
const VALUE: Shape = { is: 'value' };

const SHAPE = object(
  {
    text: VALUE,
    list: VALUE,
    person: object({ name: VALUE, born: VALUE, inner: object({ deep: VALUE }) }),
    public_data: object({ free: content(), metadata: content() }, { stays: true }),
  },
  { stays: true },
);

/** The same with little room for free-form content. */
const limited = (maxBytes: number) =>
  object(
    {
      ...Object.fromEntries(SHAPE.members),
      public_data: object(
        { free: content(maxBytes), metadata: content(maxBytes) },
        { stays: true },
      ),
    },
    { stays: true },
  );

const optional = (values: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 4, arbitrary: values }, fc.constant(null));
const members = (model: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> =>
  fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;

/** What the parser may give for that shape. */
const patch: fc.Arbitrary<JsonObject> = members({
  text: optional(fc.constantFrom('x', 'y', 1, true)),
  list: fc.array(json, { maxLength: 3 }),
  person: optional(
    members({
      name: optional(fc.constantFrom('A', 'B')),
      born: optional(fc.constant('1948-02-29')),
      inner: optional(members({ deep: optional(fc.constantFrom('d', 'e')) })),
    }),
  ),
  public_data: members({ free: optional(jsonObject), metadata: optional(jsonObject) }),
});

/** RFC 7396, section 2, to the letter. */
function mergePatch(target: Json | undefined, change: Json): Json {
  if (!isObject(change)) return change;
  const result: JsonObject = {};
  if (isObject(target))
    for (const name of Object.keys(target)) setMember(result, name, own(target, name));
  for (const name of Object.keys(change)) {
    if (change[name] === null) delete result[name];
    else
      setMember(
        result,
        name,
        mergePatch(Object.hasOwn(result, name) ? own(result, name) : undefined, own(change, name)),
      );
  }
  return result;
}

/** Takes away what the declarations call empty: objects of a shape that are not kept, never what is inside content. */
function prune(shape: Shape, value: Json): Json | undefined {
  if (shape.is === 'value' || !isObject(value)) return value;
  const result: JsonObject = shape.is === 'content' ? value : {};
  if (shape.is === 'object') {
    for (const name of Object.keys(value)) {
      const member = prune(shape.members.get(name) as Shape, own(value, name));
      if (member !== undefined) setMember(result, name, member);
    }
  }
  const kept = shape.is === 'object' && shape.stays;
  return kept || Object.keys(result).length > 0 ? result : undefined;
}

function own(object: JsonObject, name: string): Json {
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}

function merged(
  shape: ObjectShape,
  stored: JsonObject | undefined,
  change: JsonObject,
): JsonObject {
  const { document, faults } = merge(shape, stored, change);
  assert.deepEqual(faults ?? [], []);
  return document as JsonObject;
}

function assertEqual(actual: Json, expected: Json): void {
  assert.ok(equalJson(actual, expected), `${stringify(actual)} instead of ${stringify(expected)}`);
}

/** The same with other texts in the place of some of those that are values. */
function withTexts<Value extends Json>(value: Value, others: string[]): Value {
  if (typeof value === 'string') return (others.pop() ?? value) as Value;
  if (Array.isArray(value)) return value.map((one) => withTexts(one, others)) as Value;
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const name of Object.keys(value)) {
    setMember(result, name, withTexts(own(value, name) as Json, others));
  }
  return result as Value;
}

/** A document as a store gives it back: made of upserts, written and read. */
const stored: fc.Arbitrary<JsonObject | undefined> = fc
  .array(patch, { maxLength: 3 })
  .map((patches) =>
    patches.reduce<JsonObject | undefined>(
      (document, one) => merged(SHAPE, document, one),
      undefined,
    ),
  )
  .map((document) => document && (parseStored(stringify(document)) as JsonObject));

describe('merge', () => {
  it('is RFC 7396 over the whole document, without what is left empty, and modifies no argument', () => {
    fc.assert(
      fc.property(stored, patch, (before, change) => {
        const expected = prune(SHAPE, mergePatch(before ?? {}, change));
        assertEqual(merged(SHAPE, frozen(before), frozen(change)), expected as Json);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives the text of the patch where mergesToPatch says so', () => {
    const seen = { made: 0, same: 0, changed: 0 };
    const needs = [{ whenever: 'text', needed: 'list', param: 'list' }];
    const orders = [{ first: 'text', last: 'list', param: 'list' }];
    const shapes = fc.tuple(fc.constantFrom(4, 60, 600, 6000), fc.nat(7)).map(([most, one]) => ({
      ...limited(most),
      ...(one === 0 && { needs }),
      ...(one > 3 && { orders }),
    }));
    const texts = fc.array(fc.string({ unit: fc.constantFrom(...'ab"\\:,{}[]\n0é') }));
    const anything = fc.tuple(stored, patch);
    const again = stored.map((document = {}) => [document, document] as const);
    const made = stored.map((document = {}) => [undefined, document] as const);
    const changed = fc
      .tuple(stored, texts)
      .map(([document = {}, others]) => [document, withTexts(document, [...others])] as const);
    const both = fc.oneof(anything, again, made, changed);
    fc.assert(
      fc.property(shapes, both, (shape, [before, change]) => {
        const [storedText, text] = [before && stringify(before), stringify(change)];
        if (!mergesToPatch(shape, storedText, text)) return;
        seen[before === undefined ? 'made' : text === storedText ? 'same' : 'changed'] += 1;
        const document = merged(shape, before, parseStored(text) as JsonObject);
        assert.equal(stringify(document), text);
      }),
      { numRuns: RUNS.many },
    );
    for (const [of, times] of Object.entries(seen)) assert.ok(times > 20, `${times} ${of}`);
  });

  it('is seen to do so for a record that is made, sent again, or sent with other texts', () => {
    const seen = (before: string | undefined, sent: string) => mergesToPatch(SHAPE, before, sent);
    const one = '{"text":"a \\"b\\\\","list":["x",7],"public_data":{"free":{"k":"v"}}}';
    assert.ok(seen(undefined, one));
    assert.ok(seen(one, one));
    const other = '{"text":"","list":["long \\\\\\" x",7],"public_data":{"free":{"k":"\\nv"}}}';
    assert.ok(seen(one, other));
    assert.ok(seen(other, one));
    const [quote, line] = ['{"text":"a\\"b","list":[]}', '{"text":"a\\nb","list":[]}'];
    assert.ok(seen(quote, line));
    assert.ok(seen(line, quote));
    assert.ok(seen(undefined, '{"list":[null,"null","{}"]}'), 'what an array holds is a value');
    for (const least of ['{"text":"a","public_data":{}}', '{"public_data":{"free":{"k":{}}}}']) {
      assert.ok(seen(undefined, least), least);
      assert.ok(seen(least, least), least);
    }
    for (const empty of ['"person":{}', '"person":{"inner":{}}', '"public_data":{"free":{}}']) {
      assert.ok(!seen(undefined, `{"text":"a",${empty}}`), empty);
    }
    const apart = [
      one.replace('"k"', '"l"'),
      one.replace('"k"', '"kk"'),
      one.replace('7', '71'),
      one.replace(',7', ''),
      one.replace('"v"', 'true'),
      one.replace('"v"', '{"v":"w"}'),
      one.replace('"text":"a \\"b\\\\",', ''),
      one.replace(/"text":"[^,]*",("list":.*?\]),/, '$1,"text":"a",'),
    ];
    for (const sent of apart) {
      assert.notEqual(sent, one);
      assert.ok(!seen(one, sent), sent);
      assert.ok(!seen(sent, one), sent);
    }
  });

  it('gives the text of a patch whose members are in order, and of no other', () => {
    const orders = [{ first: 'born', last: 'died', param: 'person.died' }];
    const dates = fc.constantFrom<Json>('1948-02-29', '2026-11-10', '19\\48', '1"9', '', null, 7);
    const person = object({ born: VALUE, died: VALUE }, { orders });
    const shape = object({ person, public_data: object({ free: content() }) }, { stays: true });
    const seen = { in: 0, out: 0 };
    const members = fc.record({ born: dates, died: dates }, { requiredKeys: [] });
    fc.assert(
      fc.property(members, fc.option(members), (dead, beside) => {
        const patch = { person: dead, ...(beside && { public_data: { free: beside } }) };
        const { faults, document } = merge(shape, undefined, patch as JsonObject, {
          stored: undefined,
          patch: stringify(patch as JsonObject),
        });
        const isWhole = mergesToPatch(shape, undefined, stringify(patch as JsonObject));
        if (isWhole)
          assert.equal(stringify(document as JsonObject), stringify(patch as JsonObject));
        if (faults === undefined) seen.in += Number(isWhole);
        else seen.out += 1;
      }),
      { numRuns: 2000 },
    );
    assert.ok(seen.in > 100 && seen.out > 100, JSON.stringify(seen));
  });

  it('is the same, limits included, where the texts are at hand', () => {
    let refused = 0;
    fc.assert(
      fc.property(stored, patch, fc.integer({ min: 2, max: 120 }), (before, change, most) => {
        const texts = { stored: before && stringify(before), patch: stringify(change) };
        const plain = merge(limited(most), before, change);
        if (plain.faults !== undefined) refused += 1;
        assert.deepEqual(merge(limited(most), before, change, texts), plain);
      }),
      { numRuns: RUNS.more },
    );
    assert.ok(refused > 100, `${refused} refused`);
  });

  it('gives back the very object that was stored when nothing changes', () => {
    fc.assert(
      fc.property(stored, patch, (before, change) => {
        const once = merged(SHAPE, before, change);
        assert.equal(merged(SHAPE, once, change), once, 'a patch repeated');
        const read = parseStored(stringify(once)) as JsonObject;
        assert.equal(merged(SHAPE, read, change), read, 'a patch repeated after a restart');
        if (before !== undefined && equalJson(before, once)) assert.equal(once, before);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('merge has limits', () => {
  const limited = object(
    { inside: object({ free: content(64) }, { stays: true }) },
    { stays: true },
  );

  it('on free-form content as the merge gives it', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (before, change) => {
        const start = mergePatch({}, before) as JsonObject;
        const result = merge(limited, { inside: { free: start } }, { inside: { free: change } });
        const after = mergePatch(start, change);
        const tooLarge = byteLength(after) > 64 && !equalJson(after, start);
        assert.deepEqual(
          (result.faults ?? []).map(({ code, param }) => ({ code, param })),
          tooLarge ? [{ code: 'value_too_large', param: 'free' }] : [],
        );
      }),
    );
  });

  it('counts bytes of UTF-8, to the byte', () => {
    const room = 64 - byteLength({ a: '' });
    const fits = merge(limited, undefined, { inside: { free: { a: 'é'.repeat(room / 2) } } });
    assert.equal(fits.faults, undefined);
    const { faults } = merge(limited, fits.document, {
      inside: { free: { a: `x${'é'.repeat(room / 2)}` } },
    });
    assert.match(faults?.[0]?.message ?? '', /would take 65 bytes .* the limit is 64/);
  });

  it('and never where nothing changes: what is stored may be older than the limit', () => {
    const before = { inside: { free: { a: 'x'.repeat(100) } } };
    assert.equal(
      merge(limited, before, { inside: { free: { a: 'x'.repeat(100) } } }).document,
      before,
    );
    assert.deepEqual(merge(limited, before, { inside: { free: { a: null } } }).document, {
      inside: {},
    });
  });
});

describe('merge knows what needs what', () => {
  const cart = object(
    {
      cart: object(
        { cents: VALUE, currency: VALUE },
        { needs: [{ whenever: 'cents', needed: 'currency', param: 'cart.currency' }] },
      ),
    },
    { stays: true },
  );
  const before = { cart: { cents: 100, currency: 'USD' } };
  const codes = (change: JsonObject): unknown =>
    merge(cart, before, { cart: change }).faults?.map(({ code, param }) => [code, param]);

  it('a member may not be removed while another one needs it', () => {
    assert.deepEqual(codes({ currency: null }), [['parameter_missing', 'cart.currency']]);
    assert.deepEqual(codes({ cents: 5, currency: null }), [['parameter_missing', 'cart.currency']]);
  });

  it('both may be removed, and the one that needs', () => {
    assert.deepEqual(merge(cart, before, { cart: { cents: null, currency: null } }).document, {});
    assert.deepEqual(merge(cart, before, { cart: { cents: null } }).document, {
      cart: { currency: 'USD' },
    });
    assert.deepEqual(merge(cart, before, { cart: null }).document, {});
  });

  it('every fault is named, and then there is no document', () => {
    const both = object({ one: cart, other: cart }, { stays: true });
    const { document, faults } = merge(both, undefined, {
      one: { cart: { cents: 1 } },
      other: { cart: { cents: 2 } },
    });
    assert.equal(document, undefined);
    assert.equal(faults?.length, 2);
  });
});

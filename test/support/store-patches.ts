/** Random patches for things, as parsing would give them. */
import fc from 'fast-check';
import { parseStored, stringify } from '../../src/core/schema/json/json.ts';
import { isObject, type Json, type JsonObject } from '../../src/core/schema/values.ts';

const name = fc.constantFrom('a', 'b', 'c', '', '__proto__', 'constructor', 'é', '1');

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, '', 'a', 0, 1, -7.25),
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')),
  fc
    .constantFrom('12345678901234567890', '0.1', '1e+400', '1e-7', '-123456789.123456789012')
    .map(parseStored),
);

const { content } = fc.letrec<{ value: Json; content: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: leaf },
    { weight: 2, arbitrary: tie('content') },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
  ),
  content: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 4 })
    // Through text, as everything comes: `__proto__` becomes an own member.
    .map((members) => parsed(`{${unique(members).map(member).join()}}`)),
}));

const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }));

const address = fc.record({ city: value }, { requiredKeys: [] });
const maker = fc.record({ name: value, address: orNull(address) }, { requiredKeys: [] });

/** Every member absent, null or there; now and then one that needs another. */
export const thingPatch: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      label: value,
      tags: value,
      price: fc.constantFrom<Json>(null, 5),
      currency: fc.constantFrom<Json>(null, 'USD'),
      maker: orNull(maker),
      always: orNull(fc.record({ note: value }, { requiredKeys: [] })),
      extra: orNull(content),
    },
    { requiredKeys: [] },
  )
  .map((patch) => parsed(stringify(patch as JsonObject)));

function orNull<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { freq: 5, nil: null });
}

function unique(members: readonly [string, Json][]): readonly [string, Json][] {
  return [...new Map(members)];
}

function member([key, json]: readonly [string, Json]): string {
  return `${stringify(key)}:${stringify(json)}`;
}

function parsed(text: string): JsonObject {
  const json = parseStored(text);
  if (!isObject(json)) throw new TypeError(`${text} is no object.`);
  return json;
}

/** Random JSON, with the names and numbers that careless code gets wrong. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/schema/values.ts';
import { anyCharacter } from './characters.ts';

/** Names that plain assignment, `in` or a loop over members would trip over, among others. */
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c') },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '0', 'é', 'length'),
  fc.string({ maxLength: 3, unit: anyCharacter }),
);

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }).map((value) => value + 0),
  fc.constantFrom(JSON.rawJSON('12345678901234567890'), JSON.rawJSON('1e+400')),
  fc.constantFrom('', 'x', 'y'),
  fc.string({ maxLength: 4, unit: anyCharacter }),
);

const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: dictionaryOf(tie('value')),
}));

export const json: fc.Arbitrary<Json> = value;
export const jsonObject: fc.Arbitrary<JsonObject> = dictionaryOf(value);

/** Objects with own members only, `__proto__` among them. */
export function dictionaryOf(values: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(key, values), { selector: ([name]) => name, maxLength: 4 })
    .map((members) => Object.fromEntries(members));
}

/** Makes every later change of the value, at any depth, an error. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}

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

/** Numbers that programs change without a word. */
export const ODD_NUMBERS = [
  ...['12345678901234567890', '9007199254740993', '-9223372036854775808', '0.1234567890123456789'],
  ...[
    '1.10',
    '1.0',
    '-0',
    '-0.0',
    '1e400',
    '-1E-400',
    '5e-324',
    '1e21',
    '100e-2',
    '0.0000001',
    '1E2',
  ],
  ...['100000000000000000000000000000.01', '4.35', '0.30000000000000004', '123456789012345680000'],
];

const digits = (min: number, max: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max })
    .map((all) => all.join(''));
/** A number of JSON, however it may be spelt. */
export const numberToken = fc.oneof(
  fc.constantFrom(...ODD_NUMBERS),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      digits(1, 25).map((text) => text.replace(/^0+(?=\d)/, '')),
      fc.oneof(
        fc.constant(''),
        digits(1, 25).map((text) => `.${text}`),
      ),
      fc.oneof(
        fc.constant(''),
        fc
          .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(1, 3))
          .map((all) => all.join('')),
      ),
    )
    .map((all) => all.join('')),
);

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

/** Keys are read as they were sent, whatever was read before: nothing of one sender's text gets into another's. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { Faults } from '../../src/core/errors.ts';
import { parseJsonBody, parseStored, stringify } from '../../src/core/schema/json/json.ts';
import type { Json } from '../../src/core/schema/values.ts';
import { anyCharacter } from '../support/characters.ts';

function read(text: string): Json | undefined {
  const faults = new Faults();
  const value = parseJsonBody(Buffer.from(text), faults);
  faults.throwIfAny();
  return value;
}

/** Of the texts that others send: each has a key that ends in a backslash, in a place of its own. */
const BEFORE = [
  String.raw`{"\\":1}`,
  String.raw`{"a\\":1}`,
  String.raw`{"h":[],"\\":0}`,
  String.raw`{"h":1,"ab\\":0}`,
];

const AFTER: readonly (readonly [text: string, keys: readonly string[]])[] = [
  [String.raw`{"\"":1}`, ['"']],
  [String.raw`{"\n":1}`, ['\n']],
  [String.raw`{"a\"":1,"b":2}`, ['a"', 'b']],
  [String.raw`{"h":1,"\"":2}`, ['h', '"']],
  [String.raw`{"h":1,"\u00e9":2,"z":3}`, ['h', 'é', 'z']],
  [String.raw`{ "h" : 1.0e2 , "ab\u0001" : -0 }`, ['h', 'ab\u0001']],
  [String.raw`{"h":1,"\\":2,"\\\\":3}`, ['h', '\\', '\\\\']],
  [String.raw`{"\u0032":1,"x":1,"\u0031":1}`, ['1', '2', 'x']],
  [String.raw`{"\u005f_proto__":1,"\/":1}`, ['__proto__', '/']],
];

it('an escaped key is read as it was sent, after any that ends in a backslash', () => {
  for (const before of BEFORE) {
    // As V8 reads them, to have it in the state in which it errs.
    JSON.parse(before);
    for (const [text, keys] of AFTER) {
      for (const value of [read(text), parseStored(text)]) {
        assert.deepEqual(Object.keys(value as object).sort(), [...keys].sort(), text);
      }
    }
  }
});

it('members stay in their order, and are read within objects and arrays, with exact numbers', () => {
  JSON.parse(String.raw`{"h":[],"\\":0}`);
  const text = String.raw`{"z":[{"h":1,"\"":{"h":2,"\n":12345678901234567890}}],"\t":"\"\\\":","a":0.10}`;
  const canonical = String.raw`{"z":[{"h":1,"\"":{"h":2,"\n":12345678901234567890}}],"\t":"\"\\\":","a":0.1}`;
  assert.equal(stringify(read(text) as Json), canonical);
  assert.equal(stringify(parseStored(canonical)), canonical);
});

it('what is no JSON is refused, escaped keys or not', () => {
  for (const text of [
    String.raw`{"\n":1`,
    String.raw`{"\q":1}`,
    String.raw`{"\u00g0":1}`,
    '{"\\n\u0001":1}',
    String.raw`["\n":1]`,
    String.raw`{"a\":1}`,
  ]) {
    assert.throws(() => read(text), { code: 'json_invalid' }, text);
  }
});

it('whatever a text has for keys, they come back', () => {
  const key = fc.oneof(
    fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', '')),
    fc.constantFrom('\\', '"', 'a\\', 'a"', '\n', '\u0001', 'h\\', '__proto__'),
  );
  const objects = fc.uniqueArray(key, { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(objects, { minLength: 1, maxLength: 4 }), (all) => {
      for (const keys of all) {
        const text = `{${keys.map((one) => `${JSON.stringify(one)}:1`).join(',')}}`;
        for (const value of [read(text), parseStored(text)]) {
          assert.deepEqual(Object.keys(value as object).sort(), [...keys].sort());
        }
      }
    }),
    { numRuns: 500 },
  );
});

/** When two JSON values are the same (decisions, Merge: Unchanged), and how long they are. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { byteLength, equalJson, parseStored, stringify } from '../../src/core/schema/json/json.ts';
import { isObject, type Json } from '../../src/core/schema/values.ts';

describe('values', () => {
  const sorted = (value: Json): string => {
    if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
    if (!isObject(value)) return stringify(value);
    const members = Object.keys(value).map((name) => `${name}:${sorted(value[name] as Json)}`);
    return `{${members.sort().join()}}`;
  };
  const small = fc.letrec<{ node: Json }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>(0, 1, '1', true, null, JSON.rawJSON('1e+400'), JSON.rawJSON('2e+400')),
      fc.array(tie('node'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'toString', '__proto__', 'rawJSON'), tie('node')),
    ),
  })).node;

  it('are equal by value, whatever the order of members', () => {
    fc.assert(
      fc.property(small, small, (one, other) => {
        assert.equal(equalJson(one, other), sorted(one) === sorted(other));
        const copy = parseStored(stringify(one));
        assert.ok(equalJson(one, copy) && equalJson(copy, one));
      }),
      { numRuns: 1000 },
    );
    assert.ok(equalJson(parseStored('{"a":1,"b":1e400}'), parseStored('{"b":10e399,"a":1.0}')));
    assert.ok(!equalJson(JSON.rawJSON('1e+400'), { rawJSON: '1e+400' }));
  });

  it('are as long as their compact text in UTF-8', () => {
    assert.equal(
      byteLength({ é: ['\u{1f56f}', JSON.rawJSON('1e+400')] }),
      '{"..":["....",1e+400]}'.length,
    );
    fc.assert(
      fc.property(small, (value) => {
        assert.equal(byteLength(value), Buffer.from(stringify(value)).length);
      }),
    );
  });
});

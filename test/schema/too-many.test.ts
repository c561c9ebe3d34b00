/** Bodies of more parts than any record can keep are refused at a small cost, and all others are read. */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import { Faults } from '../../src/core/errors.ts';
import { hasTooManyFields } from '../../src/core/schema/form/form.ts';
import { parseJsonBody } from '../../src/core/schema/json/json.ts';

function codes(text: string): string[] {
  const faults = new Faults();
  const value = parseJsonBody(Buffer.from(text), faults);
  const found = faults.named.map(({ code }) => code);
  if (found.length === 0) assert.deepEqual(value, JSON.parse(text));
  return found;
}

/** An object of so many members. */
function members(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
}

/** An array of so many elements, by their text. */
function elements(count: number, text: string): string {
  return `[${Array.from({ length: count }, () => text).join(',')}]`;
}

describe('JSON', () => {
  it('has at most 32,768 members', () => {
    assert.deepEqual(codes(members(32_768)), []);
    assert.deepEqual(codes(members(32_769)), ['parts_too_many']);
    // An object is a part as each comma is, and a member is none beside them.
    assert.deepEqual(codes(elements(16_384, '{"a":1,"b":1}')), []);
    assert.deepEqual(codes(elements(16_385, '{"a":1,"b":1}')), ['parts_too_many']);
  });

  it('has at most 65,536 parts', () => {
    assert.deepEqual(codes(elements(65_536, '1')), []);
    assert.deepEqual(codes(elements(65_537, '1')), ['parts_too_many']);
    assert.deepEqual(codes(elements(32_768, '[]')), []);
    assert.deepEqual(codes(elements(32_769, '[]')), ['parts_too_many']);
    assert.deepEqual(codes(elements(32_768, '{}')), []);
    assert.deepEqual(codes(elements(32_769, '{}')), ['parts_too_many']);
  });

  it('may have as many of them in texts as it likes', () => {
    assert.deepEqual(codes(JSON.stringify({ a: ',:[{"\\'.repeat(70_000) })), []);
    assert.deepEqual(codes(JSON.stringify(['"'.repeat(70_000), ':'.repeat(70_000)])), []);
  });

  it('that is invalid is refused as such, regardless of its number of parts', () => {
    assert.deepEqual(codes(`{${':'.repeat(70_000)}`), ['json_invalid']);
    assert.deepEqual(codes(`${elements(70_000, '1')}x`), ['json_invalid']);
    assert.deepEqual(codes('['.repeat(70_000)), ['nesting_too_deep']);
  });
});

it('a form has at most 32,768 fields, empty ones not counted', () => {
  const form = (count: number) => Buffer.from('a=1&'.repeat(count));
  assert.equal(hasTooManyFields(form(32_768)), false);
  assert.equal(hasTooManyFields(form(32_769)), true);
  assert.equal(hasTooManyFields(Buffer.from(`${'&'.repeat(100_000)}a&b`)), false);
  assert.equal(hasTooManyFields(Buffer.from('a'.repeat(100_000))), false);
});

/** The elements of a JSON array are told apart, however long one of them is. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NOT_YET, rowsOf } from '../../src/core/schema/json/rows.ts';

const MIB = 2 ** 20;

function elements(text: string): { readonly texts: string[]; readonly pauses: number } {
  const all = [...rowsOf(Buffer.from(text))];
  const rows = all.filter((one) => one !== NOT_YET);
  return {
    texts: rows.map((row) => Buffer.from(row).toString()),
    pauses: all.length - rows.length,
  };
}

it('an element of many MiB is looked at a MiB at a time, and whole', () => {
  // What stands at the end of each MiB differs: brackets, quotes and escapes in texts, and outside of them.
  for (const piece of ['[],', '"]",', String.raw`"\"\\",`, String.raw`{"\\":"}\"["},`]) {
    const long = `[${piece.repeat(Math.ceil((3 * MIB) / piece.length))}1]`;
    const { texts, pauses } = elements(`[ 1,${long}, {"a":[1,2]} ]`);
    assert.deepEqual([texts.length, texts[0], texts[2]], [3, '1', '{"a":[1,2]} ']);
    assert.ok(texts[1] === long, 'the long one is whole');
    assert.equal(pauses, 3);
  }
});

it('an element without an end is refused, and so is a text that ends with an escape', () => {
  for (const body of [`[${'['.repeat(2 * MIB)}`, `["${'x'.repeat(2 * MIB)}`, '["\\', '[1,"']) {
    assert.throws(() => elements(body), { code: 'json_invalid' });
  }
});

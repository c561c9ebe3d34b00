/** Lines and elements are told apart as they arrive, however long one of them is. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RecordEnds } from '../../src/core/schema/csv/cells.ts';
import { NOT_YET, rowsOf } from '../../src/core/schema/json/rows.ts';
import { readLines } from '../../src/core/schema/lines.ts';

it('what comes of a line that is too long is taken piece by piece, each when its turn has come', async () => {
  const said: string[] = [];
  const pieces = ['first\n"then', 'so', 'much', 'more', '"\nlast\n'];
  const next = async (): Promise<Uint8Array | undefined> => {
    const piece = pieces.shift();
    said.push(piece ?? 'the end');
    return piece === undefined ? undefined : Buffer.from(piece);
  };
  const tooLong = async (): Promise<void> => {
    said.push('a turn');
    await new Promise((resolve) => setImmediate(resolve));
    said.push('has come');
  };
  const ends = new RecordEnds(',');
  const lines = await Array.fromAsync(
    readLines({ next }, { longest: 8, together: 9, tooLong, ends }),
  );
  const found = lines.flat().map(({ number, bytes }) => `${number} ${bytes}`);
  assert.deepEqual(found, ['1 first', '2 undefined', '3 last']);
  const turn = ['a turn', 'has come'];
  const began = ['first\n"then', 'so'];
  assert.deepEqual(said, [...began, 'much', ...turn, 'more', ...turn, '"\nlast\n', 'the end']);
});

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

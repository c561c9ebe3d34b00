/** Lines are cut from what arrives, and nobody is kept by one that has no end. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RecordEnds } from '../../src/core/schema/csv/cells.ts';
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
  assert.deepEqual(
    lines.flat().map(({ number, bytes }) => [number, bytes?.toString()]),
    [
      [1, 'first'],
      [2, undefined],
      [3, 'last'],
    ],
  );
  const turn = ['a turn', 'has come'];
  const began = ['first\n"then', 'so'];
  assert.deepEqual(said, [...began, 'much', ...turn, 'more', ...turn, '"\nlast\n', 'the end']);
});

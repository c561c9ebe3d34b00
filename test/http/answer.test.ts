/** An answer goes on for as long as it is read fast enough. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Answer } from '../../src/edge/rows/answer.ts';

const PIECE = Buffer.alloc(65_536);

async function writeAll(answer: Answer, pieces: number): Promise<void> {
  for (let piece = 0; piece < pieces; piece++) await answer.write(PIECE);
  answer.end('');
}

describe('An answer with a least speed', () => {
  it('ends with an error where it is read more slowly, however steadily', async () => {
    const answer = new Answer(1_048_576, 200);
    const written = writeAll(answer, 1_000);
    let isOver = false;
    const reading = (async () => {
      while (!isOver) {
        await pause(5);
        answer.body.read(1_024);
      }
    })();
    await assert.rejects(written, { code: 'request_timeout' });
    isOver = true;
    await reading;
  });

  it('is whole where it is read fast enough, or made slowly', async () => {
    const answer = new Answer(65_536, 20);
    const written = (async () => {
      for (let piece = 0; piece < 20; piece++) {
        await pause(10);
        await answer.write('a few bytes');
      }
      await writeAll(answer, 50);
    })();
    let bytes = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) bytes += piece.length;
    await written;
    assert.equal(bytes, 20 * 11 + 50 * PIECE.length);
  });
});

/** Work on everything leaves half of the time to others, however long it takes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createPacing, type Pacing, paced } from '../../src/services/transfer/pace.ts';

const WORK_MS = 20;
const BATCHES = 6;

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

async function* batches(): AsyncGenerator<number> {
  for (let at = 0; at < BATCHES; at++) {
    work(WORK_MS / 2);
    yield at;
  }
}

/** How long nothing was done between batches, all together. */
async function restedMs(pace: Pacing | undefined): Promise<number> {
  const began = performance.now();
  let seen = 0;
  for await (const batch of paced(batches(), pace)) {
    assert.equal(batch, seen++);
    work(WORK_MS / 2);
  }
  assert.equal(seen, BATCHES);
  return performance.now() - began - BATCHES * WORK_MS;
}

it('rests as long as it has worked, whether that was reading or what is made of it', async () => {
  const rested = await restedMs(createPacing());
  // Timers are true to a millisecond.
  assert.ok(rested >= BATCHES * (WORK_MS - 1), `${rested.toFixed(0)} ms`);
});

it('gives every batch without a pace, too', async () => {
  await restedMs(undefined);
});

it('does not rest for time that it has waited for others', async () => {
  const pace = createPacing();
  await pause(400);
  const began = performance.now();
  await pace();
  assert.ok(performance.now() - began < 400);
});

/** Work that can wait makes way for whoever is served. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { yielding } from '../src/upkeep.ts';

it('waits longer between its pieces while the thread has its hands full', async () => {
  const next = yielding(1, 9);
  await pause(100);
  assert.equal(next(), 1);
  for (const until = Date.now() + 100; Date.now() < until; );
  await pause(0);
  assert.equal(next(), 9);
  await pause(100);
  assert.equal(next(), 1);
});

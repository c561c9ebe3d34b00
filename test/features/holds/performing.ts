/** Performs the commands of holds. */
import assert from 'node:assert/strict';
import type { PerformingGround } from '../../support/performing.ts';

export async function performs({
  account,
  all,
  id,
  json,
  visitor,
}: PerformingGround): Promise<void> {
  const matter = ['--record', visitor, '--matter', 'Case 7'];
  const hold = await id('holds', 'place', '--account', account, ...matter);
  await json('holds', 'list');
  await json('holds', 'show', hold);
  await json('holds', 'release', hold, '--reason', 'closed');
  const released = await all('audit', 'list', '--action', 'hold', '--record', hold);
  assert.equal(released.length, 1);
}

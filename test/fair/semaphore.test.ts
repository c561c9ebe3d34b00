/** Permits are shared among keys: one that wants many does not keep another one waiting. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FairSemaphore } from '../../src/fair/semaphore.ts';

describe('permits', () => {
  it('are as many as there are, and go to the keys in turn', async () => {
    const permits = new FairSemaphore(2);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(name);
        ends.push(resolve);
      });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) =>
      permits.run(name.slice(0, 1), work(name)),
    );
    const order: string[] = [];
    while (order.length < all.length) {
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(begun.length <= 2, `${begun} at once`);
      order.push(begun.shift() ?? 'none');
      ends.shift()?.();
    }
    await Promise.all(all);
    assert.deepEqual(order, ['a1', 'a2', 'a3', 'b1', 'a4', 'b2']);
  });

  it('are given back by work that failed', async () => {
    const permits = new FairSemaphore(1);
    const failing = permits.run('a', async () => {
      throw new Error('failed');
    });
    await assert.rejects(failing, /failed/);
    assert.equal(await permits.run('a', async () => 'done'), 'done');
  });
});

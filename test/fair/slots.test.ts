/** Slots are shared: nobody who wants many keeps another one waiting. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FairSlots } from '../../src/core/fair/slots.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('are as many as there are, and go to the groups in turn', async () => {
    const slots = new FairSlots({ slots: 2, ofGroup: 2 });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(name);
        ends.push(resolve);
      });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) =>
      slots.run(name.slice(0, 1), work(name)),
    );
    const order: string[] = [];
    while (order.length < all.length) {
      await settled();
      assert.ok(begun.length <= 2, `${begun} at once`);
      order.push(begun.shift() ?? 'none');
      ends.shift()?.();
    }
    await Promise.all(all);
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('are never all held by one group, even if no other waits', async () => {
    const slots = new FairSlots({ slots: 4, ofGroup: 2 });
    const releases = [await slots.acquire('a'), await slots.acquire('a')];
    let third = false;
    const waits = slots.acquire('a').then((release) => {
      third = true;
      return release;
    });
    const other = await slots.acquire('b');
    other();
    await settled();
    assert.equal(third, false, 'the slot of another group is not its own');
    releases[0]?.();
    (await waits)();
  });

  it('are given back by work that failed, and once by work that gives them back twice', async () => {
    const slots = new FairSlots({ slots: 1, ofGroup: 1 });
    const failing = slots.run('a', async () => {
      throw new Error('failed');
    });
    await assert.rejects(failing, /failed/);
    const release = await slots.acquire('a');
    release();
    release();
    await slots.acquire('a');
    let second = false;
    void slots.acquire('b').then(() => {
      second = true;
    });
    await settled();
    assert.equal(second, false);
  });

  it('keep a bounded number waiting, and say who has filled it', async () => {
    const refusal = (ofGroup: boolean): Error => new Error(ofGroup ? 'own' : 'all');
    const slots = new FairSlots({
      ...{ slots: 2, ofGroup: 1 },
      waiting: { most: 3, ofGroup: 2, refusal },
    });
    const held = await slots.acquire('a');
    const waiting = [slots.acquire('a'), slots.acquire('a')];
    await assert.rejects(slots.acquire('a'), /own/);
    await slots.acquire('b');
    waiting.push(slots.acquire('b'));
    await assert.rejects(slots.acquire('c'), /all/);
    held();
    (await waiting[0])?.();
    const none = new FairSlots({
      ...{ slots: 2, ofGroup: 1 },
      waiting: { most: 0, ofGroup: 0, refusal },
    });
    await none.acquire('a');
    await assert.rejects(none.acquire('a'), /own/);
    await none.acquire('b');
    await assert.rejects(none.acquire('c'), /all/);
  });

  it('are not waited for by those who have gone', async () => {
    const slots = new FairSlots({ slots: 1, ofGroup: 1 });
    const release = await slots.acquire('a');
    const gone = new AbortController();
    const left = slots.acquire('b', gone.signal);
    const next = slots.acquire('c');
    gone.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    await assert.rejects(slots.acquire('b', gone.signal), /gone/);
    release();
    (await next)();
    (await slots.acquire('b'))();
  });
});

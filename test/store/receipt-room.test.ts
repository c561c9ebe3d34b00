/** The room that receipts take is counted once, however the counts of a process meet. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createReceiptRooms } from '../../src/store/receipt-room.ts';

const MOST = 100;

/** What a process does: stores or purges receipts, begins to settle, or hears of the settling that began first. */
const acts = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('store' as const), bytes: fc.integer({ min: 1, max: 60 }) }),
    ...(['purge', 'settle', 'heard', 'failed'] as const).map((act) =>
      fc.record({ act: fc.constant(act), bytes: fc.constant(0) }),
    ),
  ),
  { maxLength: 40, size: 'max' },
);

it('settling beside settling neither loses nor repeats a count', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const rooms = createReceiptRooms(MOST);
      let shared = 0;
      let stored = 0;
      const waiting: ((isDone: boolean) => void)[] = [];
      const settling: Promise<void>[] = [];
      const settle = () =>
        rooms.settle(async ([counted]) => {
          assert.ok(counted);
          const { promise, resolve } = Promise.withResolvers<boolean>();
          waiting.push(resolve);
          if (!(await promise)) throw new RangeError('The store does not answer.');
          // As a store counts: never below nothing.
          shared = Math.max(shared + counted.bytes, 0);
          return [[counted.owner, shared]];
        });
      for (const { act, bytes } of all) {
        if (act === 'store') rooms.take([{ owner: 'key', bytes }]);
        if (act === 'purge') rooms.take([{ owner: 'key', bytes: -stored }]);
        if (act === 'store') stored += bytes;
        if (act === 'purge') stored = 0;
        if (act === 'settle') settling.push(settle().catch(() => undefined));
        if (act === 'heard' || act === 'failed') {
          waiting.shift()?.(act === 'heard');
          await new Promise(setImmediate);
        }
      }
      settling.push(settle());
      let isOver = false;
      const over = Promise.all(settling).then(() => {
        isOver = true;
      });
      while (!isOver) {
        for (const hear of waiting.splice(0)) hear(true);
        await new Promise(setImmediate);
      }
      await over;
      assert.equal(shared, stored);
      assert.equal(rooms.isFull('key'), stored >= MOST);
    }),
    { numRuns: 500 },
  );
});

/**
 * Limits concurrent reads of pages; one begins in each tick of the event loop, round-robin by key. A page from another
 * machine takes a while: the limit bounds the connections to the store, and the memory for their answers.
 */
import { createTickQueue } from './loop.ts';
import { FairSlots } from './slots.ts';

const AT_A_TIME = 3;
/** Pages read at once for one key: a page that takes long leaves a slot to the others. */
const OF_KEY = 2;

export type PageReads = ReturnType<typeof createPageReads>;

export function createPageReads() {
  const slots = new FairSlots({ slots: AT_A_TIME, ofGroup: OF_KEY });
  const ticks = createTickQueue();
  return {
    /** Reads when the key gets a slot and a tick. A long read awaits `giveWay` now and then: it queues again, and others read meanwhile. */
    async run<T>(key: string, read: (giveWay: () => Promise<void>) => Promise<T>): Promise<T> {
      let release = await slots.acquire(key);
      try {
        await ticks.wait(key);
        return await read(async () => {
          release();
          release = await slots.acquire(key);
          await ticks.wait(key);
        });
      } finally {
        release();
      }
    },
  };
}

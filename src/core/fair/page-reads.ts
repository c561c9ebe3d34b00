/**
 * Lets a few pages be read at a time, of which one begins in each tick of the event loop, the keys in turn. A page that
 * comes from another machine is under way for a while: however many requests wait, no more than these occupy a
 * connection to the store and the memory of what it sends.
 */
import { createRounds } from './rounds.ts';
import { FairSlots } from './slots.ts';

const AT_A_TIME = 3;
/** Of one key: a page that takes long leaves a slot to the others. */
const OF_KEY = 2;

export interface PageReads {
  /** Does the work when it is the key's turn. Where it takes long, it awaits `giveWay` now and then: others have their turn, and it goes on in its next one. */
  run<T>(key: string, read: (giveWay: () => Promise<void>) => Promise<T>): Promise<T>;
}

export function createPageReads(): PageReads {
  const slots = new FairSlots({ slots: AT_A_TIME, ofGroup: OF_KEY });
  const rounds = createRounds();
  return {
    async run(key, read) {
      let release = await slots.acquire(key);
      try {
        await rounds.turn(key);
        return await read(async () => {
          release();
          release = await slots.acquire(key);
          await rounds.turn(key);
        });
      } finally {
        release();
      }
    },
  };
}

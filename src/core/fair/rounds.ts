/** Lets reads begin one in each tick of the event loop, or a few, the keys in rounds. */
import { LoopQueue } from './loop.ts';

export type Rounds = Pick<LoopQueue, 'turn'>;

/** `atOnce` of them begin in a tick. */
export function createRounds(atOnce = 1): Rounds {
  return new LoopQueue({ least: atOnce, most: atOnce });
}

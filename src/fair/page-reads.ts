/**
 * Lets a few pages be read at a time, of which one begins in each turn of the
 * event loop, the keys in turn. A page that comes from another machine is under
 * way for a while: however many ask, no more than these hold a connection to the
 * store and the memory of what it sends.
 */
import { createRounds, type Rounds } from './rounds.ts';
import { FairSemaphore } from './semaphore.ts';

const AT_A_TIME = 3;

export interface PageReads extends Pick<Rounds, 'connectionCame'> {
  /** Does the work when it is the key's turn. */
  run<T>(key: string, read: () => Promise<T>): Promise<T>;
}

export function createPageReads(): PageReads {
  const places = new FairSemaphore(AT_A_TIME);
  const rounds = createRounds();
  return {
    connectionCame: rounds.connectionCame,
    run: (key, read) =>
      places.run(key, async () => {
        await rounds.turn(key);
        return read();
      }),
  };
}

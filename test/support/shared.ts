/** What the tests of a file or a suite share, and what they do not need have made. */
import { after } from 'node:test';

/** As much of a test as whatever is made for it needs: what to do when it is over. */
export interface Ending {
  after(end: () => unknown): void;
}

/** Has it made for the first test that asks, and ended after the last test of the file or the suite. */
export function shared<Made>(make: (ending: Ending) => Promise<Made>): () => Promise<Made> {
  const ends: (() => unknown)[] = [];
  let made: Promise<Made> | undefined;
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return () => {
    made ??= make({ after: (end) => ends.push(end) });
    return made;
  };
}

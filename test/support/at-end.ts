/** What is done when all tests of this process are over. To be imported before any of them is described. */
import { after } from 'node:test';

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

export function atEnd(end: () => unknown): void {
  ends.push(end);
}

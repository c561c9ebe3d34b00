/** What the tests of a file or a suite share, and what they do not need have made. */
import { AsyncResource } from 'node:async_hooks';
import { joined } from './at-end.ts';

/** Has it made for the first test that wants it; what it makes ends with the file or the suite that calls this. */
export function shared<Made>(make: () => Promise<Made>): () => Promise<Made> {
  const here = new AsyncResource('shared');
  let made: Promise<Made> | undefined;
  return () => {
    made ??= here.runInAsyncScope(make);
    return joined(made);
  };
}

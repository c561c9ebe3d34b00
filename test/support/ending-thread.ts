/** A thread that ends when it is told to. */
import { performEach } from '../../src/store/sqlite/threads/performing.ts';

performEach({
  echo: (text: string) => text,
  exit: () => process.exit(1),
  throw: () => {
    setImmediate(() => Promise.reject(new Error('thrown')));
    return new Promise(() => undefined);
  },
  close: () => undefined,
});

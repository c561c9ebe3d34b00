/** Ends its process in the middle of a test. */
import { it } from 'node:test';

it('ends its process', () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
});

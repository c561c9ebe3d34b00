/** A test that passes, and leaves open what keeps a process alive. */
import { createServer } from 'node:http';
import { it } from 'node:test';

it('passes', async () => {
  await new Promise<void>((resolve) => createServer().listen(0, '127.0.0.1', resolve));
});

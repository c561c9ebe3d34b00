/** A test that starts a program, and then stops the thread that it runs on. */
import { spawn } from 'node:child_process';
import { it } from 'node:test';

it('never ends', () => {
  const { pid } = spawn('sleep', ['600'], { stdio: 'ignore' });
  process.stderr.write(`started ${pid}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});

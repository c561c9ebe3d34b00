/**
 * Runs test files in this process, one after the other: its arguments, or else those that it claims from the queue.
 * What they all import is read, compiled and optimized once.
 */
import './quick-hashes.ts';
import './at-end.ts';
import './same-chance.ts';
import { AsyncResource } from 'node:async_hooks';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { Queue, type StoreName } from './queue.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

// This process is made to end with its last test, and what is then on its way to whoever reports it would be lost.
const { _handle } = process.stdout as {
  readonly _handle?: { setBlocking?(blocks: boolean): void };
};
_handle?.setBlocking?.(true);

const given = process.argv.slice(2);
const { TEST_QUEUE, TEST_STORE = 'sqlite', TEST_WAITS } = process.env;
const queue = TEST_QUEUE === undefined ? undefined : new Queue(TEST_QUEUE);

function nextFile(): string | undefined {
  return given.shift() ?? queue?.claim(TEST_STORE as StoreName, TEST_WAITS !== undefined);
}

/** Outside of every test, where files are described. */
const outside = new AsyncResource('test files');

/** The next file is read when the tests of this one are over: what it starts first would run beside them. */
function describeNext(file = nextFile()): void {
  if (file === undefined) return;
  process.stderr.write(`${file} runs\n`);
  describe(file, async () => {
    after(() => outside.runInAsyncScope(() => describeNext()));
    await import(join(PROJECT, file));
  });
}

// `jobs.ts` ends this process where it takes too long.
process.stderr.write(`tests run in process ${process.pid}\n`);
const first = nextFile();
// With `--test-force-exit` Node waits for ever, and for more and more, where there are hooks and no test.
if (first === undefined) process.exit();
describeNext(first);

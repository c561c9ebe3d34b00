/**
 * Runs the test files that are its arguments in this process, one after the other: what they all import is read,
 * compiled and optimized once.
 */
import './bundled-threads.ts';
import './at-end.ts';
import { join } from 'node:path';
import { describe } from 'node:test';

const PROJECT = join(import.meta.dirname, '..', '..');

// `jobs.ts` ends this process where it takes too long.
process.stderr.write(`tests run in process ${process.pid}\n`);

for (const file of process.argv.slice(2)) {
  describe(file, async () => {
    await import(join(PROJECT, file));
  });
}

/**
 * Runs the files of tests that are its arguments in this process, one after the other: what they all import is read,
 * compiled and made fast once.
 */
import './bundled-threads.ts';
import './at-end.ts';
import { join } from 'node:path';
import { describe } from 'node:test';

const PROJECT = join(import.meta.dirname, '..', '..');

for (const file of process.argv.slice(2)) {
  describe(file, async () => {
    await import(join(PROJECT, file));
  });
}

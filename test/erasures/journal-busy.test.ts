/** A disk counts as unreachable only where it does not answer, and not where the process has no time to hear it. */
// needs: --ci, alone, waits
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { createJournalCopy } from '../../src/services/erasures/journal-copy.ts';
import { ownFolder } from '../support/cli-program.ts';

it('a process that is busy for longer than a disk may take finds its journal', async () => {
  const folder = ownFolder();
  writeFileSync(join(folder, 'erasures.ndjson'), '');
  const compared = createJournalCopy(folder, { after: async () => [] }).compare();
  // Longer than the five seconds that a disk may take.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500);
  assert.deepEqual((await compared).others, []);
});

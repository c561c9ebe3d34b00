/** A power failure, or a kill at any step of a restore, takes nothing that a command has said it did, and harms nothing that it works on. */
// needs: --ci, program, waits, long
import { describe, it } from 'node:test';
import { ALL } from '../support/all.ts';
import {
  failCommands,
  failFirstStart,
  killRestores,
  recordCommands,
} from '../support/power/commands.ts';
import { randomOf } from '../support/power/random.ts';
import { SEED, skip } from '../support/power/recording.ts';

describe('A power failure', { skip }, () => {
  it('takes nothing that a command has said it did, and harms nothing that it works on', async (test) => {
    const recorded = await recordCommands();
    const count = await failCommands(recorded, ALL ? 70 : 7, randomOf(SEED));
    test.diagnostic(`TEST_SEED=${SEED}: ${count} moments`);
  });

  it('ends no first start for good', async (test) => {
    const count = await failFirstStart(ALL ? 30 : 4, randomOf(SEED));
    test.diagnostic(`TEST_SEED=${SEED}: ${count} looks of the disk`);
  });
});

it('A kill, at whatever step of a restore, leaves no place for an empty store, and no log without its file', {
  skip,
}, async (test) => {
  const count = await killRestores(ALL ? 30 : 3, randomOf(SEED));
  test.diagnostic(`TEST_SEED=${SEED}: ${count} steps`);
});

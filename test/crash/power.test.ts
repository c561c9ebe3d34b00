/** A power failure takes nothing back that was answered or shown: the service starts on whatever its disk then holds, and nothing half is there. */
// needs: --ci, program, waits, long
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ALL } from '../support/all.ts';
import { failPower, type Recorded, recordDay, recordLies } from '../support/power/day.ts';
import { randomOf } from '../support/power/random.ts';
import { SEED, skip } from '../support/power/recording.ts';

/** The moments of one test: many take longer than a test may. */
const MOMENTS = 13;
/** On a disk that lies, most moments lose something. */
const MOST_TRIES = 40;
const PARTS = ALL ? 10 : 1;

describe('A power failure', { skip }, () => {
  let recorded: Recorded;
  before(async () => {
    recorded = await recordDay(ALL ? 20 : 5);
  });

  for (let part = 1; part <= PARTS; part += 1)
    it(`takes nothing that a service has answered or shown, ${part} of ${PARTS}`, async (test) => {
      const compared = await failPower(recorded, MOMENTS, randomOf(SEED + part));
      test.diagnostic(`TEST_SEED=${SEED}: ${MOMENTS} moments, ${compared} comparisons`);
    });
});

describe('A disk that says that it has synced', { skip }, () => {
  for (const [lie, does] of [
    ['never', 'never does'],
    ['late', 'does only when the next sync begins'],
  ] as const)
    it(`and ${does} is found out`, async (test) => {
      const recorded = await recordLies(lie);
      test.diagnostic(`TEST_SEED=${SEED}`);
      for (let nth = 0; nth < MOST_TRIES; nth += 1) {
        const failed = await failPower(recorded, 1, randomOf(SEED + nth)).then(
          () => '',
          (error: Error) => error.message,
        );
        if (/was answered or shown as|begins as it was shown/.test(failed)) return;
      }
      assert.fail('nothing was lost');
    });
});

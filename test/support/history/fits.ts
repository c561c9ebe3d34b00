/** Wants of a history that it fits the order of its log. */
import assert from 'node:assert/strict';
import { SEED } from '../power/recording.ts';
import { type Act, faultsOf, type Logged } from './order.ts';

/** Notes how large it is. Throws where it does not fit, with the first faults. */
export function fits(
  acts: readonly Act[],
  log: readonly Logged[],
  note: (text: string) => void,
): void {
  const open = acts.filter(({ ended }) => ended === Number.POSITIVE_INFINITY).length;
  note(
    `TEST_SEED=${SEED}: ${acts.length} requests, ${open} without an answer, ${log.length} changes`,
  );
  const faults = faultsOf(acts, log);
  assert.deepEqual(faults.slice(0, 10), [], `${faults.length} faults`);
}

/** Whether processes of the version before must stop for a migration, and what it takes at most, follows from its steps and the tables. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pendingOf, type SchemaStep } from '../../src/store/records/planner.ts';

const MB = 1_000_000;
const step = (name: string, more: Partial<SchemaStep> = {}): SchemaStep => ({
  ...{ name, does: [] },
  ...more,
});
const index = (builds: string): SchemaStep => step(`index of ${builds}`, { walks: true, builds });
const tables = new Map([
  ['small', MB],
  ['middle', 30 * MB],
  ['large', 60 * MB],
]);
const size = { whole: 500 * MB, tables };

describe('Pending steps', () => {
  for (const [steps, alone, megabytes] of [
    [[step('table')], false, 0],
    [[step('table'), index('small')], false, 1],
    [[index('small'), index('small'), index('middle')], false, 32],
    // Each blocks its table until the last one is done.
    [[index('middle'), index('middle')], true, 60],
    [[index('large')], true, 60],
    [[index('not measured')], true, 500],
    [[step('fills', { walks: true })], false, 500],
    [[step('fills', { walks: true }), index('small')], false, 500],
    [[step('drops', { alone: true })], true, 0],
    [[step('migration 1.0.0_fixed.sql'), index('large')], false, 60],
  ] as const)
    it(`of ${steps.map(({ name }) => name).join(', ')}`, () => {
      const pending = pendingOf(steps, size);
      assert.equal(pending.alone, alone);
      assert.equal(pending.bytes, megabytes * MB);
      assert.equal(pending.seconds, Math.ceil(megabytes / 25));
    });

  it('of a store whose tables are not measured count as all of it', () => {
    const pending = (whole: number) => pendingOf([index('small')], { whole });
    assert.equal(pending(10 * MB).alone, false);
    assert.equal(pending(60 * MB).alone, true);
  });
});

/** What may be asked of a record before it is written to: judged in the commit, whatever was seen before. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { unmet } from '../../src/store/promises/refusals.ts';
import type { Condition, Draft, StoredRecord } from '../../src/store/promises/store.ts';
import { parentMissing } from '../../src/store/records/judge.ts';
import { thing, visit } from '../support/store-shapes.ts';
import {
  became,
  outcomesOf,
  type Proves,
  refused,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';

function only(draft: Draft, condition: Condition): Draft {
  return { ...draft, only: condition };
}

export function describePromises(proves: Proves): void {
  describe('Conditions', () => {
    proves('absent: made where it is not there, refused where it is', async ({ store, home }) => {
      const draft = only(thingDraft(home, 'a', { label: 'A' }), { record: 'absent' });
      const [made, again] = await store.commit([draft, { ...draft, patch: { label: 'B' } }]);
      assert.equal(made?.outcome, 'created');
      assert.equal(refused(again).code, 'record_exists');
      assert.equal(refused(again).param, undefined);
      const { record } = written(made);
      const scope = within(home.account);
      assert.deepEqual(await store.find(thing, record.unique_identifier, scope), record);
    });

    proves('present: written where it is there, refused where it is not', async (world) => {
      const { store, home } = world;
      const draft = only(thingDraft(home, 'a', { label: 'A' }), { record: 'present' });
      const drafts = [draft, thingDraft(home, 'a', {}), draft];
      const [missing, made, updated] = await store.commit(drafts);
      assert.equal(refused(missing).code, 'resource_missing');
      assert.equal(refused(missing).param, undefined);
      assert.equal(made?.outcome, 'created');
      assert.equal(updated?.outcome, 'updated');
    });

    proves('one version, or one of several', async ({ store, home }) => {
      await write(store, thingDraft(home, 'a', { label: '1' }));
      const draft = (label: string, versions: number[]) =>
        only(thingDraft(home, 'a', { label }), { versions });
      const outcomes = await store.commit([
        draft('2', [1]),
        draft('late', [1]),
        draft('2', [7, 2]),
        draft('never', []),
        only(thingDraft(home, 'other', {}), { versions: [1] }),
      ]);
      assert.equal(outcomesOf(outcomes).join(), 'updated,refused,unchanged,refused,refused');
      for (const at of [1, 3, 4]) {
        assert.equal(refused(outcomes[at]).code, 'record_changed');
        assert.equal(refused(outcomes[at]).param, undefined);
      }
    });

    proves('this very record, and not one that came after it', async ({ store, home }) => {
      const first = await write(store, thingDraft(home, 'a', {}));
      const { unique_identifier } = first;
      const draft = only(thingDraft(home, 'a', { label: 'A' }), { unique_identifier });
      assert.deepEqual(await became(store, [draft]), ['updated']);
      await remove(store, first);
      const [gone] = await store.commit([draft]);
      assert.equal(refused(gone).code, 'resource_missing');
      await write(store, thingDraft(home, 'a', {}));
      const [other] = await store.commit([draft]);
      assert.deepEqual(refused(other).faults, refused(gone).faults);
    });

    proves('the parent is judged before them, and the merge after them', async (world) => {
      const { store, home } = world;
      const made = await write(store, thingDraft(home, 'a', {}));
      const outcomes = await store.commit([
        only(visitDraft(home, 'v', {}), { record: 'present', versions: [3] }),
        only(thingDraft(home, 'a', { price: 5 }), { versions: [2] }),
        only(thingDraft(home, 'a', {}), { record: 'absent', versions: [2] }),
        only(thingDraft(home, 'a', {}), { unique_identifier: 'thg_x', versions: [2] }),
      ]);
      assert.deepEqual(refused(outcomes[0]).faults, parentMissing(visit).faults);
      const codes = outcomes.slice(1).map((outcome) => refused(outcome).code);
      assert.deepEqual(codes, ['record_changed', 'record_exists', 'resource_missing']);
      assert.equal(made.version, 1);
    });

    proves('of several writers at once, each version is met once', async (world) => {
      const { store, home } = world;
      await write(store, thingDraft(home, 'a', {}));
      const writers = [store, await world.another(), await world.another()];
      const attempts = writers.map(async (each, writer) => {
        let met = 0;
        for (let version = 1; version <= 20; version++) {
          const [outcome] = await each.commit([
            only(thingDraft(home, 'a', { label: `${writer} ${version}` }), { versions: [version] }),
          ]);
          if (outcome?.outcome === 'updated') met += 1;
          else assert.equal(refused(outcome).code, 'record_changed');
        }
        return met;
      });
      const met = (await Promise.all(attempts)).reduce((sum, each) => sum + each);
      const last = await write(store, thingDraft(home, 'a', {}));
      assert.equal(last.version, 1 + met);
    });

    proves('a refusal says what would have been met', async ({ home }) => {
      const says = (only: Condition, record?: StoredRecord) =>
        unmet(thing, only, record)?.message ?? '';
      const missing = 'There is no thing with this unique_identifier, or you may not see it.';
      assert.equal(says({ unique_identifier: 'x' }, home), missing);
      assert.match(says({ record: 'absent' }, home), /^This place already has one thing/);
      assert.match(says({ record: 'present' }), /has no thing with/);
      assert.match(says({ versions: [9] }, home), /read it again/);
      assert.equal(says({ record: 'present', versions: [home.version] }, home), '');
    });
  });
}

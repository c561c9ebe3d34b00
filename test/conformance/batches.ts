/** Promises 2, 3, 4 and 7: what becomes of the drafts of a batch. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Draft } from '../../src/store/promises/store.ts';
import { parentMissing } from '../../src/store/records/judge.ts';
import { place, thing, visit } from '../support/store-shapes.ts';
import {
  became,
  below,
  listed,
  namesOf,
  outcomesOf,
  type Proves,
  placeDraft,
  refused,
  thingDraft,
  visitDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

export function describePromises(proves: Proves): void {
  describe('2. Whole or absent, 3. one draft’s fault is its own', () => {
    proves('every draft gets its outcome, in the order handed over', async ({ store, home }) => {
      const outcomes = await store.commit([
        thingDraft(home, 'a', { label: 'A' }),
        thingDraft(home, 'b', { price: 5 }),
        visitDraft(home, 'c', {}),
        thingDraft(home, 'd', { label: 'D' }),
      ]);
      assert.deepEqual(outcomesOf(outcomes), ['created', 'refused', 'refused', 'created']);
      const [a, b, c, d] = outcomes;
      assert.equal(refused(b).code, 'parameter_missing');
      assert.equal(refused(b).param, 'currency');
      assert.deepEqual(refused(c).faults, parentMissing(visit).faults);
      for (const outcome of [written(a), written(d)]) {
        const { record } = outcome;
        assert.ok(outcome.mergeMs >= 0);
        const found = await store.find(thing, record.unique_identifier, within(home.account));
        assert.deepEqual(found, record);
      }
    });

    proves('a refused draft leaves nothing behind', async ({ store, home }) => {
      const before = await write(store, thingDraft(home, 'a', { label: 'A' }));
      const [outcome] = await store.commit([thingDraft(home, 'a', { label: 'B', price: 5 })]);
      refused(outcome);
      const pair = { account: home.account, parent: home.unique_identifier };
      assert.deepEqual(await store.findPair(thing, { ...pair, external_identifier: 'a' }), before);
      await store.commit([thingDraft(home, 'b', { price: 5 })]);
      assert.equal(await store.findPair(thing, { ...pair, external_identifier: 'b' }), undefined);
    });

    proves('an atomic batch is all', async ({ store, home }) => {
      const drafts = [thingDraft(home, 'a', { label: 'A' }), thingDraft(home, 'b', {})];
      assert.deepEqual(await became(store, drafts, { atomic: true }), ['created', 'created']);
    });

    proves('or none: each refused draft says why, all others are withheld', async (world) => {
      const { store, home } = world;
      const before = await write(store, thingDraft(home, 'old', { label: 'Old' }));
      const outcomes = await store.commit(
        [
          thingDraft(home, 'old', { label: 'New' }),
          thingDraft(home, 'a', { price: 5 }),
          thingDraft(home, 'b', {}),
          visitDraft(home, 'c', {}),
        ],
        { atomic: true },
      );
      assert.deepEqual(outcomesOf(outcomes), ['withheld', 'refused', 'withheld', 'refused']);
      assert.equal(refused(outcomes[1]).code, 'parameter_missing');
      assert.equal(refused(outcomes[3]).code, 'resource_missing');
      assert.deepEqual(await listed(store, thing, within(home.account)), [before]);
    });

    proves('an error that nobody foresaw takes the batch back, and no more', async (world) => {
      const { store, home } = world;
      const impossible = thingDraft(home, 'b', { unheard_of: 1 });
      await assert.rejects(store.commit([thingDraft(home, 'a', {}), impossible]), TypeError);
      assert.deepEqual(await listed(store, thing, within(home.account)), []);
      await write(store, thingDraft(home, 'a', {}));
    });
  });

  describe('A batch that may take so long', () => {
    proves('judges the first draft, and does nothing where it has no time', async (world) => {
      const { store, home } = world;
      const before = await write(store, thingDraft(home, 'old', { label: 'Old' }));
      const drafts = (label: string) => [
        thingDraft(home, `first ${label}`, {}),
        thingDraft(home, 'old', { label }),
        thingDraft(home, `last ${label}`, {}),
      ];
      const none = { withinMs: 0 };
      const each =
        store.commitEach?.([drafts('each')], none)[0] ?? store.commit(drafts('each'), none);
      for (const batch of [each, store.commit(drafts('New'), none)]) {
        assert.deepEqual(outcomesOf(await batch), ['created', 'postponed', 'postponed']);
      }
      const there = await listed(store, thing, within(home.account));
      assert.deepEqual(namesOf(there).sort(), ['first New', 'first each', 'old']);
      assert.deepEqual(there.at(-1), before);
      const [again] = await store.commit(drafts('New').slice(1), { withinMs: 60_000 });
      assert.equal(written(again).record.version, before.version + 1);
    });

    proves('also where it writes to a record twice', async ({ store, home }) => {
      const drafts = [thingDraft(home, 'a', { label: 'A' }), thingDraft(home, 'a', { label: 'B' })];
      assert.deepEqual(await became(store, drafts, { withinMs: 0 }), ['created', 'postponed']);
    });
  });

  describe('4. In order', () => {
    proves('commits that are handed over without waiting for each other', async (world) => {
      const { store, home } = world;
      const rounds = Array.from({ length: 30 }, (_, round) =>
        store.commit([
          thingDraft(home, 'a', { extra: { [`${round}`]: round } }),
          thingDraft(home, `of round ${round}`, {}),
        ]),
      );
      const versions = (await Promise.all(rounds)).map(([of]) => written(of).record.version);
      assert.deepEqual(versions, [...rounds.keys().map((round) => round + 1)]);
    });

    proves('drafts of one identity build on each other', async ({ store, home }) => {
      const outcomes = await store.commit([
        thingDraft(home, 'a', { extra: { one: { x: 1 } } }),
        thingDraft(home, 'b', {}),
        thingDraft(home, 'a', { extra: { one: { y: 2 } } }),
        thingDraft(home, 'a', { extra: { one: { y: 2 } } }),
        thingDraft(home, 'a', { extra: { one: { x: null } } }),
      ]);
      const ofA = [0, 2, 3, 4].map((index) => written(outcomes[index]));
      assert.deepEqual(outcomesOf(ofA), ['created', 'updated', 'unchanged', 'updated']);
      assert.deepEqual(
        ofA.map(({ record }) => [record.version, JSON.parse(record.document).extra.one]),
        [
          [1, { x: 1 }],
          [2, { x: 1, y: 2 }],
          [2, { x: 1, y: 2 }],
          [3, { y: 2 }],
        ],
      );
      assert.equal(new Set(ofA.map(({ record }) => record.unique_identifier)).size, 1);
    });
  });

  describe('7. No orphans', () => {
    proves('a child is refused where its parent never was', async ({ store, home }) => {
      const strangers: Draft[] = [
        placeDraft('own_0000000000000000000000', 'x', {}),
        { ...placeDraft(home.account, 'x', {}), parent: home.unique_identifier },
        { ...thingDraft(home, 'x', {}), parent: home.account },
        { ...thingDraft(home, 'x', {}), parent: `${home.unique_identifier} ` },
      ];
      for (const [index, outcome] of (await store.commit(strangers)).entries()) {
        assert.equal(refused(outcome).code, 'resource_missing');
        assert.equal(refused(outcome).param, strangers[index]?.shape.parent?.param);
      }
    });

    proves('or belongs to another account', async ({ store, home }) => {
      const other = await store.accounts.create({ name: 'Others', livemode: false });
      const theirs = { ...thingDraft(home, 'x', {}), account: other.unique_identifier };
      const [outcome] = await store.commit([theirs]);
      assert.deepEqual(refused(outcome).faults, parentMissing(thing).faults);
    });

    proves('or was removed after it had been seen', async ({ store, home, another }) => {
      const made = await write(store, thingDraft(home, 'a', {}));
      await write(store, visitDraft(made, 'v', {}));
      await wipe(await another(), home.account);
      const drafts = [visitDraft(made, 'v', {}), thingDraft(home, 'a', {})];
      assert.deepEqual(await became(store, drafts), ['refused', 'refused']);
    });

    proves('or its account is closed, at whatever depth', async ({ store, home, another }) => {
      const made = await write(store, thingDraft(home, 'a', {}));
      await (await another()).accounts.close(home.account);
      const drafts = [
        placeDraft(home.account, 'home', { title: 'New' }),
        thingDraft(home, 'a', { label: 'New' }),
        visitDraft(made, 'v', {}),
      ];
      const outcomes = await store.commit(drafts);
      for (const [at, shape] of [place, thing, visit].entries())
        assert.equal(refused(outcomes[at]).message, parentMissing(shape).message);
      await store.accounts.reopen(home.account);
      assert.deepEqual(await became(store, drafts), ['updated', 'updated', 'created']);
      const scope = below(home.account, home.unique_identifier);
      assert.ok(await store.find(thing, made.unique_identifier, scope));
    });

    proves('the answer names the parent as a person would', async () => {
      const says = 'There is no thing with this unique_identifier, or you may not see it.';
      assert.equal(parentMissing(visit).message, says);
    });
  });
}

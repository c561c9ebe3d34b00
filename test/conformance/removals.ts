/** Removals: whole at once, and no child is left behind. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { RemovedRecord } from '../../src/store/promises/log.ts';
import { hasChildren, recordMissing, tooManyChildren } from '../../src/store/promises/refusals.ts';
import {
  MAX_REMOVED,
  type Removal,
  type Store,
  type StoredRecord,
} from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';
import { owner, place, thing, visit } from '../support/store-shapes.ts';
import {
  bytesOf,
  idsOf,
  listed,
  outcomesOf,
  type Proves,
  placeDraft,
  refused,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';

const HOUR = 3_600_000;

function removal(record: StoredRecord, more: Partial<Removal> = {}): Removal {
  const { account, unique_identifier } = record;
  return { shape: thing, account, unique_identifier, cascade: false, ...more };
}

const all = (store: Store, shape: Removal['shape'], account: string) =>
  listed(store, shape, within(account));

const receiptAt = (now: number, account: string) => ({
  ...{ owner: 'key_one', accounts: [account], idempotency_key: '1' },
  ...{ fingerprint: bytesOf(4), expires_at: now + HOUR },
});

/** `count` visits of a thing, in batches. */
async function visits(store: Store, at: StoredRecord, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1_000) {
    const names = Array.from({ length: Math.min(1_000, count - made) }, (_, i) => `v${made + i}`);
    await store.commit(names.map((name) => visitDraft(at, name, {})));
  }
}

export function describePromises(proves: Proves): void {
  describe('Removals', () => {
    proves('take the record away, as it was last', async ({ store, home, account }) => {
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      const other = await write(store, thingDraft(home, 'b', {}));
      const outcome = await store.remove(removal(made));
      assert.deepEqual(outcome, { outcome: 'deleted', record: made, below: 0 });
      const scope = within(account);
      assert.equal(await store.find(thing, made.unique_identifier, scope), undefined);
      const pair = { account, parent: home.unique_identifier, external_identifier: 'a' };
      assert.equal(await store.findPair(thing, pair), undefined);
      assert.deepEqual(await all(store, thing, account), [other]);
      const later = await write(store, thingDraft(home, 'c', {}));
      assert.ok(later.position > other.position + 1, 'a removal has a position of its own');
    });

    proves('are told with all that went with the record', async ({ store, home, account }) => {
      const alone = await write(store, thingDraft(home, 'alone', { label: 'Alone' }));
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      await visits(store, made, 250);
      const first = await write(store, visitDraft(made, 'v0', {}));
      await store.remove({ ...removal(first), shape: visit });
      await store.remove({ ...removal(made, { by: 'key_1' }), cascade: true });
      await store.remove(removal(alone));

      const before = Number.MAX_SAFE_INTEGER;
      const told = await store.log.removals({ account, before, limit: 10 });
      const records = told.map(({ change }) => change.record);
      assert.deepEqual(records, idsOf([alone, made, first]));
      assert.deepEqual(pluck(told, 'below'), [0, 249, 0]);
      const [newest, whole] = told;
      assert.deepEqual(await store.log.removals({ account, before, limit: 1 }), [newest]);
      const { removal: at, change, external_identifier } = whole as RemovedRecord;
      assert.deepEqual([change.by, change.content], ['key_1', made.document]);
      assert.deepEqual([external_identifier, at], ['a', change.position]);
      const [next] = await store.log.removals({ account, before: at, limit: 1 });
      assert.equal(next?.change.record, first.unique_identifier);

      const went: string[] = [];
      for (let after: string | undefined; ; after = went.at(-1)) {
        const asked = { account, removal: at, resource: visit.resource, after, limit: 100 };
        const some = await store.log.removed(asked);
        if (some.length === 0) break;
        went.push(...some.map(({ change }) => change.record));
        for (const { below, removal } of some) assert.deepEqual([below, removal], [null, at]);
      }
      assert.equal(new Set(went).size, 249);
      assert.deepEqual(went, went.toSorted());
    });

    proves('free the pair of identifiers for another record', async ({ store, home }) => {
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      await remove(store, made);
      const record = await write(store, thingDraft(home, 'a', {}));
      assert.notEqual(record.unique_identifier, made.unique_identifier);
      assert.deepEqual([record.version, record.document], [1, '{}']);
    });

    proves('are refused where there is no such record', async ({ store, home, account }) => {
      const made = await write(store, thingDraft(home, 'a', {}));
      const other = await store.accounts.create({ name: 'Others', livemode: false });
      const strangers = [
        removal(home),
        removal(made, { shape: visit }),
        removal(made, { account: other.unique_identifier }),
        removal(made, { unique_identifier: `${made.unique_identifier} ` }),
      ];
      for (const stranger of strangers) {
        const error = refused(await store.remove(stranger));
        assert.deepEqual(error.faults, recordMissing(stranger.shape).faults);
        assert.equal(error.param, undefined);
      }
      await remove(store, made);
      assert.equal(refused(await store.remove(removal(made))).code, 'resource_missing');
      const next = await write(store, thingDraft(home, 'b', {}));
      await store.accounts.close(account);
      assert.equal(refused(await store.remove(removal(next))).code, 'resource_missing');
    });

    proves('are refused at another version', async ({ store, home }) => {
      const made = await write(store, thingDraft(home, 'a', {}));
      await write(store, thingDraft(home, 'a', { label: 'new' }));
      const error = refused(await store.remove(removal(made, { versions: [1, 3] })));
      assert.equal(error.code, 'record_changed');
      const outcome = await store.remove(removal(made, { versions: [2] }));
      assert.equal(outcome.outcome, 'deleted');
    });

    proves('are refused where there are children, unless those may go', async (world) => {
      const { store, home, account } = world;
      const made = await write(store, thingDraft(home, 'a', {}));
      const child = await write(store, visitDraft(made, 'v', {}));
      const error = refused(await store.remove(removal(made)));
      assert.deepEqual(error.faults, hasChildren(thing).faults);
      assert.deepEqual(await all(store, visit, account), [child]);
      const outcome = await store.remove(removal(made, { cascade: true }));
      assert.deepEqual(outcome, { outcome: 'deleted', record: made, below: 1 });
      assert.deepEqual(await all(store, visit, account), []);
    });

    proves('take all that is below, at every depth, and nothing else', async (world) => {
      const { store, home, account } = world;
      const away = await write(store, placeDraft(account, 'away', {}));
      const kept: StoredRecord[] = [];
      for (const at of [home, away]) {
        for (const name of ['a', 'b', 'c']) {
          const one = await write(store, thingDraft(at, name, {}));
          const outcomes = await store.commit([
            visitDraft(one, 'v', { person: { phone: '1' } }),
            visitDraft(one, 'w', {}),
          ]);
          if (at === away) kept.push(one, ...outcomes.map((each) => written(each).record));
        }
      }
      const visited = await all(store, visit, account);
      const gone = visited.filter(({ anchor }) => anchor === home.anchor);
      const outcome = await store.remove(removal(home, { shape: place, cascade: true }));
      assert.deepEqual(outcome, { outcome: 'deleted', record: home, below: 9 });
      const left = [...(await all(store, thing, account)), ...(await all(store, visit, account))];
      assert.deepEqual(new Set(left), new Set(kept));
      const scope = within(account);
      assert.equal(gone.length, 6);
      assert.deepEqual(await store.findAll(visit, idsOf(gone), scope), []);
      for (const { unique_identifier, parent, external_identifier } of gone) {
        assert.equal(await store.find(visit, unique_identifier, scope), undefined);
        const name = { parent: `${parent}`, external_identifier: `${external_identifier}` };
        assert.equal(await store.findPair(visit, { account, ...name }), undefined);
        const removed = await store.remove(removal(home, { shape: visit, unique_identifier }));
        assert.equal(refused(removed).code, 'resource_missing');
      }
      const where = [{ by: { key: 'phone' }, is: '=', value: '1' }] as const;
      const filtered = await listed(store, visit, scope, { order: { key: 'person' }, where });
      assert.equal(filtered.length, 3);
    });

    proves('nothing is written below a record that is gone', async (world) => {
      const { store, home, account } = world;
      const made = await write(store, thingDraft(home, 'a', {}));
      await write(store, visitDraft(made, 'v', {}));
      await remove(await world.another(), home);
      const outcomes = await store.commit([
        visitDraft(made, 'v', {}),
        visitDraft(made, 'w', {}),
        thingDraft(home, 'b', {}),
      ]);
      for (const outcome of outcomes) assert.equal(refused(outcome).code, 'resource_missing');
      const again = await write(store, placeDraft(account, 'home', {}));
      await write(store, thingDraft(again, 'a', {}));
      assert.equal((await all(store, thing, account)).length, 1);
      assert.deepEqual(await all(store, visit, account), []);
    });

    proves('of up to five thousand, and of none above that', async ({ store, home, account }) => {
      const made = await write(store, thingDraft(home, 'a', {}));
      await visits(store, made, MAX_REMOVED + 1);
      const whole = removal(home, { shape: place, cascade: true });
      for (const each of [removal(made, { cascade: true }), whole]) {
        const error = refused(await store.remove(each));
        assert.deepEqual(error.faults, tooManyChildren(each.shape).faults);
        assert.match(error.message, /5,000/);
      }
      const newest = (await all(store, visit, account))[0] as StoredRecord;
      await remove(store, newest);
      assert.equal((await remove(store, made)).below, MAX_REMOVED);
      assert.deepEqual(await all(store, visit, account), []);
    });

    proves('rehearsed, they say what would happen, and change nothing', async (world) => {
      const { store, home, account, clock } = world;
      const made = await write(store, thingDraft(home, 'a', {}));
      const child = await write(store, visitDraft(made, 'v', {}));
      const receipt = receiptAt(clock.now, account);
      const rehearsal = removal(made, { cascade: true, rehearse: true, receipt });
      const told = await store.remove(rehearsal);
      assert.deepEqual(told, { outcome: 'deleted', record: made, below: 1 });
      assert.equal(await store.receipt(receipt), undefined);
      const refusal = await store.remove(removal(made, { rehearse: true }));
      assert.equal(refused(refusal).code, 'record_has_children');
      assert.deepEqual(await all(store, thing, account), [made]);
      assert.deepEqual(await all(store, visit, account), [child]);
      const next = await write(store, visitDraft(made, 'w', {}));
      assert.ok(next.position > child.position);
    });

    proves('are done once by their receipt, also after a restart', async (world) => {
      const { store, home, clock } = world;
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      const receipt = receiptAt(clock.now, home.account);
      const once = removal(made, { receipt });
      assert.equal((await store.remove(once)).outcome, 'deleted');
      await write(store, thingDraft(home, 'a', {}));
      const again = await world.reopen();
      const repeated = await again.remove(once);
      assert.ok(repeated.outcome === 'repeated');
      const { unique_identifier } = made;
      const { fingerprint } = receipt;
      const kept = { outcome: 'deleted', unique_identifier, below: 0, fingerprint };
      assert.deepEqual(repeated.receipt, kept);
      assert.equal((await all(again, thing, home.account)).length, 1);
    });

    proves('leave no orphan, whatever is written below at the same time', async (world) => {
      const { store, account } = world;
      const other = await world.another();
      for (let round = 0; round < 15; round++) {
        const at = await write(store, placeDraft(account, 'at', {}));
        const made = await write(store, thingDraft(at, 'a', {}));
        const drafts = Array.from({ length: 20 }, (_, i) => visitDraft(made, `${round} ${i}`, {}));
        const writing = drafts.map((draft, i) => (i % 2 === 0 ? store : other).commit([draft]));
        const removing = round % 2 === 0 ? remove(other, made) : remove(store, at);
        const outcomes = (await Promise.all(writing)).flat();
        const { below } = await removing;
        const before = outcomes.filter(({ outcome }) => outcome === 'created').length;
        const more = round % 2 === 0 ? 0 : 1;
        assert.equal(below, before + more, 'all that came before it went with it');
        assert.deepEqual(await all(store, visit, account), []);
        assert.equal(new Set(outcomesOf(outcomes)).size <= 2, true);
      }
    });

    proves('are no way to remove an account', async ({ store, account }) => {
      const removal = { shape: owner, account, unique_identifier: account, cascade: true };
      await assert.rejects(store.remove(removal), TypeError);
    });
  });
}

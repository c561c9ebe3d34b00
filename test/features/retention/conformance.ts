/** Retention rules keep what is too young from being removed, whoever asks. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { StoredRetentionRule } from '../../../src/features/retention/declares.ts';
import type { StoredRecord } from '../../../src/store/promises/store.ts';
import { visit } from '../../support/store-shapes.ts';
import {
  erasing,
  type Proves,
  placeDraft,
  refused,
  removing,
  thingDraft,
  visitDraft,
  write,
} from '../../support/store-world.ts';
import { wipe } from '../../support/wipe.ts';

const DAY = 86_400_000;

export function describePromises(proves: Proves): void {
  describe('Retention rules', () => {
    proves('keep what is too young, enabled or not', async (world) => {
      const { store, home, account, clock, another } = world;
      const elsewhere = await write(store, placeDraft(account, 'elsewhere', {}));
      const at = await write(store, thingDraft(home, 'a', {}));
      const [one, two] = [
        await write(store, visitDraft(at, 'one', {})),
        await write(store, visitDraft(at, 'two', {})),
      ];
      const far = await write(store, thingDraft(elsewhere, 'far', {}));
      const there = await write(store, visitDraft(far, 'there', {}));
      const rule: StoredRetentionRule = {
        ...{ unique_identifier: 'ret_1', account, location: home.unique_identifier },
        ...{ resource: visit.resource, after_days: 60, since: 'updated_at', at_least_days: 30 },
        ...{ unless: null, spares: null, basis: 'law', status: 'paused', stopped_because: null },
        ...{ preview: null, made_by: 'key_1', enabled_by: null, enabled_at: null },
        ...{ counting_since: null, revision: 0, inserted_at: clock.now, updated_at: clock.now },
      };
      await (await another()).retention.add(rule);
      const keeperOf = async (record: StoredRecord, more = {}) => {
        const error = refused(await removing(store, record, more));
        assert.equal(error.code, 'record_held');
        return /ret_\w+/.exec(error.message)?.[0];
      };
      clock.now += 20 * DAY;
      await write(store, visitDraft(at, 'one', { person: { name: 'A', phone: '1' } }));
      clock.now += 10 * DAY - 1;
      for (const record of [one, two, at, home])
        for (const rehearse of [true, false])
          assert.equal(await keeperOf(record, { rehearse }), 'ret_1');
      assert.equal(await erasing(store, one), 'held');
      const { unique_identifier: record, position } = one;
      const { resource } = visit;
      assert.equal(await store.erasing.keeperOf({ resource, account, record }), 'ret_1');
      const past = { account, resource, record, position };
      await assert.rejects(store.erasing.dropHistory(past), { code: 'record_held' });
      await assert.rejects(wipe(store, account), { code: 'record_held' });
      await assert.rejects(store.accounts.beginEmptying(account, true), { code: 'record_held' });
      assert.equal((await removing(store, there)).outcome, 'deleted');
      clock.now += 1;
      assert.equal((await removing(store, two)).outcome, 'deleted');
      assert.equal(await keeperOf(at), 'ret_1', 'the other one was changed since');
      clock.now += 20 * DAY;
      assert.equal(await store.erasing.keeperOf({ resource, account, record }), undefined);
      assert.equal(await erasing(store, one), 'erased');
      await write(store, visitDraft(at, 'new', {}));
      await store.retention.remove(rule.unique_identifier);
      assert.equal((await removing(store, home)).outcome, 'deleted');
      assert.ok(await wipe(store, account));
    });
  });
}

/** Webhooks: endpoints, who delivers to them, and what became of deliveries. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { WebhookDelivery } from '../../../src/features/webhooks/declares.ts';
import { DELIVERIES_MS, type NewWebhookEndpoint } from '../../../src/features/webhooks/store.ts';
import { pluck } from '../../support/pluck.ts';
import { changed, type Proves } from '../../support/store-world.ts';

function endpoint(account: string, name: string): NewWebhookEndpoint {
  return {
    ...{ unique_identifier: `whk_${name}`, account, key: 'key_1', status: 'enabled' },
    settings: {
      ...{ url: 'https://example.com/hook', description: 'Grüße — “one”' },
      ...{ notifications: ['event.*'], locations: null, payload: 'thin' },
    },
    secrets: [{ sealed: 'v1.abc', until: null }],
    ...{ reason: null, failing_since: null, position: null },
  };
}

function delivery(position: number, more: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    ...{ unique_identifier: `dlv_${position}`, endpoint: 'whk_a', change: `chg_${position}` },
    ...{ position, place: 0, type: 'event.created', record: 'evt_1', status: 'delivered' },
    ...{ attempts: 1, status_code: 200, error: null, duration_ms: 12, next_at: null },
    ...{ inserted_at: 1_800_000_000_000, updated_at: 1_800_000_000_000 },
    ...more,
  };
}

export function describePromises(proves: Proves): void {
  describe('Webhook endpoints', () => {
    proves('are kept as they were made, and change by what is said', async (world) => {
      const { webhooks } = world.store;
      const made = await webhooks.create(endpoint('acct_1', 'a'));
      await webhooks.create(endpoint('acct_2', 'b'));
      const { now } = world.clock;
      const whole = { ...endpoint('acct_1', 'a'), next_at: null, strikes: 0 };
      assert.deepEqual(made, { ...whole, inserted_at: now, updated_at: now });
      world.clock.now += 5;
      const why = { reason: 'gone', failing_since: 7, position: 'chg_9' } as const;
      const state = { status: 'disabled', ...why } as const;
      const changed = await webhooks.change('whk_a', state);
      assert.deepEqual(changed, { ...made, ...state, updated_at: world.clock.now });
      const none = { failing_since: null, position: null, reason: null };
      const again = await webhooks.change('whk_a', none);
      assert.deepEqual(again, { ...made, status: 'disabled', updated_at: world.clock.now });
      const store = await world.reopen();
      assert.deepEqual(await store.webhooks.find('whk_a'), again);
      assert.deepEqual(pluck(await store.webhooks.list(), 'unique_identifier'), ['whk_b', 'whk_a']);
      assert.deepEqual(await store.webhooks.list(['acct_1']), [again]);
      assert.equal(await store.webhooks.remove('whk_a'), true);
      assert.equal(await store.webhooks.remove('whk_a'), false);
      assert.equal(await store.webhooks.change('whk_a', { status: 'enabled' }), undefined);
    });

    proves('are held by one lease at a time, and no other writes', async ({ store, another }) => {
      const { webhooks } = store;
      const { webhooks: others } = await another();
      await webhooks.create(endpoint('acct_1', 'a'));
      await webhooks.create({ ...endpoint('acct_1', 'p'), status: 'paused' });
      const taken = await webhooks.take('mine', ['whk_a', 'whk_p', 'whk_x']);
      assert.deepEqual(pluck(taken, 'unique_identifier'), ['whk_a']);
      assert.deepEqual(await others.take('theirs', ['whk_a']), []);
      const theirs = await others.settle('whk_a', 'theirs', { position: 'chg_8' }, [delivery(8)]);
      assert.equal(theirs, false);
      const mine = await webhooks.settle('whk_a', 'mine', { position: 'chg_1' }, [delivery(1)]);
      assert.equal(mine, true);
      assert.equal((await webhooks.find('whk_a'))?.position, 'chg_1');
      assert.deepEqual(await webhooks.deliveries({ endpoint: 'whk_a', limit: 9 }), [delivery(1)]);
      await webhooks.renew('mine');
      const [lease] = (await others.leases()).filter(({ lease }) => lease !== null);
      assert.deepEqual([lease?.unique_identifier, lease?.lease], ['whk_a', 'mine']);
      const { left = 0 } = lease ?? {};
      assert.ok(left > 20_000 && left <= 30_000, `${left}`);
      // As if it had been taken by a clock that was ahead.
      await changed(store, 'UPDATE webhook_endpoint SET lease_until = lease_until + 86400000');
      const [wrong] = (await others.leases()).filter(({ lease }) => lease !== null);
      assert.equal(wrong?.left, 0, 'a lease of the future is none');
      assert.equal((await others.take('another', ['whk_a'])).length, 1);
      await webhooks.release('another');
      assert.equal((await others.take('theirs', ['whk_a'])).length, 1);
      // Whatever is changed from outside ends the lease: whoever delivers starts over with it.
      await webhooks.change('whk_a', { position: null });
      assert.equal(await others.settle('whk_a', 'theirs', { position: 'chg_2' }, []), false);
      assert.equal((await webhooks.find('whk_a'))?.position, null);
      // Until that one has given up what is under way, nobody else begins.
      assert.equal(await webhooks.isLeased('whk_a', 'theirs'), false);
      assert.equal(await webhooks.isEnding('whk_a'), true);
      assert.deepEqual(await webhooks.take('next', ['whk_a']), []);
      await webhooks.change('whk_a', { position: 'chg_3' });
      await webhooks.free('whk_a', 'mine');
      assert.deepEqual(await webhooks.take('next', ['whk_a']), []);
      await webhooks.free('whk_a', 'theirs');
      assert.equal(await webhooks.isEnding('whk_a'), false);
      assert.equal((await webhooks.take('next', ['whk_a'])).length, 1);
      assert.equal(await webhooks.isLeased('whk_a', 'next'), true);
      // One whose process is gone ends by itself.
      await webhooks.change('whk_a', {});
      await changed(store, 'UPDATE webhook_endpoint SET lease_until = 1');
      assert.equal(await webhooks.isEnding('whk_a'), false);
      assert.equal((await webhooks.take('last', ['whk_a'])).length, 1);
    });
  });

  describe('Webhook deliveries', () => {
    proves('are one for each change, listed from the newest', async ({ store, clock }) => {
      const { webhooks } = store;
      await webhooks.create(endpoint('acct_1', 'a'));
      await webhooks.take('mine', ['whk_a']);
      const unsent = { status: 'pending', attempts: 0, next_at: 5, error: 'No “answer”.' } as const;
      const waiting = delivery(2, unsent);
      await webhooks.settle('whk_a', 'mine', {}, [delivery(1), waiting, delivery(3)]);
      assert.deepEqual(await webhooks.pending('whk_a'), [waiting]);
      const listed = (limit: number, query: object = {}) =>
        webhooks.deliveries({ endpoint: 'whk_a', limit, ...query });
      assert.deepEqual(await listed(2), [delivery(3), waiting]);
      assert.deepEqual(await listed(2, { after: waiting }), [delivery(1)]);
      assert.deepEqual(await listed(9, { status: 'pending' }), [waiting]);
      // Who it is, and since when, stays.
      const sent = { status: 'delivered', attempts: 1, error: null, next_at: null } as const;
      const renewed = { ...waiting, ...sent };
      const other = { ...renewed, unique_identifier: 'dlv_other', inserted_at: 9 };
      await webhooks.settle('whk_a', 'mine', {}, [other]);
      assert.deepEqual(await webhooks.delivery('whk_a', { change: 'chg_2' }), renewed);
      assert.deepEqual(await webhooks.delivery('whk_a', { unique_identifier: 'dlv_2' }), renewed);
      assert.equal(await webhooks.delivery('whk_b', { change: 'chg_2' }), undefined);
      const later = { ...waiting, next_at: clock.now + 60_000 };
      const behind = { ...delivery(4), status: 'pending', next_at: null } as const;
      await webhooks.settle('whk_a', 'mine', {}, [later, behind]);
      await webhooks.change('whk_a', {}, { hastens: true });
      const hastened = await webhooks.pending('whk_a');
      assert.deepEqual(pluck(hastened, 'next_at'), [clock.now, null]);
      await webhooks.free('whk_a', 'mine');
      await webhooks.take('mine', ['whk_a']);
      await webhooks.settle('whk_a', 'mine', {}, [{ ...behind, status: 'delivered' }]);
      await webhooks.redeliver(waiting);
      assert.deepEqual(await webhooks.pending('whk_a'), [waiting]);
      assert.equal(await webhooks.settle('whk_a', 'mine', {}, []), false);
    });

    proves('go when they are old and finished', async ({ store, clock }) => {
      const { webhooks } = store;
      await webhooks.create(endpoint('acct_1', 'a'));
      await webhooks.take('mine', ['whk_a']);
      const old = delivery(1, { updated_at: clock.now - DELIVERIES_MS - 1 });
      const unfinished = { ...delivery(2), updated_at: old.updated_at, status: 'pending' } as const;
      await webhooks.settle('whk_a', 'mine', {}, [old, unfinished, delivery(3)]);
      assert.equal(await webhooks.purge(), false);
      const all = { endpoint: 'whk_a', limit: 9 };
      assert.deepEqual(await webhooks.deliveries(all), [delivery(3), unfinished]);
      await webhooks.remove('whk_a');
      await webhooks.purge();
      assert.deepEqual(await webhooks.deliveries(all), [delivery(3)]);
    });
  });
}

/** Erased records: in no answer, in no log, and made again by no draft. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { UNPROVED } from '../../src/core/objects/records/erasure-audience.ts';
import type { StoredErasure } from '../../src/store/promises/erasing/book.ts';
import type { Store, StoredRecord } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';
import { thing, visit } from '../support/store-shapes.ts';
import {
  became,
  codeOf,
  erasing,
  erasureOf,
  goneOf,
  outcomesOf,
  type Proves,
  pageOf,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

const NAME = 'Rumpelstilzchen';

async function forget(store: Store): Promise<void> {
  while (await store.erasing.forget());
}

/** All that the log holds of the account. */
async function logged(store: Store, account: string): Promise<string> {
  const snapshot = await store.snapshot();
  const found: unknown[] = [];
  for await (const batch of snapshot.changes()) {
    found.push(...batch.filter((change) => change.account === account));
  }
  await snapshot.close();
  return JSON.stringify(found);
}

function begunAt(
  now: number,
  one: Pick<StoredErasure, 'unique_identifier' | 'account' | 'status'> & Partial<StoredErasure>,
): StoredErasure {
  return {
    ...{ reference: null, basis: null, received_at: 1, due_at: 2, by: 'key_1', revision: 0 },
    ...{ matches: [], records: [], past_only: [], left: [], looked: 'index', refused_rows: 0 },
    named_in: [],
    ...{ ...UNPROVED, selectors: null, place: null, inserted_at: now, updated_at: now },
    ...one,
  };
}

export function describePromises(proves: Proves): void {
  describe('Erased records', () => {
    proves('are gone with all that the log held of them, and others are not', async (world) => {
      const { store, home, account } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const person = (name: string) => ({ person: { name, phone: '1' } });
      const [one, other] = [visitDraft(at, 'one', person(NAME)), visitDraft(at, 'other', {})];
      const record = await write(store, one);
      await write(store, other);
      // Two of one commit: the other keeps what the log holds of it.
      for (const round of ['2', '3'])
        await store.commit([
          visitDraft(at, 'one', person(`${NAME} ${round}`)),
          visitDraft(at, 'other', person(`Neighbour ${round}`)),
        ]);
      assert.match(await logged(store, account), new RegExp(NAME));
      assert.equal(await erasing(store, record), 'erased');
      assert.equal(await store.find(visit, record.unique_identifier, within(account)), undefined);
      assert.deepEqual(await store.erasing.progress('ers_1'), { erased: 1, left: 1 });
      await forget(store);
      assert.deepEqual(await store.erasing.progress('ers_1'), { erased: 1, left: 0 });
      const log = await logged(store, account);
      assert.doesNotMatch(log, new RegExp(NAME));
      assert.match(log, /Neighbour/);
      assert.doesNotMatch(log, /damaged/);
      const { changes } = await pageOf(store, { account });
      const { unique_identifier } = record;
      assert.deepEqual(pluck(changes.slice(-2), 'outcome', 'record', 'by', 'version', 'content'), [
        ['deleted', unique_identifier, 'key_1', 4, null],
        ['erased', unique_identifier, 'ers_1', 5, null],
      ]);
      const [known] = await store.erasing.find([record.unique_identifier], [account]);
      assert.deepEqual(known, {
        ...{ account, record: record.unique_identifier, resource: visit.resource },
        ...{ anchor: record.anchor, parent: at.unique_identifier },
        ...{ erasure: 'ers_1', erased_at: world.clock.now },
      });
      assert.deepEqual(await store.erasing.find([record.unique_identifier], []), []);
      assert.equal(await erasing(store, record), 'erased', 'once more does nothing');
    });

    proves('go for their age with their contents, and stay away if marked', async (world) => {
      const { store, home, account } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const draft = (name: string) => visitDraft(at, name, { person: { name: NAME, phone: '1' } });
      const records = [await write(store, draft('marked')), await write(store, draft('unmarked'))];
      const aged = (record: StoredRecord, aged: 'marked' | 'unmarked', more: object = {}) => {
        const request = { ...erasureOf(record), erasure: 'ret_1', by: 'ret_1', aged, ...more };
        return store.erasing.erase([request]);
      };
      assert.deepEqual(await aged(at, 'marked'), ['has_children'], 'nothing is redacted');
      const [judged, other] = records as [StoredRecord, StoredRecord];
      const version = judged.version + 1;
      const stale = await aged(judged, 'marked', { version });
      assert.deepEqual(stale, ['changed'], 'it is not at the version that was judged');
      const later = thingDraft(home, 'service', { label: 'later' });
      const { version: parent_version } = await write(store, later);
      const moved = await aged(judged, 'marked', { parent_version: at.version });
      assert.deepEqual(moved, ['changed'], 'what it belongs to is not');
      assert.deepEqual(await aged(judged, 'marked', { version, parent_version }), ['changed']);
      assert.deepEqual(await aged(judged, 'marked'), ['erased']);
      assert.deepEqual(await aged(other, 'unmarked'), ['erased']);
      await forget(store);
      const log = await logged(store, account);
      assert.doesNotMatch(log, new RegExp(NAME));
      assert.doesNotMatch(log, /"erased"/);
      const { changes } = await pageOf(store, { account });
      const told = pluck(changes.slice(-2), 'outcome', 'by', 'content');
      assert.deepEqual(told, Array(2).fill(['deleted', 'ret_1', null]));
      assert.deepEqual(await store.journal.unlisted(10), []);
      const both = await store.commit([draft('marked'), draft('unmarked')]);
      assert.deepEqual(outcomesOf(both), ['erased', 'created']);
      assert.deepEqual(await aged(other, 'unmarked'), ['missing']);
      assert.equal(await store.erasing.hasLostKeys(), false);
    });

    proves('go several with one call, each in a commit of its own', async (world) => {
      const { store, home, account } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const next = await write(store, thingDraft(home, 'next', {}));
      const records: StoredRecord[] = [];
      for (let nth = 0; nth < 20; nth += 1)
        records.push(await write(store, visitDraft(nth === 9 ? next : at, `${nth}`, {})));
      await remove(store, records[4] as StoredRecord);
      await remove(store, next);
      const none = { ...erasureOf(at), record: 'none' };
      const wanted = [...records.map((one) => erasureOf(one)), none, erasureOf(home)];
      const outcomes: unknown[] = [];
      while (outcomes.length < wanted.length)
        outcomes.push(...(await store.erasing.erase(wanted.slice(outcomes.length))));
      const all = records.map(() => 'erased');
      assert.deepEqual(outcomes, [...all, 'missing', 'has_children']);
      const { changes } = await pageOf(store, { account });
      const erased = changes.filter(({ outcome }) => outcome === 'erased');
      assert.deepEqual(pluck(erased, 'record'), pluck(records, 'unique_identifier'));
      assert.equal(new Set(erased.map(({ position }) => position)).size, records.length);
      assert.deepEqual(await store.erasing.erase([]), []);
    });

    proves('are made again by no draft, in whatever company', async ({ store, home, another }) => {
      const at = await write(store, thingDraft(home, 'service', {}));
      const next = await write(store, thingDraft(home, 'next', {}));
      const draft = visitDraft(at, 'one', {});
      await erasing(store, await write(store, draft));
      assert.deepEqual(await became(store, [draft]), ['erased']);
      const others = [visitDraft(at, 'two', {}), visitDraft(next, 'one', {})];
      assert.deepEqual(await became(store, [draft, ...others]), ['erased', 'created', 'created']);
      const atomic = await store.commit([draft, visitDraft(at, 'three', {})], { atomic: true });
      assert.deepEqual(outcomesOf(atomic), ['erased', 'created']);
      const only = { record: 'absent' } as const;
      assert.deepEqual(await became(store, [{ ...draft, only }]), ['erased']);
      assert.equal(await store.erasing.refuses(draft), 'ers_1');
      assert.equal(await store.erasing.refuses(visitDraft(at, 'four', {})), undefined);

      const process = await another();
      assert.deepEqual(await became(process, [draft]), ['erased']);
      assert.deepEqual(await became(process, [visitDraft(at, 'four', {})]), ['created']);
      // What the other process erases, this one has remembered otherwise.
      const later = visitDraft(at, 'five', {});
      await erasing(process, await write(store, later));
      assert.deepEqual(await became(store, [later]), ['erased']);
      if (store.commitEach !== undefined) {
        const [outcomes] = await Promise.all(store.commitEach([[later]]));
        assert.deepEqual(outcomesOf(outcomes ?? []), ['erased']);
      }
    });

    proves('stay erased where what they belonged to is made anew', async ({ store, home }) => {
      const service = thingDraft(home, 'service', {});
      const at = await write(store, service);
      await erasing(store, await write(store, visitDraft(at, 'one', {})));
      await remove(store, at);
      const anew = await write(store, service);
      assert.notEqual(anew.unique_identifier, at.unique_identifier);
      assert.deepEqual(await became(store, [visitDraft(anew, 'one', {})]), ['erased']);
    });

    proves('may have been removed before, and cannot be restored then', async (world) => {
      const { store, home, account } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const draft = visitDraft(at, 'one', { person: { name: NAME, phone: '1' } });
      const record = await write(store, draft);
      await remove(store, record);
      const { unique_identifier } = record;
      const gone = await goneOf(store, record);
      assert.ok(gone !== undefined);
      assert.equal(await erasing(store, record), 'erased');
      await forget(store);
      assert.doesNotMatch(await logged(store, account), new RegExp(NAME));
      assert.equal(await goneOf(store, record), undefined);
      const { version, position, inserted_at } = { ...record, ...gone };
      const restores = { gone: { unique_identifier, version, position, inserted_at } };
      assert.deepEqual(await became(store, [{ ...draft, restores }]), ['erased']);
      const [known] = await store.erasing.find([unique_identifier], [account]);
      assert.deepEqual([known?.anchor, known?.parent], [record.anchor, at.unique_identifier]);
    });

    proves('have nothing below them, and exist', async ({ store, home, account }) => {
      const at = await write(store, thingDraft(home, 'service', {}));
      await write(store, visitDraft(at, 'one', {}));
      assert.equal(await erasing(store, home), 'has_children');
      const none = { ...at, unique_identifier: 'thg_none' };
      assert.equal(await erasing(store, none), 'missing');
      assert.equal(await store.erasing.progress('ers_1').then(({ erased }) => erased), 0);
      const other = (await store.accounts.create({ name: 'B', livemode: false })).unique_identifier;
      const elsewhere = await write(store, placeDraft(other, 'home', {}));
      assert.equal(await erasing(store, { ...elsewhere, account }), 'missing');
    });

    proves('stay erased while 64 writers of two processes send them', async (world) => {
      const { store, home, account, another } = world;
      const processes = [store, await another()];
      const at = await write(store, thingDraft(home, 'service', {}));
      const name = (nth: number) => `visitor ${nth % 16}`;
      const records: StoredRecord[] = [];
      for (let nth = 0; nth < 16; nth += 1)
        records.push(await write(store, visitDraft(at, name(nth), {})));
      let over = false;
      const seen = new Set<string>();
      const send = async (nth: number): Promise<void> => {
        for (let round = 0; !over; round += 1) {
          const person = { name: `${nth} ${round}`, phone: '1' };
          const draft = visitDraft(at, name(nth + round), { person });
          for (const outcome of await became(processes[nth % 2] as Store, [draft]))
            seen.add(outcome);
          await nextTick();
        }
      };
      const writers = Array.from({ length: 64 }, (_, nth) => send(nth));
      for (const [nth, record] of records.entries())
        assert.equal(await erasing(processes[nth % 2] as Store, record), 'erased');
      over = true;
      await Promise.all(writers);
      assert.ok(!seen.has('created'), [...seen].join());
      for (const { unique_identifier } of records)
        assert.equal(await store.find(visit, unique_identifier, within(account)), undefined);
      const drafts = records.map((_, nth) => visitDraft(at, name(nth), {}));
      for (const process of processes)
        assert.deepEqual(new Set(await became(process, [...drafts])), new Set(['erased']));
    });

    proves('may stay, and lose what they held before', async ({ store, home, account }) => {
      const at = await write(store, thingDraft(home, 'service', {}));
      const draft = (name: string) => visitDraft(at, 'one', { person: { name, phone: '1' } });
      await write(store, draft(NAME));
      const record = await write(store, draft('now'));
      await write(store, visitDraft(at, 'other', { person: { name: 'Neighbour', phone: '1' } }));
      await write(store, visitDraft(at, 'other', { person: { name: 'Aunt', phone: '1' } }));
      const { unique_identifier, position: from } = record;
      const past = { account, resource: visit.resource, record: unique_identifier };
      for (let position = from; position > 0; ) {
        position = await store.erasing.dropHistory({ ...past, position });
      }
      assert.doesNotMatch(await logged(store, account), new RegExp(NAME));
      assert.match(await logged(store, account), /Neighbour/);
      assert.deepEqual(await store.find(visit, unique_identifier, within(account)), record);
      assert.deepEqual(await became(store, [draft('later')]), ['updated']);
      const none = { ...past, record: 'none', position: from };
      assert.equal(await store.erasing.dropHistory(none), 0);
    });

    proves('are counted below what they belonged to', async ({ store, home, account }) => {
      const at = await write(store, thingDraft(home, 'service', {}));
      const count = () => store.erasing.countBelow(visit.resource, at.unique_identifier, [account]);
      assert.equal(await count(), 0);
      await erasing(store, await write(store, visitDraft(at, 'one', {})));
      await erasing(store, await write(store, visitDraft(at, 'two', {})));
      assert.equal(await count(), 2);
      assert.equal(await store.erasing.countBelow(visit.resource, at.unique_identifier, []), 0);
    });

    proves('are redacted where others need them, and sealed', async (world) => {
      const { store, home, account, another } = world;
      const maker = { name: NAME, address: { city: NAME } };
      const all = { label: NAME, maker, always: { note: 'n' } };
      const service = thingDraft(home, `case of ${NAME}`, all);
      const at = await write(store, service);
      await write(store, { ...service, patch: { label: `${NAME} 2`, extra: { note: NAME } } });
      const child = visitDraft(at, 'one', {});
      await erasing(store, await write(store, child));
      await write(store, visitDraft(at, 'two', {}));
      assert.equal(await erasing(store, at), 'erased');
      await forget(store);
      assert.equal(await erasing(store, at), 'erased', 'once more does nothing');
      assert.doesNotMatch(await logged(store, account), new RegExp(NAME));
      const left = await store.find(thing, at.unique_identifier, within(account));
      assert.equal(left?.document, '{"label":"Erased","always":{"note":"n"}}');
      const [sealed = ''] = store.erasing.sealedAs(thing.resource, service.external_identifier);
      assert.equal(left?.external_identifier, sealed);
      assert.deepEqual([left?.version, left?.anchor], [4, at.anchor]);
      const pair = { account, parent: home.unique_identifier, external_identifier: sealed };
      const found = await store.findPair(thing, pair);
      assert.equal(found?.unique_identifier, at.unique_identifier);

      for (const process of [store, await another()]) {
        const same = { ...service, patch: { label: 'back' } };
        const bySeal = { ...same, external_identifier: sealed };
        assert.deepEqual(await became(process, [same, bySeal]), ['erased', 'erased']);
        const only = { record: 'present', unique_identifier: at.unique_identifier } as const;
        assert.deepEqual(await became(process, [{ ...bySeal, only }]), ['erased']);
        assert.equal(await process.erasing.refuses(bySeal), 'ers_1');
        // What was erased below it before stays so, though its parent is called something else.
        assert.deepEqual(await became(process, [child]), ['erased']);
        assert.deepEqual(await became(process, [visitDraft(at, 'two', {})]), ['unchanged']);
        const late = visitDraft(at, process === store ? 'three' : 'four', {});
        assert.deepEqual(await became(process, [late]), ['created']);
      }
      const { changes } = await pageOf(store, { account });
      const own = changes.filter(({ record }) => record === at.unique_identifier);
      assert.deepEqual(pluck(own, 'outcome', 'version'), [
        ['created', 1],
        ['updated', 2],
        ['updated', 3],
        ['erased', 4],
      ]);
    });

    proves('refuse no draft that has a fault of its own less than before', async (world) => {
      const { store, home } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      await erasing(store, await write(store, visitDraft(at, 'one', {})));
      const missing = { ...visitDraft(at, 'one', {}), parent: 'none' };
      assert.equal(await codeOf(store, missing), 'resource_missing');
    });

    proves('are looked for everywhere in turn, by who asked for it', async (world) => {
      const { store, account, clock } = world;
      const other = (await store.accounts.create({ name: 'B', livemode: false })).unique_identifier;
      const add = (unique_identifier: string, of: string, by: string) =>
        store.erasures.add({
          ...begunAt(clock.now, { unique_identifier, account: of, by, status: 'ready' }),
          ...{ place: { in: 'rows' }, traces: 'sealed' },
        });
      await add('ers_1', account, 'key_1');
      await add('ers_2', account, 'key_1');
      await add('ers_3', account, 'key_2');
      await add('ers_4', other, 'key_1');
      const found = await store.erasures.looking();
      const groupOf = (at: number) => found[at]?.group;
      assert.deepEqual(pluck(found, 'unique_identifier'), ['ers_1', 'ers_2', 'ers_3', 'ers_4']);
      assert.equal(groupOf(0), groupOf(1));
      assert.equal(new Set(found.map(({ group }) => group)).size, 3);
      const [listed] = await store.erasures.list([account], { before: 'z', limit: 1 });
      assert.deepEqual([listed?.unique_identifier, listed?.traces], ['ers_3', null]);
      assert.equal((await store.erasures.find('ers_3'))?.traces, 'sealed');
      const counts = await store.erasures.counts({ account, by: 'key_1' });
      assert.deepEqual(counts, { open: 2, all: 2 });
    });

    proves('leave their erasure for two years after it ended', async (world) => {
      const { store, account, clock } = world;
      const begun = (unique_identifier: string, status: string) =>
        begunAt(clock.now, { unique_identifier, account, status: status as 'done' });
      for (const status of ['ready', 'done', 'closed'])
        await store.erasures.add(begun(`ers_${status}`, status));
      const { statuses, overdue } = await store.erasures.summary();
      assert.deepEqual(Object.fromEntries(statuses), { ready: 1, done: 1, closed: 1 });
      assert.equal(overdue, 1);
      await store.erasures.purge();
      const left = async (open?: boolean) =>
        pluck(await store.erasures.list([account], { open, before: 'z', limit: 9 }), 'status');
      assert.deepEqual(await left(), ['ready', 'done', 'closed']);
      assert.deepEqual([await left(true), await left(false)], [['ready'], ['done', 'closed']]);
      clock.now += 731 * 86_400_000;
      assert.equal(await store.erasures.purge(), false);
      assert.deepEqual(await left(), ['ready']);
    });
  });
}

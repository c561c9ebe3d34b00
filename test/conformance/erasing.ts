/** Erased records: in no answer, in no log, and made again by no draft. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { UNPROVED } from '../../src/core/objects/records/erasure-audience.ts';
import type { StoredErasure } from '../../src/store/promises/erasing/book.ts';
import type { ChangesPage } from '../../src/store/promises/log.ts';
import type { Draft, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';
import { place, thing, visit } from '../support/store-shapes.ts';
import {
  outcomesOf,
  type Proves,
  placeDraft,
  refused,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

const NAME = 'Rumpelstilzchen';

async function erase(store: Store, record: StoredRecord, shape = visit) {
  return (await store.erasing.erase([requestFor(record, shape)]))[0];
}

function requestFor({ account, unique_identifier: record }: StoredRecord, { resource } = visit) {
  return { resource, account, record, erasure: 'ers_1', by: 'key_1' };
}

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

const outcomeOf = async (store: Store, ...drafts: Draft[]) =>
  outcomesOf(await store.commit(drafts));

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
      await store.commit([
        visitDraft(at, 'one', person(`${NAME} 2`)),
        visitDraft(at, 'other', person('Neighbour')),
      ]);
      await store.commit([
        visitDraft(at, 'one', person(`${NAME} 3`)),
        visitDraft(at, 'other', person('Neighbour 2')),
      ]);
      assert.match(await logged(store, account), new RegExp(NAME));
      assert.equal(await erase(store, record), 'erased');
      assert.equal(await store.find(visit, record.unique_identifier, within(account)), undefined);
      assert.deepEqual(await store.erasing.progress('ers_1'), { erased: 1, left: 1 });
      await forget(store);
      assert.deepEqual(await store.erasing.progress('ers_1'), { erased: 1, left: 0 });
      const log = await logged(store, account);
      assert.doesNotMatch(log, new RegExp(NAME));
      assert.match(log, /Neighbour/);
      assert.doesNotMatch(log, /damaged/);
      const changes = await store.log.read({ account, limit: 100, bytes: 1e6 });
      assert.ok(typeof changes !== 'string');
      const told = changes.changes.slice(-2).map((one) => {
        return [one.outcome, one.record, one.by, one.version, one.content];
      });
      const { unique_identifier } = record;
      assert.deepEqual(told, [
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
      assert.equal(await erase(store, record), 'erased', 'once more does nothing');
    });

    proves('go for their age with their contents, and stay away if marked', async (world) => {
      const { store, home, account } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const draft = (name: string) => visitDraft(at, name, { person: { name: NAME, phone: '1' } });
      const records = [await write(store, draft('marked')), await write(store, draft('unmarked'))];
      const age = async (record: StoredRecord, aged: 'marked' | 'unmarked') => {
        const shape = record.unique_identifier.startsWith(thing.prefix) ? thing : visit;
        const by = { erasure: 'ret_1', by: 'ret_1', aged };
        return (await store.erasing.erase([{ ...requestFor(record, shape), ...by }]))[0];
      };
      assert.equal(await age(at, 'marked'), 'has_children', 'nothing is redacted');
      const [judged] = records as [StoredRecord];
      const request = {
        ...requestFor(judged),
        erasure: 'ret_1',
        by: 'ret_1',
        aged: 'marked',
      } as const;
      const stale = await store.erasing.erase([{ ...request, version: judged.version + 1 }]);
      assert.deepEqual(stale, ['changed'], 'it is not at the version that was judged');
      const { version: parent_version } = await write(
        store,
        thingDraft(home, 'service', { label: 'later' }),
      );
      const moved = await store.erasing.erase([{ ...request, parent_version: at.version }]);
      assert.deepEqual(moved, ['changed'], 'what it belongs to is not');
      const noted = await store.erasing.erase([
        { ...request, version: judged.version + 1, parent_version },
      ]);
      assert.deepEqual(noted, ['changed']);
      assert.equal(await age(records[0] as StoredRecord, 'marked'), 'erased');
      assert.equal(await age(records[1] as StoredRecord, 'unmarked'), 'erased');
      await forget(store);
      const log = await logged(store, account);
      assert.doesNotMatch(log, new RegExp(NAME));
      assert.doesNotMatch(log, /"erased"/);
      const last = await store.log.read({ account, limit: 100, bytes: 1e6 });
      assert.ok(typeof last !== 'string');
      assert.deepEqual(pluck(last.changes.slice(-2), 'outcome', 'by', 'content'), [
        ['deleted', 'ret_1', null],
        ['deleted', 'ret_1', null],
      ]);
      assert.deepEqual(await store.journal.unlisted(10), []);
      const both = await store.commit([draft('marked'), draft('unmarked')]);
      assert.deepEqual(outcomesOf(both), ['erased', 'created']);
      assert.equal(await age(records[1] as StoredRecord, 'unmarked'), 'missing');
      assert.equal(await store.erasing.hasLostKeys(), false);
    });

    proves('go several with one call, each in a commit of its own', async (world) => {
      const { store, home, account } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const next = await write(store, thingDraft(home, 'next', {}));
      const records: StoredRecord[] = [];
      for (let nth = 0; nth < 20; nth += 1)
        records.push(await write(store, visitDraft(nth === 9 ? next : at, `${nth}`, {})));
      await remove(store, visit, records[4] as StoredRecord);
      await remove(store, thing, next);
      const none = { ...requestFor(at), record: 'none' };
      const wanted = [...records.map((one) => requestFor(one)), none, requestFor(home, place)];
      const outcomes: unknown[] = [];
      while (outcomes.length < wanted.length)
        outcomes.push(...(await store.erasing.erase(wanted.slice(outcomes.length))));
      const all = records.map(() => 'erased');
      assert.deepEqual(outcomes, [...all, 'missing', 'has_children']);
      const log = await store.log.read({ account, limit: 1000, bytes: 1e6 });
      assert.ok(typeof log !== 'string');
      const erased = log.changes.filter(({ outcome }) => outcome === 'erased');
      assert.deepEqual(pluck(erased, 'record'), pluck(records, 'unique_identifier'));
      assert.equal(new Set(erased.map(({ position }) => position)).size, records.length);
      assert.deepEqual(await store.erasing.erase([]), []);
    });

    proves('are made again by no draft, in whatever company', async ({ store, home, another }) => {
      const at = await write(store, thingDraft(home, 'service', {}));
      const next = await write(store, thingDraft(home, 'next', {}));
      const draft = visitDraft(at, 'one', {});
      await erase(store, await write(store, draft));
      assert.deepEqual(await outcomeOf(store, draft), ['erased']);
      const others = [visitDraft(at, 'two', {}), visitDraft(next, 'one', {})];
      assert.deepEqual(await outcomeOf(store, draft, ...others), ['erased', 'created', 'created']);
      const atomic = await store.commit([draft, visitDraft(at, 'three', {})], { atomic: true });
      assert.deepEqual(outcomesOf(atomic), ['erased', 'created']);
      const only = { record: 'absent' } as const;
      assert.deepEqual(await outcomeOf(store, { ...draft, only }), ['erased']);
      assert.equal(await store.erasing.refuses(draft), 'ers_1');
      assert.equal(await store.erasing.refuses(visitDraft(at, 'four', {})), undefined);

      const process = await another();
      assert.deepEqual(await outcomeOf(process, draft), ['erased']);
      assert.deepEqual(await outcomeOf(process, visitDraft(at, 'four', {})), ['created']);
      // What the other process erases, this one has remembered otherwise.
      const later = visitDraft(at, 'five', {});
      await erase(process, await write(store, later));
      assert.deepEqual(await outcomeOf(store, later), ['erased']);
      if (store.commitEach !== undefined) {
        const [outcomes] = await Promise.all(store.commitEach([[later]]));
        assert.deepEqual(outcomesOf(outcomes ?? []), ['erased']);
      }
    });

    proves('stay erased where what they belonged to is made anew', async ({ store, home }) => {
      const service = thingDraft(home, 'service', {});
      const at = await write(store, service);
      await erase(store, await write(store, visitDraft(at, 'one', {})));
      await remove(store, thing, at);
      const anew = await write(store, service);
      assert.notEqual(anew.unique_identifier, at.unique_identifier);
      assert.deepEqual(await outcomeOf(store, visitDraft(anew, 'one', {})), ['erased']);
    });

    proves('may have been removed before, and cannot be restored then', async (world) => {
      const { store, home, account } = world;
      const at = await write(store, thingDraft(home, 'service', {}));
      const draft = visitDraft(at, 'one', { person: { name: NAME, phone: '1' } });
      const record = await write(store, draft);
      await remove(store, visit, record);
      const { unique_identifier } = record;
      const gone = await store.log.gone(visit.resource, unique_identifier, [account]);
      assert.ok(gone !== undefined);
      assert.equal(await erase(store, record), 'erased');
      await forget(store);
      assert.doesNotMatch(await logged(store, account), new RegExp(NAME));
      assert.equal(await store.log.gone(visit.resource, unique_identifier, [account]), undefined);
      const { version, position, inserted_at } = { ...record, ...gone };
      const restores = { gone: { unique_identifier, version, position, inserted_at } };
      assert.deepEqual(await outcomeOf(store, { ...draft, restores }), ['erased']);
      const [known] = await store.erasing.find([unique_identifier], [account]);
      assert.deepEqual([known?.anchor, known?.parent], [record.anchor, at.unique_identifier]);
    });

    proves('have nothing below them, and exist', async ({ store, home, account }) => {
      const at = await write(store, thingDraft(home, 'service', {}));
      await write(store, visitDraft(at, 'one', {}));
      assert.equal(await erase(store, home, place), 'has_children');
      const none = { ...at, unique_identifier: 'none' };
      assert.equal(await erase(store, none, thing), 'missing');
      assert.equal(await store.erasing.progress('ers_1').then(({ erased }) => erased), 0);
      const other = (await store.accounts.create({ name: 'B', livemode: false })).unique_identifier;
      const elsewhere = await write(store, placeDraft(other, 'home', {}));
      assert.equal(await erase(store, { ...elsewhere, account }, thing), 'missing');
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
          for (const outcome of await outcomeOf(processes[nth % 2] as Store, draft))
            seen.add(outcome);
          await nextTick();
        }
      };
      const writers = Array.from({ length: 64 }, (_, nth) => send(nth));
      for (const [nth, record] of records.entries())
        assert.equal(await erase(processes[nth % 2] as Store, record), 'erased');
      over = true;
      await Promise.all(writers);
      assert.ok(!seen.has('created'), [...seen].join());
      for (const { unique_identifier } of records)
        assert.equal(await store.find(visit, unique_identifier, within(account)), undefined);
      const drafts = records.map((_, nth) => visitDraft(at, name(nth), {}));
      for (const process of processes)
        assert.deepEqual(new Set(await outcomeOf(process, ...drafts)), new Set(['erased']));
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
        position = await store.erasing.forgetPast({ ...past, position });
      }
      assert.doesNotMatch(await logged(store, account), new RegExp(NAME));
      assert.match(await logged(store, account), /Neighbour/);
      assert.deepEqual(await store.find(visit, unique_identifier, within(account)), record);
      assert.deepEqual(await outcomeOf(store, draft('later')), ['updated']);
      const none = { ...past, record: 'none', position: from };
      assert.equal(await store.erasing.forgetPast(none), 0);
    });

    proves('are counted below what they belonged to', async ({ store, home, account }) => {
      const at = await write(store, thingDraft(home, 'service', {}));
      const count = () => store.erasing.countBelow(visit.resource, at.unique_identifier, [account]);
      assert.equal(await count(), 0);
      await erase(store, await write(store, visitDraft(at, 'one', {})));
      await erase(store, await write(store, visitDraft(at, 'two', {})));
      assert.equal(await count(), 2);
      assert.equal(await store.erasing.countBelow(visit.resource, at.unique_identifier, []), 0);
    });

    proves('are redacted where others need them, and sealed', async (world) => {
      const { store, home, account, another } = world;
      const maker = { name: NAME, address: { city: NAME } };
      const service = thingDraft(home, `case of ${NAME}`, {
        label: NAME,
        maker,
        always: { note: 'n' },
      });
      const at = await write(store, service);
      await write(store, { ...service, patch: { label: `${NAME} 2`, extra: { note: NAME } } });
      const child = visitDraft(at, 'one', {});
      await erase(store, await write(store, child));
      await write(store, visitDraft(at, 'two', {}));
      assert.equal(await erase(store, at, thing), 'erased');
      await forget(store);
      assert.equal(await erase(store, at, thing), 'erased', 'once more does nothing');
      assert.doesNotMatch(await logged(store, account), new RegExp(NAME));
      const left = await store.find(thing, at.unique_identifier, within(account));
      assert.deepEqual(JSON.parse(left?.document ?? ''), {
        label: 'Erased',
        always: { note: 'n' },
      });
      const [sealed = ''] = store.erasing.sealedAs(thing.resource, service.external_identifier);
      assert.equal(left?.external_identifier, sealed);
      assert.deepEqual([left?.version, left?.anchor], [4, at.anchor]);
      const pair = { account, parent: home.unique_identifier, external_identifier: sealed };
      const found = await store.findPair(thing, pair);
      assert.equal(found?.unique_identifier, at.unique_identifier);

      for (const process of [store, await another()]) {
        const same = { ...service, patch: { label: 'back' } };
        const bySeal = { ...same, external_identifier: sealed };
        assert.deepEqual(await outcomeOf(process, same, bySeal), ['erased', 'erased']);
        const only = { record: 'present', unique_identifier: at.unique_identifier } as const;
        assert.deepEqual(await outcomeOf(process, { ...bySeal, only }), ['erased']);
        assert.equal(await process.erasing.refuses(bySeal), 'ers_1');
        // What was erased below it before stays so, though its parent is called something else.
        assert.deepEqual(await outcomeOf(process, child), ['erased']);
        assert.deepEqual(await outcomeOf(process, visitDraft(at, 'two', {})), ['unchanged']);
        const late = visitDraft(at, process === store ? 'three' : 'four', {});
        assert.deepEqual(await outcomeOf(process, late), ['created']);
      }
      const { changes } = (await store.log.read({
        account,
        limit: 1000,
        bytes: 1e6,
      })) as ChangesPage;
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
      await erase(store, await write(store, visitDraft(at, 'one', {})));
      const missing = { ...visitDraft(at, 'one', {}), parent: 'none' };
      const [outcome] = await store.commit([missing]);
      assert.equal(refused(outcome).code, 'resource_missing');
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
      assert.deepEqual(
        [Object.fromEntries(statuses), overdue],
        [{ ready: 1, done: 1, closed: 1 }, 1],
      );
      await store.erasures.purge();
      const left = async (open?: boolean) =>
        (await store.erasures.list([account], { open, before: 'z', limit: 9 })).map(
          ({ status }) => status,
        );
      assert.deepEqual(await left(), ['ready', 'done', 'closed']);
      assert.deepEqual([await left(true), await left(false)], [['ready'], ['done', 'closed']]);
      clock.now += 731 * 86_400_000;
      assert.equal(await store.erasures.purge(), false);
      assert.deepEqual(await left(), ['ready']);
    });
  });
}

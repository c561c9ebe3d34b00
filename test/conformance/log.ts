/** Promise 11: whatever commits change is in the log of changes, with them. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { equalJson, stringify } from '../../src/core/schema/json/json.ts';
import type { ChangeCursor, LoggedChange } from '../../src/store/promises/log.ts';
import type { Store, StoredRecord } from '../../src/store/promises/store.ts';
import { parseDocument } from '../../src/store/records/records.ts';
import { type DocumentVersion, versions } from '../../src/store/records/versions.ts';
import { ALL } from '../support/all.ts';
import { pluck } from '../support/pluck.ts';
import { thingPatch } from '../support/store-patches.ts';
import { owner, place, thing, visit } from '../support/store-shapes.ts';
import {
  became,
  codeOf,
  goneOf,
  idsOf,
  listed,
  newAccount,
  outcomesOf,
  type Proves,
  pageOf,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { wipe } from '../support/wipe.ts';

const DAY = 86_400_000;

/** All changes of an account, page by page. */
async function follow(
  store: Store,
  account: string,
  from?: ChangeCursor,
  limit = 7,
): Promise<readonly LoggedChange[]> {
  const all: LoggedChange[] = [];
  for (let after = from; ; ) {
    const { changes, more } = await pageOf(store, { account, after, limit });
    all.push(...changes);
    if (!more) return all;
    after = changes.at(-1);
  }
}

function told(changes: readonly LoggedChange[]): readonly string[] {
  return changes.map(({ resource, outcome, version }) => `${resource} ${outcome} ${version}`);
}

async function last(store: Store, account: string): Promise<ChangeCursor> {
  const mark = await store.log.last(account);
  assert.ok(mark !== undefined);
  return mark;
}

/** All changes of a record that starts at a position, the newest first. */
async function ofRecord(store: Store, record: StoredRecord, position = record.position) {
  const { account, unique_identifier } = record;
  const bytes = 1_000_000;
  return store.log.of({ account, record: unique_identifier, position, limit: 1_000, bytes });
}

export function describePromises(proves: Proves): void {
  describe('11. The log of changes', () => {
    proves('tells each change once, in order, and who made it', async (world) => {
      const { store, account, home } = world;
      const from = await last(store, account);
      const by = 'key_1';
      const made = await write(store, { ...thingDraft(home, 'a', { label: 'A' }), by });
      await write(store, { ...thingDraft(home, 'a', { label: 'A' }), by: 'key_2' });
      const changed = await write(store, thingDraft(home, 'a', { label: 'B' }));
      const { record } = await remove(store, changed);
      const changes = await follow(store, account, from);
      assert.deepEqual(told(changes), ['thing created 1', 'thing updated 2', 'thing deleted 3']);
      const [first, second, third] = changes;
      assert.deepEqual(
        { ...first, token: 0 },
        {
          ...{ account, position: made.position, place: 0, token: 0, resource: 'thing' },
          ...{ record: made.unique_identifier, anchor: made.anchor, outcome: 'created' },
          ...{ version: 1, before: 0, by, occurred_at: world.clock.now, content: null },
        },
      );
      assert.equal(second?.content, '{"label":"A"}');
      assert.deepEqual([second?.before, second?.by], [made.position, null]);
      assert.deepEqual([third?.before, third?.content], [record.position, null]);
    });

    proves('has nothing of what was refused, withheld or changed nothing', async (world) => {
      const { store, account, home } = world;
      await write(store, thingDraft(home, 'a', { label: 'A' }));
      const from = await last(store, account);
      const orphan = { ...thingDraft(home, 'b', {}), parent: 'plc_none' };
      const outcomes = await store.commit([thingDraft(home, 'c', {}), orphan], { atomic: true });
      assert.deepEqual(outcomesOf(outcomes), ['withheld', 'refused']);
      await store.commit([orphan, thingDraft(home, 'a', { label: 'A' })]);
      assert.deepEqual(await follow(store, account, from), []);
    });

    proves('tells of every draft of one record, though they are one commit', async (world) => {
      const { store, account, home } = world;
      const from = await last(store, account);
      const labels = ['A', 'B', 'B', 'C'];
      await store.commit(labels.map((label) => thingDraft(home, 'a', { label })));
      const changes = await follow(store, account, from, 1);
      assert.deepEqual(told(changes), ['thing created 1', 'thing updated 2', 'thing updated 3']);
      assert.deepEqual(pluck(changes, 'content'), [null, '{"label":"A"}', '{"label":"B"}']);
      assert.equal(new Set(pluck(changes, 'position')).size, 1);
    });

    proves('keeps each account to itself', async ({ store, account, home }) => {
      const other = await newAccount(store, 'Them');
      const [mine, theirs] = [await last(store, account), await last(store, other)];
      const here = ['a', 'b'].map((name) => thingDraft(home, name, {}));
      await store.commit([...here, placeDraft(other, 'p', {})]);
      const toldOf = async (of: string, from: ChangeCursor) => told(await follow(store, of, from));
      assert.deepEqual(await toldOf(account, mine), ['thing created 1', 'thing created 1']);
      assert.deepEqual(await toldOf(other, theirs), ['place created 1']);
    });

    proves('tells what the operator does to an account', async ({ store, account, home }) => {
      const from = await last(store, account);
      await store.accounts.rename(account, 'Ours');
      await store.accounts.rename(account, 'Ours');
      await store.accounts.close(account);
      await store.accounts.reopen(account);
      const changes = await follow(store, account, from);
      assert.deepEqual(told(changes), ['owner updated 2', 'owner updated 3', 'owner updated 4']);
      assert.equal(changes[0]?.content, '{"name":"Us"}');
      const all = await follow(store, account);
      assert.deepEqual(told(all.slice(0, 2)), ['owner created 1', 'place created 1']);
      assert.equal(all[1]?.record, home.unique_identifier);
      const root = await store.find(owner, account, within(account));
      assert.ok(root !== undefined);
      assert.equal((await ofRecord(store, root)).length, 4);
    });

    proves('tells each record that goes with another, parents first', async (world) => {
      const { store, account, home } = world;
      const one = await write(store, thingDraft(home, 'a', { label: 'A' }));
      const visits = Array.from({ length: 45 }, (_, at) =>
        visitDraft(one, `v${at}`, { note: `n${at}` }),
      );
      const made = await store.commit(visits);
      const from = await last(store, account);
      await remove(store, home);
      let changes: readonly LoggedChange[] = [];
      await until(async () => {
        changes = await follow(store, account, from);
        return changes.length >= 47;
      });
      assert.equal(changes.length, 47);
      assert.ok(changes.every(({ outcome }) => outcome === 'deleted'));
      assert.deepEqual(pluck(changes.slice(0, 2), 'record'), idsOf([home, one]));
      assert.equal(new Set(pluck(changes, 'record')).size, 47);
      const { record: visited } = written(made[0]);
      const gone = await goneOf(store, visited);
      const [removal, creation] = await ofRecord(store, visited, gone?.position);
      assert.deepEqual([removal?.content, creation?.outcome], [visited.document, 'created']);
    });

    proves('is empty of content after a wipe, which is one change', async (world) => {
      const { store, account, home } = world;
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      await write(store, thingDraft(home, 'a', { label: 'B' }));
      await remove(store, made);
      const from = await last(store, account);
      await wipe(store, account);
      assert.deepEqual(told(await follow(store, account, from)), ['owner wiped 1']);
      const all = await follow(store, account);
      assert.ok(all.every(({ content }) => content === null));
      assert.equal(await goneOf(store, made), undefined);
      const history = await ofRecord(store, made, made.position);
      assert.ok(history.every(({ content }) => content === null));
      const none = [place, thing, visit].map(({ resource }) => [resource, 0] as const);
      assert.deepEqual(await wipe(store, account), new Map(none));
      assert.deepEqual(told(await follow(store, account, from)), ['owner wiped 1']);
    });

    proves('knows where a removed record was, and of whose account', async (world) => {
      const { store, account, home } = world;
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      assert.equal(await goneOf(store, made), undefined);
      await remove(store, made);
      const gone = await goneOf(store, made);
      const { position } = await last(store, account);
      assert.deepEqual(gone, {
        ...{ account, record: made.unique_identifier, position, removal: position, below: 0 },
        parent: home.unique_identifier,
        external_identifier: 'a',
        inserted_at: made.inserted_at,
        created_by: null,
      });
      assert.equal(await store.log.gone('place', made.unique_identifier, [account]), undefined);
      assert.equal(await store.log.gone('thing', made.unique_identifier, ['own_none']), undefined);
    });

    proves('gives back every version, exactly as it was answered', async ({ store, home }) => {
      let count = 0;
      const property = fc.asyncProperty(
        fc.array(thingPatch, { minLength: 1, maxLength: 8 }),
        async (patches) => {
          const name = `p${count++}`;
          const answered: string[] = [];
          let record: StoredRecord | undefined;
          for (const patch of patches) {
            const [outcome] = await store.commit([thingDraft(home, name, patch)]);
            if (outcome === undefined || !('record' in outcome)) continue;
            record = outcome.record;
            answered[record.version] = record.document;
          }
          if (record === undefined) return;
          const changes = await ofRecord(store, record);
          assert.deepEqual(pluck(changes, 'version'), [...answered.keys()].slice(1).reverse());
          const found = new Map<number, DocumentVersion>();
          for (const { change, after } of versions(changes, parseDocument(record.document))) {
            found.set(change.version, after);
          }
          for (const [version, document] of [...answered.entries()].slice(1)) {
            const held = found.get(version);
            assert.ok(typeof held === 'object', `version ${version} is ${String(held)}`);
            const same = equalJson(held, parseDocument(document));
            assert.ok(same, `${stringify(held)} is not ${document}`);
          }
        },
      );
      await fc.assert(property, { numRuns: ALL ? 40 : 15 });
    });

    proves('tells that content came back', async ({ store, account, home }) => {
      await write(store, thingDraft(home, 'a', { label: 'A' }));
      await write(store, thingDraft(home, 'a', { label: 'B' }));
      const from = await last(store, account);
      const back = { ...thingDraft(home, 'a', { label: 'A' }), restores: {} };
      assert.deepEqual(await became(store, [back]), ['updated']);
      const changes = await follow(store, account, from);
      assert.deepEqual(told(changes), ['thing restored 3']);
      assert.equal(changes[0]?.content, '{"label":"B"}');
      assert.deepEqual(await became(store, [back]), ['unchanged']);
    });

    proves('brings a removed record back as itself, and nothing below it', async (world) => {
      const { store, account, home, clock } = world;
      const other = await write(store, thingDraft(home, 'other', {}));
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      const later = await write(store, thingDraft(home, 'later', {}));
      const visits = Array.from({ length: 60 }, (_, at) => visitDraft(made, `v${at}`, {}));
      await store.commit(visits);
      clock.now += 60_000;
      await remove(store, made);
      const gone = await goneOf(store, made);
      assert.ok(gone !== undefined);
      const { unique_identifier, inserted_at } = made;
      const { position } = gone;
      const draft = thingDraft(home, 'a', { label: 'A' });
      const restores = { gone: { unique_identifier, version: 2, position, inserted_at } };
      const early = { gone: { ...restores.gone, position: position - 1 } };
      assert.equal(await codeOf(store, { ...draft, restores: early }), 'record_changed');
      clock.now += 60_000;
      const [outcome] = await store.commit([{ ...draft, restores, by: 'key_1' }]);
      const { record } = written(outcome);
      const { position: at } = record;
      assert.deepEqual(record, { ...made, version: 3, position: at, updated_at: clock.now });
      const scope = within(account);
      assert.deepEqual(await store.find(thing, unique_identifier, scope), record);
      const list = await listed(store, thing, scope);
      assert.deepEqual(idsOf(list), idsOf([later, made, other]));
      assert.deepEqual(await listed(store, visit, scope), []);
      const visited = await write(store, visitDraft(record, 'new', {}));
      assert.ok(await store.find(visit, visited.unique_identifier, scope));
      assert.equal(await store.log.gone(thing.resource, unique_identifier, [account]), undefined);
      const history = await ofRecord(store, record);
      assert.deepEqual(told(history), ['thing restored 3', 'thing deleted 2', 'thing created 1']);
      assert.equal(await codeOf(store, { ...draft, restores }), 'record_exists');
      await write(store, thingDraft(home, 'a', { label: 'B' }));
      await remove(store, record);
      assert.equal(await codeOf(store, { ...draft, restores }), 'record_changed');
    });

    proves('brings nothing back below a parent that is gone', async ({ store, home }) => {
      const made = await write(store, thingDraft(home, 'a', {}));
      await remove(store, made);
      const gone = await goneOf(store, made);
      await remove(store, home);
      const { unique_identifier, inserted_at } = made;
      const position = gone?.position ?? 0;
      const restores = { gone: { unique_identifier, version: 2, position, inserted_at } };
      const draft = { ...thingDraft(home, 'a', {}), restores };
      assert.equal(await codeOf(store, draft), 'resource_missing');
    });

    proves('says of a mark that it is of another store, or too old', async (world) => {
      const { store, account, home, clock } = world;
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      const mark = await last(store, account);
      const read = (after: ChangeCursor) => store.log.read({ account, after, limit: 5, bytes: 1 });
      assert.deepEqual(await read(mark), { changes: [], more: false });
      assert.equal(await read({ ...mark, token: mark.token ^ 1 }), 'rewound');
      assert.equal(await read({ ...mark, place: 1 }), 'rewound');
      assert.equal(await read({ ...mark, position: mark.position + 1 }), 'rewound');
      clock.now += 401 * DAY;
      await write(store, thingDraft(home, 'a', { label: 'B' }));
      while (await store.log.sweep());
      assert.equal(await read(mark), 'expired');
      const [left] = await follow(store, account);
      assert.deepEqual([left?.record, left?.version], [made.unique_identifier, 2]);
    });

    proves('goes back as far as it is to, and never loses where it has come to', async (world) => {
      const { store, account, home, clock } = world;
      const made = await write(store, thingDraft(home, 'a', {}));
      const other = await write(store, thingDraft(home, 'b', {}));
      await remove(store, made);
      clock.now += 200 * DAY;
      await remove(store, other);
      const names = Array.from({ length: 120 }, (_, at) => `n${at}`);
      await store.commit(names.map((name) => thingDraft(home, name, {})));
      clock.now += 201 * DAY;
      while (await store.log.sweep());
      assert.equal((await follow(store, account)).length, 121, 'of the last 400 days');
      assert.equal(await goneOf(store, made), undefined);
      assert.ok(await goneOf(store, other));
      assert.deepEqual(pluck(await ofRecord(store, other), 'outcome'), []);
      const mark = await last(store, account);
      clock.now += 400 * DAY;
      while (await store.log.sweep());
      assert.deepEqual((await follow(store, account)).length, 0);
      assert.deepEqual(await last(store, account), mark);
      const rest = await pageOf(store, { account, after: mark });
      assert.deepEqual(rest, { changes: [], more: false });
    });

    proves('forgets the last change of a quiet account; none after it is missed', async (world) => {
      const { store, account, home, clock } = world;
      const made = await write(store, thingDraft(home, 'Zuckerbrot', { label: 'A' }));
      await remove(store, made);
      const mark = await last(store, account);
      clock.now += 401 * DAY;
      while (await store.log.sweep());
      assert.deepEqual(await follow(store, account), []);
      assert.equal(await goneOf(store, made), undefined);
      assert.deepEqual(await ofRecord(store, made, mark.position), []);
      assert.deepEqual(await last(store, account), mark);
      const snapshot = await store.snapshot();
      const [changes, gone] = [snapshot.changes(), snapshot.gone(thing)];
      const held = [await Array.fromAsync(changes), await Array.fromAsync(gone)];
      await snapshot.close();
      assert.doesNotMatch(JSON.stringify(held), new RegExp(`Zuckerbrot|${made.unique_identifier}`));
      const next = await write(store, thingDraft(home, 'b', {}));
      const read = async (after?: ChangeCursor) =>
        pluck((await pageOf(store, { account, after, limit: 1 })).changes, 'record');
      assert.deepEqual(await read(mark), [next.unique_identifier]);
      assert.deepEqual(await read(), [next.unique_identifier], 'as does who begins');
      while (await store.log.sweep());
      assert.equal(await store.log.read({ account, after: mark, limit: 5, bytes: 1 }), 'expired');
      assert.deepEqual(await read(), [next.unique_identifier]);
    });

    proves('keeps nothing of what records held where it is to go back no day', async (world) => {
      const store = await world.reopen({ historyDays: 0 });
      const { account, home, clock } = world;
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      await write(store, thingDraft(home, 'a', { label: 'B' }));
      await remove(store, made);
      await store.accounts.rename(account, 'Ours');
      const changes = await follow(store, account);
      assert.ok(changes.every(({ content }) => content === null));
      assert.equal(changes.length, 6);
      assert.equal(await goneOf(store, made), undefined);
      clock.now += DAY + 1;
      while (await store.log.sweep());
      assert.equal((await follow(store, account)).length, 0);
    });

    proves('ends a page where it comes to too many bytes', async ({ store, account, home }) => {
      const texts = Array.from({ length: 6 }, (_, at) => String(at).repeat(1_000));
      for (const text of texts) await write(store, thingDraft(home, 'a', { label: text }));
      const from = await last(store, account);
      for (const text of texts) await write(store, thingDraft(home, 'a', { label: text }));
      const first = await pageOf(store, { account, after: from, bytes: 2_500 });
      assert.ok(first.changes.length >= 1 && first.changes.length <= 3);
      assert.ok(first.more);
      const tiny = await pageOf(store, { account, after: from, bytes: 1 });
      assert.deepEqual([tiny.changes.length, tiny.more], [1, true]);
    });

    proves('tells how far each account has come', async ({ store, account, home }) => {
      const other = await newAccount(store, 'Them');
      const made = await write(store, thingDraft(home, 'a', {}));
      const positions = await store.log.positions([account, other, 'own_none']);
      assert.deepEqual(Object.fromEntries(positions), { [account]: made.position, [other]: 1 });
    });

    proves('is one log, however many processes write', async (world) => {
      const { store, account, home, another } = world;
      const from = await last(store, account);
      const processes = [store, await another(), await another()];
      const answered: string[] = [];
      const seen: LoggedChange[] = [];
      let done = false;
      const follower = (async () => {
        let after: ChangeCursor = from;
        for (;;) {
          const ends = done;
          const { changes, more } = await pageOf(store, { account, after, limit: 20 });
          seen.push(...changes);
          after = changes.at(-1) ?? after;
          if (ends && !more && changes.length === 0) return;
          await turn();
        }
      })();
      await Promise.all(
        processes.map(async (each, nth) => {
          for (let round = 0; round < 30; round++) {
            const drafts = Array.from({ length: 4 }, (_, at) =>
              thingDraft(home, `t${(round + at) % 9}`, { label: `${nth} ${round}` }),
            );
            for (const outcome of await each.commit(drafts)) {
              assert.ok('record' in outcome, JSON.stringify(outcome));
              if (outcome.outcome === 'unchanged') continue;
              answered.push(`${outcome.record.unique_identifier} ${outcome.record.version}`);
            }
          }
        }),
      );
      done = true;
      await follower;
      const names = seen.map(({ record, version }) => `${record} ${version}`);
      assert.deepEqual([...names].sort(), [...answered].sort());
      const versionsOf = Map.groupBy(seen, ({ record }) => record);
      for (const changes of versionsOf.values()) {
        assert.deepEqual(
          pluck(changes, 'version'),
          changes.map((_, at) => at + 1),
        );
      }
    });
  });
}

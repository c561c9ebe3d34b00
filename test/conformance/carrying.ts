/** Whatever a commit looks like in the log, a backup carries it to a store of either kind as it was. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChangeCursor, LoggedChange } from '../../src/store/promises/log.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { backUp, openAt, restore } from '../support/backups.ts';
import { thing } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  bytesOf,
  type FindGround,
  goneOf,
  newAccount,
  type Proves,
  pageOf,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

/** Longer than what the log keeps of several changes together. */
const LONG = 'x'.repeat(60_000);
/** More than the log keeps together, however small they are. */
const MANY = 150;

export function describePromises(_: Proves, name: string, findGround: FindGround): void {
  const grounds = { [name]: findGround, SQLite: sqliteGround };
  describe('backups carry every shape of a commit, and followers go on where they were,', () => {
    for (const [from, findFirst] of Object.entries(grounds)) {
      for (const [to, findSecond] of Object.entries(grounds)) {
        it(`from ${from} to ${to} and back`, () => carry(findFirst, findSecond));
      }
    }
  });
}

async function carry(findFirst: FindGround, findSecond: FindGround): Promise<void> {
  const grounds = [await findFirst(), await findSecond(), await findFirst()] as const;
  const stores: Store[] = [];
  try {
    const clock = { now: 1_800_000_000_000 };
    const open = async (at: 0 | 1 | 2): Promise<Store> => {
      const store = await openAt(grounds[at], { now: () => clock.now });
      stores.push(store);
      return store;
    };
    const first = await open(0);
    const accounts = await commitEverything(first, await open(0), clock);
    const written = await backUp(first);
    let { bytes } = written;
    for (const at of [1, 2] as const) {
      await restore(grounds[at], bytes);
      const store = await open(at);
      const again = await backUp(store);
      assert.deepEqual(again.trailer.digests, written.trailer.digests);
      for (const account of accounts) await wantSameLog(account, first, store);
      bytes = again.bytes;
    }
  } finally {
    for (const store of stores) await store.close();
    for (const ground of grounds) await ground.remove();
  }
}

/** `other` is what another process would have of the same store. Gives the accounts. */
async function commitEverything(
  store: Store,
  other: Store,
  clock: { now: number },
): Promise<readonly string[]> {
  const account = await newAccount(store, 'Us');
  const second = await newAccount(store, 'Them');
  const home = await write(store, placeDraft(account, 'home', { title: 'Home' }));
  const their = await write(store, placeDraft(second, 'their', { title: 'Their' }));
  const named = (...names: readonly string[]) =>
    names.map((one) => thingDraft(home, one, { label: `${one} at ${clock.now}` }));
  const tick = (): void => {
    clock.now += 1_500;
  };

  // One by one, in rows, of several resources, with content and without.
  await store.commit(named('x'));
  tick();
  await store.commit(named('x', 'y', 'z'));
  await store.commit(named('x', 'y', 'new'));
  const kept = await write(store, thingDraft(home, 'kept', {}));
  await store.commit([
    visitDraft(kept, 'guest', {}),
    placeDraft(account, 'far', { title: 'Far' }),
    thingDraft(home, 'kept', { label: 'Kept' }),
    visitDraft(kept, 'guest', { person: { name: 'Ann' } }),
  ]);
  // Many small ones, and long ones.
  const many = Array.from({ length: MANY }, (_, at) => `many-${at}`);
  await store.commit(named(...many));
  for (const long of [LONG, 1])
    await store.commit([1, 2, 3].map((at) => thingDraft(home, `long-${at}`, { extra: { long } })));
  // Rows that were not written: refused, unchanged.
  const [ok, no, more] = await store.commit([
    ...named('before'),
    thingDraft({ ...home, unique_identifier: 'plc_none' }, 'lost', {}),
    ...named('after', 'before'),
  ]);
  assert.equal(`${ok?.outcome} ${no?.outcome} ${more?.outcome}`, 'created refused created');

  // Rows that another process has written to meanwhile: at the beginning, in the middle, at the end.
  for (const names of [
    ['x', 'a1', 'b1'],
    ['a2', 'x', 'b2'],
    ['a3', 'b3', 'x'],
    ['x', 'a4', 'y', 'z', 'b4', 'new'],
    many.slice(0, 100),
    ['x', 'y'],
  ]) {
    tick();
    const theirs = names.filter((one) => /^[a-z]+$|0$/.test(one));
    await other.commit(theirs.map((one) => thingDraft(home, one, { label: 'Theirs' })));
    for (const { outcome } of await store.commit(named(...names))) assert.match(outcome, /ated$/);
  }
  tick();
  const owner = { owner: 'key_1', accounts: [account], fingerprint: bytesOf(7) };
  const receipt = { ...owner, idempotency_key: 'once', expires_at: clock.now + 86_400_000 };
  await other.commit(named('x', 'z'));
  tick();
  await store.commit(named('c1', 'x', 'c2', 'z', 'c3'), { atomic: true, receipt });
  await other.commit([placeDraft(account, 'far', { title: 'Farther' })]);
  const batches = [
    [...named('d1', 'd2'), placeDraft(account, 'far', { title: 'Far' }), ...named('d3')],
    [thingDraft(their, 'one', {}), thingDraft(their, 'two', {})],
  ];
  await Promise.all(store.commitEach?.(batches) ?? batches.map((batch) => store.commit(batch)));

  // Removed with what is below, and brought back.
  const going = await write(store, thingDraft(home, 'going', { label: 'Going' }));
  await store.commit(many.map((one) => visitDraft(going, one, {})));
  await store.commit([visitDraft(going, 'long', { person: { name: LONG } })]);
  tick();
  await remove(store, going);
  const { unique_identifier } = going;
  const { position = 0 } = (await goneOf(store, going)) ?? {};
  const asked = { account, record: unique_identifier, position, limit: 1, bytes: 1_000_000 };
  const [last] = await store.log.of(asked);
  assert.equal(last?.outcome, 'deleted');
  const { inserted_at } = going;
  const gone = { unique_identifier, position, version: last.version, inserted_at };
  await store.commit([
    ...named('e1'),
    { ...thingDraft(home, 'going', { label: 'Back' }), restores: { gone } },
    ...named('e2'),
  ]);
  const after = await store.find(thing, unique_identifier, within(account));
  assert.ok(after !== undefined);
  await write(store, visitDraft(after, 'again', {}));
  await remove(store, await write(store, thingDraft(home, 'y', {})));

  await store.accounts.rename(account, 'Us and them');
  await wipe(store, second);
  await store.commit([placeDraft(second, 'their', { title: 'Anew' })]);
  await store.accounts.close(second);
  return [account, second];
}

/** All at once, and from each change on. */
async function wantSameLog(account: string, store: Store, other: Store): Promise<void> {
  const read = async (from: Store, limit: number, after?: ChangeCursor) =>
    (await pageOf(from, { account, after, limit, bytes: 10_000_000 })).changes;
  const all = async (from: Store): Promise<readonly LoggedChange[]> => {
    const changes: LoggedChange[] = [];
    for (;;) {
      const page = await read(from, 500, changes.at(-1));
      if (page.length === 0) return changes;
      changes.push(...page);
    }
  };
  const changes = await all(store);
  assert.deepEqual(await all(other), changes);
  assert.deepEqual(await other.log.last(account), await store.log.last(account));
  for (const mark of changes)
    assert.deepEqual(await read(other, 2, mark), await read(store, 2, mark));
}

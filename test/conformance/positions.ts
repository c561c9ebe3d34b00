/** Promise 9: the commits of an account are numbered in one order, and whoever has read up to a number has seen all up to it. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { startWriter } from '../support/store-process.ts';
import { owner, thing } from '../support/store-shapes.ts';
import {
  became,
  listed,
  newAccount,
  type Proves,
  placeDraft,
  remove,
  thingDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

const BATCHES = 60;
const NAMES = ['a', 'b', 'c'];

export function describePromises(proves: Proves): void {
  describe('9. Positions', () => {
    proves('number the commits of an account without a gap, whoever writes', async (world) => {
      const { store, home, account } = world;
      const other = await world.another();
      assert.equal(home.position, 2, 'an account is made by its first commit');
      for (const [round, each] of [store, other, store, other, store].entries()) {
        const outcomes = await each.commit([
          thingDraft(home, `a ${round}`, { label: `A${round}` }),
          thingDraft(home, `b ${round % 2}`, { label: 'B' }),
          placeDraft(account, `place ${round}`, {}),
        ]);
        const changed = outcomes.map(written).filter(({ outcome }) => outcome !== 'unchanged');
        assert.deepEqual([...new Set(changed.map(({ record }) => record.position))], [3 + round]);
      }
    });

    proves('are each account’s own', async ({ store, account, home }) => {
      const other = await newAccount(store);
      for (const position of [2, 3, 4]) {
        const made = await write(store, placeDraft(other, `${position}`, {}));
        assert.equal(made.position, position);
      }
      assert.equal((await write(store, thingDraft(home, 'a', {}))).position, home.position + 1);
      const drafts = [account, other].map((each) => placeDraft(each, 'both', {}));
      const both = (await store.commit(drafts, { atomic: true })).map(written);
      const positions = both.map(({ record }) => record.position);
      assert.deepEqual(positions, [home.position + 2, 5]);
    });

    proves('go on over changes of the account, removals and wipes', async (world) => {
      const { store, account, home } = world;
      await store.accounts.rename(account, 'We');
      const renamed = await store.find(owner, account, within(account));
      assert.equal(renamed?.position, home.position + 1);
      await store.accounts.close(account);
      await store.accounts.reopen(account);
      const made = await write(store, placeDraft(account, 'other', {}));
      assert.equal(made.position, home.position + 4);
      await remove(store, made);
      await wipe(store, account);
      const reopened = await world.reopen();
      const next = await write(reopened, placeDraft(account, 'next', {}));
      assert.equal(next.position, home.position + 7);
    });

    proves('are given to nothing that changes nothing', async ({ store, account, home }) => {
      const same = placeDraft(account, 'home', { title: 'Home' });
      const nowhere = thingDraft({ ...home, unique_identifier: 'plc_none' }, 'a', {});
      const bad = [placeDraft(account, 'new', {}), nowhere];
      assert.deepEqual(await became(store, [same]), ['unchanged']);
      assert.deepEqual(await became(store, bad, { atomic: true }), ['withheld', 'refused']);
      await store.accounts.reopen(account);
      assert.equal((await write(store, thingDraft(home, 'a', {}))).position, home.position + 1);
    });

    proves('that were read have nothing appear below them, whoever is killed', async (world) => {
      const { store, url, distribution, home, account } = world;
      const writers = await Promise.all(
        ['one', 'two', 'killed'].map((writer) =>
          startWriter({
            ...{ url, distribution, home, writer, receipts: false },
            batches: writer === 'killed' ? 10 * BATCHES : BATCHES,
            names: NAMES.map((name) => `${writer} ${name}`),
          }),
        ),
      );
      type Writer = (typeof writers)[0];
      const [one, two, killed] = writers as [Writer, Writer, Writer];
      for (const writer of writers) writer.begin();
      let writing = true;
      const reading = readWhile(store, account, () => writing);
      await killed.reported(3 * 20);
      await killed.kill();
      await Promise.all([one.done(), two.done()]);
      writing = false;
      assert.ok((await reading) > 10, 'it has read while they wrote');

      const answered = writers.map(({ reports }) => reports.map(({ record }) => record.position));
      for (const positions of answered) {
        const sorted = positions.toSorted((x, y) => x - y);
        assert.deepEqual(positions, sorted, 'in the order done');
      }
      const all = [...new Set(answered.flat())].sort((x, y) => x - y);
      const last = (await write(store, thingDraft(home, 'last', {}))).position;
      // What the killed one did last may have been done without an answer.
      const unanswered = last - home.position - 1 - all.length;
      assert.ok(unanswered >= 0 && unanswered <= 2, `${unanswered} numbers are nobody's`);
    });

    proves('that a list shows have nothing missing below them', async (world) => {
      const { store, home, account } = world;
      const other = await world.another();
      const them = await newAccount(store);
      await write(store, thingDraft(home, 'old', {}));
      const pages: ReadonlySet<number>[] = [];
      let writing = true;
      const read = async (accounts: readonly string[]): Promise<void> => {
        while (writing) {
          await turn();
          const shown = await listed(store, thing, within(...accounts), { limit: 500 });
          pages.push(new Set(shown.map(({ position }) => position)));
        }
      };
      // Of one account, and of several, which may lie on several servers.
      const reading = Promise.all([read([account]), read([account, them])]);
      const made: number[] = [];
      for (let count = 1; count <= (ALL ? 150 : 50); count++) {
        made.push((await write(other, thingDraft(home, `new ${count}`, {}))).position);
        await write(other, thingDraft(home, 'old', { label: `${count}` }));
      }
      writing = false;
      await reading;
      for (const shown of pages) {
        const highest = Math.max(...shown);
        const missing = made.filter((position) => position < highest && !shown.has(position));
        assert.deepEqual(missing, [], `below ${highest}`);
      }
    });
  });
}

/** Reads again and again, and wants nothing to appear below what was read before; gives how often. */
async function readWhile(store: Store, account: string, goesOn: () => boolean): Promise<number> {
  let before = new Map<string, number>();
  let highest = 0;
  let reads = 0;
  while (goesOn()) {
    // A store in this process answers without one, and the writers' reports would never come.
    await turn();
    const shown = await listed(store, thing, within(account), { limit: 100 });
    const read = new Map(
      shown.map(({ unique_identifier, position }) => [unique_identifier, position]),
    );
    for (const [identifier, position] of read) {
      if (position > highest) continue;
      assert.equal(before.get(identifier), position, `${position} appeared below ${highest}`);
    }
    if (read.size > before.size) reads += 1;
    else if ([...read].some(([identifier, position]) => before.get(identifier) !== position))
      reads += 1;
    before = read;
    highest = Math.max(highest, ...read.values());
  }
  return reads;
}

/** What stores promise of follow-ups: one that is not closed of a record, one of each change, and each change of one once. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { pluck } from '../../support/pluck.ts';
import { thing } from '../../support/store-shapes.ts';
import { type Proves, thingDraft, write } from '../../support/store-world.ts';
import { wipe } from '../../support/wipe.ts';
import { openedOf } from './fill.ts';

export function describePromises(proves: Proves): void {
  describe('Follow-ups', () => {
    proves(
      'are opened once by a change, and one at a time of a record',
      async ({ store, account }) => {
        const book = store.followUp;
        const open = (unique_identifier: string, position: number | null, record = 'dmr_1') =>
          book.open(openedOf(account, { unique_identifier, position, record }), []);
        const all = await Promise.all(
          ['fup_1', 'fup_2', 'fup_3'].map((id, at) => open(id, at + 1)),
        );
        assert.equal(all.filter(Boolean).length, 1);
        assert.equal(await open('fup_4', null), false);
        const [one] = await book.ofRecords(account, ['dmr_1']);
        assert.ok(one);
        const closed = { ...one, state: 'closed', closed_at: 9 } as const;
        assert.equal(await book.put(closed, []), true);
        assert.equal(await book.put(closed, []), false, 'it was changed meanwhile');
        assert.equal(await open('fup_5', one.position), false, 'the log was read again');
        assert.equal(await open('fup_6', null), true);
        assert.equal((await book.find('fup_6'))?.version, 1);
      },
    );

    proves('are listed by when they are due, page by page', async ({ store, account }) => {
      const book = store.followUp;
      for (const [at, due_at] of [30, 10, 20, 10].entries())
        await book.open(
          openedOf(account, { unique_identifier: `fup_${at}`, record: `dmr_${at}`, due_at }),
          [],
        );
      const query = { accounts: [account], locations: undefined, limit: 3 };
      const page = await book.list(query);
      assert.deepEqual(pluck(page, 'unique_identifier'), ['fup_1', 'fup_3', 'fup_2']);
      const rest = await book.list({ ...query, after: page.at(-1) });
      assert.deepEqual(pluck(rest, 'unique_identifier'), ['fup_0']);
      const listed = async (more: object) => (await book.list({ ...query, ...more })).length;
      const some = [
        { state: 'unfinished' },
        { due_before: 20 },
        { opened_since: 6 },
        { locations: ['loc_2'] },
      ];
      const counts = [...some, { resources: ['event'] }, { record: 'dmr_2' }].map(listed);
      assert.deepEqual(await Promise.all(counts), [3, 2, 0, 0, 0, 1]);
    });

    proves('go with their record, come back, and are forgotten', async ({ store, account }) => {
      const book = store.followUp;
      const one = openedOf(account);
      await book.begin(account);
      await book.open(one, []);
      const reader = async () => (await book.readers()).find((it) => it.account === account);
      const read = async (change: string, ...writes: Parameters<typeof book.read>[2]) => {
        const before = await reader();
        assert.ok(before);
        return book.read(before, { ...before, change, left_out: { import: 3 } }, writes);
      };
      const first = await reader();
      assert.ok(first);
      await read('chg_1', book.leaving(account, ['dmr_1'], 7));
      assert.equal((await book.find('fup_1'))?.gone_at, 7);
      assert.equal(
        await book.read(first, { ...first, change: 'chg_9' }, []),
        false,
        'read by another',
      );
      assert.deepEqual(await book.leftOut([account]), [{ import: 3 }]);
      await read('chg_2', book.comingBack(account, ['dmr_1']));
      assert.equal((await book.find('fup_1'))?.gone_at, null);
      const again = await book.find('fup_1');
      assert.ok(again);
      assert.equal(await book.put(one, []), false, 'it was gone meanwhile');
      await read('chg_3', ...book.forgetting(account, ['dmr_1']));
      assert.equal(await book.find('fup_1'), undefined);
    });

    proves(
      'go in the commit in which their record is erased, or removed for its age',
      async (on) => {
        const { store, home, account } = on;
        const [one, aged, other] = await Promise.all(
          ['one', 'aged', 'other'].map((name) => write(store, thingDraft(home, name, {}))),
        );
        assert.ok(one && aged && other);
        for (const { unique_identifier: record } of [one, aged, other]) {
          const begun = openedOf(account, {
            unique_identifier: store.followUp.newIdentifier(),
            record,
          });
          assert.ok(
            await store.followUp.open({ ...begun, position: null, note: 'cannot pay' }, []),
          );
          const [told] = await store.about(account, record);
          assert.deepEqual([told?.object, told?.note], ['follow_up', 'cannot pay']);
        }
        const all = [one, aged, other].map(({ unique_identifier }) => unique_identifier);
        assert.equal(await store.countAbout(account, all), 3);
        const { resource } = thing;
        const request = { account, resource, erasure: 'ers_1', by: 'key_1' };
        for (const [record, more] of [
          [one, {}],
          [aged, { aged: 'marked', erasure: 'rtr_1' }],
        ] as const) {
          const { unique_identifier, version } = record;
          const wanted = { ...request, record: unique_identifier, version, ...more };
          assert.deepEqual(await store.erasing.erase([wanted]), ['erased']);
          assert.equal(await store.countAbout(account, [unique_identifier]), 0);
          assert.deepEqual(await store.about(account, unique_identifier), []);
        }
        assert.equal(await store.countAbout(account, all), 1);
      },
    );

    proves('count a tick once of each commit, and walk on from one place', async (on) => {
      const { store, account } = on;
      const book = store.followUp;
      await book.begin(account);
      let change = 0;
      const note = async (name: string, counted: number, record = `dmr_${counted}`) => {
        const before = await book.reader(account);
        assert.ok(before);
        change += 1;
        const noting = book.noting({ account, name, folded: 'x', record, counted }, counted);
        assert.ok(await book.read(before, { ...before, change: `chg_${change}` }, [noting]));
        const [found] = await book.ticksOf(account);
        assert.ok(found);
        return found;
      };
      await note('Home phone', 3);
      assert.equal((await note('home_phone', 4)).cards, 2);
      const again = await note('Home phone', 3);
      assert.deepEqual([again.cards, again.name, again.record], [2, 'home_phone', 'dmr_4']);
      assert.equal(await book.unsaid([account]), 2);
      assert.deepEqual(await book.walks(9), []);

      const saying = { meaning: 'call', by: 'key_1', at: 5, position: 4 };
      assert.ok(await book.means(again, saying));
      assert.equal(await book.unsaid([account]), 0);
      assert.deepEqual(await book.walks(9, [account]), [], 'its account rests');
      const nothing = { guards: [], more: [] };
      const [first] = await book.walks(9);
      assert.ok(first);
      const step = (from = first, to: string | null = 'dmr_2') => book.walking(from, to, nothing);
      assert.deepEqual(await Promise.all([step(), step()]).then((all) => all.toSorted()), [
        false,
        true,
      ]);
      await book.means(again, { ...saying, meaning: 'nothing', at: 6 });
      assert.equal(await step({ ...first, walked: 'dmr_2' }), false, 'it means something else now');
      const [anew] = await book.walks(9);
      assert.equal(anew?.walked, '');
      const erased = openedOf(account, { record: 'dmr_none' });
      assert.ok(await book.walking(anew, null, { guards: [book.standing(erased)], more: [] }));
      assert.deepEqual(await book.walks(9), []);

      const before = await book.reader(account);
      assert.ok(before);
      await book.read(before, { ...before, change: 'last' }, book.forgetting(account, ['dmr_4']));
      const [left] = await book.ticksOf(account);
      assert.deepEqual([left?.name, left?.record, left?.meaning], [null, null, 'nothing']);
    });

    proves('end with their claim, and with the account', async ({ store, account }) => {
      const book = store.followUp;
      await book.open(
        openedOf(account, { state: 'claimed', owner: 'key_1', claim_ends_at: 40 }),
        [],
      );
      assert.deepEqual(await book.lapsed(39, 99, 9), []);
      assert.equal((await book.lapsed(40, 99, 9)).length, 1);
      const handed = { state: 'claimed', owner: 'stf_1' } as const;
      for (const [at, claim_ends_at] of [200, 201].entries())
        await book.open(
          openedOf(account, {
            ...{ ...handed, position: at + 2, due_at: 200, claim_ends_at },
            ...{ unique_identifier: `fup_${at + 2}`, record: `dmr_${at + 2}` },
          }),
          [],
        );
      // What ends when it is due was handed over; any other end so late was set by a clock that was ahead.
      assert.deepEqual(pluck(await book.lapsed(39, 99, 9), 'unique_identifier'), ['fup_3']);
      await wipe(store, account);
      assert.deepEqual(await book.ofRecords(account, ['dmr_1']), []);
    });
  });
}

/** Which backup is the newest, and which may go, is known by the order in which they were made, whatever clocks said. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { areDated } from '../../src/services/backup/folder/dated.ts';
import { expired, expiredBesideWhole, readKeep } from '../../src/services/backup/folder/keep.ts';
import { byStore, candidates, type Listed } from '../../src/services/backup/folder/listed.ts';

const DAY_MS = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 10, 1);

/** One a day, each by a clock that is right, ahead or behind by as many days; never two wrong ones in a row. */
const clocks = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -900, max: 900 })), {
    minLength: 1,
    maxLength: 40,
  })
  .map((all) => {
    let wasWrong = false;
    return all.map((days) => {
      wasWrong = !wasWrong && Math.abs(days) > 45;
      return wasWrong ? days : 0;
    });
  });

function madeBy(store: string, offsets: readonly number[]): readonly Listed[] {
  return offsets.map((days, at) => ({
    name: `${store} ${at + 1}`,
    moment: BEGIN + (at + days) * DAY_MS,
    version: '1.0.1',
    of: { store, number: at + 1, origins: [] },
    accounts: new Map([[`acct_${store}`, store]]),
  }));
}

it('the newest backup of each store is the one that was made last', () => {
  fc.assert(
    fc.property(clocks, clocks, fc.infiniteStream(fc.double()), (one, other, random) => {
      const all = [...madeBy('one', one), ...madeBy('other', other)].sort(
        () => (random.next().value ?? 0) - 0.5,
      );
      const { stores } = byStore(all, BEGIN + one.length * DAY_MS);
      assert.deepEqual(stores.map(({ backups }) => backups.at(-1)?.name).sort(), [
        `one ${one.length}`,
        `other ${other.length}`,
      ]);
      assert.equal(candidates(stores, undefined).length, 2);
      const own = { store: 'other', accounts: new Set<string>() };
      assert.deepEqual(
        candidates(stores, own).map(({ store }) => store),
        ['other'],
      );
    }),
  );
});

it('of backups of 1.0.0, those still to come are the newest only where there are no others', () => {
  const plain = (name: string, moment: number): Listed => {
    const accounts = new Map([['acct_one', 'One']]);
    return { name, moment, version: '1.0.0', of: undefined, accounts };
  };
  const now = BEGIN + 5 * DAY_MS;
  const newest = (...all: Listed[]) => byStore(all, now).stores[0]?.backups.at(-1)?.name;
  const [ahead, old, later] = [
    plain('ahead', now + 30 * DAY_MS),
    plain('old', BEGIN - DAY_MS),
    plain('later', now - DAY_MS),
  ];
  assert.equal(newest(ahead, old, later), 'later');
  assert.equal(newest(ahead), 'ahead');
  const [marked] = madeBy('one', [0]);
  assert.ok(marked !== undefined);
  assert.equal(newest(ahead, marked, old), marked.name);
  assert.equal(newest(later, marked), 'later', 'the store went back to 1.0.0 and on');
});

it('a store that was restored from another one takes its place, unless that one goes on', () => {
  const first = madeBy('first', [0, 0, 0]);
  const heir = (number: number, at: number): Listed => {
    const origins = [{ store: 'first', number, at }];
    return { ...(madeBy('heir', [0])[0] as Listed), of: { store: 'heir', number: 1, origins } };
  };
  const meant = (...all: Listed[]) =>
    candidates(byStore(all, BEGIN + 90 * DAY_MS).stores, undefined).map(({ store }) => store);
  assert.deepEqual(meant(...first, heir(3, BEGIN + 3 * DAY_MS)), ['heir']);
  assert.deepEqual(meant(...first, heir(1, BEGIN + 3 * DAY_MS)), ['heir'], 'it was set back');
  assert.deepEqual(meant(...first, heir(2, BEGIN + DAY_MS)), ['first', 'heir'], 'a copy');
});

it('a wrong clock makes no backup go that would stay without it, and never the newest', () => {
  const keeps = ['2d', '7d,4w,12m', '3w', '1d,1m', '2y'];
  fc.assert(
    fc.property(
      clocks,
      fc.constantFrom(...keeps),
      fc.integer({ min: -900, max: 900 }),
      (offsets, text, off) => {
        const keep = readKeep(text);
        assert.ok(keep !== undefined);
        const all = madeBy('one', offsets);
        const right = all.filter((_, at) => offsets[at] === 0);
        const now = (right.at(-1)?.moment ?? BEGIN) + 1;
        // Where the last one is wrong, the right one before it is not the newest.
        const more = offsets.at(-1) === 0 ? [] : right.slice(-1).map((one) => ({ ...one }));
        const without = new Set(expired([...right, ...more], keep, now));
        // The clock of the command that removes may be wrong, too.
        for (const clock of [now, now + off * DAY_MS]) {
          const gone: readonly Listed[] = expired(all, keep, clock);
          assert.ok(!gone.includes(all.at(-1) as Listed));
          // Two wrong clocks that agree cannot be told from a right one.
          if (all.some(({ moment }) => moment > now && moment <= clock)) continue;
          for (const one of gone) assert.ok(without.has(one) || !right.includes(one), one.name);
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('of as many moments that rise together, those with the smaller steps are right', () => {
  const dated = (...days: number[]) =>
    areDated(
      days.map((day) => day * DAY_MS),
      100 * DAY_MS,
    );
  // A clock was 49 and 46 days behind, by turns with one that was right.
  assert.deepEqual(dated(60, 12, 62, 17, 64, 65), [true, false, true, false, true, true]);
});

it('the last backup of each release stays as far back as is kept', () => {
  const versions = ['1.0.0', '1.0.0', '1.0.1', '1.0.1', '1.1.0', '1.1.0'];
  const all = madeBy(
    'one',
    versions.map(() => 0),
  ).map((one, at) => ({
    ...one,
    moment: BEGIN + at,
    version: versions[at] ?? '',
  }));
  const keep = readKeep('7d,4w,12m');
  assert.ok(keep !== undefined);
  const gone = expired(all, keep, BEGIN + DAY_MS).map(({ name }) => name);
  assert.deepEqual(gone.toSorted(), ['one 1', 'one 3', 'one 5']);
});

it('nothing goes for the sake of a damaged one', async () => {
  const days = fc.array(
    fc.record({ hours: fc.integer({ min: 1, max: 40 }), isWhole: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(days, fc.constantFrom('1d', '7d,4w,12m', '3d,2w'), async (steps, text) => {
      const keep = readKeep(text);
      assert.ok(keep !== undefined);
      const all = madeBy(
        'one',
        steps.map(() => 0),
      );
      let moment = BEGIN;
      const made = all.map((one, at) => {
        moment += (steps[at]?.hours ?? 0) * 3_600_000;
        return { ...one, moment, isWhole: steps[at]?.isWhole === true || at === all.length - 1 };
      });
      const read: unknown[] = [];
      const { gone, damaged } = await expiredBesideWhole(made, keep, moment + 1, async (one) => {
        assert.ok(!read.includes(one), 'it is read once');
        read.push(one);
        return one.isWhole;
      });
      const whole = made.filter((one) => one.isWhole);
      const left = whole.filter((one) => !gone.includes(one));
      const spanOf = (time: number) => new Date(time).toISOString().slice(0, 10);
      for (const one of gone.filter(({ isWhole }) => isWhole)) {
        const isLater = (other: (typeof made)[number]) => other.moment > one.moment;
        // Another whole one of its day stays, or it was too old for its day to count.
        const sameDay = left.some(
          (other) => spanOf(other.moment) === spanOf(one.moment) && isLater(other),
        );
        const later = new Set(
          made.filter((other) => isLater(other)).map((other) => spanOf(other.moment)),
        );
        assert.ok(sameDay || later.size >= (keep.get('d') ?? 0), one.name);
      }
      assert.ok(damaged.every((one) => !one.isWhole && !gone.includes(one)));
    }),
  );
});

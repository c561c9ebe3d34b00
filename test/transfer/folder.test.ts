/** What a folder that follows a store holds: which moments, which faults, and what goes when days have passed. */

import assert from 'node:assert/strict';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileName, momentOf } from '../../src/services/backup/file.ts';
import {
  type Chain,
  chainAt,
  chainsOf,
  followedName,
  readFollowed,
} from '../../src/services/backup/folder/chain.ts';
import { readFolder } from '../../src/services/backup/folder/folder.ts';
import { type BackupFollower, openFollower } from '../../src/services/backup/folder/follow.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { backUp, openAt, parts, restoreChain } from '../support/backups.ts';
import { ownFolder } from '../support/cli-program.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, write } from '../support/store-world.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEGAN = Date.parse('2027-01-01T00:00:00Z');

interface Followed {
  readonly folder: string;
  readonly store: Store;
  readonly follower: BackupFollower;
  /** Writes something at that time. */
  readonly put: (time: number) => Promise<void>;
  /** Writes something at that time, and follows. */
  readonly at: (time: number) => Promise<void>;
}

let clock = 0;
/** The milliseconds that have passed, whatever that clock says. */
let passed = 0;

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  bytes[40] = (bytes[40] as number) ^ 1;
  writeFileSync(path, bytes);
}

/** A store whose clock is set by hand. */
async function followed(keepMs = 7 * DAY_MS): Promise<Followed> {
  const folder = ownFolder();
  clock = BEGAN;
  const store = await openAt(await sqliteGround(), { now: () => clock });
  const account = await newAccount(store);
  const follower = await openFollower({ store, folder, parts, keepMs, elapsed: () => passed });
  let count = 0;
  const put = async (time: number): Promise<void> => {
    clock = time;
    count += 1;
    await write(store, placeDraft(account, `p${count}`, { title: `${count}` }));
  };
  const at = async (time: number): Promise<void> => {
    await put(time);
    await follower.step();
    await follower.writing;
  };
  return { folder, store, follower, put, at };
}

it('days that are kept can be had without a gap, and only what the follower wrote goes', async () => {
  const { folder, store, at } = await followed(3 * DAY_MS);
  const { bytes } = await backUp(store);
  const alone = fileName(BEGAN - 400 * DAY_MS);
  writeFileSync(join(folder, alone), bytes);
  writeFileSync(join(folder, 'notes.txt'), 'of somebody');
  for (let hours = 0; hours <= 10 * 24; hours += 7) await at(BEGAN + hours * HOUR_MS);
  const now = BEGAN + 34 * 7 * HOUR_MS;
  const names = readdirSync(folder);
  assert.ok(names.includes(alone) && names.includes('notes.txt'));
  const { stretches, backups, faults } = await readFolder(folder, parts);
  assert.deepEqual(faults, []);
  assert.deepEqual(backups, [alone]);
  assert.equal(stretches.length, 1);
  const [{ from, to } = { from: 0, to: 0 }] = stretches;
  assert.ok(from <= now - 3 * DAY_MS && from > now - 5 * DAY_MS, new Date(from).toISOString());
  assert.equal(to, now);
  // Nor does "backup --keep" take what the follower wrote for its own.
  assert.ok(readFollowed(folder).every(({ name }) => momentOf(name) === undefined));
});

/** What a file with the name of a backup may hold that is none, made of a whole one. */
const NO_BACKUPS: readonly ((whole: Buffer) => Buffer)[] = [
  () => Buffer.alloc(0),
  () => Buffer.from('no backup'),
  (whole) => whole.subarray(0, whole.length - 41),
  (whole) => Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length)]),
  () => Buffer.alloc(1_000),
];

it('what only has the name of a backup costs no moment that is kept', async () => {
  const { folder, at } = await followed(3 * DAY_MS);
  let count = 0;
  for (let hours = 0; hours <= 10 * 24; hours += 6) {
    await at(BEGAN + hours * HOUR_MS);
    const files = readFollowed(folder);
    const last = files.at(-1);
    const whole = readFileSync(join(folder, files.find((file) => file.whole)?.name ?? ''));
    assert.ok(last !== undefined);
    for (const [number, isWhole] of [
      [last.number, true],
      [Math.max(last.number - 1, 1), true],
      [999_999_999, true],
      [999_999_999, false],
    ] as const) {
      const name = followedName({ number, moment: last.moment + 1_000, whole: isWhole });
      count += 1;
      const bytes = NO_BACKUPS[count % NO_BACKUPS.length]?.(whole) ?? whole;
      if (!readdirSync(folder).includes(name)) writeFileSync(join(folder, name), bytes);
    }
  }
  const now = BEGAN + 240 * HOUR_MS;
  const { stretches, faults } = await readFolder(folder, parts);
  assert.ok(faults.length > 0);
  const [{ from, to } = { from: 0, to: 0 }] = stretches;
  assert.ok(from <= now - 3 * DAY_MS, new Date(from).toISOString());
  assert.equal(to, now);
  assert.equal(stretches.length, 1, JSON.stringify(stretches));
  // The chains are no more than without them.
  assert.ok(stretches[0] && stretches[0].files < 50);
});

it('a whole backup that is damaged takes the place of none', async () => {
  const { folder, at } = await followed(3 * DAY_MS);
  const keptFrom = (now: number): boolean => {
    const before = readFollowed(folder).filter(
      ({ whole, moment, name }) => whole && moment <= now - 3 * DAY_MS && !flipped.has(name),
    );
    return before.length > 0;
  };
  const flipped = new Set<string>();
  for (let day = 0; day <= 12; day += 1) {
    await at(BEGAN + day * DAY_MS);
    const last = readFollowed(folder).findLast(({ whole }) => whole);
    if (last !== undefined && day % 3 !== 0 && !flipped.has(last.name)) {
      flipped.add(last.name);
      flipBit(join(folder, last.name));
    }
    if (day > 3) assert.ok(keptFrom(BEGAN + day * DAY_MS), `day ${day}`);
  }
});

it('a clock that is wrong for a moment costs none of the days kept', async () => {
  const { folder, at } = await followed();
  for (let day = 0; day < 7; day++) await at(BEGAN + day * DAY_MS);
  const before = chainsOf(readFollowed(folder)).length;
  await at(BEGAN + 5_000 * DAY_MS);
  await at(BEGAN + 7 * DAY_MS);
  const chains = chainsOf(readFollowed(folder));
  assert.ok(chains.length >= before);
  assert.equal(chains[0]?.base.moment, BEGAN);
});

it('where the clock was set back, the last state is the one that was written last', async () => {
  const { folder, at } = await followed();
  await at(BEGAN);
  await at(BEGAN + 2 * HOUR_MS);
  await at(BEGAN + HOUR_MS);
  const files = readFollowed(folder);
  const last = chainAt(files, Number.POSITIVE_INFINITY);
  const { number } = files.at(-1) ?? {};
  assert.equal(last?.increments.at(-1)?.number, number);
  assert.equal(chainAt(files, BEGAN + 90 * 60_000)?.increments.at(-1)?.number, number);
  assert.deepEqual((await readFolder(folder, parts)).faults, []);
});

it('of a moment that came twice the later one is brought back, also right after the clock was set back', async () => {
  const { folder, follower, put, at } = await followed();
  await at(BEGAN);
  await at(BEGAN + HOUR_MS);
  await at(BEGAN + 2 * HOUR_MS);
  passed += 400;
  await put(BEGAN + 2 * HOUR_MS + 300);
  const again = BEGAN + HOUR_MS;
  await put(again);
  clock = again + 200;
  await follower.step();
  const placesAt = async (moment: number): Promise<number | undefined> => {
    const chain = chainAt(readFollowed(folder), moment);
    assert.ok(chain !== undefined);
    return (await restoreChain(await sqliteGround(), folder, chain)).trailer.rows.places;
  };
  assert.equal(await placesAt(again + 200), 5);
  assert.equal(await placesAt(again + 100), 3, 'what was recorded before the clock was set back');
  assert.equal(await placesAt(again - HOUR_MS / 2), 1, 'a moment that came once');
  assert.deepEqual((await readFolder(folder, parts)).faults, []);
});

it('where files are gone or damaged that the last ones need, a whole backup is written at once, and nothing is claimed meanwhile', async () => {
  const { folder, follower, at } = await followed();
  const cases: readonly [string, (path: string, increment: string) => void][] = [
    ['missing', (path) => rmSync(path)],
    ['cut short', (path) => truncateSync(path, 50)],
    ['changed', flipBit],
    ['an increment missing', (_, increment) => rmSync(increment)],
  ];
  let minute = 0;
  const next = () => at(BEGAN + 60_000 * minute++);
  await next();
  for (const [what, damage] of cases) {
    for (let count = 0; count < 3; count++) await next();
    const { base, increments } = chainsOf(readFollowed(folder)).at(-1) ?? {};
    assert.equal(increments?.length, 3, what);
    damage(join(folder, base?.name ?? ''), join(folder, increments[1]?.name ?? ''));
    const claimed: (number | undefined)[] = [];
    const stepping = next();
    for (let isDone = false; !isDone; claimed.push(follower.shows)) {
      isDone = await Promise.race([stepping.then(() => true), turn(false)]);
    }
    // What is read in full is read beside.
    await until(async () => {
      if (chainsOf(readFollowed(folder)).at(-1)?.base.name !== base?.name) return true;
      await next();
      return false;
    });
    assert.equal(follower.shows, clock);
    if (what.includes('missing')) assert.ok(claimed.includes(undefined), what);
    assert.equal((await readFolder(folder, parts)).stretches.at(-1)?.to, clock);
  }
});

it('every damaged, missing, renamed or foreign file of a folder is told by its name, with the moments that are left', async () => {
  const { folder, at } = await followed();
  for (let hours = 0; hours <= 30; hours += 3) await at(BEGAN + hours * HOUR_MS);
  const other = await followed();
  await other.at(BEGAN);
  await other.at(BEGAN + 6 * HOUR_MS);
  const files = readFollowed(folder);
  const [base, first, second, third] = files.map(({ name }) => name);
  assert.ok(base && first && second && third);
  const whole = files.findLast((file) => file.whole);
  assert.ok(whole !== undefined && whole.number > 4);
  const all = { from: BEGAN, to: BEGAN + 30 * HOUR_MS, files: files.length };
  assert.deepEqual((await readFolder(folder, parts)).stretches, [all]);

  const rest = { from: whole.moment, to: all.to, files: files.length - files.indexOf(whole) };
  const upTo = (hours: number, count: number) => ({
    ...{ from: BEGAN, to: BEGAN + hours * HOUR_MS, files: count },
  });
  const cases: readonly [string, (path: string) => void, RegExp, ReturnType<typeof upTo>[]][] = [
    [second, flipBit, /^\S+-000000003-\S+: The backup is damaged/, [upTo(3, 2), rest]],
    [second, (path) => truncateSync(path, 50), /damaged/, [upTo(3, 2), rest]],
    [second, rmSync, /^What follows \S+-000000002-\S+ is missing \(number 3\)/, [upTo(3, 2), rest]],
    [
      second,
      (path) => copyFileSync(join(folder, third), path),
      /It is not what its name says/,
      [upTo(3, 2), rest],
    ],
    [
      second,
      (path) => {
        const [, foreign] = readFollowed(other.folder);
        copyFileSync(join(other.folder, foreign?.name ?? ''), path);
      },
      /It does not follow the one before it/,
      [upTo(3, 2), rest],
    ],
    [base, rmSync, /The whole backup that it follows is missing/, [rest]],
    [base, (path) => writeFileSync(path, 'no backup'), /is not a Ledgerstone backup/, [rest]],
  ];
  for (const [name, damage, told, left] of cases) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    damage(path);
    const { faults, stretches } = await readFolder(folder, parts);
    assert.match(faults.join('\n'), told);
    assert.deepEqual(stretches, left, String(told));
    writeFileSync(path, bytes);
  }
});

it('a follower that was killed at any step goes on, and no moment is left out', async () => {
  const { folder, store, put, at } = await followed();
  const again = async (time: number): Promise<void> => {
    await put(time);
    const next = { store, folder, parts, keepMs: 7 * DAY_MS };
    const follower = await openFollower(next);
    await follower.step();
    await follower.writing;
  };
  await at(BEGAN);
  // While it wrote an increment.
  writeFileSync(
    join(folder, `${followedName({ number: 2, moment: BEGAN, whole: false })}.partial`),
    'cut',
  );
  await again(BEGAN + HOUR_MS);
  assert.ok(!readdirSync(folder).some((name) => name.endsWith('.partial')));
  // After the last increment of a day, before the whole backup of the next one.
  await again(BEGAN + 25 * HOUR_MS);
  const whole = readFollowed(folder).at(-1);
  assert.ok(whole?.whole);
  rmSync(join(folder, whole.name));
  await again(BEGAN + 26 * HOUR_MS);
  assert.ok(readFollowed(folder).at(-1)?.whole);
  // While it wrote a whole backup.
  writeFileSync(
    join(folder, `${followedName({ number: 99, moment: BEGAN, whole: true })}.partial`),
    'cut',
  );
  await again(BEGAN + 27 * HOUR_MS);
  // The last file was cut short, as by a disk that lost what it had confirmed.
  await again(BEGAN + 51 * HOUR_MS);
  const last = readFollowed(folder).at(-1)?.name ?? '';
  truncateSync(join(folder, last), 30);
  await again(BEGAN + 52 * HOUR_MS);
  const { stretches, faults } = await readFolder(folder, parts);
  const found = faults.map((fault) => fault.slice(0, last.length));
  assert.deepEqual(found, [last]);
  assert.equal(stretches[0]?.from, BEGAN);
  assert.equal(stretches.at(-1)?.to, BEGAN + 52 * HOUR_MS);
  assert.equal(stretches.length, 2);
});

it('a folder that follows one store is not gone on with by another, but by one that was restored from it', async () => {
  const folder = ownFolder();
  const [one, other] = [await openAt(await sqliteGround()), await openAt(await sqliteGround())];
  for (const store of [one, other]) await newAccount(store, 'Own');
  const following = (store: Store) => openFollower({ store, folder, parts, keepMs: 1_000 });
  await (await following(one)).step();
  const files = readFollowed(folder);
  await assert.rejects(following(other), /Another store \(str_\w+\) has written to /);
  assert.deepEqual(readFollowed(folder), files);

  const ground = await sqliteGround();
  await restoreChain(ground, folder, chainAt(files, Number.POSITIVE_INFINITY) as Chain);
  const heir = await openAt(ground);
  await newAccount(heir, 'Later');
  await (await following(heir)).step();
  await assert.rejects(following(one), /Another store/, 'two of them do not write in turn');
  const was = await one.backups.identity();
  const is = await heir.backups.identity();
  assert.notEqual(is.store, was.store);
  assert.deepEqual(
    is.origins.map(({ store }) => store),
    [was.store],
  );
});

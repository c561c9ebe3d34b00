/** Any moment that was followed can be brought back, and none is passed over in silence. */
// needs: --ci, long

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { chainAt, chainsOf, readFollowed } from '../../src/services/backup/folder/chain.ts';
import { readFolder } from '../../src/services/backup/folder/folder.ts';
import { type BackupFollower, openFollower } from '../../src/services/backup/folder/follow.ts';
import type { Snapshot } from '../../src/store/promises/snapshot.ts';
import type { Store } from '../../src/store/promises/store.ts';
import {
  activityOf,
  backUp,
  digestsOf,
  fill,
  openAt,
  parts,
  RECEIPT_MS,
  restoreChain,
} from '../support/backups.ts';
import { ownFolder } from '../support/cli-program.ts';
import { onPostgres, postgresGround } from '../support/store-postgres.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  type Ground,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  write,
} from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { wipe } from '../support/wipe.ts';

const KEEP_MS = 7 * 86_400_000;

function followerOf(store: Store, folder: string): Promise<BackupFollower> {
  return openFollower({ store, folder, parts, keepMs: KEEP_MS });
}

const contentsOf = async (store: Store) => digestsOf(await backUp(store));

/** At the moment of the whole backup where none is given. */
async function restoreAt(ground: Ground, folder: string, at?: number) {
  const [first] = readChains(folder);
  const chain =
    at === undefined ? first && { ...first, increments: [] } : chainAt(readFollowed(folder), at);
  assert.ok(chain !== undefined);
  return restoreChain(ground, folder, chain);
}

function readChains(folder: string) {
  return chainsOf(readFollowed(folder));
}

type NewGround = () => Promise<Ground>;

function promises(name: string, newGround: NewGround): void {
  const bringsBack = async (historyDays: number): Promise<void> => {
    const folder = ownFolder();
    const store = await openAt(await newGround(), { historyDays });
    const { account } = await fill(store, 10);
    const home = await write(store, placeDraft(account, 'here', { title: 'Here' }));
    let follower = await followerOf(store, folder);
    const moments: { at: number; contents: unknown }[] = [];
    const step = async (): Promise<void> => {
      // Moments differ, also by one between them.
      const before = Date.now();
      await until(() => Date.now() > before + 2);
      const [followed] = await follower.step();
      assert.ok(followed !== undefined);
      const at = Date.parse(followed.taken_at);
      moments.push({ at, contents: await contentsOf(store) });
    };
    const receipt = (idempotency_key: string) => ({
      ...{ owner: 'key_1', accounts: [account], idempotency_key },
      ...{ fingerprint: Buffer.alloc(32, 7), expires_at: Date.now() + RECEIPT_MS },
    });
    await step();
    assert.deepEqual(await follower.step(), []);
    const made = await write(store, thingDraft(home, 'made', { label: 'One' }));
    await write(store, visitDraft(made, 'guest', { person: { name: 'Ann' } }));
    await store.commit([
      { ...thingDraft(home, 'made', { label: 'Two' }), receipt: receipt('first') },
    ]);
    await step();
    // As one that was killed, and started again.
    follower = await followerOf(store, folder);
    for (let count = 0; count < 5; count++) {
      await store.commit([thingDraft(home, `t${count}`, { label: `${count}` })]);
      await store.commit([thingDraft(home, 'made', { label: `again ${count}` })]);
    }
    await store.accounts.rename(account, 'Other');
    await store.requests.note([], [activityOf(account, 3)]);
    await step();
    await store.requests.note([], [activityOf(account, 5)]);
    await step();
    await remove(store, made);
    await step();
    await store.commit([
      { ...thingDraft(home, 'made', { label: 'Anew' }), receipt: receipt('second') },
    ]);
    const keys = await store.keys.list();
    for (const { unique_identifier } of keys) await store.keys.revoke(unique_identifier);
    const another = await store.accounts.create({ name: 'Another', livemode: false });
    await write(store, placeDraft(another.unique_identifier, 'there', { title: 'There' }));
    await step();
    follower = await followerOf(store, folder);
    await store.commit([{ ...thingDraft(home, 't1', {}), receipt: receipt('nothing new') }]);
    await step();

    assert.equal(readChains(folder).length, 1);
    assert.equal(readChains(folder)[0]?.increments.length, moments.length - 1);
    for (const { at, contents } of moments) {
      const ground = await newGround();
      // Between two moments, the earlier one comes back.
      const backup = await restoreAt(ground, folder, at + 1);
      assert.equal(Date.parse(backup.header.taken_at), at);
      assert.deepEqual(await contentsOf(await openAt(ground)), contents);
    }
  };

  it(`each moment comes back as it was, whatever was done before and after it, on ${name}`, () =>
    bringsBack(400));

  it(`each moment comes back where no history is kept, too, on ${name}`, () => bringsBack(0));

  it(`increments go on while the whole backup of the next day is written, and lead on from either, on ${name}`, async () => {
    const folder = ownFolder();
    let clock = Date.now();
    const store = await openAt(await newGround(), { now: () => clock });
    const { account } = await fill(store, 10);
    let goesOn: Promise<void> | undefined;
    const slow = parts.map((part) => ({
      ...part,
      read: async function* (snapshot: Snapshot) {
        if (part.shape?.resource === 'thing') await goesOn;
        yield* part.read(snapshot);
      },
    }));
    const follower = await openFollower({ store, folder, parts: slow, keepMs: KEEP_MS });
    await follower.step();
    const places = async (at: number, shows = at): Promise<number | undefined> => {
      const { header, trailer } = await restoreAt(await newGround(), folder, at);
      assert.equal(Date.parse(header.taken_at), shows);
      return trailer.rows.places;
    };
    const before = await places(clock);
    assert.ok(before !== undefined);
    clock += 86_400_001;
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    goesOn = promise;
    const moments: number[] = [];
    const next = async (): Promise<void> => {
      await write(store, placeDraft(account, `later ${moments.length}`, { title: 'Later' }));
      await follower.step();
      moments.push(clock);
      clock += 10_000;
    };
    await next();
    await next();
    await next();
    assert.equal(readChains(folder).length, 1, 'the whole backup is still being written');
    assert.equal(readChains(folder)[0]?.increments.length, 3);
    goOn();
    await follower.writing;
    await next();
    const [first, second, ...others] = readChains(folder);
    assert.deepEqual(others, []);
    assert.equal(second?.base.number, first?.increments.at(-1)?.number);
    assert.equal(second?.increments.length, 3);
    const { faults, stretches } = await readFolder(folder, parts);
    assert.deepEqual([faults, stretches.length], [[], 1]);
    assert.equal(await places(moments[1] ?? 0), before + 2);
    // Between two increments, the earlier one comes back.
    assert.equal(await places((moments[2] ?? 0) + 5_000, moments[2]), before + 3);
    // Another follower goes on where this one ended.
    const again = await followerOf(store, folder);
    await write(store, placeDraft(account, 'again', { title: 'Again' }));
    assert.equal((await again.step()).length, 1);
    assert.equal(readChains(folder).at(-1)?.increments.length, 4);
    // And without the second whole backup, the first one leads there.
    rmSync(join(folder, second?.base.name ?? ''));
    assert.equal(readChains(folder).length, 1);
    assert.deepEqual((await readFolder(folder, parts)).faults, []);
    assert.equal(await places(moments[3] ?? 0), before + 4);
  });

  it(`after a wipe, and over a store that was set back, a whole backup starts over, on ${name}`, async () => {
    const folder = ownFolder();
    const store = await openAt(await newGround());
    const { account } = await fill(store, 4);
    await (await followerOf(store, folder)).step();
    await wipe(store, account);
    await (await followerOf(store, folder)).step();
    assert.equal(readChains(folder).length, 2);
    const other = await newGround();
    await restoreAt(other, folder, undefined);
    const back = await openAt(other);
    await write(back, placeDraft(account, 'later', { title: 'Later' }));
    await (await followerOf(back, folder)).step();
    assert.equal(readChains(folder).length, 3);
    const ground = await newGround();
    await restoreAt(ground, folder, Number.POSITIVE_INFINITY);
    assert.deepEqual(await contentsOf(await openAt(ground)), await contentsOf(back));
  });
}

promises('SQLite', sqliteGround);
await onPostgres(({ name, url }) => {
  promises(name, () => postgresGround(url));
});

it('an increment that is damaged, missing or of others is refused by its name, and moments before it are not', async () => {
  const folder = ownFolder();
  let clock = Date.now();
  const store = await openAt(await sqliteGround(), { now: () => clock });
  const { account } = await fill(store, 4);
  const follower = await followerOf(store, folder);
  const moments: number[] = [];
  for (const title of ['a', 'b', 'c', 'd']) {
    await write(store, placeDraft(account, title, { title }));
    clock += 1_000;
    moments.push(Date.parse((await follower.step())[0]?.taken_at ?? ''));
  }
  const names = readdirSync(folder).filter((name) => !name.includes('whole'));
  const [first = '', second = ''] = names;
  assert.equal(names.length, 3);
  const ground = await sqliteGround();
  const restoring = (at: number | undefined) => restoreAt(ground, folder, at);

  const bytes = readFileSync(join(folder, second));
  const wrong = Buffer.from(bytes);
  wrong[bytes.length >> 1] = (wrong[bytes.length >> 1] as number) ^ 1;
  writeFileSync(join(folder, second), wrong);
  await assert.rejects(restoring(moments[3]), new RegExp(`Increment ${second} cannot be used`));
  writeFileSync(join(folder, second), readFileSync(join(folder, first)));
  await assert.rejects(restoring(moments[3]), /does not follow the one before it/);
  renameSync(join(folder, second), join(folder, 'aside'));
  await assert.rejects(
    restoring(moments[3]),
    /What follows ledgerstone-000000002-\S+ is missing \(number 3\)/,
  );
  // Whoever goes on over a gap would write what cannot be restored.
  await write(store, placeDraft(account, 'e', { title: 'e' }));
  clock += 1_001;
  await (await followerOf(store, folder)).step();
  assert.equal(readChains(folder).length, 2);
  const { header } = await restoring(moments[1]);
  assert.equal(Date.parse(header.taken_at), moments[1]);
});

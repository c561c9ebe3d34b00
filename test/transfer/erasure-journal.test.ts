/** The journal of erasures outranks a store that was set back: who was erased stays erased, and nobody else is. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Events } from '../../src/core/observe/events.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import { readSealer, type Sealer } from '../../src/core/sealing/sealer.ts';
import { createErasureJournal, type ErasureJournal } from '../../src/services/erasures/journal.ts';
import { compareJournal } from '../../src/services/erasures/journal-copy.ts';
import { JOURNAL_FILE, JournalUnusable } from '../../src/services/erasures/journal-lines.ts';
import { eraseHistory } from '../../src/services/erasures/steps.ts';
import { ERASED } from '../../src/store/promises/erasing/book.ts';
import type { Draft, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { backUp, restore } from '../support/backups.ts';
import { opened } from '../support/opened.ts';
import { pluck } from '../support/pluck.ts';
import { serviceGround } from '../support/service-ground.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { place, shapes, thing, visit } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  type Ground,
  outcomesOf,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

const NAME = 'Rumpelstilzchen';
const resources = shapes.map((shape) => ({
  ...{ shape, name: shape.resource, fields: {}, public_data: {}, display: { title: [] } },
})) as unknown as readonly Resource[];

type Notices = Parameters<typeof createErasureJournal>[1]['notices'];

const journalOf = (store: Store, sealer: Sealer, folders: readonly string[], notices?: Notices) =>
  createErasureJournal(store, {
    ...{ resources, sealer, folders, now: Date.now },
    ...(notices && { notices }),
  });

/** A store, what was written to it, and a copy of its journal in a folder. */
interface State {
  readonly store: Store;
  readonly journal: ErasureJournal;
  readonly account: string;
  readonly told: string[];
}

describe('The journal of erasures', () => {
  const randomKey = () => randomBytes(32).toString('base64');

  function sealer(at: string, keys: readonly string[]): Sealer {
    const path = join(at, 'secret-key');
    writeFileSync(path, `${keys.join('\n')}\n`);
    return readSealer(path);
  }

  async function open(at: Ground, keys: Sealer, folders: readonly string[]): Promise<State> {
    const { remove: _, ...where } = at;
    const erasureKeys = keys.derived(ERASED);
    const store = await opened({ ...where, shapes, create: true, serve: false, erasureKeys });
    const told: string[] = [];
    const notices: Events['journal'] = {
      failed: (why) => told.push(why),
      resumed: () => told.push('resumed'),
      applied: (lines) => told.push(`applied ${lines}`),
      cut: () => told.push('cut'),
    };
    const journal = journalOf(store, keys, folders, notices);
    const [known] = await store.accounts.list();
    const { unique_identifier: account } =
      known ?? (await store.accounts.create({ name: 'Us', livemode: false }));
    return { store, journal, account, told };
  }

  const erase = async (
    { store, account }: Pick<State, 'store' | 'account'>,
    record: string,
    shape = visit,
  ): Promise<void> => {
    const { resource } = shape;
    const request = { resource, account, record, erasure: 'ers_1', by: 'key_1' };
    assert.deepEqual(await store.erasing.erase([request]), ['erased']);
  };
  /** Erases visitors, and writes the journal. */
  const erased = async ({ store, account, journal }: State, ...ids: readonly string[]) => {
    for (const id of ids) await erase({ store, account }, id);
    assert.equal(await journal.sync(), true);
  };
  /** Applies the journal, as a start over that store does. */
  const applied = async ({ journal }: State): Promise<number> => {
    await journal.look();
    return journal.apply();
  };
  const textsOf = async ({ store }: State) => pluck(await store.journal.after(0, 100), 'text');
  const linesOf = (at: string) => readFileSync(join(at, JOURNAL_FILE), 'utf8').split('\n');
  const isThere = async ({ store, account }: State, record: string, shape = visit) =>
    (await store.find(shape, record, within(account))) !== undefined;
  const outcomeOf = async ({ store }: State, one: Draft) =>
    outcomesOf(await store.commit([one]))[0];

  /** All that the log holds of earlier versions. */
  const pastOf = async ({ store }: State): Promise<string> => {
    const snapshot = await store.snapshot();
    const found: unknown[] = [];
    for await (const batch of snapshot.changes()) found.push(...batch);
    await snapshot.close();
    return JSON.stringify(found);
  };

  /** A service with three visitors, and the store as it was then, in another place. */
  async function world(names: readonly string[] = ['one', 'two', 'three']) {
    const at = (await sqliteGround()).folder;
    const key = randomKey();
    const keys = sealer(at, [key]);
    const ground = await serviceGround();
    const now = await open(ground, keys, [at]);
    await now.journal.look();
    const home = await write(now.store, placeDraft(now.account, 'home', {}));
    const service = await write(now.store, thingDraft(home, 'service', {}));
    const drafts = names.map((name) =>
      visitDraft(service, name, { person: { name: `${NAME} ${name}`, phone: '1' } }),
    );
    const records: StoredRecord[] = [];
    for (const one of drafts) records.push(await write(now.store, one));
    const ids = records.map(({ unique_identifier }) => unique_identifier);
    const { bytes } = await backUp(now.store);
    const setBack = async (folders = [at], of = bytes, by = keys): Promise<State> => {
      const other = await serviceGround();
      await restore(other, of);
      return open(other, by, folders);
    };
    return { at, key, keys, ground, now, home, service, drafts, ids, setBack };
  }

  it('is written once something was erased, synced, and holds nothing of the person', async () => {
    const { at, now, ids } = await world();
    assert.equal(await now.journal.sync(), true);
    assert.equal(existsSync(join(at, JOURNAL_FILE)), false);
    await erase(now, ids[0] ?? '');
    assert.equal(await now.journal.isSynced('ers_1'), false);
    assert.equal(await now.journal.sync(), true);
    assert.equal(await now.journal.isSynced('ers_1'), true);
    const lines = linesOf(at);
    assert.equal(lines.length, 2);
    assert.doesNotMatch(lines.join(), new RegExp(`${NAME}|"one"`));
    const entry = JSON.parse(lines[0] ?? '');
    assert.deepEqual([entry.line, entry.did, entry.record], [1, 'erased', ids[0]]);
    await now.journal.sync();
    assert.deepEqual(linesOf(at), lines);
  });

  it('erases again what a store that was set back holds, once, and nothing else', async () => {
    const { at, now, drafts, ids, setBack, service } = await world();
    const [one = '', two = '', three = ''] = ids;
    // Written and erased after the backup.
    const later = visitDraft(service, 'later', {});
    const { unique_identifier } = await write(now.store, later);
    await erased(now, one, unique_identifier);
    const back = await setBack();
    assert.equal(await isThere(back, one), true);
    await back.journal.look();
    assert.equal(back.journal.isSetBack(), true);
    assert.equal(await back.journal.apply(), 2);
    assert.equal(back.journal.isSetBack(), false);
    assert.deepEqual(back.told, ['applied 2']);
    assert.deepEqual([await isThere(back, one), await isThere(back, two)], [false, true]);
    assert.equal(await isThere(back, three), true);
    assert.equal(await outcomeOf(back, drafts[0] as Draft), 'erased');
    assert.equal(await outcomeOf(back, later), 'erased');
    while (await back.store.erasing.forget());
    const text = linesOf(at);
    assert.equal(await back.journal.sync(), true);
    assert.equal(await back.journal.apply(), 0);
    assert.deepEqual(linesOf(at), text, 'nothing is told twice');
  });

  it('is applied by two processes at once, each line once', async () => {
    const { at, now, ids, keys, setBack } = await world();
    await erased(now, ...ids);
    const whole = linesOf(at);
    const back = await setBack();
    const journals = [back.journal, ...[1, 2].map(() => journalOf(back.store, keys, [at]))];
    await Promise.all(journals.map((one) => one.look()));
    await Promise.all(journals.map((one) => one.sync()));
    for (const id of ids) assert.equal(await isThere(back, id), false);
    assert.deepEqual(await back.store.journal.unapplied(10), []);
    const told = await back.store.log.read({ account: back.account, limit: 100, bytes: 1e6 });
    assert.ok(typeof told !== 'string');
    for (const id of ids) {
      const own: { outcome: string }[] = told.changes.filter(({ record }) => record === id);
      assert.deepEqual(pluck(own, 'outcome'), ['created', 'deleted', 'erased']);
    }
    const again = await back.store.erasures.find('ers_1');
    assert.deepEqual(new Set(again?.records), new Set(ids));
    assert.deepEqual(linesOf(at), whole);
  });

  it('is imported once, though another process imports it between two steps', async () => {
    const { at, now, ids, keys, setBack } = await world();
    await erased(now, ...ids);
    const whole = linesOf(at);
    const back = await setBack();
    const other = journalOf(back.store, keys, [at]);
    const { journal } = back.store;
    let others: Promise<void> | undefined;
    const between = new Proxy(journal, {
      get:
        (target, name) =>
        async (...given: readonly unknown[]) => {
          // What is read after the file was compared.
          if (name === 'unlisted') others ??= other.look();
          await others;
          return Reflect.get(target, name).apply(target, given);
        },
    });
    const slow = journalOf({ ...back.store, journal: between }, keys, [at]);
    await slow.look();
    assert.ok(others !== undefined);
    const stored = await journal.after(0, 100);
    assert.deepEqual([...stored.map(({ text }) => text), ''], whole);
    await slow.sync();
    await other.sync();
    assert.deepEqual(linesOf(at), whole);
    // Nor is it written twice from a store that has its lines twice.
    await journal.append(stored.map(({ text }, index) => ({ line: whole.length + index, text })));
    await journalOf(back.store, keys, [at]).sync();
    assert.deepEqual(linesOf(at), whole);
  });

  it('waits where the restored store holds a record, and takes it when that ends', async () => {
    for (const which of ['record', 'service', 'account'] as const) {
      const { now, home, service, ids, setBack } = await world(['one', 'two']);
      const { account } = now;
      const [one = '', two = ''] = ids;
      const [record, above] = {
        record: [one, [service.unique_identifier, home.unique_identifier, account]] as const,
        service: [service.unique_identifier, [home.unique_identifier, account]] as const,
        account: [account, []] as const,
      }[which];
      const hold = {
        ...{ unique_identifier: 'hld_1', account, resource: 'thing', record, matter: 'A' },
        ...{ reason: null, until: null, released_at: null, released_because: null, inserted_at: 1 },
        ...{ placed_by: 'key_1', released_by: null },
      };
      assert.equal(await now.store.holds.place(hold, above), true);
      const { bytes } = await backUp(now.store);
      const over = { at: 2, by: 'key_1', because: 'over' };
      await now.store.holds.release('hld_1', over);
      await erased(now, one, two);
      const back = await setBack(undefined, bytes);
      assert.equal(await applied(back), which === 'record' ? 1 : 0);
      assert.equal(back.journal.isSetBack(), false, 'others are served');
      assert.equal(await isThere(back, one), true, which);
      assert.equal(await isThere(back, two), which !== 'record', which);
      assert.equal(await back.journal.sync(), true);
      assert.equal(await isThere(back, one), true, which);
      await back.store.holds.release('hld_1', over);
      await back.journal.sync();
      assert.deepEqual([await isThere(back, one), await isThere(back, two)], [false, false], which);
      assert.deepEqual(await back.store.journal.unapplied(10), []);
    }
  });

  it('redacts what has children again in the state that it was set back to, and leaves those', async () => {
    const { now, home, ids, service, setBack } = await world();
    for (const id of ids) {
      const record = await now.store.find(visit, id, within(now.account));
      await remove(now.store, record as StoredRecord);
    }
    await erase(now, service.unique_identifier, thing);
    await now.journal.sync();
    const back = await setBack();
    await applied(back);
    assert.equal(await outcomeOf(back, thingDraft(home, 'service', {})), 'erased');
    assert.equal(await isThere(back, ids[0] ?? ''), true);
    const [known] = await back.store.erasing.find([service.unique_identifier], [back.account]);
    assert.equal(known?.erasure, 'ers_1');
  });

  it('removes again what a record that has no redacted form has below it again', async () => {
    const { now, home, ids, service, setBack } = await world();
    await remove(now.store, service);
    await erase(now, home.unique_identifier, place);
    await now.journal.sync();
    const back = await setBack();
    assert.equal(await applied(back), 1);
    for (const id of ids) assert.equal(await isThere(back, id), false);
    assert.equal(await isThere(back, home.unique_identifier, place), false);
    assert.equal(await outcomeOf(back, placeDraft(back.account, 'home', {})), 'erased');
  });

  it('forgets again what records held before', async () => {
    const { now, ids, drafts, service, setBack } = await world(['one']);
    const [one = ''] = ids;
    const correct = async ({ store }: State) => {
      const corrected = { person: { name: 'Corrected', phone: '1' } };
      await write(store, { ...(drafts[0] as Draft), patch: corrected });
    };
    await correct(now);
    const { bytes } = await backUp(now.store);
    const { account } = now;
    for (const [shape, record] of [
      [visit, one],
      [thing, service.unique_identifier],
    ] as const) {
      const version = await eraseHistory(now.store, shape, account, record);
      assert.ok(typeof version === 'number');
      const { resource } = shape;
      const told = { account, resource, record, erasure: 'ers_1', version };
      await now.journal.writeHistory(told);
      assert.equal(await now.journal.isSynced('ers_1'), false);
      await now.journal.writeHistory(told);
    }
    await erase(now, service.unique_identifier, thing);
    await now.journal.sync();
    assert.equal(await now.journal.isSynced('ers_1'), true);
    const back = await setBack(undefined, bytes);
    assert.match(await pastOf(back), new RegExp(NAME));
    assert.equal(await applied(back), 3);
    assert.doesNotMatch(await pastOf(back), new RegExp(NAME));
    assert.equal(await isThere(back, one), true);
    assert.equal((await back.store.erasing.find([service.unique_identifier], [account])).length, 1);

    // Set back to before it was corrected: that it was is not known there, until it is again.
    const early = await setBack();
    assert.equal(await applied(early), 2);
    assert.equal(early.journal.isSetBack(), false);
    assert.equal(await early.journal.apply(), 0);
    await correct(early);
    assert.match(await pastOf(early), new RegExp(NAME));
    await early.journal.sync();
    assert.doesNotMatch(await pastOf(early), new RegExp(NAME));
    assert.equal(await early.journal.apply(), 0);
  });

  it('lets the last word for a record count', async () => {
    const { now, drafts, ids, setBack } = await world();
    const [one = '', two = ''] = ids;
    await erased(now, one);
    const between = await backUp(now.store);
    await now.journal.lift(now.account, one);
    await erased(now, two);
    const early = await setBack();
    await applied(early);
    assert.deepEqual([await isThere(early, one), await isThere(early, two)], [true, false]);
    const back = await setBack(undefined, between.bytes);
    await applied(back);
    assert.equal(await outcomeOf(back, drafts[0] as Draft), 'created');
    assert.equal(await outcomeOf(back, drafts[1] as Draft), 'erased');
  });

  it('keeps both what a store did before it was set back, and after', async () => {
    const { at, now, drafts, ids, setBack } = await world();
    const [one = '', two = '', three = ''] = ids;
    await erased(now, one, two);
    // Its disk was away when the store was set back, and the same numbers were given again.
    const back = await setBack([join(at, 'elsewhere')]);
    await back.journal.look();
    await erase(back, three);
    assert.equal(await back.journal.sync(), false);
    await erase(back, two);
    await back.journal.isSynced('ers_1');
    await back.journal.lift(back.account, two);
    const again = journalOf(back.store, readSealer(join(at, 'secret-key')), [at]);
    assert.equal(await again.sync(), true);
    assert.deepEqual([await isThere(back, one), await isThere(back, three)], [false, false]);
    // The lifting is the later word.
    assert.equal(await outcomeOf(back, drafts[1] as Draft), 'created');
    assert.equal(await outcomeOf(back, drafts[0] as Draft), 'erased');
    assert.deepEqual(linesOf(at).toSorted(), [...(await textsOf(back)), ''].toSorted());
    const whole = linesOf(at);
    assert.equal(await again.sync(), true);
    assert.deepEqual(linesOf(at), whole);
  });

  it('is refused, with its line, if it was changed in any way, and erases nothing then', async () => {
    const { at, now, ids, setBack } = await world(['one', 'two', 'three', 'four']);
    await erased(now, ...ids);
    const whole = linesOf(at);
    const path = join(at, JOURNAL_FILE);
    const line = (index: number): string => whole[index] ?? '';
    const other = await world();
    await erased(other.now, other.ids[0] ?? '');
    const faults: readonly (readonly [string, string, RegExp])[] = [
      ['of another store', linesOf(other.at).join('\n'), /line 1 was written with a key that/],
      ['no journal', '{"a":1}\n', /line 1 is not as it was/],
      [
        'damaged in the middle',
        [line(0), line(1).slice(0, 40), line(2), ''].join('\n'),
        /line 2 is/,
      ],
      ['flipped', whole.join('\n').replace(ids[2] ?? '', ids[0] ?? ''), /line 3 is not as it was/],
      ['junk', `${line(0)}\nhello\n`, /line 2 is not as it was/],
    ];
    const back = await setBack();
    const first = await textsOf(back);
    for (const [what, text, says] of faults) {
      writeFileSync(path, text);
      await assert.rejects(back.journal.look(), (error: Error) => {
        assert.ok(error instanceof JournalUnusable, `${what}: ${error.stack}`);
        assert.match(error.message, says, what);
        assert.ok(error.message.includes(path));
        return true;
      });
      assert.equal(await back.journal.apply(), 0);
      for (const id of ids) assert.equal(await isThere(back, id), true, what);
      assert.equal(await back.journal.sync(), false);
      assert.equal(readFileSync(path, 'utf8'), text, 'it is left as it is');
    }
    assert.deepEqual(await textsOf(back), first);
    writeFileSync(path, whole.join('\n'));
    assert.equal(await back.journal.sync(), true);
    assert.equal(await isThere(back, ids[0] ?? ''), false);
  });

  it('is completed where it was cut, torn or lost, as long as the store knows its lines', async () => {
    const { at, now, ids } = await world();
    await erased(now, ...ids);
    const path = join(at, JOURNAL_FILE);
    const whole = readFileSync(path, 'utf8');
    for (const size of [0, 10, whole.indexOf('\n') + 1, whole.length - 30, whole.length - 1]) {
      writeFileSync(path, whole.slice(0, size));
      assert.equal(await now.journal.sync(), true, `${size}`);
      assert.equal(readFileSync(path, 'utf8'), whole, `${size}`);
    }
    rmSync(path);
    assert.equal(await now.journal.sync(), true);
    assert.equal(readFileSync(path, 'utf8'), whole);
    // What is not its own does not become the store's.
    appendFileSync(path, '{"line":4}\n');
    await now.journal.look().catch(() => undefined);
    assert.equal(await now.journal.sync(), false);
    assert.match(now.told.at(-1) ?? '', /line 4 is not as it was written/);
  });

  it('waits for a folder that is not there, and is complete later', async () => {
    const { at, now, ids, keys } = await world();
    const away = join(at, 'away');
    const journal = journalOf(now.store, keys, [at, away]);
    await erase(now, ids[0] ?? '');
    assert.equal(await journal.sync(), false);
    assert.equal(await journal.isSynced('ers_1'), false);
    assert.ok(journal.lag > 0);
    mkdirSync(away);
    assert.equal(await journal.sync(), true);
    assert.deepEqual([await journal.isSynced('ers_1'), journal.lag], [true, 0]);
    assert.deepEqual(linesOf(away), linesOf(at));
  });

  it('waits for a disk that is full or read-only, says which, and is whole later', async (test) => {
    const { at, now, ids, keys } = await world();
    const away = join(at, 'away');
    mkdirSync(away);
    const disk = mountSmallDisk(away, 1);
    if (disk === undefined) return test.skip('only root can mount a disk');
    try {
      const told: string[] = [];
      const failed = (why: string) => told.push(why);
      const notices = { failed, resumed: () => {}, applied: () => {}, cut: () => {} };
      const journal = journalOf(now.store, keys, [at, away], notices);
      await journal.look();
      disk.fill();
      await erase(now, ids[0] ?? '');
      assert.equal(await journal.sync(), false);
      assert.match(told.at(-1) ?? '', /the disk is full/);
      assert.equal(await journal.isSynced('ers_1'), false);
      disk.makeRoom();
      assert.equal(await journal.sync(), true);
      assert.deepEqual(linesOf(away), linesOf(at));
      disk.readOnly(true);
      await erase(now, ids[1] ?? '');
      assert.equal(await journal.sync(), false);
      assert.match(told.at(-1) ?? '', /the disk is read-only/);
      assert.equal(await journal.isSynced('ers_1'), false);
      disk.readOnly(false);
      assert.equal(await journal.sync(), true);
      assert.equal(await journal.isSynced('ers_1'), true);
      assert.deepEqual(linesOf(away), linesOf(at));
    } finally {
      disk.unmount();
    }
  });

  it('is written by several processes at once', async () => {
    const { at, now, keys, service } = await world([]);
    const journals = [now.journal, ...[1, 2].map(() => journalOf(now.store, keys, [at]))];
    for (let round = 0; round < 4; round += 1) {
      for (let nth = 0; nth < 5; nth += 1) {
        const record = await write(now.store, visitDraft(service, `${round} ${nth}`, {}));
        await erase(now, record.unique_identifier);
      }
      await Promise.all(journals.map((one) => one.sync()));
    }
    const stored = await textsOf(now);
    assert.equal(stored.length, 20);
    // Two of them may write a line at the same moment.
    assert.deepEqual(new Set(linesOf(at)), new Set([...stored, '']));
  });

  it('proves lines by each key in the file, and refuses those of a lost one', async () => {
    const { at, now, ground, key, drafts, ids, setBack } = await world(['one', 'two']);
    const [one = '', two = ''] = ids;
    await erased(now, one);
    const young = randomKey();
    const rotated = await open(ground, sealer(at, [young, key]), [at]);
    await erased(rotated, two);
    assert.equal(linesOf(at).length, 3);
    const lost = await setBack([at], undefined, sealer(at, [young]));
    await assert.rejects(lost.journal.look(), /line 1 was written with a key that is not in/);
    const back = await setBack([at], undefined, sealer(at, [young, key]));
    assert.equal(await applied(back), 2);
    for (const one of drafts) assert.equal(await outcomeOf(back, one), 'erased');
  });

  it('is refused if lines are missing that the store lacks, whichever they are, and names them', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { at, now, ids, setBack } = await world(names);
    const [first = '', second = '', ...later] = ids;
    await erased(now, first, second);
    const { bytes } = await backUp(now.store);
    await erased(now, ...later);
    const whole = linesOf(at).filter((line) => line !== '');
    assert.equal(whole.length, names.length);
    const path = join(at, JOURNAL_FILE);
    const backs = [
      { known: 0, back: await setBack([]) },
      { known: 2, back: await setBack([], bytes) },
    ];
    for (let kept = 1; kept < 2 ** names.length; kept += 1) {
      const some = whole.filter((_, line) => (kept >> line) & 1);
      // Neither the order nor a line that is there twice hides it.
      writeFileSync(path, `${[...some.toReversed(), ...some].join('\n')}\n`);
      for (const { known, back } of backs) {
        const last = whole.length - Math.clz32(kept << (32 - whole.length));
        const missing = whole
          .map((_, line) => line + 1)
          .filter((line) => line > known && line < last && !((kept >> (line - 1)) & 1));
        const compared = await compareJournal(path, back.store.journal);
        assert.deepEqual(compared.missing, missing.slice(0, 5), `${kept} of ${known}`);
        if (missing.length === 0) continue;
        await assert.rejects(back.journal.take(path), (error) => {
          assert.ok(error instanceof JournalUnusable);
          return error.message.includes(`of its lines, ${missing[0]}`);
        });
        assert.deepEqual(await back.store.journal.unapplied(10), []);
      }
    }

    // Without a whole copy, the rest of it is worth something, and is asked for once.
    writeFileSync(path, `${[whole[0], whole[1], whole[2], whole[4]].join('\n')}\n`);
    const { back } = backs[1] as (typeof backs)[number];
    await back.journal.take(path, true);
    assert.equal(await back.journal.apply(), 2);
    assert.deepEqual((await compareJournal(path, back.store.journal)).missing, []);
    // A whole one brings the rest.
    writeFileSync(path, `${whole.join('\n')}\n`);
    await back.journal.take(path);
    assert.equal(await back.journal.apply(), 2);
    for (const id of later) assert.equal(await isThere(back, id), false);
  });

  it('has no line missing where it was merged from two', async () => {
    const { at, now, ids, setBack } = await world();
    const [one = '', two = '', three = ''] = ids;
    const own = join(at, 'own');
    mkdirSync(own);
    const back = await setBack([own]);
    await back.journal.look();
    await erased(back, three);
    await erased(now, one, two);
    await back.journal.take(join(at, JOURNAL_FILE));
    await back.journal.apply();
    await back.journal.sync();
    const other = await setBack([own]);
    assert.equal(await applied(other), 3);
    const again = await setBack([own, at]);
    assert.equal(await applied(again), 3);
  });
});

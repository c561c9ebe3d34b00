/** On PostgreSQL an account of which something was erased is written to in one round trip, and nobody erased comes back. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Store, StoredRecord } from '../../src/store/promises/store.ts';
import { whenOver } from '../support/at-end.ts';
import { opened } from '../support/opened.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { ERASURE_KEYS, type SenderTask } from '../support/store-sender.ts';
import { place, thing } from '../support/store-shapes.ts';
import { storeOverWire } from '../support/store-wire.ts';
import {
  erasing,
  outcomesOf,
  placeDraft,
  thingDraft,
  visitDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';

const NAMES = Array.from({ length: 40 }, (_, at) => `person ${at}`);

await onPostgres(({ name, ground }) => {
  describe(`Accounts of which something was erased, on ${name}`, () => {
    it('take one round trip for new records and for changes of known ones', async () => {
      const { store, home, wire, erase } = await world(ground);
      const draft = (name: string, label: string) => thingDraft(home, name, { label });
      await erase('first');
      const taken: number[] = [];
      for (let round = 0; round < 10; round += 1) {
        const drafts = [draft(`new ${round}`, 'A'), draft('changed', `${round}`)];
        const before = wire.roundTrips;
        const done = await store.commit(drafts);
        taken.push(wire.roundTrips - before);
        assert.deepEqual(outcomesOf(done), ['created', round === 0 ? 'created' : 'updated']);
      }
      assert.equal(Math.min(...taken), 1, `${taken}`);
      const mixed = [draft('first', 'again'), draft('next', 'B'), draft('changed', 'last')];
      assert.deepEqual(outcomesOf(await store.commit(mixed)), ['erased', 'created', 'updated']);
      assert.deepEqual(outcomesOf(await store.commit([draft('first', 'once more')])), ['erased']);
    });

    it('know what another process has erased a moment ago', async () => {
      const { store, other, home } = await world(ground);
      const draft = (name: string, label: string) => thingDraft(home, name, { label });
      for (const name of NAMES.slice(0, 10)) {
        // Of half of them it has never seen the record.
        await (Number(name.at(-1)) % 2 === 1 ? store : other).commit([draft(name, 'A')]);
        const record = await find(other, home, name);
        assert.equal(await erasing(other, record), 'erased');
        const done = await store.commit([draft(name, 'B'), draft(`beside ${name}`, 'A')]);
        assert.deepEqual(outcomesOf(done), ['erased', 'created']);
      }
    });

    it('refuse one by the name by which it was redacted, and find it by its own', async () => {
      const { store, home } = await world(ground);
      const draft = (label: string) => thingDraft(home, 'with guests', { label });
      const record = await write(store, draft('A'));
      await write(store, visitDraft(record, 'guest', { person: { name: 'Ida', phone: '1' } }));
      assert.equal(await erasing(store, record), 'erased');
      const redacted = await store.find(thing, record.unique_identifier, within(home.account));
      const sealed = redacted?.external_identifier ?? '';
      assert.match(sealed, /^erased-/);
      for (const name of [sealed, 'with guests', sealed]) {
        const beside = thingDraft(home, `beside ${name}`, {});
        const [first] = await store.commit([thingDraft(home, name, { label: 'B' }), beside]);
        assert.equal(first?.outcome, 'erased', name);
      }
    });

    it('let nobody come back who is erased while several processes send them', async () => {
      const { store, other, home } = await world(ground);
      let isOver = false;
      const send = async (by: Store, from: number): Promise<void> => {
        for (let round = from; !isOver; round += 1) {
          const some = NAMES.filter((_, at) => (at + round) % 3 !== 0);
          const drafts = some.map((name) => thingDraft(home, name, { label: `${round}` }));
          await by.commit([...drafts, thingDraft(home, `${from} ${round}`, {})]);
        }
      };
      const sending = [send(store, 1_000), send(store, 2_000), send(other, 3_000)];
      const erased = await eraseAll(other, home);
      isOver = true;
      await Promise.all(sending);
      await wantGone([store, other], home, erased);
    });

    it('let nobody come back where a process is killed that was sending them', async () => {
      const { url, options, other, home } = await world(ground);
      const erased: StoredRecord[] = [];
      for (let round = 0; round < 3; round += 1) {
        const task: SenderTask = { url, distribution: options.distribution, home, names: NAMES };
        const child = fork(join(import.meta.dirname, '../support/store-sender.ts'), {
          execArgv: [],
        });
        whenOver(() => child.kill('SIGKILL'));
        const begun = once(child, 'message');
        child.send(task);
        await begun;
        const some = NAMES.slice(10 * round, 10 * (round + 1));
        const erasingAll = eraseAll(other, home, some);
        await once(child, 'message');
        child.kill('SIGKILL');
        await once(child, 'exit');
        erased.push(...(await erasingAll));
      }
      const again = await opened(options);
      await wantGone([again, other], home, erased);
      const left = NAMES.slice(30).map((name) => thingDraft(home, name, { label: 'left' }));
      for (const outcome of outcomesOf(await again.commit(left))) assert.equal(outcome, 'updated');
    });
  });
});

async function find(
  store: Store,
  { account, unique_identifier: parent }: StoredRecord,
  name: string,
) {
  const pair = { account, parent, external_identifier: name };
  for (;;) {
    const found = await store.findPair(thing, pair);
    if (found !== undefined) return found;
  }
}

/** Erases them as soon as they are there. */
async function eraseAll(store: Store, home: StoredRecord, names: readonly string[] = NAMES) {
  const erased: StoredRecord[] = [];
  for (const name of names) {
    const record = await find(store, home, name);
    assert.equal(await erasing(store, record), 'erased');
    erased.push(record);
  }
  return erased;
}

/** They are not there, and whoever sends them is told so, by each of these. */
async function wantGone(
  stores: readonly Store[],
  home: StoredRecord,
  erased: readonly StoredRecord[],
) {
  const { account, unique_identifier: parent } = home;
  for (const store of stores) {
    for (const { external_identifier } of erased) {
      const name = external_identifier ?? '';
      const pair = { account, parent, external_identifier: name };
      assert.equal(await store.findPair(thing, pair), undefined, name);
    }
    const drafts = erased.map(({ external_identifier }) =>
      thingDraft(home, external_identifier ?? '', { label: 'back' }),
    );
    for (const outcome of outcomesOf(await store.commit(drafts))) assert.equal(outcome, 'erased');
  }
}

/** A store over a wire that counts, and another one past it, with a place in an account. */
async function world(ground: PostgresCase['ground']) {
  const over = await storeOverWire(ground, { erasureKeys: ERASURE_KEYS });
  const { store, direct: other, account } = over;
  const home = written((await store.commit([placeDraft(account, 'home', {})]))[0]).record;
  assert.equal(home.account, account, place.resource);
  const erase = async (name: string): Promise<void> => {
    assert.equal(await erasing(store, await write(store, thingDraft(home, name, {}))), 'erased');
    // The process learns of it as soon as it judges something new there.
    await write(store, thingDraft(home, `after ${name}`, {}));
  };
  return { ...over, other, home, erase };
}

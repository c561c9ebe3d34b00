/** On PostgreSQL what processes of 1.0 answer repeated requests from is there for each of them, and outlives nothing. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { Client } from 'pg';
import type { Draft, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { visit } from '../support/store-shapes.ts';
import {
  bytesOf,
  createProves,
  erasing,
  erasureOf,
  remove,
  thingDraft,
  visitDraft,
  type World,
  within,
  written,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

const HOUR = 3_600_000;

/** What is stored of records, each as text, in their order. */
async function copies({ url }: Pick<World, 'url'>): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  // As 1.0 finds them.
  const { rows } = await client.query(`SELECT answered.record, answered.version, document
    FROM answered ORDER BY record, version`);
  await client.end();
  return rows.map(({ record, version, document }) => `${record} ${version} ${document}`);
}

let requests = 0;

/** Writes one as a request with an `Idempotency-Key` does, whose receipt lasts as long. */
async function keyed({ store, clock }: World, draft: Draft, ms = HOUR): Promise<StoredRecord> {
  requests += 1;
  const receipt = {
    ...{ owner: 'key_one', idempotency_key: `request ${requests}` },
    ...{ fingerprint: bytesOf(1), expires_at: clock.now + ms },
  };
  const [outcome] = await store.commit([{ ...draft, receipt }]);
  return written(outcome).record;
}

const purge = async (store: Store): Promise<void> => {
  while (await store.purgeReceipts());
};

/** All that takes a record away, or what it held before. */
const ENDS: Readonly<
  Record<string, (world: World, record: StoredRecord, above: StoredRecord) => Promise<unknown>>
> = {
  'it is removed': ({ store }, record) => remove(store, record),
  'it goes with what it belongs to': ({ store }, _, above) => remove(store, above),
  'it is erased': ({ store }, record) => erasing(store, record),
  'it is removed and then erased': async ({ store }, record) => {
    await remove(store, record);
    await erasing(store, record);
  },
  'it goes for its age': ({ store }, record) =>
    store.erasing.erase([{ ...erasureOf(record), aged: 'unmarked' }]),
  'its past is erased': async ({ store, account }, { unique_identifier: record }) => {
    const [now] = await store.findAll(visit, [record], within(account));
    const past = { account, resource: visit.resource, record };
    for (let position = now?.position ?? 0; position > 0; )
      position = await store.erasing.dropHistory({ ...past, position });
  },
  'the account is wiped': ({ store, account }) => wipe(store, account),
  'the receipts have expired': async ({ store, clock }) => {
    clock.now += 2 * HOUR;
    await purge(store);
  },
};

await onPostgres(
  ({ name, ground }) => {
    const proves = createProves(ground);
    describe(`Copies for processes of 1.0 on ${name}`, () => {
      for (const [ends, end] of Object.entries(ENDS))
        proves(`are there for each version that was answered, until ${ends}`, async (world) => {
          const above = await keyed(world, thingDraft(world.home, 'service', { label: 'A' }));
          const draft = (phone: string) =>
            visitDraft(above, 'one', { person: { name: 'Jamie', phone } });
          const record = await keyed(world, draft('1'));
          await keyed(world, draft('2'));
          // Without a key, and changing nothing.
          await world.store.commit([draft('3')]);
          await keyed(world, draft('3'));
          await keyed(world, draft('3'));
          const found = await copies(world);
          const of = found.filter((one) => one.startsWith(record.unique_identifier));
          assert.deepEqual(
            of.map((one) => /(\d) \{.*"phone":"(\d)"/.exec(one)?.slice(1)),
            [
              ['1', '1'],
              ['2', '2'],
              ['3', '3'],
            ],
          );
          await end(world, record, above);
          const left = await copies(world);
          assert.doesNotMatch(left.join('\n'), /Jamie/);
        });

      proves('are not kept of what is redacted', async (world) => {
        const above = await keyed(world, thingDraft(world.home, 'service', { label: 'Jamie' }));
        await erasing(world.store, await keyed(world, visitDraft(above, 'one', {})));
        assert.match((await copies(world)).join(), /Jamie/);
        assert.equal(await erasing(world.store, above), 'erased');
        assert.deepEqual(await copies(world), []);
      });

      proves('stay as long as one of the receipts that share them', async (world) => {
        const { store, home, clock } = world;
        const began = clock.now;
        const draft = thingDraft(home, 'a', { label: 'A' });
        for (const minutes of [3, 61, 5]) await keyed(world, draft, minutes * 60_000);
        for (const minutes of [0, 4, 12, 60, 61]) {
          clock.now = began + minutes * 60_000;
          await purge(store);
          assert.equal((await copies(world)).length, 1, `after ${minutes} minutes`);
        }
        clock.now = began + 80 * 60_000;
        await purge(store);
        assert.deepEqual(await copies(world), []);
      });

      proves('are counted where an erasure is proved', async (world) => {
        const { store, home, account, url } = world;
        const above = await keyed(world, thingDraft(home, 'service', {}));
        const record = await keyed(world, visitDraft(above, 'one', {}));
        assert.equal(await erasing(store, record), 'erased');
        const count = async () =>
          (await store.erasing.traces(account, 'ers_1', '', 10)).map((one) => one.copies);
        assert.deepEqual(await count(), [0]);
        const client = new Client({ connectionString: url });
        await client.connect();
        await client.query(
          `INSERT INTO answered SELECT account, $1, 1, anchor, parent, '', '{}', 0, 0, 0
            FROM answered LIMIT 1`,
          [record.unique_identifier],
        );
        await client.end();
        assert.deepEqual(await count(), [1]);
      });
    });
  },
  [NEWEST],
);

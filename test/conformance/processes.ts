/** Promises 1, 2 and 5 where several real processes write, and where one is killed. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { parseStored } from '../../src/core/schema/json/json.ts';
import type { StoredRecord } from '../../src/store/promises/store.ts';
import { asAnswered } from '../../src/store/records/records.ts';
import { startWriter } from '../support/store-process.ts';
import { thing } from '../support/store-shapes.ts';
import { answeredBy, type Proves } from '../support/store-world.ts';
import { receiptName } from '../support/store-writer.ts';

const NAMES = ['a', 'b', 'c', 'd'];

function members(record: StoredRecord | undefined): string[] {
  const document = parseStored(record?.document ?? '{}') as { extra?: Record<string, string> };
  return Object.keys(document.extra ?? {});
}

export function describePromises(proves: Proves): void {
  describe('5. Nothing lost, nothing doubled', () => {
    proves('when processes write the same identities at once', async (world) => {
      const { store, url, distribution, home, account } = world;
      const batches = 60;
      const starting = ['one', 'two', 'three'].map((writer) =>
        // In different orders, which must not lock them against each other.
        startWriter({
          ...{ url, distribution, home, writer, batches, receipts: false },
          names: writer === 'two' ? NAMES.toReversed() : NAMES,
        }),
      );
      const writers = await Promise.all(starting);
      for (const writer of writers) writer.begin();
      await Promise.all(writers.map((writer) => writer.done()));
      const reports = writers.flatMap((writer) => writer.reports);
      for (const name of NAMES) {
        const pair = { account, parent: home.unique_identifier, external_identifier: name };
        const record = await store.findPair(thing, pair);
        assert.equal(members(record).length, 3 * batches, 'every draft was merged');
        assert.equal(record?.version, 3 * batches);
        const ofName = reports.filter((report) => report.name === name);
        assert.equal(ofName.filter(({ outcome }) => outcome === 'created').length, 1);
        const versions = ofName.map((report) => report.record.version).sort((x, y) => x - y);
        const wanted = Array.from({ length: 3 * batches }, (_, index) => index + 1);
        assert.deepEqual(versions, wanted, 'each answer is one version');
        const identifiers = new Set(ofName.map((report) => report.record.unique_identifier));
        assert.deepEqual([...identifiers], [record?.unique_identifier]);
      }
    });
  });

  describe('1. and 2. when a process is killed in the middle of its work', () => {
    proves('what it answered is there and whole, and the rest whole or absent', async (world) => {
      const { url, distribution, home, account } = world;
      const task = { url, distribution, home, names: NAMES, batches: 400, receipts: true };
      const reports = [];
      for (const [round, count] of [40, 200, 120].entries()) {
        const writer = await startWriter({ ...task, writer: `killed ${round}` });
        writer.begin();
        await writer.reported(count);
        await writer.kill();
        reports.push(...writer.reports);
      }
      const store = await world.reopen();
      await store.checkWritable();
      const receiptOf = (name: string, member: string) =>
        store.receipt({
          ...{ owner: 'key_writer', accounts: [home.account] },
          ...{ idempotency_key: receiptName(name, member), fingerprint: new Uint8Array(32) },
        });
      const records = new Map<string, StoredRecord>();
      for (const name of NAMES) {
        const pair = { account, parent: home.unique_identifier, external_identifier: name };
        const record = await store.findPair(thing, pair);
        assert.ok(record);
        records.set(name, record);
        assert.equal(record.version, members(record).length);
        for (const member of members(record)) {
          const receipt = await receiptOf(name, member);
          const kept = members((await answeredBy(store, receipt)) as StoredRecord);
          assert.ok(kept.includes(member), 'its receipt is there');
        }
      }
      // Each batch changed all of them, or none.
      const [first = [], ...others] = [...records.values()].map(members);
      for (const other of others) assert.deepEqual(new Set(other), new Set(first));
      for (const { name, member, record } of reports) {
        assert.ok(members(records.get(name)).includes(member), `${name} has lost ${member}`);
        const receipt = await receiptOf(name, member);
        assert.deepEqual(await answeredBy(store, receipt), asAnswered(record));
      }
    });
  });
}

/** Imports and work on everything leave the store to others: their pieces are small, and after each they wait. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { resources } from '../../../src/core/registry.ts';
import { planImport } from '../../../src/features/imports/serves/plan.ts';
import { type Importing, importFiles } from '../../../src/features/imports/serves/run.ts';
import { OPTIONS } from '../../../src/features/imports/serves/words.ts';
import { importerOf } from '../../../src/records/auth/principal.ts';
import type { Many } from '../../../src/records/ingest/many/many.ts';
import { createPacing, type Pacing, paced } from '../../../src/services/transfer/pace.ts';
import { filesFolder } from '../../support/importing.ts';

const COMMIT_MS = 40;
const TOO_LONG_MS = 30_000;

const files = filesFolder();

/** Rows that were read of a file, and each commit of them as `commit` does it. */
async function importing(
  rows: number,
  pace: Importing['pace'],
  commit: (read: () => number, handedOver: () => void, rows: number) => Promise<void>,
): Promise<void> {
  const lines = Array.from({ length: rows }, (_, at) => `${at},A\n`);
  const path = files.write('locations.csv', `external_identifier,location_name\n${lines.join('')}`);
  const how = { resources, account: 'acct_1', remedies: OPTIONS };
  using plan = await planImport([path], how);
  const [file] = plan.files;
  assert.ok(file);
  let read = 0;
  const counted = async function* () {
    for await (const some of file.rows()) {
      read += some.length;
      yield some;
    }
  };
  const array: Many['array'] = async (_call, some, { handedOver = () => {} }) => {
    await commit(() => read, handedOver, some.length);
    const results = Array.from({ length: some.length }, () => ({ outcome: 'created' as const }));
    return { results, replayed: false };
  };
  const { run } = await importFiles(
    { ...plan, files: [{ ...file, rows: counted }] },
    {
      many: { array } as unknown as Many,
      store: {
        imports: { put: async () => {} },
        log: { last: async () => undefined },
      } as unknown as Importing['store'],
      principal: (id) => importerOf(id, ['acct_1']),
      ...{ accounts: ['acct_1'], mode: undefined, dry_run: false, fromStart: true, pace },
      progress: () => {},
      maxFailed: 0,
      signal: new AbortController().signal,
    },
  );
  assert.equal(run.counts.created, rows);
}

it('pauses between two commits as long as the one before took', async () => {
  const commits: { began: number; ended: number }[] = [];
  await importing(4 * 64, 'beside', async (_read, _handedOver, rows) => {
    assert.ok(rows <= 64);
    const began = performance.now();
    await pause(COMMIT_MS);
    commits.push({ began, ended: performance.now() });
  });
  assert.equal(commits.length, 4);
  for (const [at, { began }] of commits.entries()) {
    const before = commits[at - 1];
    if (before === undefined) continue;
    // Timers are true to a millisecond.
    assert.ok(began - before.ended >= before.ended - before.began - 2);
  }
});

it('reads the rows of the next commit while the store writes, and no more of them', async () => {
  const rows = 16 * 256;
  let sent = 0;
  await importing(rows, 'shared', async (read, handedOver, some) => {
    sent += some;
    handedOver();
    const late = performance.now() + TOO_LONG_MS;
    while (read() === sent && sent < rows) {
      assert.ok(performance.now() < late, `nothing was read after ${sent} rows`);
      await pause(1);
    }
    await pause(5);
    assert.ok(read() <= sent + 2 * 256, `${read()} of ${sent} rows`);
  });
  assert.equal(sent, rows);
});

const WORK_MS = 20;
const BATCHES = 6;

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

async function* batches(): AsyncGenerator<number> {
  for (let at = 0; at < BATCHES; at++) {
    work(WORK_MS / 2);
    yield at;
  }
}

/** How long nothing was done between batches, all together. */
async function restedMs(pace: Pacing | undefined): Promise<number> {
  const began = performance.now();
  let seen = 0;
  for await (const batch of paced(batches(), pace)) {
    assert.equal(batch, seen++);
    work(WORK_MS / 2);
  }
  assert.equal(seen, BATCHES);
  return performance.now() - began - BATCHES * WORK_MS;
}

it('rests as long as it has worked, whether that was reading or what is made of it', async () => {
  const rested = await restedMs(createPacing());
  // Timers are true to a millisecond.
  assert.ok(rested >= BATCHES * (WORK_MS - 1), `${rested.toFixed(0)} ms`);
});

it('gives every batch without a pace, too', async () => {
  await restedMs(undefined);
});

it('does not rest for time that it has waited for others', async () => {
  const pace = createPacing();
  await pause(400);
  const began = performance.now();
  await pace();
  assert.ok(performance.now() - began < 400);
});

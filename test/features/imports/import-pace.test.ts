/** Imports and work on everything leave the store to others: their pieces are small, and after each they wait. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { resources } from '../../../src/core/registry.ts';
import { planImport } from '../../../src/features/imports/serves/plan.ts';
import { type Importing, importFiles } from '../../../src/features/imports/serves/run.ts';
import { OPTIONS } from '../../../src/features/imports/serves/words.ts';
import { importerOf } from '../../../src/records/auth/principal.ts';
import type { Many } from '../../../src/records/ingest/many/many.ts';
import {
  createPacing,
  type Pacing,
  type PauseClock,
  paced,
} from '../../../src/services/transfer/pace.ts';
import { filesFolder } from '../../support/importing.ts';
import { until } from '../../support/until.ts';

const COMMIT_MS = 40;

const files = filesFolder();

/** A clock that goes on when somebody works or rests. */
function ownClock() {
  let now = 0;
  let rested = 0;
  const clock: PauseClock = {
    elapsed: () => now,
    rest: async (ms) => {
      now += ms;
      rested += ms;
    },
  };
  return {
    clock,
    work: (ms: number) => {
      now += ms;
    },
    rested: () => rested,
  };
}

/** Rows that were read of a file, and each commit of them as `commit` does it. */
async function importing(
  rows: number,
  pace: Importing['pace'],
  commit: (read: () => number, handedOver: () => void, rows: number) => Promise<void>,
  { clock, reads = () => {} }: { clock?: PauseClock; reads?: (read: number) => void } = {},
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
      reads(read);
      yield some;
    }
  };
  const array: Many['array'] = async (_call, some, { ready, handedOver = () => {} }) => {
    await ready;
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
      ...(clock && { clock }),
      progress: () => {},
      maxFailed: 0,
      signal: new AbortController().signal,
    },
  );
  assert.equal(run.counts.created, rows);
}

it('pauses between two commits as long as the one before took', async () => {
  const { clock, work } = ownClock();
  const commits: number[] = [];
  const commit = async (_read: () => number, _handedOver: () => void, rows: number) => {
    assert.ok(rows <= 64);
    commits.push(clock.elapsed());
    work(COMMIT_MS * commits.length);
  };
  await importing(4 * 64, 'beside', commit, { clock });
  // Each takes longer than the one before, and so does what comes after it.
  assert.deepEqual(
    commits,
    [0, 2, 6, 12].map((times) => times * COMMIT_MS),
  );
});

it('reads the rows of the next commit while the store writes, and no more of them', async () => {
  const rows = 16 * 256;
  let sent = 0;
  let most = 0;
  const commit = async (read: () => number, handedOver: () => void, some: number) => {
    sent += some;
    handedOver();
    await until(() => read() > sent || sent === rows);
    // Whatever would read on can.
    for (let turns = 0; turns < 50; turns += 1) await turn();
  };
  const reads = (read: number) => {
    most = Math.max(most, read - sent);
  };
  await importing(rows, 'shared', commit, { reads });
  assert.equal(sent, rows);
  assert.ok(most <= 2 * 256, `${most} rows were read before they were sent`);
});

const WORK_MS = 20;
const BATCHES = 6;

/** Works on batches, half of it on reading them and half on what is made of them. */
async function workOn(pace: Pacing | undefined, work: (ms: number) => void): Promise<void> {
  const batches = async function* () {
    for (let at = 0; at < BATCHES; at++) {
      work(WORK_MS / 2);
      yield at;
    }
  };
  let seen = 0;
  for await (const batch of paced(batches(), pace)) {
    assert.equal(batch, seen++);
    work(WORK_MS / 2);
  }
  assert.equal(seen, BATCHES);
}

it('rests as long as it has worked, whether that was reading or what is made of it', async () => {
  const { clock, work, rested } = ownClock();
  await workOn(createPacing(clock), work);
  assert.equal(rested(), BATCHES * WORK_MS);
});

it('rests by the clock of the machine', async () => {
  const pace = createPacing();
  const began = performance.now();
  await until(() => performance.now() - began > 2 * WORK_MS);
  const worked = performance.now();
  await pace();
  // Timers are true to a millisecond.
  assert.ok(performance.now() - worked >= 2 * WORK_MS - 1);
});

it('gives every batch without a pace, too', () => workOn(undefined, () => {}));

it('does not rest for time that it has waited for others', async () => {
  const { clock, work, rested } = ownClock();
  const pace = createPacing(clock);
  work(400);
  await pace();
  assert.ok(rested() < 100);
});

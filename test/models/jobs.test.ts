/** Processes that do jobs together do each piece once, one at a time, whichever of them are killed in the middle of one. */

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { EachAccount } from '../../src/core/each-account.ts';
import { type JobSubject, Jobs } from '../../src/services/jobs.ts';
import { type JobBook, LEASE_MS, type Lease } from '../../src/store/books/log/jobs.ts';
import { StoreUnavailable } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { opened } from '../support/opened.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { until } from '../support/until.ts';

const RUNS = ALL ? 300 : 30;
const SLOTS = 2;
const BROKEN = new Error('a piece that fails');

async function bookOf(test: TestContext): Promise<JobBook> {
  const { url } = await sqliteGround();
  const store = await opened({ url, shapes, create: true, serve: false });
  // Leases of a killed process are not renewed: it has no timers.
  test.mock.timers.enable({ apis: ['setInterval'] });
  return store.jobs;
}

/** A job, of how many pieces, and before which of them it fails once. */
interface Wanted {
  readonly account: string;
  readonly pieces: number;
  readonly failsAt: number | undefined;
}

/** What the jobs of a run have done, whichever process did it. */
class Work {
  readonly jobs: readonly (JobSubject & Wanted & { done: number; hasFailed: boolean })[];
  /** By job: the process that is at a piece of it. */
  readonly at = new Map<string, Process>();

  constructor(wanted: readonly Wanted[]) {
    this.jobs = wanted.map((one, nth) => {
      return { ...one, unique_identifier: `job ${nth}`, done: 0, hasFailed: false };
    });
  }

  due() {
    return this.jobs.filter(({ done, pieces }) => done < pieces);
  }
}

class Process {
  isKilled = false;
  /** How often it has gone on with what it found. */
  rounds = 0;
  /** The jobs that it has taken, and not ended. */
  leases: Lease[] = [];
  readonly jobs: Jobs<JobSubject>;
  #pieces = 0;

  /** It is killed in the middle of that piece; `undefined`: never. */
  constructor(book: JobBook, kind: string, work: Work, killedAt: number | undefined) {
    const alive = <Given extends unknown[], Result>(does: (...given: Given) => Promise<Result>) => {
      return (...given: Given) => (this.isKilled ? new Promise<never>(() => {}) : does(...given));
    };
    const own: Pick<JobBook, 'take' | 'renew' | 'end' | 'release'> = {
      take: alive(async (lease: Lease) => {
        const isTaken = await book.take(lease);
        if (isTaken) this.leases.push(lease);
        return isTaken;
      }),
      renew: alive(book.renew),
      end: alive((lease: Lease) => {
        this.leases = this.leases.filter(({ object }) => object !== lease.object);
        return book.end(lease);
      }),
      release: alive((lease: Lease) => {
        this.leases = this.leases.filter(({ object }) => object !== lease.object);
        return book.release(lease);
      }),
    };
    this.jobs = new Jobs({
      kind,
      book: own as JobBook,
      slots: SLOTS,
      due: async () => work.due(),
      work: (subject) => this.#work(work, subject, killedAt),
    });
  }

  async *#work(work: Work, { unique_identifier: id }: JobSubject, killedAt: number | undefined) {
    const one = work.jobs.find(({ unique_identifier }) => unique_identifier === id);
    assert.ok(one !== undefined);
    while (one.done < one.pieces) {
      const before = work.at.get(id);
      assert.ok(before === undefined || before.isKilled, `${id} is done by two`);
      work.at.set(id, this);
      const own = work.jobs.filter((some) => work.at.get(some.unique_identifier) === this);
      assert.ok(own.length <= SLOTS, `${own.length} pieces at once`);
      assert.equal(own.filter(({ account }) => account === one.account).length, 1);
      this.#pieces += 1;
      for (let turns = this.#pieces % 3; turns >= 0; turns--) await turn();
      if (this.#pieces === killedAt) this.isKilled = true;
      if (this.isKilled) await new Promise(() => {});
      work.at.delete(id);
      if (one.failsAt === one.done && !one.hasFailed) {
        one.hasFailed = true;
        throw BROKEN;
      }
      one.done += 1;
      yield 1;
    }
  }

  /** Goes on until there is nothing to do, and begins again. */
  async goOn(isOver: () => boolean): Promise<void> {
    while (!isOver() && !this.isKilled) {
      const did = await this.jobs.resume().catch((error: unknown) => {
        assert.equal(error, BROKEN);
      });
      this.rounds += 1;
      if (did !== true) await turn();
    }
  }
}

it('each piece is done once, also where a process is killed in the middle of one', async (test) => {
  const book = await bookOf(test);
  const wanted = fc.record({
    account: fc.constantFrom('one', 'two', 'three'),
    pieces: fc.integer({ min: 1, max: 4 }),
    failsAt: fc.option(fc.nat(2), { nil: undefined, freq: 2 }),
  });
  let runs = 0;
  const run = async (
    all: readonly Wanted[],
    killed: readonly (number | undefined)[],
    callers: number,
  ): Promise<void> => {
    runs += 1;
    const kind = `run ${runs}`;
    const work = new Work(all);
    const processes = [...killed, undefined].map((at) => new Process(book, kind, work, at));
    let isOver = false;
    const going = processes.map(async (one) =>
      Promise.all(Array.from({ length: callers }, () => one.goOn(() => isOver))),
    );
    const killedHas = (id: string) =>
      processes.some((one) => one.isKilled && one.leases.some(({ object }) => object === id));
    await until(() => work.due().every(({ unique_identifier }) => killedHas(unique_identifier)));
    const stuck = work.due().map(({ unique_identifier: id, done }) => [id, done]);
    const before = processes.map(({ rounds }) => rounds);
    // A round may be under way, the next looks for what was begun in it, and the one after tries all of it.
    const looked = (one: Process, at: number): boolean =>
      one.isKilled || one.rounds >= (before[at] ?? 0) + 4 * callers;
    await until(() => processes.every(looked));
    const now = work.due().map(({ unique_identifier: id, done }) => [id, done]);
    assert.deepEqual(now, stuck, 'what a killed process has is its own until its leases end');
    await until(async () => {
      for (const { isKilled, leases } of processes)
        if (isKilled) for (const lease of leases) await book.release(lease);
      return work.due().length === 0;
    });
    // What a killed process had taken although it was done is forgotten after an hour.
    const left = async () => (await book.list()).filter((one) => one.kind === kind);
    await until(async () => (await left()).every(({ object }) => killedHas(object)));
    isOver = true;
    for (const [at, one] of processes.entries()) {
      if (one.isKilled) continue;
      await going[at];
      await one.jobs.close();
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(wanted, { minLength: 1, maxLength: 8 }),
      fc.array(fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }), { maxLength: 2 }),
      fc.integer({ min: 1, max: 2 }),
      run,
    ),
    { numRuns: RUNS, endOnFailure: process.env.TEST_SHRINK === undefined },
  );
});

it('all who go on with jobs at a time come to an end, also while one stays due', async (test) => {
  const book = await bookOf(test);
  const due = [{ account: 'one', unique_identifier: 'waits for a disk' }];
  const jobs = new Jobs({ kind: 'test', book, due: async () => due, async *work() {} });
  let ended = 0;
  const goOn = async (): Promise<void> => {
    while (await jobs.resume());
    ended += 1;
  };
  void goOn();
  void goOn();
  await until(() => ended === 2);
});

it('a job is left where it is by a process that ends, and gone on with by the next', async (test) => {
  const book = await bookOf(test);
  const subject = { account: 'one', unique_identifier: 'long' };
  const given = { kind: 'left', book, due: async (): Promise<JobSubject[]> => [] };
  const ending = new Jobs({
    ...given,
    async *work(): AsyncGenerator<number, string> {
      for (;;) {
        await turn();
        yield 1;
      }
    },
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  const running = ending.run(subject, resolve);
  await promise;
  await ending.close();
  assert.equal(await running, undefined);
  const next = new Jobs({
    ...given,
    async *work() {
      yield 1;
      return 'done';
    },
  });
  assert.equal(await next.run(subject), 'done');
});

it('says that a lease cannot be renewed, and goes on', async (test) => {
  const book = await bookOf(test);
  const fault = new Error('the statement is wrong');
  const gone = new StoreUnavailable('no server answers');
  const told: unknown[] = [];
  const failures = [fault, gone];
  let tried = 0;
  const jobs = new Jobs<JobSubject, string>({
    kind: 'renewed',
    book: Object.create(book, {
      renew: {
        value: () => {
          tried += 1;
          return Promise.reject(failures[0] ?? fault);
        },
      },
    }) as JobBook,
    due: async () => [],
    async *work() {
      for (const failure of [fault, gone]) {
        failures[0] = failure;
        const before = tried;
        test.mock.timers.tick(LEASE_MS / 3);
        await until(() => tried > before);
        // What follows from it has followed.
        await turn();
        yield 1;
      }
      return 'done';
    },
  });
  jobs.watched(new EachAccount('renewed', { failed: ({ error }) => told.push(error) }));
  assert.equal(await jobs.run({ account: 'acct_1', unique_identifier: 'job 1' }), 'done');
  assert.deepEqual(told, [fault], 'a store that is not there says so itself');
});

/** Followers of the log see each change once and in order, however their processes end, and none waits for another. */
// needs: long, waits
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { shapes } from '../../src/core/registry.ts';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import type { LoggedChange } from '../../src/store/promises/log.ts';
import { type Store, type StoredRecord, StoreUnavailable } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { ask } from '../support/ask.ts';
import {
  type FollowerTask,
  featureFollowers,
  MADE,
  SEEN,
  tableOf,
} from '../support/follower-worker.ts';
import { opened } from '../support/opened.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { type FindGround, newAccount, written } from '../support/store-world.ts';
import { until } from '../support/until.ts';

const RUNS = ALL ? 5 : 1;
const LONGEST_MS = 240_000;
/** A record of the broken account is at this version where its follower fails. */
const BROKEN = 3;
/** More than a piece of the log, so that a place is within a commit. */
const LARGE = 700;
const VERSIONS = 600;
/** A table with such a column is none that a store expects to know. */
const UNDECLARED = 'document TEXT';

const isLate = (error: unknown): false => {
  assert.ok(error instanceof StoreUnavailable);
  return false;
};
const random = (below: number): number => Math.floor(Math.random() * below);
const shapeOf = (resource: string) =>
  shapes.find((one) => one.resource === resource) as RecordShape;

function startWorker(task: FollowerTask) {
  const child = fork(join(import.meta.dirname, '../support/follower-worker.ts'), { execArgv: [] });
  child.send(task);
  const names = Promise.race([
    once(child, 'message').then(([all]) => all as readonly string[]),
    once(child, 'exit').then(() => [] as readonly string[]),
  ]);
  return {
    names,
    async kill() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Writes records of an account, and gives what its log has. */
async function ofAccount(store: Store, account: string) {
  const draft = (
    resource: string,
    parent: Pick<StoredRecord, 'unique_identifier' | 'anchor'>,
    name: string,
    patch: JsonObject,
  ) => ({
    ...{ shape: shapeOf(resource), account, parent: parent.unique_identifier, patch },
    ...{ anchor: parent.anchor ?? undefined, external_identifier: name },
  });
  const one = async (...of: Parameters<typeof draft>) =>
    written((await store.commit([draft(...of)]))[0]).record;
  const home = await one('location', { unique_identifier: account, anchor: null }, 'home', {});
  const event = await one('event', home, 'event', {});
  const visit = (name: string, count: number) =>
    draft('event_check_in_record', event, name, {
      visitor_full_name: `${name} ${count}`,
      public_data: { visitor_interested_in_pre_planning: count % 3 === 1 },
    });
  return {
    account,
    /** Changes some visitors, each as often. */
    async change(names: readonly string[], times: number, from = 0) {
      for (let count = from; count < from + times; count += 1) {
        const drafts = names.map((name) => visit(name, count));
        // A busy machine may answer late: the same again changes nothing.
        await until(() => store.commit(drafts).then(() => true, isLate), LONGEST_MS);
      }
    },
    async log(): Promise<readonly LoggedChange[]> {
      const page = await store.log.read({ account, limit: 1_000_000, bytes: 1e9 });
      assert.ok(typeof page !== 'string');
      return page.changes;
    },
  };
}

const idOf = ({ position, place, record, version }: LoggedChange) =>
  `${position} ${place} ${record} ${version}`;

/** Visitors are called by how often they were changed. */
function checkStep(change: string, step: string): void {
  const [before, after] = JSON.parse(step) as readonly (JsonObject | string | null)[];
  const [, , record = '', version = ''] = change.split(' ');
  if (!record.startsWith('ecr_')) return;
  const count = (one: typeof before) =>
    typeof one === 'object' ? Number(String(one?.visitor_full_name).split(' ').at(-1)) : one;
  const wanted = [version === '1' ? 'gone' : Number(version) - 2, Number(version) - 1];
  assert.deepEqual([count(before), count(after)], wanted, change);
}

async function follows(findGround: FindGround): Promise<void> {
  const { url } = await findGround();
  const erasureKeys = [new Uint8Array(32).fill(7)];
  const store = await opened({ url, shapes, erasureKeys, create: true, serve: false });
  const accounts: Awaited<ReturnType<typeof ofAccount>>[] = [];
  for (const name of ['slow', 'broken', 'long', 'other'])
    accounts.push(await ofAccount(store, await newAccount(store, name)));
  const [slow, broken, long, other] = accounts.map(({ account }) => account) as string[];
  const number = url.startsWith('sqlite:')
    ? 'INTEGER PRIMARY KEY AUTOINCREMENT'
    : 'BIGSERIAL PRIMARY KEY';
  await ask(
    url,
    `CREATE TABLE ${SEEN} (n ${number}, follower TEXT NOT NULL, of_account TEXT NOT NULL,
      change TEXT NOT NULL, step TEXT NOT NULL, ${UNDECLARED})`,
    ...MADE.map(
      (name) => `CREATE TABLE ${tableOf(name)} (of_account TEXT NOT NULL PRIMARY KEY,
      change TEXT NOT NULL, left_out TEXT NOT NULL, ${UNDECLARED})`,
    ),
    ...MADE.flatMap((name) =>
      accounts.map(
        ({ account }) => `INSERT INTO ${tableOf(name)} VALUES ('${account}', '', '{}', NULL)`,
      ),
    ),
  );
  for (const { book } of await featureFollowers(store))
    for (const { account } of accounts) await book.begin(account);

  const task = { url, slow, broken: { account: broken, version: BROKEN }, throws: 0.002 };
  const start = (more: object = {}) => startWorker({ ...task, ...more } as FollowerTask);
  const workers = [start(), start()];
  const names = await (workers[0] as ReturnType<typeof start>).names;
  assert.deepEqual(names.slice(-MADE.length), MADE);
  const seenBy = async () =>
    Map.groupBy(
      await ask(url, `SELECT follower, of_account, change, step FROM ${SEEN} ORDER BY n`),
      ({ follower, of_account }) => `${follower} ${of_account}`,
    );
  /** Whether a follower has seen all; throws where it has seen anything twice, or out of order. */
  const hasSeenAll = async (follower: string, account: (typeof accounts)[number]) => {
    const rows = (await seenBy()).get(`${follower} ${account.account}`) ?? [];
    const log = (await account.log()).map(idOf);
    const seen = rows.map(({ change }) => change);
    assert.deepEqual(seen, log.slice(0, seen.length), `${follower}: once, and in order`);
    if (MADE.some((name) => name === follower))
      for (const { change, step } of rows) checkStep(change, step);
    return seen.length === log.length;
  };
  const allHaveSeen = async (but: (follower: string, account: string) => boolean) => {
    for (const name of names)
      for (const one of accounts)
        if (!but(name, one.account) && !(await hasSeenAll(name, one))) return false;
    return true;
  };
  const isKept = (follower: string, account: string) =>
    (follower === 'slow' && account === slow) || (follower === 'broken' && account === broken);

  try {
    const writing = Promise.all(
      accounts.map(async (one) => {
        const { account } = one;
        const often = account === long ? VERSIONS : 10;
        await one.change(['a', 'b'], often);
        const many = account === slow ? 20 : LARGE;
        const crowd = Array.from({ length: many }, (_, at) => `visitor ${at}`);
        if (account !== broken) await one.change(crowd, 1);
      }),
    );
    for (let isDone = false; !isDone; ) {
      const turn = random(workers.length);
      await workers[turn]?.kill();
      workers[turn] = start();
      isDone = await Promise.race([writing.then(() => true), pause(200 + random(1_500), false)]);
    }
    await writing;
    await until(() => allHaveSeen(isKept), LONGEST_MS);
    const isAt = (await seenBy()).get(`broken ${broken}`) ?? [];
    const first = (await accounts[1]?.log())?.findIndex(({ version }) => version === BROKEN);
    await until(async () => ((await seenBy()).get(`broken ${broken}`) ?? []).length === first);
    assert.ok(isAt.length <= (first ?? 0), 'the one that fails waits before its change');

    await Promise.all(workers.map((one) => one.kill()));
    const mended = [start({ broken: { account: other, version: 0 }, slow: '', throws: 0 })];
    workers.push(...mended);
    await until(() => allHaveSeen(() => false), LONGEST_MS);
  } finally {
    await Promise.all(workers.map((one) => one.kill()));
  }
}

const grounds: [string, FindGround][] = [['SQLite', sqliteGround]];
await onPostgres(({ name, ground }) => void grounds.push([name, ground]), [NEWEST]);

describe('Followers of the log', () => {
  for (const [name, ground] of grounds)
    it(`see each change once and in order, and wait for none, on ${name}`, async () => {
      for (let run = 0; run < RUNS; run += 1) await follows(ground);
    });
});

it('nothing reads the log but by what follows it', () => {
  const project = join(import.meta.dirname, '../..');
  const found = globSync('src/**/*.ts', { cwd: project }).filter((path) =>
    /\blog\.read\(|\{ read(?:,[^}]*)? \} = (?:store\.)?log\b/.test(
      readFileSync(join(project, path), 'utf8'),
    ),
  );
  assert.deepEqual(found, [], 'Take pieces of log.follow, or log.next of a mark.');
});

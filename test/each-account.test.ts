/** What goes through accounts keeps the error of each to itself, and no loop in the background goes through them without it. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type AccountFailure, EachAccount } from '../src/core/each-account.ts';
import { StoreUnavailable } from '../src/store/promises/store.ts';
import { until } from './support/until.ts';

const ACCOUNTS = ['one', 'two', 'three'];
const itself = (account: string): string => account;

function watched() {
  const failures: AccountFailure[] = [];
  const ended: string[] = [];
  const rests: number[] = [];
  const watch = {
    failed: (failure: AccountFailure) => void failures.push(failure),
    ended: ({ account }: { readonly account: string }) => void ended.push(account),
  };
  const pace = (ms: number): number => {
    rests.push(ms);
    return 20;
  };
  return { each: new EachAccount('work', watch, pace), failures, ended, rests };
}

describe('Going through accounts', () => {
  it('goes on with the others, rests longer and longer, and says when it is over', async () => {
    const { each, failures, ended, rests } = watched();
    const done: string[] = [];
    let isBroken = true;
    const round = () =>
      each.through(ACCOUNTS, itself, async (account) => {
        if (account === 'one' && isBroken) throw new RangeError('a name of somebody');
        done.push(account);
        return account === 'two';
      });
    assert.equal(await round(), true);
    assert.deepEqual(done, ['two', 'three']);
    assert.deepEqual(each.resting, ['one']);
    await until(async () => {
      await round();
      return failures.length === 9;
    });
    assert.deepEqual(
      rests,
      [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000),
    );
    assert.deepEqual(
      failures.map(({ work, account, times }) => [work, account, times]),
      rests.map((_, at) => ['work', 'one', at + 1]),
    );
    isBroken = false;
    await until(async () => {
      await round();
      return done.includes('one');
    });
    assert.deepEqual(ended, ['one']);
  });

  it('leaves out what rests', async () => {
    const failures: AccountFailure[] = [];
    const each = new EachAccount('work', { failed: (one) => void failures.push(one) });
    const done: string[] = [];
    for (let round = 1; round <= 3; round++)
      await each.through(ACCOUNTS, itself, async (account) => {
        done.push(account);
        if (account === 'one') throw new RangeError();
      });
    assert.deepEqual([failures.length, each.resting], [1, ['one']]);
    assert.deepEqual(done, [...ACCOUNTS, 'two', 'three', 'two', 'three']);
  });

  it('tries the others where the store is not there for one, and then throws', async () => {
    const { each, failures } = watched();
    const done: string[] = [];
    const round = each.through(ACCOUNTS, itself, async (account) => {
      if (account === 'one') throw new StoreUnavailable('Its server is down.');
      done.push(account);
    });
    await assert.rejects(round, StoreUnavailable);
    assert.deepEqual([done, failures, each.resting], [['two', 'three'], [], []]);
  });

  it('does not wait for one that takes long, nor begins it twice', async () => {
    const { each } = watched();
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun: string[] = [];
    const round = () =>
      each.through(ACCOUNTS, itself, async (account) => {
        begun.push(account);
        if (account === 'one') await promise;
      });
    assert.equal(await round(), true);
    assert.equal(await round(), true);
    assert.deepEqual(begun, [...ACCOUNTS, 'two', 'three']);
    resolve();
    await each.settled();
    await round();
    assert.deepEqual(begun.slice(5), ACCOUNTS);
  });
});

/** Loops with `await` over what may be of several accounts. What they are for says why one may end them. */
const OTHERS: Readonly<Record<string, string>> = {
  'src/store/feeder.ts: account of wanted': 'a figure: it is not shown where it is not known',
  'src/store/postgres/log.ts: [account] of accounts': 'each account by itself',
  'src/store/postgres/reading.ts: account of scope.accounts': 'one request',
  'src/store/postgres/lock/uncertain.ts: account of lost.accounts': 'one commit',
  'src/store/postgres/lock/under-lock.ts: account of waiting.flat()': 'one commit',
  'src/store/postgres/commit/receipts.ts: [account, own] of Map.groupBy(found, ([name]) => name)':
    'one statement over all accounts found them',
  'src/store/books/erasures.ts: [account, own] of Map.groupBy(found, (one) => one.account)':
    'one request',
  'src/store/books/keys.ts: account of accounts': 'one key',
  'src/features/imports/serves/undo.ts: account of run.accounts': 'one import',
  'src/features/do-not-contact/serves/adopt.ts: { account, follow_up, record } of await chosen(lot)':
    'a start: what 1.0 kept is judged before anybody is served',
  'src/features/do-not-contact/serves/adopt.ts: [account, all] of left':
    'a start: what 1.0 kept is judged before anybody is served',
  'src/features/do-not-contact/serves/adopt.ts: [account, its] of Map.groupBy(lot, (one) => one.account)':
    'a start: what 1.0 kept is judged before anybody is served',
  'src/features/do-not-contact/serves/adopt.ts: { document } of documentsOf(store, resources, account, wanted)':
    'one account',
  'src/features/imports/serves/memory.ts: account of accounts': 'one import',
  'src/features/imports/serves/memory.ts: id of (await imports.withMemory(account)).slice(-PLACES_OF)':
    'one import',
  'src/features/imports/serves/memory.ts: id of await imports.withMemory(account)': 'one account',
  'src/features/exports/serves/export.ts: account of accounts': 'one export: it is whole, or fails',
  'src/features/exports/serves/export.ts: batch of snapshot.accounts()': 'one export',
  'src/services/backup/folder/increment.ts: account of accounts': 'one file: it is whole, or fails',
  'src/features/exports/serves/export.ts: changes of changesIn(log, { account, after: last, until })':
    'one export',
  'src/features/exports/serves/rows.ts: page of log.follow(account, { after, until })':
    'one account',
  'src/features/imports/serves/undo.ts: page of store.log.follow(account, { after: began ?? undefined, until })':
    'one account',
  'src/features/imports/serves/undo.ts: changes of store.log.back({ account, record, position: newest })':
    'one record',
  'src/services/erasures/proof.ts: changes of store.log.back({ account, record, position })':
    'one record',
  'src/store/steps.ts: changes of log.back({ account, record, position })': 'one record',
  'src/services/erasures/proof.ts: one of documentsOf(store, resources, account, wanted)':
    'one account',
  'src/services/backup/folder/increment.ts: batch of snapshot.changesFrom(account, mark?.[0] ?? 0)':
    'one file',
  'src/features/expectations/serves/learning.ts: page of store.expectations.pages(PAGE, [account])':
    'one account',
  'src/records/query/query.ts: account of some': 'one request',
  'src/records/changes/removals.ts: account of principal.scope.accounts': 'one request',
  'src/features/webhooks/store.ts: endpoint of await webhooks.list([account])': 'one account',
  'src/features/follow-up/serves/said.ts: one of accounts': 'one request',
  'src/features/follow-up/serves/earlier.ts: changes of log.back({ account, record, position })':
    'one record',
  'src/features/follow-up/serves.ts: place of await book.placesOf(account, owner)': 'one account',
  'src/features/follow-up/serves/judged.ts: [account, own] of Map.groupBy(live, ({ account }) => account)':
    'one request',
  'src/features/follow-up/serves.ts: one of accountsFor(caller.scope, root.shape, account)':
    'one request',
  'src/store/postgres/placement/cluster.ts: accounts.map(async': 'one request',
  'src/store/postgres/cached/commit.ts: accounts.map(async': 'one commit',
  'src/store/postgres/store.ts: accounts.map(async': 'one key',
  'src/features/imports/serves/run.ts: accounts.map(async': 'one import',
  'src/services/erasures/erasures.ts: running.map(async': 'by EachAccount',
};

const LOOP = /^( *)(?:.* )?for (?:await )?\(const (.* of .*?)\)(?= \{$| [a-z]|$)/;
/** A call for each at once. */
const EACH = /\b([\w.]+)\.(?:map|flatMap|forEach)\(async\b/;
const OF_SEVERAL =
  /\baccounts?\b|\brunning\b|\bwaiting\b|\bnotes\b|\bhomes\b|\breaders?\b|\bleases?\b|\bendpoints?\b|\bbehind\b|\bdue\b|\blapsed\b|\bgone\b|\bfollowers?\b/i;

describe('Loops in the background', () => {
  it('go through accounts by what keeps the error of each to itself', () => {
    const project = join(import.meta.dirname, '..');
    const found = new Set<string>();
    for (const path of globSync('src/{app,features,records,services,store}/**/*.ts', {
      cwd: project,
    })) {
      const lines = readFileSync(join(project, path), 'utf8').split('\n');
      for (const [at, line] of lines.entries()) {
        const [call, several = ''] = EACH.exec(line) ?? [];
        if (call !== undefined && OF_SEVERAL.test(several)) found.add(`${path}: ${call}`);
        const [, indent = '', header = ''] = LOOP.exec(line) ?? [];
        if (!OF_SEVERAL.test(header)) continue;
        const end = lines.findIndex((one, later) => later > at && !one.startsWith(`${indent} `));
        const body = [
          line.slice(line.indexOf(header) + header.length),
          ...lines.slice(at + 1, end),
        ];
        if (/\bawait\b/.test(`${line.includes('for await') ? 'await' : ''}${body.join('\n')}`))
          found.add(`${path}: ${header}`);
      }
    }
    assert.ok(found.size > 10);
    const others = [...found].filter((one) => OTHERS[one] === undefined);
    assert.deepEqual(others, [], 'Use EachAccount, or say above why the error of one may end it.');
    assert.deepEqual(
      Object.keys(OTHERS).filter((one) => !found.has(one)),
      [],
    );
  });
});

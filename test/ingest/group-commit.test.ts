/** Drafts are gathered into commits, and never into an endless queue. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import { GroupCommit, MAX_WAITING } from '../../src/records/ingest/one/group-commit.ts';
import { type Draft, type Outcome, StoreUnavailable } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';

const { shape } = resources[1] as (typeof resources)[number];

function draft(external_identifier: string, account = 'acct_a', by = 'key_a'): Draft {
  return { shape, account, anchor: undefined, parent: account, external_identifier, patch: {}, by };
}

/** A group commit over a store whose commits end when they are told to. */
function held({ byAccount = false } = {}) {
  const commits: (readonly Draft[])[] = [];
  const sizes: number[] = [];
  const waiting: (() => void)[] = [];
  const commit = async (drafts: readonly Draft[]): Promise<readonly Outcome[]> => {
    commits.push(drafts);
    sizes.push(drafts.length);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return drafts.map(() => ({ outcome: 'withheld' }));
  };
  const commitEach = (batches: readonly (readonly Draft[])[]) => batches.map(commit);
  const groupCommit = new GroupCommit({ commit, ...(byAccount && { commitEach }) });
  return {
    groupCommit,
    commits,
    sizes,
    /** Ends the commit that began first. */
    release: () => waiting.shift()?.(),
    /** Drafts of an account that come in one turn. */
    async begun(names: readonly string[] | number, account?: string) {
      const all = typeof names === 'number' ? Array.from({ length: names }, String) : names;
      const answers = all.map((name) => groupCommit.join(draft(name, account)));
      await turn();
      return answers;
    },
  };
}

/** However long a commit takes usually, longer than that. */
const LONG_MS = 60_000;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('group commit', () => {
  it('puts what comes in one turn into one commit, and what comes while two run into the next', async () => {
    const { sizes, release, begun } = held();
    const first = await begun(['a', 'b', 'c']);
    const second = await begun(['d', 'e']);
    const third = await begun(['f']);
    const more = await begun(['g', 'h']);
    assert.deepEqual(sizes, [3, 2]);
    release();
    await Promise.all(first);
    assert.deepEqual(sizes, [3, 2, 3]);
    release();
    await Promise.all(second);
    release();
    await Promise.all([...third, ...more]);
  });

  it('takes all that wait, regardless of which were answered together', async () => {
    const { sizes, release, begun } = held();
    const all = [await begun(3), await begun(2), await begun(300)].flat();
    release();
    await turn();
    assert.deepEqual(sizes, [3, 2, 300]);
    release();
    release();
    await Promise.all(all);
  });

  it('of a store that wants it gathers each account for itself, in turns, and waits for none that is held up', async ({
    mock,
  }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { sizes, release, begun } = held({ byAccount: true });
    const first = [...(await begun(3, 'acct_a')), ...(await begun(1, 'acct_b'))];
    const third = [...(await begun(['1'], 'acct_c')), ...(await begun(['2'], 'acct_c'))];
    const again = await begun(['4', '5', '6', '7'], 'acct_a');
    release();
    await Promise.all(first.slice(0, 3));
    mock.timers.tick(LONG_MS);
    await turn();
    assert.deepEqual(sizes.slice(0, 2), [3, 1]);
    assert.deepEqual(sizes.slice(2).sort(), [2, 4], 'none waits for those that take long');
    for (let count = 0; count < 3; count++) release();
    await Promise.all([...first, ...third, ...again]);
  });

  it('makes commits of many accounts no smaller where each commit takes long', async ({ mock }) => {
    let elapsed = 0;
    mock.method(performance, 'now', () => elapsed);
    mock.timers.enable({ apis: ['setTimeout'] });
    const running: { readonly ends: number; readonly end: () => void }[] = [];
    const sizes: number[] = [];
    const groupCommit = new GroupCommit({
      commit: () => assert.fail('each account is handed over for itself'),
      commitEach: (batches) => {
        sizes.push(batches.flat().length);
        const { promise: done, resolve: end } = Promise.withResolvers<void>();
        running.push({ ends: elapsed + 30, end });
        return batches.map(async (drafts): Promise<readonly Outcome[]> => {
          await done;
          return drafts.map(() => ({ outcome: 'withheld' }));
        });
      },
    });
    const caller = async (account: string, name: string): Promise<void> => {
      for (let sent = 0; sent < 40; sent++) await groupCommit.join(draft(name, account));
    };
    const callers = Array.from({ length: 64 }, (_, at) => caller(`acct_${at % 16}`, `${at}`));
    let isOver = false;
    void Promise.all(callers).then(() => {
      isOver = true;
    });
    while (!isOver) {
      elapsed += 1;
      mock.timers.tick(1);
      while ((running[0]?.ends ?? elapsed + 1) <= elapsed) running.shift()?.end();
      await turn();
    }
    const usual = sizes.slice(sizes.length / 2, -4);
    const mean = usual.reduce((sum, size) => sum + size, 0) / usual.length;
    assert.ok(mean >= 16, `${sizes}`);
  });

  it('of a store by account it has one commit of an account under way, and then one with all that came meanwhile', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { sizes, release, begun } = held({ byAccount: true });
    const first = await begun(2);
    const next = [...(await begun(1)), ...(await begun(100)), ...(await begun(1))];
    assert.deepEqual(sizes, [2]);
    release();
    await Promise.all(first);
    assert.deepEqual(sizes, [2, 102]);
    release();
    await Promise.all(next);
  });

  it('counts nothing of an account that is held up, however much it has, for when others begin', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { sizes, release, begun } = held({ byAccount: true });
    const stuck = [];
    for (const count of [2, 200, 100]) {
      stuck.push(...(await begun(count, 'acct_stuck')));
      t.mock.timers.tick(LONG_MS);
    }
    assert.deepEqual(sizes, [2, 200]);
    const others = [...(await begun(1, 'acct_a')), ...(await begun(24, 'acct_b'))];
    assert.deepEqual(sizes, [2, 200, 1, 24]);
    for (let count = 0; count < 4; count++) release();
    await Promise.all(others);
    await turn();
    release();
    await Promise.all(stuck);
  });

  it('begins another commit of an account where the one before is late, and no third one', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { sizes, release, begun } = held({ byAccount: true });
    const late = await begun(['1']);
    const next = await begun(['2', '3']);
    t.mock.timers.tick(LONG_MS);
    assert.deepEqual(sizes, [1, 2]);
    const last = await begun(['4']);
    t.mock.timers.tick(LONG_MS);
    assert.deepEqual(sizes, [1, 2]);
    release();
    await Promise.all(late);
    assert.deepEqual(sizes, [1, 2, 1], 'the second one is late, too');
    release();
    release();
    await Promise.all([...next, ...last]);
    const after = [...(await begun(['5'])), ...(await begun(['6']))];
    assert.deepEqual(sizes, [1, 2, 1, 1], 'again one at a time');
    release();
    await Promise.all(after.slice(0, 1));
    release();
    await Promise.all(after);
  });

  it('refuses at once what would wait too long, and takes more when there is room again', async () => {
    const { groupCommit, sizes, release, begun } = held();
    const running = await begun(['running']);
    const names = Array.from({ length: MAX_WAITING }, String);
    const waiting = names.map((name) => groupCommit.join(draft(name)));
    await assert.rejects(groupCommit.join(draft('too many')), StoreUnavailable);
    release();
    await Promise.all(running);
    await turn();
    const late = groupCommit.join(draft('room again'));
    while (sizes.reduce((sum, size) => sum + size, 0) < MAX_WAITING + 2) {
      release();
      await turn();
    }
    release();
    await Promise.all([...waiting, late]);
  });

  it('has what little another key brings in the next commit, and refuses only those who brought too much', async () => {
    const { groupCommit, commits, release } = held();
    const join = (name: string, by: string) => groupCommit.join(draft(name, 'acct_a', by));
    const running = [join('first', 'key_a')];
    await turn();
    running.push(join('second', 'key_a'));
    await turn();
    const many = Array.from({ length: MAX_WAITING }, (_, at) => join(`${at}`, 'key_a'));
    await assert.rejects(join('too many', 'key_a'), StoreUnavailable);
    const few = [join('one', 'key_b'), join('other', 'key_b'), join('one', 'key_c')];
    assert.equal(groupCommit.isFull('key_a'), true);
    assert.equal(groupCommit.isFull('key_b'), false);
    release();
    await running[0];
    const names = (commits[2] ?? []).map(({ by, external_identifier }) => [
      by,
      external_identifier,
    ]);
    assert.deepEqual(names.slice(0, 3), [
      ['key_a', '0'],
      ['key_b', 'one'],
      ['key_c', 'one'],
    ]);
    assert.ok(names.some(([by, name]) => by === 'key_b' && name === 'other'));
    const own = commits.flat().filter(({ by }) => by === 'key_a');
    assert.deepEqual(
      own.slice(2).map(({ external_identifier }) => external_identifier),
      own.slice(2).map((_, at) => `${at}`),
      'each key in its order',
    );
    const all = Promise.all([...running, ...many, ...few]);
    let done = false;
    void all.then(() => {
      done = true;
    });
    while (!done) {
      release();
      await turn();
    }
    assert.equal(groupCommit.isFull('key_a'), false);
  });

  it('never holds more than twice the limit, regardless of the number of keys', async () => {
    const { groupCommit } = held();
    let taken = 0;
    for (let at = 0; at < 20 * MAX_WAITING; at++) {
      const by = `key_${at % 1000}`;
      if (groupCommit.isFull(by)) continue;
      taken += 1;
      void groupCommit.join(draft(`${at}`, 'acct_a', by));
    }
    assert.ok(taken <= 2 * MAX_WAITING, `${taken}`);
  });

  it('commits what the store postponed before anything that came later of its key, and fewer at a time', async () => {
    const commits: string[][] = [];
    const groupCommit = new GroupCommit({
      async commit(drafts): Promise<readonly Outcome[]> {
        commits.push(drafts.map(({ external_identifier }) => external_identifier));
        await turn();
        return drafts.map((_, at) => ({ outcome: at < 8 ? 'withheld' : 'postponed' }));
      },
    });
    const names = Array.from({ length: 100 }, (_, at) => `${at}`);
    const answers = names.slice(0, 50).map((name) => groupCommit.join(draft(name)));
    await turn();
    answers.push(...names.slice(50).map((name) => groupCommit.join(draft(name))));
    const outcomes = await Promise.all(answers);
    assert.ok(outcomes.every(({ outcome }) => outcome === 'withheld'));
    const done = commits.flatMap((some) => some.slice(0, 8));
    assert.deepEqual(done.toSorted(), names.toSorted(), 'each once');
    assert.ok(
      commits.slice(3).every(({ length }) => length <= 16),
      `${commits.map(({ length }) => length)}`,
    );
  });

  it('tells every draft of a commit that failed, and goes on with the next', async () => {
    let fails = true;
    const groupCommit = new GroupCommit({
      commit: async (drafts) => {
        if (fails) throw new StoreUnavailable('The disk is full.');
        return drafts.map(() => ({ outcome: 'withheld' }));
      },
    });
    const failed = await Promise.allSettled([
      groupCommit.join(draft('a')),
      groupCommit.join(draft('b')),
    ]);
    assert.deepEqual(pluck(failed, 'status'), ['rejected', 'rejected']);
    fails = false;
    assert.deepEqual(await groupCommit.join(draft('a')), { outcome: 'withheld' });
  });
});

/** What the groupCommit reports: how many drafts wait, and every commit with its size and duration, failed ones included. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Observer } from '../../src/core/observe/observers.ts';
import { GroupCommit } from '../../src/records/ingest/one/group-commit.ts';
import { type Draft, type Outcome, StoreUnavailable } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';

const draft = {} as Draft;

/** A store whose commits end when told to, and what was reported of them. */
function observed() {
  const commits: PromiseWithResolvers<readonly Outcome[]>[] = [];
  const reported: { readonly drafts: number; readonly durationMs: number }[] = [];
  let waiting = (): number => Number.NaN;
  const observer: Pick<Observer, 'show' | 'committed'> = {
    show: ({ queue_drafts }) => {
      waiting = queue_drafts as () => number;
    },
    committed: (drafts, durationMs) => reported.push({ drafts, durationMs }),
  };
  const commit = (): Promise<readonly Outcome[]> => {
    const ended = Promise.withResolvers<readonly Outcome[]>();
    commits.push(ended);
    return ended.promise;
  };
  return {
    groupCommit: new GroupCommit({ commit }, observer),
    commits,
    reported,
    waiting: () => waiting(),
  };
}

describe('the groupCommit', () => {
  it('tells how many drafts wait, not counting those that are being committed', async () => {
    const { groupCommit, commits, reported, waiting } = observed();
    assert.equal(waiting(), 0);
    const first = [groupCommit.join(draft), groupCommit.join(draft)];
    assert.equal(waiting(), 2);
    await turn();
    assert.equal(waiting(), 0);
    const second = [groupCommit.join(draft), groupCommit.join(draft), groupCommit.join(draft)];
    assert.equal(waiting(), 3);
    assert.deepEqual(reported, []);
    commits[0]?.resolve([]);
    await Promise.all(first);
    await turn();
    assert.equal(waiting(), 0);
    commits[1]?.resolve([]);
    await Promise.all(second);
    assert.deepEqual(pluck(reported, 'drafts'), [2, 3]);
    for (const { durationMs } of reported) assert.ok(durationMs >= 0 && durationMs < 10_000);
  });

  it('reports a commit that failed, once', async () => {
    const { groupCommit, commits, reported } = observed();
    const joined = assert.rejects(groupCommit.join(draft), StoreUnavailable);
    await turn();
    commits[0]?.reject(new StoreUnavailable('full'));
    await joined;
    assert.deepEqual(pluck(reported, 'drafts'), [1]);
  });
});

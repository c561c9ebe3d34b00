/** Test files are shared out to processes by what they need and how long they took. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deal, keyOf } from '../support/deal.ts';
import type { Need } from '../support/needs.ts';

const file = (path: string, ...needs: Need[]) => ({ path, needs: new Set(needs) });
const filesOf = (jobs: ReturnType<typeof deal>) => jobs.map(({ files }) => files);

describe('test files', () => {
  it('with the same needs share a process, and those that need one alone do not', () => {
    const files = [
      file('a'),
      file('b', 'waits'),
      file('c'),
      file('d', 'alone'),
      file('e', 'both stores'),
    ];
    const jobs = deal(files, 'sqlite', new Map());
    assert.deepEqual(filesOf(jobs), [['a', 'c', 'e'], ['b'], ['d']]);
    assert.deepEqual(
      jobs.map(({ waits }) => waits),
      [false, true, false],
    );
  });

  it('are shared out so that no process takes much longer than another', () => {
    const files = ['a', 'b', 'c', 'd'].map((path) => file(path));
    const took = [60_000, 20_000, 18_000, 16_000];
    const known = new Map(files.map(({ path }, at) => [keyOf(path, 'sqlite'), took[at] ?? 0]));
    assert.deepEqual(filesOf(deal(files, 'sqlite', known)), [['a'], ['b'], ['c', 'd']]);
  });
});

/** Test files are claimed one by one, each by one process, and the longest begin first. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import type { Need } from '../support/needs.ts';
import { inOrder, Queue, type Waiting } from '../support/queue.ts';

function queueOf(...files: readonly Waiting[]): Queue {
  const queue = Queue.of(files);
  whenOver(() => queue.remove());
  return queue;
}

const file = (path: string, waits = false, store: Waiting['store'] = 'sqlite') => ({
  path,
  waits,
  store,
});

describe('test files', () => {
  it('begin with the longest, and then with those that start programs', () => {
    const needs = { a: [], b: ['program'], c: ['long', 'both stores'], d: ['waits'] } as const;
    const files = Object.entries(needs).map(([path, own]) => ({ path, needs: new Set<Need>(own) }));
    assert.deepEqual(
      inOrder(files).map(({ path }) => path),
      ['c', 'b', 'd', 'a'],
    );
  });

  it('are claimed once, in their order, by processes of their store', () => {
    const queue = queueOf(file('b'), file('test/a b.ts'), file('c', false, 'postgres'));
    const other = new Queue(queue.folder);
    assert.equal(queue.claim('sqlite', false), 'b');
    assert.equal(other.claim('sqlite', false), 'test/a b.ts');
    assert.equal(queue.claim('sqlite', false), undefined);
    assert.deepEqual(
      queue.left().map(({ path }) => path),
      ['c'],
    );
  });

  it('that wait go first to processes that prefer them, and to others when nothing else is left', () => {
    const queue = queueOf(file('works'), file('waits', true), file('waits, too', true));
    assert.equal(queue.claim('sqlite', true), 'waits');
    assert.equal(queue.claim('sqlite', false), 'works');
    assert.equal(queue.claim('sqlite', false), 'waits, too');
  });
});

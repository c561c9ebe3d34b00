/** What a process remembers of records: it stays small, and is only relied upon as long as it holds. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedMap } from '../../src/core/bounded.ts';
import { createRemembered, type Remembered } from '../../src/store/postgres/fast/remembered.ts';
import { pairOf } from '../../src/store/postgres/names.ts';
import type { Outcome, StoredRecord } from '../../src/store/promises/store.ts';
import { placeDraft } from '../support/store-world.ts';

describe('A bounded map', () => {
  it('hold no more than they may, and keep what is used', () => {
    const most = 1_000;
    const texts = new BoundedMap<string, string>(most, (text) => text.length);
    for (let count = 0; count < 10_000; count++) {
      texts.set(`name ${count}`, 'x'.repeat(10));
      assert.equal(texts.get('name 0')?.length, 10, `after ${count}`);
    }
    const there = Array.from({ length: 10_000 }, (_, count) => texts.get(`name ${count}`) ?? '');
    const size = there.reduce((sum, text) => sum + text.length, 0);
    assert.ok(size > most / 4 && size <= most, `${size} characters`);
  });

  it('give what was set last, until it is deleted', () => {
    const texts = new BoundedMap<string, string>(20, (text) => text.length);
    for (const text of ['one', 'two', 'three', 'a longer one', 'four', 'five', 'six']) {
      texts.set('name', text);
      assert.equal(texts.get('name'), text);
    }
    texts.delete('name');
    assert.equal(texts.get('name'), undefined);
    texts.set('name', 'again');
    texts.clear();
    assert.equal(texts.get('name'), undefined);
  });
});

describe('What is remembered', () => {
  const named = (name: string) => {
    const draft = placeDraft('own_1', name, { title: name });
    return { draft, pair: pairOf(draft) };
  };
  const record = (remembered: Remembered, name: string) =>
    remembered.recall([named(name)])[0]?.record;
  const some = (from: number) => Array.from({ length: 40 }, (_, at) => named(`${from + at}`));
  const outcomeOf = (outcome: 'created' | 'updated', version: number): Outcome => ({
    outcome,
    record: { document: '{}', version } as StoredRecord,
    mergeMs: 0,
  });

  it('suffices for unseen records, until many of them turn out to exist', () => {
    const remembered = createRemembered(2 ** 25);
    assert.ok(remembered.suffices(remembered.recall(some(0))));
    remembered.learnAll(
      remembered.recall(some(0)),
      some(0).map(() => outcomeOf('updated', 2)),
    );
    assert.ok(!remembered.suffices(remembered.recall(some(100))), 'who sends all of them again');
    assert.ok(remembered.suffices(remembered.recall(some(0))), 'these are known by now');
    for (let round = 0; round < 10; round++) {
      const next = some(1_000 + 40 * round);
      remembered.learnAll(
        remembered.recall(next),
        next.map(() => outcomeOf('created', 1)),
      );
    }
    assert.ok(remembered.suffices(remembered.recall(some(100))), 'new ones come again');
  });

  it('does not suffice where others change what was seen', () => {
    const remembered = createRemembered(2 ** 25);
    remembered.learnAll(
      remembered.recall(some(0)),
      some(0).map(() => outcomeOf('created', 1)),
    );
    assert.equal(record(remembered, '0')?.version, 1);
    remembered.learnAll(
      remembered.recall(some(0)),
      some(0).map(() => outcomeOf('updated', 7)),
    );
    assert.ok(!remembered.suffices(remembered.recall(some(0))));
    assert.equal(record(remembered, '0')?.version, 7);
    remembered.forget(named('0').pair);
    assert.equal(record(remembered, '0'), undefined);
    remembered.forgetAll();
    assert.equal(record(remembered, '1'), undefined);
  });
});

/** What arrives is gathered into chunks: few at a time, in order, and no more than may wait. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Gatherer } from '../../src/records/ingest/many/gather.ts';

/** Work that ends when it is told to. */
function gatherer(limits: { count: number; bytes: number; atOnce: number }) {
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const gathering = new Gatherer<string>(limits, (some) => {
    begun.push(some.join(''));
    return new Promise<void>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    gathering,
    begun,
    end: async (error?: Error): Promise<void> => {
      ends.shift()?.(error);
      await turn();
    },
    /** Adds one of so many bytes; whether there was room for more at once. */
    add: async (name: string, bytes = 1): Promise<boolean> => {
      let hasRoom = false;
      const added = gathering.add([name], bytes).then(() => {
        hasRoom = true;
      });
      added.catch(() => {});
      await turn();
      return hasRoom;
    },
  };
}

describe('gathering', () => {
  it('begins with what is there, and beside that only what is full', async () => {
    const { begun, add, end, gathering } = gatherer({ count: 3, bytes: 100, atOnce: 2 });
    for (const name of ['a', 'b', 'c']) assert.ok(await add(name), name);
    assert.deepEqual(begun, ['a']);
    assert.ok(await add('d'));
    assert.deepEqual(begun, ['a', 'bcd'], 'three are a chunk');
    await add('e');
    await add('f');
    assert.equal(await add('g'), false, 'no room until one of the two is done');
    assert.deepEqual(begun, ['a', 'bcd']);
    await end();
    assert.deepEqual(begun, ['a', 'bcd', 'efg']);
    assert.ok(await add('h'));
    await end();
    await end();
    assert.deepEqual(begun, ['a', 'bcd', 'efg', 'h'], 'what is left, when nothing else is begun');
    await end();
    await gathering.done();
  });

  it('is full by bytes, too', async () => {
    const { begun, add } = gatherer({ count: 100, bytes: 10, atOnce: 2 });
    await add('a', 1);
    assert.ok(await add('b', 9));
    assert.deepEqual(begun, ['a']);
    await add('c', 1);
    assert.deepEqual(begun, ['a', 'bc']);
    assert.equal(await add('d', 10), false);
  });

  it('throws what the work has thrown to who adds and to who waits, and begins nothing more', async () => {
    const { begun, add, end, gathering } = gatherer({ count: 1, bytes: 100, atOnce: 2 });
    await add('a');
    await add('b');
    const waiting = assert.rejects(gathering.add(['c'], 1), /failed/);
    await end(new Error('failed'));
    await waiting;
    await assert.rejects(gathering.add(['d'], 1), /failed/);
    await assert.rejects(gathering.done(), /failed/);
    await end();
    assert.deepEqual(begun, ['a', 'b']);
    await assert.rejects(gathering.done(), /failed/);
  });
});

/** What many ask for singly is asked of a PostgreSQL server together, and each gets what he asked for, as new as if he had asked alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLookUp } from '../../src/store/postgres/wire/lookups.ts';

/** A server that answers when told to, with what it holds at that moment. */
function makeServer() {
  const held = new Map<string, string>();
  const asked: { readonly of: string; readonly names: readonly string[] }[] = [];
  const underWay: { readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];
  const lookUp = createLookUp((of: string, names: readonly string[]) => {
    asked.push({ of, names });
    const seen = new Map(held);
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    underWay.push({ answer: () => resolve(seen), fail: reject });
    return promise;
  });
  /** The next one that is under way, once it has been asked. */
  const next = async () => {
    for (let turn = 0; underWay.length === 0 && turn < 10; turn += 1) {
      await new Promise(setImmediate);
    }
    const [first] = underWay.splice(0, 1);
    assert.ok(first, 'nothing was asked');
    return first;
  };
  const find = (name: string, of = 'acc_1') => lookUp(of, name, name);
  return { held, asked, next, find };
}

describe('What is asked for singly', () => {
  it('is asked together, some at a time, and each gets his own answer', async () => {
    const { held, asked, next, find } = makeServer();
    for (let at = 0; at < 100; at += 2) held.set(`${at}`, `record ${at}`);
    const all = Array.from({ length: 100 }, (_, at) => find(`${at}`));
    const other = find('2', 'acc_2');
    for (let answered = 0; answered < 3; answered += 1) (await next()).answer();
    assert.deepEqual(
      await Promise.all(all),
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? `record ${at}` : undefined)),
    );
    assert.equal(await other, 'record 2');
    assert.deepEqual(
      asked.map(({ of, names }) => [of, names.length]),
      [
        ['acc_1', 64],
        ['acc_2', 1],
        ['acc_1', 36],
      ],
    );
  });

  it('by many at once is asked once', async () => {
    const { held, asked, next, find } = makeServer();
    held.set('same', 'record');
    const all = [find('same'), find('same'), find('same')];
    (await next()).answer();
    assert.deepEqual(await Promise.all(all), ['record', 'record', 'record']);
    assert.deepEqual(
      asked.map(({ names }) => names),
      [['same']],
    );
  });

  it('is never answered from what the server was asked before', async () => {
    const { held, next, find } = makeServer();
    held.set('one', 'old');
    const before = find('one');
    const first = await next();
    held.set('one', 'new');
    const after = find('one');
    first.answer();
    (await next()).answer();
    assert.deepEqual(await Promise.all([before, after]), ['old', 'new']);
  });

  it('fails for those alone who were asked for together, and is asked again for the next', async () => {
    const { held, next, find } = makeServer();
    held.set('one', 'record');
    const failed = [find('one'), find('two')];
    const first = await next();
    const later = find('one');
    first.fail(new Error('the server is gone'));
    for (const one of failed) await assert.rejects(one, /the server is gone/);
    (await next()).answer();
    assert.equal(await later, 'record');
    const again = find('two');
    (await next()).answer();
    assert.equal(await again, undefined);
  });
});

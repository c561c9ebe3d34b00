/** Few pages are read at a time, however many are asked for, and no key waits for all of another one's. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { connectionCame } from '../../src/core/fair/loop.ts';
import { createPageReads } from '../../src/core/fair/page-reads.ts';
import { givingWay } from '../../src/records/query/page.ts';

it('pages are read a few at a time, one begins in a turn, and the keys take turns', async () => {
  const reads = createPageReads();
  const begun: string[] = [];
  let underWay = 0;
  let most = 0;
  const read = (name: string) => async () => {
    begun.push(name);
    underWay += 1;
    most = Math.max(most, underWay);
    for (let count = 0; count < 5; count++) await turn();
    underWay -= 1;
    return name;
  };
  const many = Array.from({ length: 100 }, (_, count) => reads.run('many', read(`many ${count}`)));
  const one = reads.run('one', read('one'));
  // The first begins at once, and one more in each turn at the most.
  for (let turns = 1; turns <= 5; turns++) {
    await turn();
    assert.ok(begun.length <= turns + 1, `${begun.length} began in ${turns} turns`);
  }
  assert.equal(await one, 'one');
  assert.ok(begun.indexOf('one') < 8, `it was read as number ${begun.indexOf('one')}`);
  assert.equal((await Promise.all(many)).length, 100);
  assert.ok(most <= 3, `${most} at a time`);
});

it('a page that cannot be read keeps no other from being read', async () => {
  const reads = createPageReads();
  const failing = Array.from({ length: 10 }, () =>
    reads.run('a', async () => {
      throw new Error('out of reach');
    }),
  );
  for (const one of failing) await assert.rejects(one, /out of reach/);
  assert.equal(await reads.run('a', async () => 'read'), 'read');
});

it('while connections come, turns without a read follow, and the reads go on', async () => {
  const reads = createPageReads();
  const PAGES = 20;
  let read = 0;
  const all = Array.from({ length: PAGES }, () =>
    reads.run('a', async () => {
      read += 1;
      for (const until = performance.now() + 3; performance.now() < until; );
    }),
  );
  let turns = 0;
  for (; read < PAGES; turns++) {
    connectionCame();
    await turn();
  }
  await Promise.all(all);
  assert.ok(turns > 3 * PAGES, `${turns} turns for ${PAGES} pages`);
});

it('a page that gives way lets others be read, and goes on in its turn', async () => {
  const reads = createPageReads();
  const parts: string[] = [];
  let ended = false;
  const long = Array.from({ length: 6 }, (_, count) =>
    reads.run('many', async (giveWay) => {
      while (!ended) {
        parts.push(`many ${count}`);
        await giveWay();
      }
    }),
  );
  for (const name of ['one', 'two', 'three']) {
    const before = parts.length;
    assert.equal(await reads.run('other', async () => name), name);
    assert.ok(parts.length - before < 12, `${parts.length - before} parts of others came before`);
  }
  while (new Set(parts).size < 6) await turn();
  ended = true;
  await Promise.all(long);
});

it('a page that fails after it gave way keeps no slot', async () => {
  const reads = createPageReads();
  for (let count = 0; count < 10; count++) {
    const failing = reads.run('a', async (giveWay) => {
      await giveWay();
      throw new Error('gone');
    });
    await assert.rejects(failing, /gone/);
  }
  assert.equal(await reads.run('a', async () => 'read'), 'read');
});

it('a page whose client has gone is read no further', async () => {
  const reads = createPageReads();
  let isGone = false;
  let parts = 0;
  const left = reads.run('a', async (giveWay) => {
    const next = givingWay(giveWay, () => isGone);
    for (;;) {
      parts += 1;
      await next();
    }
  });
  while (parts < 3) await turn();
  isGone = true;
  await assert.rejects(left, { code: 'request_timeout' });
  const before = parts;
  for (let count = 0; count < 5; count++) await turn();
  assert.equal(parts, before);
});

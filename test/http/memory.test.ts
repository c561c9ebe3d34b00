/** The memory of requests under way is shared: nobody takes it all, and all of it comes back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryBudget, MemoryReservation, memoryForRequests } from '../../src/edge/fair/memory.ts';

describe('the memory for requests', () => {
  it('is a part of what the process may use', () => {
    const bytes = memoryForRequests();
    assert.ok(bytes >= 256 * 1024 ** 2 && bytes <= 2 * 1024 ** 3, String(bytes));
    assert.equal(new MemoryBudget().total, bytes);
  });

  it('is half for one key, a third each for two, and leaves room for a new key', () => {
    const budget = new MemoryBudget(120);
    const fill = (key: string): number => {
      let taken = 0;
      while (budget.tryTake(key, 1)) taken += 1;
      return taken;
    };
    assert.equal(fill('one'), 60);
    for (let round = 0; round < 60; round++) {
      budget.give('one', 1);
      fill('other');
      fill('one');
    }
    assert.equal(budget.held, 80);
    assert.ok(budget.tryTake('new', 20));
  });

  it('takes the first request however large it is, and refuses the next until it is over', () => {
    const budget = new MemoryBudget(100);
    assert.ok(budget.tryTake('one', 500));
    assert.equal(budget.tryTake('other', 1), false);
    budget.give('one', 500);
    assert.ok(budget.tryTake('other', 1));
  });

  it('says 429 to a key that holds its share, and 503 to one that holds nothing', () => {
    const budget = new MemoryBudget(100);
    const held = new MemoryReservation(budget, 'one');
    held.hold(50);
    const wants = { code: 'memory_limited', status: 429, headers: { 'Retry-After': '1' } };
    assert.throws(() => held.hold(51), wants);
    assert.equal(held.bytes, 50, 'what it held, it holds');
    assert.throws(() => new MemoryReservation(budget, 'one').hold(1), wants);
    const other = { code: 'service_unavailable', status: 503, headers: { 'Retry-After': '1' } };
    assert.throws(() => new MemoryReservation(budget, 'other').hold(51), other);
    new MemoryReservation(budget, 'other').hold(50);
  });

  it('comes back once, whatever is done after', () => {
    const budget = new MemoryBudget(100);
    const held = new MemoryReservation(budget, 'one');
    held.hold(40);
    held.hold(10);
    assert.equal(budget.held, 10);
    held.release();
    held.release();
    held.hold(30);
    assert.equal(budget.held, 0);
    assert.ok(new MemoryReservation(budget, 'one').tryHold(50));
  });
});

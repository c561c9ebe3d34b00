/** What is there now, while it comes and goes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Slots } from '../../src/edge/fair/least-speed.ts';

describe('Slots', () => {
  it('hold what has come and not gone, in no more slots than there were things at once', () => {
    const slots = new Slots<string>();
    const there = new Map<string, number>();
    let most = 0;
    for (let count = 0; count < 10_000; count++) {
      if (there.size > 0 && count % 3 === 0) {
        const [name = '', place = -1] = [...there][(count * 7919) % there.size] ?? [];
        slots.leave(place);
        there.delete(name);
      } else if (there.size < 50) {
        const place = slots.take(`thing ${count}`);
        assert.ok(![...there.values()].includes(place), 'nobody else has it');
        there.set(`thing ${count}`, place);
      }
      most = Math.max(most, there.size);
      assert.ok(Math.max(-1, ...there.values()) < most);
    }
    assert.deepEqual([...slots.there()].sort(), [...there.keys()].sort());
  });
});

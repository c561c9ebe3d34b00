/** What limits count, on a clock of the test's own. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { networkOf } from '../../src/core/network/networks.ts';
import { connectionsFor } from '../../src/edge/limits/connections.ts';
import { createFailures, DelayedAnswers } from '../../src/edge/limits/gate.ts';
import { Bucket, KeyLimit } from '../../src/edge/limits/key-limit.ts';

const socket = (): Socket => new EventEmitter() as Socket;

describe('a bucket', () => {
  it('fills steadily, never beyond its brim, and may owe', () => {
    const bucket = new Bucket(10, 5, 1_000);
    assert.equal(bucket.left(1_000), 10);
    bucket.take(25, 1_000);
    assert.equal(bucket.left(1_000), -15);
    assert.equal(bucket.msUntil(0, 1_000), 3_000);
    assert.equal(bucket.msUntil(1, 2_000), 2_200);
    assert.equal(bucket.left(4_000), 0);
    assert.equal(bucket.left(60_000), 10);
    assert.equal(bucket.msUntil(10, 60_000), 0);
    bucket.take(1, 60_000);
    assert.equal(bucket.msUntil(99, 60_000), 200, 'it is never asked for more than it holds');
  });
});

describe('a limit', () => {
  it('over a long time lets through exactly its rate', () => {
    const limit = new KeyLimit({ rate: 7, concurrent: undefined }, 0);
    let through = 0;
    for (let now = 0; now < 60_000; now += 10) {
      if (limit.begin(false, now) === undefined) {
        through += 1;
        limit.end();
      }
    }
    assert.ok(through >= 7 * 60 && through <= 7 * 61, String(through));
  });

  it('says in Retry-After after how long one request is let through, and no sooner', () => {
    const limit = new KeyLimit({ rate: 2, concurrent: undefined }, 0);
    limit.charge(10, 0);
    const refusal = limit.begin(false, 0);
    assert.equal(refusal?.headers['Retry-After'], '5');
    assert.equal(limit.state(0), '"rate";r=0;t=5');
    assert.notEqual(limit.begin(false, 4_400), undefined);
    assert.equal(limit.begin(false, 4_500), undefined);
    assert.equal(limit.begin(false, 9_000), undefined);
  });

  it('takes the rows of streams by halves, so that there is something left for others', () => {
    assert.equal(new KeyLimit({ rate: 100, concurrent: undefined }, 0).together, 50);
    assert.equal(new KeyLimit({ rate: 1, concurrent: undefined }, 0).together, 1);
    const unlimited = new KeyLimit({ rate: undefined, concurrent: 3 }, 0);
    assert.equal(unlimited.together, Number.POSITIVE_INFINITY);
  });

  it('is as if nothing had happened once its bucket is full and nothing is under way', () => {
    const limit = new KeyLimit({ rate: 2, concurrent: 1 }, 0);
    assert.equal(limit.isIdle(0), true);
    assert.equal(limit.begin(false, 0), undefined);
    assert.equal(limit.isIdle(60_000), false, 'a request is under way');
    limit.end();
    assert.equal(limit.isIdle(60_000), true);
    assert.equal(limit.begin(false, 60_000), undefined);
    limit.end();
    assert.equal(limit.isIdle(60_100), false, 'the bucket is not full');
  });
});

describe('answers that are held back', () => {
  it('are given when their time has come, and at once when their connection is released', async () => {
    const held = new DelayedAnswers(100);
    const connections = [socket(), socket()] as const;
    const answered: string[] = [];
    await new Promise<void>((resolve) => {
      held.hold(connections[0], 60_000, () => answered.push('first'));
      held.hold(connections[1], 1, () => {
        answered.push('second');
        resolve();
      });
    });
    assert.deepEqual([held.count, answered], [1, ['second']]);
    assert.deepEqual([held.release(connections[0]), held.release(connections[0])], [true, false]);
    connections[0].emit('close');
    assert.deepEqual([held.count, answered], [0, ['second', 'first']]);
  });

  it('are bounded in all, and go with their connection', () => {
    const held = new DelayedAnswers(3);
    const connections = [socket(), socket(), socket()];
    for (const connection of connections) assert.ok(held.hold(connection, 60_000, () => {}));
    assert.equal(
      held.hold(socket(), 60_000, () => {}),
      false,
    );
    connections[0]?.emit('close');
    assert.equal(held.count, 2);
    const last = socket();
    assert.ok(held.hold(last, 60_000, () => {}));
    held.release(last);
    for (const connection of connections) held.release(connection);
  });
});

describe('failed authentications', () => {
  const setUp = () => {
    const clock = { at: 0, now: () => clock.at };
    const logged: [string, number][] = [];
    const failures = createFailures((...line) => logged.push(line), undefined, clock);
    const fail = (address: string): boolean => {
      let answered = false;
      const connection = socket();
      failures.failed(connection, address, () => {
        answered = true;
      });
      const atOnce = answered;
      connection.emit('close');
      return atOnce;
    };
    return { clock, logged, fail };
  };

  it('are answered at once while they are few, and logged once when they are many', () => {
    const { clock, logged, fail } = setUp();
    for (let count = 0; count < 20; count++) assert.equal(fail('203.0.113.7'), true);
    assert.deepEqual(logged, []);
    for (let count = 0; count < 30; count++) assert.equal(fail('203.0.113.7'), false);
    assert.deepEqual(logged, [['203.0.113.7', 21]]);
    assert.equal(fail('203.0.113.8'), true, 'another address is another matter');
    clock.at = 61_000;
    for (let count = 0; count < 21; count++) fail('203.0.113.7');
    assert.deepEqual(logged.slice(1), [['203.0.113.7', 50]]);
  });

  it('of a network of IPv6 are those of one caller', () => {
    const { fail } = setUp();
    for (let count = 1; count <= 20; count++) assert.equal(fail(`2001:db8:1:2::${count}`), true);
    assert.equal(fail('2001:db8:1:2:ffff::1'), false);
    assert.equal(fail('2001:db8:1:3::1'), true);
  });

  it('are remembered for a limited number of addresses, longest for those that keep failing', () => {
    const { fail } = setUp();
    for (let count = 0; count < 30; count++) fail('203.0.113.7');
    for (let count = 0; count < 9_999; count++)
      fail(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`);
    assert.equal(fail('203.0.113.7'), false, 'still remembered');
    for (let count = 0; count < 9_999; count++)
      fail(`11.${count >> 16}.${(count >> 8) & 255}.${count & 255}`);
    assert.equal(fail('203.0.113.7'), false);
    for (let count = 0; count < 20_000; count++)
      fail(`12.${count >> 16}.${(count >> 8) & 255}.${count & 255}`);
    assert.equal(fail('203.0.113.7'), true, 'forgotten');
  });
});

describe('what of an address tells callers apart', () => {
  for (const [address, network] of [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8::/64'],
    ['2001:db8:0:2::6', '2001:db8:0:2::/64'],
    ['::1', '::/64'],
    ['1::', '1::/64'],
    [undefined, 'unknown'],
  ] as const) {
    it(`of ${address} is ${network}`, () => assert.equal(networkOf(address), network));
  }
});

describe('connections for the descriptors that there are', () => {
  for (const [descriptors, connections] of [
    [64, 16],
    [256, 153],
    [1_024, 768],
    [20_000, 10_000],
    [Number.POSITIVE_INFINITY, 10_000],
  ] as const) {
    it(`of ${descriptors} are ${connections}`, () =>
      assert.equal(connectionsFor(descriptors), connections));
  }
});

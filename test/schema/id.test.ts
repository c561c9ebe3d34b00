import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createIdentifiers, encode128 } from '../../src/core/schema/id.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function plainBase62(value: bigint): string {
  let text = '';
  for (let i = 0, rest = value; i < 22; i++, rest /= 62n)
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}

describe('unique identifiers (decisions, Bodies: Identifiers)', () => {
  it('are the base-62 writing of 128 bits', () => {
    const word = fc.nat({ max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(word, word, word, word, (a, b, c, d) => {
        const value = (BigInt(a) << 96n) | (BigInt(b) << 64n) | (BigInt(c) << 32n) | BigInt(d);
        assert.equal(encode128(a, b, c, d), plainBase62(value));
      }),
    );
    assert.equal(
      encode128(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff),
      plainBase62(2n ** 128n - 1n),
    );
  });

  it('ascend within a process, also within one millisecond and when the clock goes back', () => {
    const clock = [1000, 1000, 1000, 1001, 5000, 4000, 4000, 5000, 5001];
    let tick = 0;
    const identify = createIdentifiers(() => clock[tick++ % clock.length] as number);
    let last = '';
    for (let i = 0; i < 20_000; i++) {
      const next = identify('evt_');
      assert.ok(next > last, `${next} after ${last}`);
      assert.match(next, /^evt_[0-9A-Za-z]{22}$/);
      last = next;
    }
  });

  it('pass the one that is said to be the latest, by whatever clock that was made', () => {
    const here = createIdentifiers(() => 1_800_000_000_000);
    for (const ahead of [0, 1, 100_000_000_000]) {
      const there = createIdentifiers(() => 1_800_000_000_000 + ahead);
      for (let i = 0; i < 1000; i++) {
        const theirs = there('evt_');
        const ours = here('evt_', theirs);
        assert.ok(ours > theirs, `${ours} after ${theirs}`);
        assert.match(ours, /^evt_[0-9A-Za-z]{22}$/);
        assert.ok(here('evt_', there('evt_')) > ours);
      }
    }
  });

  it('ascend from one millisecond to the next across processes', () => {
    const one = createIdentifiers(() => 1_800_000_000_000);
    const other = createIdentifiers(() => 1_800_000_000_001);
    for (let i = 0; i < 1000; i++) assert.ok(one('loc_') < other('loc_'));
  });
});

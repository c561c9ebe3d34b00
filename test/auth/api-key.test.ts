/** The form of API keys (decisions, "Keys"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { createSecret, secretOf } from '../../src/records/auth/issue-key.ts';

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function numberOf(characters: string): number {
  return [...characters].reduce((value, one) => value * 62 + BASE_62.indexOf(one), 0);
}

describe('a secret', () => {
  it('tells live from test, and has at least 190 bits of randomness in base 62', () => {
    for (const livemode of [true, false]) {
      const form = livemode ? /^sk_live_([0-9A-Za-z]+)$/ : /^sk_test_([0-9A-Za-z]+)$/;
      const random = form.exec(createSecret(livemode))?.[1]?.slice(0, -6) ?? '';
      assert.ok(random.length * Math.log2(62) >= 190, `${random.length} characters`);
    }
  });

  it('ends in six characters that are the CRC-32 of all before them', () => {
    for (let round = 0; round < 100; round++) {
      const secret = createSecret(round % 2 === 0);
      assert.equal(numberOf(secret.slice(-6)), crc32(secret.slice(0, -6)));
    }
  });

  it('is never made twice, and favours no character', () => {
    const counts = new Map<string, number>();
    const secrets = new Set<string>();
    for (let round = 0; round < 5000; round++) {
      const secret = createSecret(true);
      secrets.add(secret);
      for (const one of secret.slice('sk_live_'.length, -6))
        counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    assert.equal(secrets.size, 5000);
    assert.equal(counts.size, 62);
    const expected = (5000 * 32) / 62;
    // Eight standard deviations: a byte taken modulo 62 would give some characters a quarter more.
    for (const [one, count] of counts)
      assert.ok(Math.abs(count - expected) < 8 * Math.sqrt(expected), one);
  });
});

describe('the secret of a request', () => {
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

  it('is the Basic username with an empty password, or the Bearer token', () => {
    assert.equal(secretOf(basic('sk_test_x:')), 'sk_test_x');
    assert.equal(secretOf('bearer sk_test_x'), 'sk_test_x');
  });

  it('is in nothing else', () => {
    for (const header of [
      undefined,
      '',
      'sk_test_x',
      basic('sk_test_x'),
      // As base64 it ends in a colon.
      'Basic sk_test_AAA6',
      basic(':sk_test_x'),
      basic('sk_test_x:p'),
      basic('a:b:'),
      'Digest sk_test_x',
      'Bearer a b',
    ]) {
      assert.equal(secretOf(header), undefined, String(header));
    }
  });
});

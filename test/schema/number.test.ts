/** Numbers keep their value exactly and have one spelling (decisions, Bodies: Numbers in free-form content). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalNumber } from '../../src/core/schema/json/json.ts';
import { isRawNumber, type RawNumber } from '../../src/core/schema/values.ts';

const digits = (max: number) =>
  fc
    .array(fc.constantFrom(...'0000123456789'), { minLength: 1, maxLength: max })
    .map((d) => d.join(''));

/** Any JSON number token, well spelled or not, with many zeros. */
const token = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constant('0'),
      digits(25).map((d) => d.replace(/^0+(?=.)/, '')),
    ),
    fraction: fc.option(digits(25), { nil: undefined }),
    exponent: fc.option(
      fc.tuple(
        fc.constantFrom('e', 'E'),
        fc.constantFrom('', '+', '-'),
        fc.constantFrom('', '00'),
        fc.nat(40),
      ),
      { nil: undefined },
    ),
  })
  .map(
    ({ sign, whole, fraction, exponent }) =>
      `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`,
  );

/** The value as digits × 10^exponent, the digits not divisible by ten. */
function exactValue(text: string): { digits: bigint; exponent: number } {
  const match = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  assert.ok(match, text);
  const [, whole = '', fraction = '', exponent = '0'] = match;
  let value = BigInt(whole + fraction);
  if (value === 0n) return { digits: 0n, exponent: 0 };
  let power = Number(BigInt(exponent)) - fraction.length;
  for (; value % 10n === 0n; power += 1) value /= 10n;
  return { digits: value, exponent: power };
}

/** The canonical spelling, made another way: by arithmetic. */
function referenceSpelling(text: string): string {
  const { digits: value, exponent } = exactValue(text);
  const sign = value < 0n ? '-' : '';
  const plain = String(value < 0n ? -value : value);
  const first = plain.length - 1 + exponent;
  if (value !== 0n && (first < -7 || first > 20)) {
    const mantissa = plain.length === 1 ? plain : `${plain[0]}.${plain.slice(1)}`;
    return `${sign}${mantissa}e${first < 0 ? '' : '+'}${first}`;
  }
  if (exponent >= 0) return sign + String(BigInt(plain) * 10n ** BigInt(exponent));
  const padded = plain.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

function spelling(number: number | RawNumber | undefined): string {
  assert.notEqual(number, undefined);
  return isRawNumber(number) ? number.rawJSON : JSON.stringify(number);
}

describe('the canonical number', () => {
  it('has exactly the value that was sent, in one spelling, and is plain where JavaScript prints that', () => {
    fc.assert(
      fc.property(token, (text) => {
        const number = canonicalNumber(text);
        const spelled = spelling(number);
        assert.deepEqual(exactValue(spelled), exactValue(text));
        assert.equal(spelled, referenceSpelling(text));
        assert.deepEqual(canonicalNumber(spelled), number);
        assert.equal(typeof number === 'number', String(Number(text)) === spelled);
      }),
      { numRuns: 2000 },
    );
  });

  it('prints every double as its shortest digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const number = canonicalNumber(String(double));
        assert.equal(isRawNumber(number) ? Number(number.rawJSON) : number, double + 0);
      }),
    );
  });

  for (const [sent, kept] of [
    ['0', 0],
    ['-0', 0],
    ['-0.000', 0],
    ['0e99999999999999999999', 0],
    ['0.10', 0.1],
    ['1E2', 100],
    ['100e-2', 1],
    ['123456789012345680000', 123456789012345680000],
    ['0.000001', 0.000001],
    ['-1.5e300', -1.5e300],
    ['12345678901234567890', '12345678901234567890'],
    ['0.30000000000000001', '0.30000000000000001'],
    ['1e-7', '0.0000001'],
    ['15e-8', '0.00000015'],
    ['1e-8', 1e-8],
    ['1e20', 100000000000000000000],
    ['1e21', 1e21],
    ['1e400', '1e+400'],
    ['-12.5e-400', '-1.25e-399'],
    ['5e-324', 5e-324],
    ['4e-324', '4e-324'],
  ] as const) {
    it(`${sent} is kept as ${kept}`, () => {
      const number = canonicalNumber(sent);
      assert.equal(isRawNumber(number) ? number.rawJSON : number, kept);
      assert.ok(!Object.is(number, -0));
    });
  }
});

describe('the range of numbers', () => {
  it('ends at 1,000 significant digits', () => {
    const nines = '9'.repeat(1000);
    assert.equal(spelling(canonicalNumber(`${nines}e-999`)), `9.${nines.slice(1)}`);
    assert.equal(canonicalNumber(`${nines}9e-999`), undefined);
    assert.equal(canonicalNumber(`0.000${nines}000`) === undefined, false);
    assert.equal(canonicalNumber(`0.${nines}01`), undefined);
  });

  it('ends at exponents of the first digit of ±1,000', () => {
    assert.equal(spelling(canonicalNumber('9.9e1000')), '9.9e+1000');
    assert.equal(spelling(canonicalNumber(`1${'0'.repeat(1000)}`)), '1e+1000');
    assert.equal(spelling(canonicalNumber('0.01e-998')), '1e-1000');
    assert.equal(canonicalNumber('1e1001'), undefined);
    assert.equal(canonicalNumber('0.1e-1000'), undefined);
    assert.equal(canonicalNumber(`1e${'9'.repeat(1000)}`), undefined);
    assert.equal(canonicalNumber(`-1e-${'9'.repeat(30)}`), undefined);
    assert.equal(canonicalNumber(`0.${'0'.repeat(5000)}1e5001`), 1);
  });

  it('is told in a time that grows with the token alone', () => {
    const megabyte = 2 ** 20;
    const start = performance.now();
    assert.equal(canonicalNumber(`1${'0'.repeat(megabyte)}1`), undefined);
    assert.equal(canonicalNumber(`0.${'0'.repeat(megabyte)}`), 0);
    assert.equal(canonicalNumber(`1e${'0'.repeat(megabyte)}2`), 100);
    assert.equal(canonicalNumber(`1e${'9'.repeat(megabyte)}`), undefined);
    assert.equal(canonicalNumber('1e-999999999999999999999'), undefined);
    // Anything quadratic takes minutes.
    assert.ok(performance.now() - start < 2000);
  });
});

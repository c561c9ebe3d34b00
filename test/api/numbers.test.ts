/** Numbers in free-form content, read from the raw text of answers (decisions, "Numbers in free-form content"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { faultsOf, scene } from '../support/scenario.ts';
import type { Answer } from '../support/service.ts';

const stage = scene();

const send = (number: string, as?: string): Promise<Answer> =>
  stage.upsert('online_arrangements', {
    json: `"additional_data":{"n":${number}}`,
    ...(as === undefined ? {} : { as }),
  });

/** The number as the text of an answer spells it. */
function spelled(answer: Answer): string | undefined {
  assert.equal(answer.status, 200, answer.text);
  return /"additional_data":\{"n":([^,}\]]*)\}/.exec(answer.text)?.[1];
}

const nines = (count: number): string => '9'.repeat(count);
const zeros = (count: number): string => '0'.repeat(count);

describe('the value is kept, in one canonical spelling', () => {
  const spellings: readonly (readonly [sent: string, answered: string])[] = [
    ['0', '0'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['0e0', '0'],
    ['-0e-999999999', '0'],
    ['0.000e5', '0'],
    ['1', '1'],
    ['-1', '-1'],
    ['1.0', '1'],
    ['0.10', '0.1'],
    ['100', '100'],
    ['1e2', '100'],
    ['1E+2', '100'],
    ['-12.5e-1', '-1.25'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['0.3000000000000000400', '0.30000000000000004'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['12345678901234567890', '12345678901234567890'],
    ['1.2345678901234567890e19', '12345678901234567890'],
    ['123456789012345678901', '123456789012345678901'],
    // Plain digits while the exponent of the first significant digit is -7 … 20.
    ['1e20', `1${zeros(20)}`],
    ['1e21', '1e+21'],
    ['999999999999999999999', nines(21)],
    ['9999999999999999999999', `9.${nines(21)}e+21`],
    ['1000000000000000000000', '1e+21'],
    ['1e-7', '0.0000001'],
    ['0.0000001', '0.0000001'],
    ['1.5e-7', '0.00000015'],
    ['1e-8', '1e-8'],
    ['0.00000001', '1e-8'],
    ['9.99e-8', '9.99e-8'],
    ['123e-9', '0.000000123'],
    ['-123.456e20', '-1.23456e+22'],
    // What no double holds.
    ['1e400', '1e+400'],
    ['-1e400', '-1e+400'],
    ['1.5E+309', '1.5e+309'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['5e-324', '5e-324'],
    ['4.9e-324', '4.9e-324'],
    ['1e-400', '1e-400'],
    ['0.1e401', '1e+400'],
    // Bounds.
    ['1e1000', '1e+1000'],
    ['-9.99e1000', '-9.99e+1000'],
    ['0.01e1002', '1e+1000'],
    ['1e-1000', '1e-1000'],
    ['1000e-1003', '1e-1000'],
    [`1${zeros(1000)}`, '1e+1000'],
    [`0.${zeros(999)}1`, '1e-1000'],
    [nines(1000), `9.${nines(999)}e+999`],
    [`${nines(1000)}${zeros(1)}`, `9.${nines(999)}e+1000`],
    [`0.${nines(1000)}`, `0.${nines(1000)}`],
    [`${nines(1000)}.000`, `9.${nines(999)}e+999`],
    [`1.${zeros(5000)}`, '1'],
    ['1e0000000000000000000000000000002', '100'],
    [`${nines(500)}e-500`, `0.${nines(500)}`],
  ];
  for (const [index, [sent, answered]] of spellings.entries()) {
    it(`${short(sent)} is ${short(answered)}`, async () => {
      assert.equal(spelled(await send(sent, `number ${index}`)), answered);
      const again = await send(answered, `number ${index}`);
      assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
      assert.equal(spelled(again), answered);
    });
  }

  it('in arrays, in objects and beside other members alike', async () => {
    const answer = await stage.upsert('events', {
      json: '"additional_event_metadata":{"a":[1e400,[0.10,-0]],"b":{"c":12345678901234567890},"d":1e400}',
      as: 'mixed',
    });
    for (const part of ['[1e+400,[0.1,0]]', '"c":12345678901234567890', '"d":1e+400']) {
      assert.ok(answer.text.includes(part), answer.text);
    }
    // A merge of something else leaves them as they are.
    const merged = await stage.upsert('events', {
      json: '"additional_event_metadata":{"a":null,"b":{"e":9007199254740993}}',
      as: 'mixed',
    });
    for (const part of ['12345678901234567890', '"e":9007199254740993', '"d":1e+400']) {
      assert.ok(merged.text.includes(part), merged.text);
    }
  });

  it('a text of digits stays a text, and an object that looks like a raw number an object', async () => {
    const data = { n: '1e400', rawJSON: '1e400', o: { rawJSON: '1' }, a: [{ rawJSON: 7 }] };
    const answer = await stage.upsert('online_arrangements', { json: { additional_data: data } });
    assert.deepEqual(answer.body.additional_data, data);
  });

  it('any decimal comes back as the same number', async () => {
    const decimal = fc.record({
      sign: fc.constantFrom('', '-'),
      whole: fc.bigInt({ min: 0n, max: 10n ** 30n }),
      fraction: fc.option(fc.stringMatching(/^[0-9]{1,30}$/), { nil: undefined }),
      exponent: fc.option(fc.integer({ min: -900, max: 900 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(decimal, async ({ sign, whole, fraction, exponent }) => {
        const token = `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent === undefined ? '' : `e${exponent}`}`;
        const answered = spelled(await send(token)) ?? '';
        assert.deepEqual(exactly(answered), exactly(token));
      }),
      { numRuns: 100 },
    );
  });
});

describe('out of range is 400 number_out_of_range, and named', () => {
  const refused = [
    nines(1001),
    `-${nines(1001)}`,
    `0.${nines(1001)}`,
    `1${zeros(999)}1`,
    `1.${zeros(999)}1`,
    `1${zeros(1001)}`,
    `0.${zeros(1000)}1`,
    '1e1001',
    '-1e1001',
    '10e1000',
    '1e-1001',
    '0.1e-1000',
    '1e99999999',
    '1e-99999999',
    `1e${nines(400)}`,
    `1e-${nines(400)}`,
    `${nines(2000)}e-2000`,
  ];
  for (const number of refused) {
    it(short(number), async () => {
      const answer = await send(number);
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [['additional_data.n', 'number_out_of_range']]);
      assert.match(answer.body.error.message, /1,?000/);
    });
  }

  it('each of them is named by its path', async () => {
    const answer = await stage.upsert('online_arrangements', {
      json: '"additional_data":{"a":[1,1e1001,{"b":-1e1001}],"c":1e1000,"d":{"e":1e-1001}}',
    });
    assert.deepEqual(faultsOf(answer), [
      ['additional_data.a.1', 'number_out_of_range'],
      ['additional_data.a.2.b', 'number_out_of_range'],
      ['additional_data.d.e', 'number_out_of_range'],
    ]);
  });
});

function short(number: string): string {
  return number.length <= 45
    ? number
    : `${number.slice(0, 20)}…${number.slice(-20)} (${number.length})`;
}

/** A number as its significant digits and a power of ten. */
function exactly(token: string): { digits: bigint; power: bigint } {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(token) ?? [];
  let digits = BigInt(whole + fraction);
  let power = BigInt(exponent) - BigInt(fraction.length);
  if (digits === 0n) return { digits, power: 0n };
  for (; digits % 10n === 0n; digits /= 10n) power += 1n;
  return { digits: sign === '-' ? -digits : digits, power };
}

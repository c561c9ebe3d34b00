/** Numbers in free-form content, read from the raw text of answers (decisions, "Numbers in free-form content"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf } from '../support/scenario.ts';
import type { Answer } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

const send = (number: string, as?: string): Promise<Answer> =>
  stage.upsert('online_arrangements', {
    ...{ json: `"additional_data":{"n":${number}}`, ...(as !== undefined && { as }) },
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
    ['-0.0', '0'],
    ['0.3000000000000000400', '0.30000000000000004'],
    ['1.2345678901234567890e19', '12345678901234567890'],
    ['1e21', '1e+21'],
    ['0.00000001', '1e-8'],
    // What no double holds.
    ['1e400', '1e+400'],
    // Bounds.
    [`1${zeros(1000)}`, '1e+1000'],
    [`0.${zeros(999)}1`, '1e-1000'],
    [nines(1000), `9.${nines(999)}e+999`],
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
    const mixed = '{"a":[1e400,[0.10,-0]],"b":{"c":12345678901234567890},"d":1e400}';
    const json = `"additional_event_metadata":${mixed}`;
    const answer = await stage.upsert('events', { json, as: 'mixed' });
    for (const part of ['[1e+400,[0.1,0]]', '"c":12345678901234567890', '"d":1e+400']) {
      assert.ok(answer.text.includes(part), answer.text);
    }
    // A merge of something else leaves them as they are.
    const other = '"additional_event_metadata":{"a":null,"b":{"e":9007199254740993}}';
    const merged = await stage.upsert('events', { json: other, as: 'mixed' });
    for (const part of ['12345678901234567890', '"e":9007199254740993', '"d":1e+400']) {
      assert.ok(merged.text.includes(part), merged.text);
    }
  });

  it('a text of digits stays a text, and an object that looks like a raw number an object', async () => {
    const data = { n: '1e400', rawJSON: '1e400', o: { rawJSON: '1' }, a: [{ rawJSON: 7 }] };
    const answer = await stage.upsert('online_arrangements', { json: { additional_data: data } });
    assert.deepEqual(answer.body.additional_data, data);
  });
});

describe('out of range is 400 number_out_of_range, and named', () => {
  const refused = [nines(1001), `0.${zeros(1000)}1`, '-1e1001', '1e-1001', `1e${nines(400)}`];
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

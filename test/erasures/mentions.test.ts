/** What is known of a person is found in texts as people write it, and not in those of others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mentionsOf } from '../../src/services/erasures/everywhere/mentions.ts';

const mentions = mentionsOf({
  names: ['Ida Thornbury', "Seán O'Brien", 'Ida'],
  phones: ['+14155550123', '+442079460958'],
  texts: ['ida@example.com', 'case-10023', 'abc'],
});

const FOUND = [
  '{"visitor_full_name":"IDA THORNBURY"}',
  'Thornbury, Ida',
  'ask Ida M. Thornbury (daughter)',
  'sean o’brien called',
  String.raw`{"note":"met\nIda Thornbury"}`,
  'call (415) 555-0123 after six',
  'call 415.555.0123',
  '+1 415 555 01 23',
  '020 7946 0958',
  'mailto:Ida@Example.com',
  '2,case-10023,bad',
];
const NOT = [
  'Ida Voss and Leo Thornburys',
  'Thornbury House, then much later in another line of the text: Ida',
  'Ida',
  '{"phone":"+14155550124"}',
  '415555, 0123',
  'case-100234',
  'abc',
  '',
];

describe('Mentions', () => {
  for (const text of FOUND) it(`are found in ${text}`, () => assert.equal(mentions(text), true));
  for (const text of NOT) it(`are not in ${text}`, () => assert.equal(mentions(text), false));

  it('are found among thousands that are looked for at once', () => {
    const many = mentionsOf({
      names: Array.from({ length: 1_000 }, (_, at) => `Given${at} Family${at}`),
      phones: Array.from({ length: 1_000 }, (_, at) => `+1415555${String(at).padStart(4, '0')}`),
      texts: Array.from({ length: 1_000 }, (_, at) => `case-${at}-of-one`),
    });
    for (const text of ['Family7 Given7', '(415) 555-0999', 'x,case-500-of-one,y'])
      assert.equal(many(text), true, text);
    for (const text of ['Family7 Given8', '(415) 556-0999', 'x,case-1500-of-one,y'])
      assert.equal(many(text), false, text);
  });
});

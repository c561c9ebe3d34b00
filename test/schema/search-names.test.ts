/** A name is found however it is written: with and without marks, blanks, dots, apostrophes, and as one word or several. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resources } from '../../src/core/registry.ts';
import {
  matchesOf,
  nearMatchesOf,
  nearStartsOf,
  rangesOf,
  readSearchText,
  termsOf,
} from '../../src/core/schema/search/searching.ts';
import { visit } from '../support/store-shapes.ts';

const NONE = { unique_identifier: 'none', external_identifier: null };

/** Whether the index leads to the record, and the record meets what was typed. */
function finds(name: string, typed: string): boolean {
  const document = { person: { name } };
  const text = readSearchText(typed);
  const terms = termsOf(visit, document);
  const exact =
    matchesOf(visit, document, NONE, text).length > 0 &&
    rangesOf(visit, text).some(({ whole }) =>
      whole.every(({ from, to, holding }) =>
        terms.some((one) => one >= from && one < to && holding.every((part) => one.includes(part))),
      ),
    );
  return (
    exact ||
    (nearMatchesOf(visit, document, text).length > 0 &&
      nearStartsOf(visit, text).some(({ starts, holding }) =>
        terms.some(
          (one) =>
            starts.some((start) => one.startsWith(start)) &&
            holding.every((part) => one.includes(part)),
        ),
      ))
  );
}

describe('A name', () => {
  /** Each is found by each of its group. */
  const same: readonly (readonly string[])[] = [
    ['J.R. Smith', 'JR Smith', 'J R Smith', 'J. R. Smith', 'Smith, J.R.', 'J.-R. Smith'],
    ['J.R.R. Tolkien', 'JRR Tolkien', 'J R R Tolkien'],
    ['Đặng Văn Hùng', 'Dang Van Hung', 'ĐẶNG VĂN HÙNG', 'Đặng Văn Hùng'.normalize('NFD')],
    ['Jan Łoś', 'Jan Los'],
    ['Jørn Vik', 'Jorn Vik'],
    ['Kealiʻi Nuʻu', 'Kealii Nuu', "Keali'i Nu'u", 'Keali‘i Nu’u', 'Kealiʼi Nu`u'],
    ['O’Brien', "O'Brien", 'OBrien', 'O´Brien', 'Oʼbrien'],
    ['田中太郎', '田中 太郎', '田中\u3000太郎'],
    ['김철수', '김 철수'],
    ['van den Berg', 'vandenBerg', 'Vandenberg', 'van denBerg'],
    ['Mary‑Kate Olsen', 'Mary-Kate Olsen', 'Mary Kate Olsen', 'Mary–Kate Olsen', 'Mary−Kate Olsen'],
    [
      'Ju\u00adlia Roe',
      'Julia\u00a0Roe',
      '\ufeffJulia Roe',
      'Jul\u200bia Roe',
      'Julia\u2009Roe\u202c',
    ],
  ];
  for (const group of same)
    it(`is found by any other way to write ${group[0]}`, () => {
      for (const one of group)
        for (const other of group) assert.ok(finds(one, other), `${one} by ${other}`);
    });

  it('of a script without blanks is found by the given name', () => {
    assert.ok(finds('田中太郎', '太郎'));
    assert.ok(finds('김철수', '철수'));
    assert.ok(!finds('田中太郎', '花子'));
    assert.ok(!finds('John Smith', 'mith'));
  });

  it('is found as it stands, and without marks and case, whatever it is', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(names, (name) => {
        const ways = [name, name.normalize('NFD'), name.normalize('NFKC'), `\u200e ${name}\u00a0`];
        const { words, number, email } = readSearchText(name);
        if (words.length === 0 || number !== undefined || email !== undefined) return;
        for (const way of ways) assert.ok(finds(name, way), `${name} by ${way}`);
      }),
      { numRuns: 500 },
    );
  });
});

it('an email address in any field of any resource is found whatever stands around it', () => {
  for (const { shape } of resources)
    for (const { path } of shape.searched?.filter(({ as }) => as === 'email') ?? [])
      for (const stored of ['Jane@example.com ', '\ufeffjane@example.com', '<jane@example.com>'])
        for (const typed of ['jane@example.com', ' JANE@example.com\u00a0', 'jane@example.com,']) {
          const document = path
            .toReversed()
            .reduce<unknown>((in_, name) => ({ [name]: in_ }), stored) as never;
          const text = readSearchText(typed);
          const terms = termsOf(shape, document);
          assert.ok(
            rangesOf(shape, text).some(({ whole }) =>
              whole.every(({ from, to }) => terms.some((one) => one >= from && one < to)),
            ),
          );
          assert.equal(matchesOf(shape, document, NONE, text).length, 1);
        }
});

/** A field takes of a cell what it is for: the text that a person sees, the day, or the number; what a program has spoilt is refused. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Faults } from '../../../src/core/errors.ts';
import { resources } from '../../../src/core/registry.ts';
import { type CellValue, ERROR, shownIn, TEXT, UNSAVED } from '../../../src/core/tables/cell.ts';
import { numberFormats } from '../../../src/core/tables/read-xlsx/formats.ts';
import {
  amountsOf,
  type NamedTarget,
  targetNamed,
} from '../../../src/features/imports/serves/amounts.ts';
import { type Cell, readCell } from '../../../src/features/imports/serves/table/cells.ts';
import { fieldNames } from '../../../src/features/imports/serves/table/headings.ts';

const rules = { order: 'mdy', zone: 'UTC', usPhones: false } as const;

/** All that a column may be for, of all resources. */
const targets = resources.flatMap((resource) =>
  ['external_identifier', ...fieldNames(resource), ...amountsOf(resource).values()].flatMap(
    (name) => targetNamed(resource, name) ?? [],
  ),
);
const isExact = ({ name, kind }: NamedTarget) =>
  /identifier$|postal_code$/.test(name) || kind.endsWith('phone number');
const isPlain = (target: NamedTarget) => target.holds === 'text' && !target.kind.startsWith('date');

function read(target: NamedTarget, cell: Cell) {
  const faults = new Faults();
  const value = readCell(target, cell, rules, faults);
  return { value, codes: faults.named.map(({ code }) => code) };
}

const formats = { 1900: numberFormats(false), 1904: numberFormats(true) };
const ownCode = (code: string | undefined) => (code === undefined ? 0 : 200);

function numberCell(number: number, code?: string, year: 1900 | 1904 = 1900): Cell {
  return { text: String(number), value: formats[year](ownCode(code), code)(number) };
}

describe('every field', () => {
  const errors = [
    ...['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#NULL!', '#NUM!', '#VALUE!', '#SPILL!', '#CALC!'],
    ...['#ERROR!', '#FIELD!', '#BUSY!', '#GETTING_DATA', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!'],
    ...['#PYTHON!', '#TIMEOUT!', '#EXTERNAL!', '#WERT!', '#¡VALOR!', '#¿NOMBRE?', '#NOMBRE?'],
    ...['#VALEUR!', '#ÜBERLAUF!', '#NV', '#N/D', 'Err:502', '########'],
  ];

  it('refuses the errors of formulas, whatever their words and wherever they are', () => {
    for (const target of targets)
      for (const text of errors)
        for (const value of [ERROR, undefined])
          assert.deepEqual(read(target, { text, value }), {
            ...{ value: undefined, codes: ['formula_error'] },
          });
    for (const target of targets)
      assert.deepEqual(read(target, { text: 'any word', value: ERROR }).codes, ['formula_error']);
  });

  it('tells a formula that was never calculated from an empty cell', () => {
    for (const target of targets) {
      assert.deepEqual(read(target, { text: '', value: UNSAVED }).codes, ['formula_unsaved']);
      assert.deepEqual(read(target, { text: '', value: TEXT }).codes, []);
    }
  });
});

describe('fields of texts', () => {
  it('take a cell that is a text as it is, whatever it looks like', () => {
    const odd = [
      '3E104512',
      '1E+05',
      '9.26E+18',
      '26-Jan',
      '#N/A',
      "'02138",
      '="1"',
      'TRUE',
      '41.0',
    ];
    for (const target of targets.filter(isPlain)) {
      for (const text of odd) assert.equal(read(target, { text, value: TEXT }).value, text);
      fc.assert(
        fc.property(fc.string({ minLength: 1 }), (text) => {
          fc.pre(!text.includes('\0'));
          assert.equal(read(target, { text, value: TEXT }).value, text);
        }),
        { numRuns: 20 },
      );
    }
  });

  const shown: readonly (readonly [number, string | undefined, string])[] = [
    [41, '"26-"000', '26-041'],
    [42, '"F"0', 'F42'],
    [43, '\\F\\-0000', 'F-0043'],
    [44, '0000"-B"', '0044-B'],
    [26_041, '00-000', '26-041'],
    [2_138, '00000', '02138'],
    [5_075_550_111, '[<=9999999]###-####;(###) ###-####', '(507) 555-0111'],
    [12_345_678, '000-00-0000', '012-34-5678'],
    [1_250.5, '$#,##0.00', '$1,250.50'],
    [1_250.5, '[$€-407] #,##0.00', '€ 1.250,50'],
    [0.125, '0.0%', '12.5%'],
    [1.25, '# ?/?', '1 1/4'],
    [-4, '0_);(0)', '(4)'],
    [46_085, 'd-mmm', '4-Mar'],
    [46_359.604166666664, '[$-409]m/d/yy h:mm AM/PM;@', '12/3/26 2:30 PM'],
    [1.5, '[h]:mm', '36:00'],
    [0.1 + 0.2, undefined, '0.3'],
    [123_456_789_012, undefined, '123456789012'],
    [7, ';;;', '7'],
    [7, 'a format that is none [', '7'],
    [7, '0'.repeat(300), '7'],
  ];

  it('take what a person sees', () => {
    const [name] = targets.filter((target) => isPlain(target) && !isExact(target));
    assert.ok(name);
    for (const [number, code, text] of shown)
      assert.equal(read(name, numberCell(number, code)).value, text, `${number} as ${code}`);
  });

  it('are refused where a number no longer has its digits', () => {
    for (const target of targets.filter(isPlain))
      fc.assert(
        fc.property(fc.double({ min: 1e15, max: 1e300, noNaN: true }), (number) => {
          for (const code of [undefined, '0', '@', '#,##0'])
            assert.deepEqual(read(target, numberCell(number, code)).codes, ['digits_lost']);
        }),
        { numRuns: 10 },
      );
  });
});

describe('identifiers, codes and phone numbers', () => {
  const exact = targets.filter(isExact);

  it('are there', () => {
    assert.ok(exact.length > 10);
  });

  it('take whole numbers, as they are shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (number) => {
        for (const target of exact) {
          assert.equal(read(target, numberCell(number)).value, String(number));
          assert.equal(read(target, numberCell(number, '"F-"0')).value, `F-${number}`);
          const wide = String(number).padStart(15, '0');
          assert.equal(read(target, numberCell(number, '0'.repeat(15))).value, wide);
        }
      }),
    );
  });

  it('refuse numbers of which not all is shown', () => {
    const cells = [
      ...[numberCell(12_345_678, '0.00E+00'), numberCell(41.7, '0'), numberCell(41_700, '0,')],
      ...[numberCell(1_234.567890123), numberCell(0.333, '# ?/?')],
    ];
    for (const target of exact)
      for (const cell of cells)
        assert.deepEqual(read(target, cell).codes, ['digits_lost'], cell.text);
  });

  it('refuse dates that a spreadsheet program has made of them', () => {
    for (const target of exact) {
      for (const code of ['m/d/yyyy', 'd-mmm', 'mmm-yy', 'h:mm', 'yyyy-mm-dd'])
        assert.deepEqual(read(target, numberCell(46_048, code)).codes, ['made_a_date'], code);
      for (const text of ['26-Jan', 'Jan-26', '1-Dec', '26-ene', '26-janv'])
        assert.deepEqual(read(target, { text }).codes, ['made_a_date'], text);
    }
  });

  it('refuse what a table of texts has of a shortened number, and nothing that only looks like it', () => {
    for (const target of exact) {
      for (const text of ['9.26E+18', '1.41555E+10', '5E+12', '1,41555E+10'])
        assert.deepEqual(read(target, { text }).codes, ['digits_lost'], text);
      for (const text of ['3E104512', '1E5', 'E+18', 'A1E+05', '26-JAN-7', 'Jan-2026'])
        assert.equal(read(target, { text }).value, text);
    }
  });

  it('take the zeros that a table keeps from a spreadsheet program', () => {
    for (const target of exact)
      for (const text of ['="02138"', "'02138", '02138'])
        assert.equal(read(target, { text }).value, '02138');
  });
});

describe('dates', () => {
  const ofKind = (name: string): NamedTarget => {
    const [found] = targets.filter(({ kind }) => kind === name);
    assert.ok(found);
    return found;
  };
  const date = ofKind('date');
  const moment = ofKind('date and time');
  const DAY_MS = 86_400_000;
  const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

  it('are those of the epoch of the workbook, on every day that there is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_958_465 }), (days) => {
        const wanted = dayAt(Date.UTC(1899, 11, 30) + days * DAY_MS);
        assert.equal(read(date, numberCell(days, 'm/d/yyyy')).value, wanted);
        const in1904 = numberCell(days - 1_462, 'm/d/yyyy', 1904);
        if (days >= 1_462) assert.equal(read(date, in1904).value, wanted);
      }),
    );
    for (let days = 1; days < 60; days += 1) {
      const wanted = dayAt(Date.UTC(1899, 11, 31) + days * DAY_MS);
      assert.equal(read(date, numberCell(days, 'd.m.yy')).value, wanted);
    }
    assert.equal(read(date, numberCell(0, 'm/d/yyyy', 1904)).value, '1904-01-01');
  });

  it('are refused on days that there are not', () => {
    for (const days of [-1, 0, 60, 2_958_466, 1e9])
      for (const target of [date, moment])
        assert.deepEqual(read(target, numberCell(days, 'm/d/yyyy')).codes, ['no_such_day']);
  });

  it('are refused as numbers without a format', () => {
    for (const target of [date, moment])
      for (const number of [46_359, 46_359.5, 20_261_203])
        assert.deepEqual(read(target, numberCell(number)).codes, ['date_as_number']);
  });

  it('keep every second of every day, by any format that shows it', () => {
    const codes = [
      'm/d/yyyy h:mm:ss',
      'm/d/yyyy h:mm',
      'm/d/yyyy',
      'h:mm AM/PM',
      'yyyy-mm-ddThh:mm',
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: 61, max: 73_000 }),
        fc.integer({ min: 1, max: 86_399 }),
        fc.constantFrom(...codes.filter((code) => !code.includes('T'))),
        (days, seconds, code) => {
          const at = new Date(Date.UTC(1899, 11, 30) + days * DAY_MS + seconds * 1_000);
          const wanted = at.toISOString().replace('.000Z', '');
          const { value } = read(moment, numberCell(days + seconds / 86_400, code));
          assert.equal(String(value).slice(0, 19), wanted);
        },
      ),
    );
    const almost = read(moment, numberCell(46_359.99999999, 'm/d/yyyy h:mm')).value;
    assert.equal(almost, '2026-12-04T00:00:00+00:00');
  });

  it('take their day alone where nothing else is shown, and no time where one is', () => {
    assert.equal(read(date, numberCell(46_359.6, 'm/d/yyyy')).value, '2026-12-03');
    assert.equal(read(date, numberCell(46_359, 'm/d/yyyy h:mm')).value, '2026-12-03');
    for (const code of ['m/d/yyyy h:mm', 'h:mm'])
      assert.deepEqual(read(date, numberCell(46_359.6, code)).codes, ['time_unexpected']);
    assert.deepEqual(read(moment, numberCell(46_359, 'm/d/yyyy')).codes, ['time_missing']);
    assert.deepEqual(read(moment, numberCell(1.5, '[h]:mm')).codes, ['time_unreadable']);
  });
});

describe('numbers and amounts', () => {
  const numbers = targets.filter(
    ({ holds, kind, amount }) => holds === 'number' && kind !== 'money in cents' && !amount,
  );
  const dollars = targets.filter(({ amount }) => amount !== undefined);
  const cents = targets.filter(({ kind, amount }) => kind === 'money in cents' && !amount);
  assert.ok(dollars.length > 0 && cents.length > 0);

  it('are the number, however it is shown', () => {
    for (const target of [...numbers, ...cents])
      assert.equal(read(target, numberCell(1_250, '#,##0')).value, 1_250);
    for (const target of dollars)
      for (const code of [undefined, '$#,##0', '0', '#,##0.00', '[$€-407] #,##0.00', '0.0E+0'])
        assert.equal(read(target, numberCell(1_250.5, code)).value, 125_050, code ?? 'General');
  });

  it('of cents are refused where the cell shows dollars', () => {
    for (const target of cents)
      for (const code of ['$#,##0.00', '0.00', '$#,##0', '0%'])
        assert.deepEqual(read(target, numberCell(1_250, code)).codes, ['amount_not_cents'], code);
  });

  it('are no dates', () => {
    for (const target of [...numbers, ...cents, ...dollars])
      assert.deepEqual(read(target, numberCell(1_250, 'm/d/yyyy')).codes, ['made_a_date']);
  });
});

it('formats of any workbook are shown soon, and take no memory that they do not need', () => {
  const hostile = [
    ...['#', '0', '?', '[', '"', '%', ',', '\\', '*a', '_a', 'E+', 'yyyy', '?/', '#,', '0.0;', '@'],
    ...['[h]', '[$-409]', '[>=1]', 'AM/PM', '"a"0', ';', '\u0000', '\ud800', 'General'],
  ];
  const format = numberFormats(false);
  const values: CellValue[] = [];
  for (const piece of hostile)
    for (const length of [1, 10, 255, 256]) {
      const one = format(200, piece.repeat(length).slice(0, length));
      for (const number of [0, -1, 1.5, 1e15, 1e300, 46_359.6, Number.MIN_VALUE]) {
        const value = one(number);
        assert.ok(shownIn('', value).length < 2_000);
        values.push(value);
      }
    }
  assert.equal(values.length, hostile.length * 4 * 7);
});

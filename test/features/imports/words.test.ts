/** People read why a row of a file was refused in their own language. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordWords } from '../../../console/build/language.ts';
import { languagesIn, readMessages } from '../../../console/build/messages.ts';
import { refusedFile } from '../../../console/src/features/imports/refused.ts';
import { type Refusal, refusalText } from '../../../console/src/refusals.ts';
import { type RefusalWords, refusalsIn } from '../../../console/src/translated-refusals.ts';
import { Faults } from '../../../src/core/errors.ts';
import { resources } from '../../../src/core/resources/index.ts';
import { rowMaker } from '../../../src/core/schema/csv/columns.ts';
import { readUpsert } from '../../../src/core/schema/parse/parse.ts';
import { targetNamed } from '../../../src/features/imports/serves/amounts.ts';
import { readCell } from '../../../src/features/imports/serves/table/cells.ts';
import { fieldNames } from '../../../src/features/imports/serves/table/headings.ts';
import { cellFaults, type RowFault } from '../../../src/features/imports/serves/words.ts';

for (const language of languagesIn().filter((code) => code !== 'en'))
  describe(`the messages in ${language}`, () => {
    const words = readMessages<RecordWords>(language, 'records');
    const { codes, ...other } = readMessages<Omit<RefusalWords, 'labels'>>(language, 'refusals');
    const refusals = refusalsIn({ ...other, codes, labels: words.labels });

    it('say why a row of a file was refused, with its column and what stands there', () => {
      const [resource] = resources.filter(({ name }) => name === 'event_check_in_record');
      assert.ok(resource);
      const row = {
        resource,
        cells: ['call me', ''],
        header: ['Tel', 'Who'],
        columnsFor: (param: string) => [param.includes('phone') ? 0 : 1],
      };
      const coded = cellFaults(
        [
          { param: 'visitor_phone_number', code: 'phone_number_invalid', message: '' },
          { param: 'visitor_full_name', code: 'parameter_missing', message: '' },
        ],
        row,
      );
      const faults = JSON.parse(coded) as (Refusal & { readonly label: string })[];
      const [phone = '', name = ''] = faults.map((one) => refusals.refusalText(one, one.label));
      assert.ok(phone.includes('Tel "call me"') && !phone.includes('phone number'), phone);
      assert.ok(name.includes('Who') && !name.includes('empty'), name);
    });
  });

/** Words of requests and of programs, which nobody reads of a cell. */
const OF_PROGRAMS =
  /\b(?:body|request|sent|send|at byte|parser|param|string|RFC|E\.164|cuerpo|solicitud|corps|requête)\b|_/i;
const ODD = [
  ...['x', '555', '2/30/2026', '3:00x', '[', '{"a":', 'true?', '9.26E+18', '26-Jan', '#REF!', '12'],
  ...['1/2/3', '0201-05-06', 'a@', 'http://', '$1.2.3', '\u0000', 'x'.repeat(70_000), '2026-01-01'],
];

describe('whatever stands in a cell', () => {
  const languages = languagesIn();
  for (const language of languages)
    it(`is refused in a sentence of its own in ${language}, and none speaks of a body`, () => {
      const own = language === 'en' ? undefined : wordsIn(language);
      const text = own ? refusalsIn(own).refusalText : refusalText;
      const seen = new Set<string>();
      for (const resource of resources.filter(({ parent }) => parent !== undefined))
        for (const name of fieldNames(resource)) {
          const target = targetNamed(resource, name);
          assert.ok(target);
          for (const cell of ODD) {
            const faults = new Faults();
            const rules = { order: 'mdy', zone: 'America/Chicago', usPhones: true } as const;
            const value = readCell(target, { text: cell }, rules, faults);
            if (value !== undefined) {
              const sent = rowMaker([target])(() => value);
              readUpsert(resource, sent as never, { encoding: 'cells', faults, unknown: 'refuse' });
            }
            const ofCell: readonly RowFault[] = faults.named.filter(
              ({ param = '' }) => param === target.name,
            );
            const row = { resource, cells: [cell], header: ['Tel'], columnsFor: () => [0] };
            const told: CellFault[] = JSON.parse(cellFaults(ofCell, row));
            for (const fault of told) {
              const said: string = text({ ...fault, param: fault.label }, 'Tel').replaceAll(
                cell,
                '',
              );
              assert.doesNotMatch(said, OF_PROGRAMS, `${name} ${cell.slice(0, 20)}: ${said}`);
              assert.ok(said.includes('Tel'), `${fault.code}: ${said}`);
              if (own) assert.ok(Object.hasOwn(own.codes, fault.code), fault.code);
              seen.add(fault.code);
            }
          }
        }
      assert.ok(seen.size > 8, [...seen].join());
    });
});

function wordsIn(language: string): RefusalWords {
  const { labels } = readMessages<RecordWords>(language, 'records');
  return { ...readMessages<Omit<RefusalWords, 'labels'>>(language, 'refusals'), labels };
}

interface CellFault extends Refusal {
  readonly label: string;
}

it('the file of refused rows has sentences in place of faults, and keeps those that it has', () => {
  const faults = JSON.stringify([
    { code: 'cell_empty', message: 'Who is empty.', label: 'Who' },
    { message: 'The "row" is odd.' },
  ]);
  const rows = (first: string): string =>
    `_row,_error,Tel\r\n7,"${first.replaceAll('"', '""')}",call me\r\n8,"as ""before""",x\r\n`;
  assert.equal(refusedFile(rows(faults)), rows('Who is empty.\nThe "row" is odd.'));
});

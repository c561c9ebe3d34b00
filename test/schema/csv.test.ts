/** Tables are cut into records and cells as RFC 4180 has it, however they arrive. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { cellsOf, RecordEnds } from '../../src/core/schema/csv/cells.ts';
import { type Line, readLines } from '../../src/core/schema/lines.ts';

/** The records of a text that arrives in pieces of so many bytes. */
async function records(text: string, size: number, delimiter = ','): Promise<readonly Line[]> {
  const bytes = Buffer.from(text);
  let at = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    if (at >= bytes.length) return undefined;
    at += size;
    return bytes.subarray(at - size, at);
  };
  const limits = { longest: 1_000, together: 3, ends: new RecordEnds(delimiter) };
  return (await Array.fromAsync(readLines({ next }, limits))).flat();
}

const numbered = ({ number, bytes }: Line) => `${number} ${bytes && String(bytes)}`;

const cellsIn = (lines: readonly Line[], delimiter = ',') =>
  lines.map(({ bytes }) => cellsOf(bytes ?? Buffer.from(''), delimiter));

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', '€', '🕯', ' ', '"', ',', ';', '\t', '\n', '\r\n') }),
  fc.constantFrom('00501', '=1+1', "O'Neil", ''),
);
/** With a cell that is not empty: rows without one are passed over. */
const row = fc.tuple(fc.constantFrom('x', 'ü"y'), cell, cell).map((cells) => [...cells]);
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
/** As some programs write a cell: quoted where it must be, and now and then where it need not. */
const written = (text: string, always: boolean) =>
  always || /[",;\t\r\n]/.test(text) ? quoted(text) : text;

describe('a table', () => {
  it('is read alike in pieces of every size, as csv-parse reads it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.boolean(),
        async (rows, delimiter, end, always, ended) => {
          const text =
            rows
              .map((cells) => cells.map((each) => written(each, always)).join(delimiter))
              .join(end) + (ended ? end : '');
          const theirs = parse(text, {
            delimiter,
            record_delimiter: end,
            relax_column_count: true,
          });
          assert.deepEqual(theirs, rows);
          const whole = await records(text, 1_000, delimiter);
          assert.deepEqual(cellsIn(whole, delimiter), rows);
          for (let size = 1; size < Math.min(Buffer.byteLength(text), 40); size++) {
            assert.deepEqual(await records(text, size, delimiter), whole, `pieces of ${size}`);
          }
        },
      ),
    );
  });

  it('tells in which line each record begins, and passes over what is blank', async () => {
    const found = await records('a,b\n\n"1\n2",3\r\n,\n  \n4,5', 4);
    assert.deepEqual(found.map(numbered), ['1 a,b', '3 "1\n2",3\r', '7 4,5']);
  });

  it('keeps no record that is too long, and goes on after it', async () => {
    const found = await records(`a,b\n"${'\n'.repeat(2_000)}",c\nd,e\n`, 64);
    assert.deepEqual(found.map(numbered), ['1 a,b', '2 undefined', '2003 d,e']);
  });

  it('is refused where it can be read in two ways', () => {
    const faultIn = (text: string | Uint8Array): string | undefined => {
      const cells = cellsOf(typeof text === 'string' ? Buffer.from(text) : text, ',');
      return 'says' in cells ? `${cells.code}: ${cells.says.split(';')[0]}` : undefined;
    };
    for (const [text, fault] of [
      ['a,5" pipe', 'csv_invalid: cell 2 has a quote and is not enclosed in quotes'],
      ['"a"b,c', 'csv_invalid: cell 1 goes on after its closing quote'],
      ['a,"b', 'csv_invalid: cell 2 begins with a quote that nothing closes'],
      ['a\rb,c', 'csv_invalid: cell 1 has a carriage return and is not enclosed in quotes'],
      [
        Buffer.from([0x61, 0xe9]),
        'encoding_invalid: the row is not valid UTF-8 at its byte 1, in cell 1',
      ],
      ['"a\r\nb",""""', undefined],
    ] as const)
      assert.equal(faultIn(text), fault);
  });
});

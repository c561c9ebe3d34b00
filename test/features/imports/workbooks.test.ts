/** The workbooks that people have are read as they were meant, however large, or refused with the reason. */
// needs: long
import assert from 'node:assert/strict';
import {
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, it } from 'node:test';
import { sheetTable } from '../../../src/features/imports/serves/table/sheet.ts';
import { asShown, type SourceRow } from '../../../src/features/imports/serves/table/table.ts';
import { OPTIONS } from '../../../src/features/imports/serves/words.ts';
import { filesFolder } from '../../support/importing.ts';
import { type MadeWorkbook, workbookFile } from '../../support/workbook-file.ts';

const files = filesFolder();
let count = 0;

async function saved(made: MadeWorkbook): Promise<string> {
  count += 1;
  return files.write(`${count}.xlsx`, await workbookFile(made));
}

async function rowsIn(path: string): Promise<readonly SourceRow[]> {
  using opened = new DisposableStack();
  const table = await sheetTable(path, undefined, OPTIONS, opened);
  return (await Array.fromAsync(table.rows())).flat();
}

async function cellsIn(made: MadeWorkbook): Promise<readonly (readonly string[])[]> {
  return textsOf(await rowsIn(await saved(made)));
}

const textsOf = (rows: readonly SourceRow[]) => rows.map((row) => asShown(row).cells);

const inline = (text: string, more = '') => `<c t="inlineStr"${more}><is><t>${text}</t></is></c>`;
const HEADER = `<row>${inline('a')}${inline('b')}${inline('c')}</row>`;

async function refusal(path: string): Promise<string> {
  const error = await rowsIn(path).then(
    () => undefined,
    (failed: Error) => failed,
  );
  assert.equal(error?.name, 'TransferRefused');
  return error?.message.replace(path, 'FILE') ?? '';
}

describe('texts', () => {
  it('that cells share: plain, in runs, spoken, with escapes, and many', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `<si><t>text ${at}</t></si>`);
    const strings = [
      '<si><t>a</t></si><si><t>b</t></si><si><t>c</t></si>',
      '<si><r><t>Celebration </t></r><r><rPr><b/></rPr><t xml:space="preserve">of &lt;life&gt; </t></r></si>',
      '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>',
      '<si><t>line_x000A_end _x005F_x0041_</t></si>',
      ...many,
    ].join('');
    const shared = (...cells: number[]) =>
      `<row>${cells.map((at) => `<c t="s"><v>${at}</v></c>`).join('')}</row>`;
    const sheet = [shared(0, 1, 2), shared(3, 4, 5), shared(6, 3_005, 1_500)].join('');
    assert.deepEqual(await cellsIn({ sheets: { A: sheet }, strings }), [
      ['Celebration of <life> ', '東京', 'line\nend _x0041_'],
      ['text 0', 'text 2999', 'text 1494'],
    ]);
  });

  it('a cell that shares one which is not there is refused', async () => {
    const sheet = `${HEADER}<row><c t="s"><v>7</v></c></row>`;
    const strings = '<si><t>a</t></si>';
    const wrong = await refusal(await saved({ sheets: { A: sheet }, strings }));
    assert.match(wrong, /^FILE cannot be read as XLSX: a cell has text 7 of 1 that cells share/);
    const denied = await refusal(await saved({ sheets: { A: sheet } }));
    assert.match(denied, /texts of its cells are missing/);
  });
});

describe('cells', () => {
  it('stand where their names say, or after the one before; empty rows are passed over', async () => {
    const sheet = `${HEADER}
      <row r="3"><c r="C3"><v>1</v></c></row>
      <row r="5"><c r="A5"/><c r="B5" t="str"><f>A1</f><v> </v></c></row>
      <row><c r="B6" t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>
      <x:row r="9"><x:c r="A9"><x:v>0.1</x:v></x:c><c r="B9" t="b"/><c r="E9" t="s"/></x:row>`;
    const rows = await rowsIn(await saved({ sheets: { A: sheet } }));
    assert.deepEqual(
      rows.map(({ number, cells }) => ({ number, cells })),
      [
        { number: 3, cells: ['', '', '1'] },
        { number: 6, cells: ['', 'TRUE', '#N/A'] },
        { number: 9, cells: ['0.1', '', ''] },
      ],
    );
  });

  it('as people see them: dates, times, and numbers with leading zeros', async () => {
    const codes = [
      'mm/dd/yyyy h:mm',
      '[$-409]mmmm d\\, yyyy;@',
      'h:mm AM/PM',
      '00000',
      '00000\\-0000',
      '"Case "0',
      '[h]:mm',
      '[Red][=50]General;[Blue]000',
      '[<-25]General;[>25]General;General',
      'General;[Red](General);"none"',
    ];
    const styles = [
      `<numFmts>${codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>`,
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>',
      `<cellXfs><xf/><xf numFmtId="14"/>${codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs>`,
    ].join('');
    const shown = async (style: number, value: number | string, properties = '') => {
      const sheet = `${HEADER}<row>${inline('x')}<c s="${style}"><v>${value}</v></c></row>`;
      const [cells] = await cellsIn({ sheets: { A: sheet }, styles, properties });
      return cells?.[1];
    };
    assert.equal(await shown(0, '46101.5'), '46101.5');
    assert.equal(await shown(0, '0.30000000000000004'), '0.3');
    assert.equal(await shown(0, '14155501234'), '14155501234');
    assert.equal(await shown(1, 46_466), '3/20/2027');
    assert.equal(await shown(2, '46466.604166666664'), '03/20/2027 14:30');
    assert.equal(await shown(3, 59), 'February 28, 1900');
    assert.equal(await shown(3, 61), 'March 1, 1900');
    assert.equal(await shown(1, 45_004, '<workbookPr date1904="1"/>'), '3/20/2027');
    assert.equal(await shown(4, '0.6041666666666666'), '2:30 PM');
    assert.equal(await shown(1, '3000000'), '3000000');
    assert.equal(await shown(5, 1_234), '01234');
    assert.equal(await shown(6, 12_340_567), '01234-0567');
    assert.equal(await shown(7, 41), 'Case 41');
    assert.equal(await shown(8, '1.5'), '36:00');
    assert.equal(await shown(9, 50), '50');
    assert.equal(await shown(9, 51), '051');
    assert.equal(await shown(10, -26), '26');
    assert.equal(await shown(10, -1), '-1');
    assert.equal(await shown(11, -26), '(26)');
    assert.equal(await shown(11, 0), 'none');
    assert.equal(await shown(11, '1.5'), '1.5');
  });

  it('with as many formats of cells and of numbers as office programs keep', async () => {
    const codes = Array.from(
      { length: 250 },
      (_, at) => `<numFmt numFmtId="${164 + at}" formatCode="${'0'.repeat(2 + (at % 8))}"/>`,
    );
    const xfs = Array.from(
      { length: 65_490 },
      (_, at) =>
        `<xf numFmtId="${at % 3 === 0 ? 14 : 164 + (at % 250)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="center" vertical="top" wrapText="1"/><protection locked="0"/></xf>`,
    );
    const styles = `<numFmts count="250">${codes.join('')}</numFmts><cellStyleXfs>${xfs.join('')}</cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs>`;
    const row = (style: number) => `<c s="${style}"><v>46101</v></c>`;
    const rows = `<row>${row(0)}${row(65_489)}${row(65_487)}</row>`;
    assert.deepEqual(await cellsIn({ sheets: { One: HEADER + rows }, styles }), [
      ['3/20/2026', '000046101', '3/20/2026'],
    ]);
  });

  it('a row too large for an upsert is rejected alone', async () => {
    const large = `<row>${inline('x'.repeat(600_000))}${inline('y'.repeat(600_000))}</row>`;
    const sheet = `${HEADER}${large}<row>${inline('small')}</row>`;
    const [first, second] = await rowsIn(await saved({ sheets: { A: sheet } }));
    assert.match(first?.fault?.message ?? '', /^the row is larger than 1048576 bytes/);
    assert.deepEqual([second?.number, second?.cells], [3, ['small', '', '']]);
  });

  it('beyond the header are kept, so that their row is rejected', async () => {
    const sheet = `${HEADER}<row><c r="E2"><v>5</v></c></row><row><c r="XFD3" t="str"><v></v></c><c r="A3"><v>1</v></c></row>`;
    assert.deepEqual(await cellsIn({ sheets: { A: sheet } }), [
      ['', '', '', '', '5'],
      ['1', '', ''],
    ]);
  });
});

describe('a workbook is read', () => {
  it('no further than its rows are taken', async () => {
    async function* rows(): AsyncGenerator<string> {
      yield HEADER;
      for (let at = 0; at < 30_000; at += 1) {
        // What hardly compresses: the end of the file is far from its beginning.
        yield `<row>${inline(`${at}`)}${inline(Math.random().toString(36))}</row>`;
      }
    }
    const path = await saved({ sheets: { A: rows() } });
    using opened = new DisposableStack();
    const table = await sheetTable(path, undefined, OPTIONS, opened);
    let taken = 0;
    let isCut = false;
    await assert.rejects(async () => {
      for await (const some of table.rows()) {
        taken += some.length;
        if (taken > 1_000) continue;
        // However long they are looked at.
        for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
        if (isCut) continue;
        isCut = true;
        truncateSync(path, statSync(path).size >> 1);
      }
    }, /cannot be read as XLSX/);
    assert.ok(taken > 1_000 && taken < 25_000, `${taken} rows`);
  });
});

describe('the texts that cells share', () => {
  const isLinux = process.platform === 'linux' ? false : 'needs /proc';
  /** Files on the disk that have no name any more. */
  const nameless = (): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith(' (deleted)');
      } catch {
        return false;
      }
    }).length;

  it('leave the disk with the one who reads them, also where the file is refused', {
    skip: isLinux,
  }, async () => {
    const texts = (end: string) =>
      `<si><t>name</t></si>${`<si><t>${'text '.repeat(2_000)}</t></si>`.repeat(1_000)}${end}`;
    const sheet = '<row><c t="s"><v>0</v></c></row><row><c t="s"><v>9</v></c></row>';
    const before = nameless();
    const path = await saved({ sheets: { A: sheet }, strings: texts('') });
    {
      using opened = new DisposableStack();
      const table = await sheetTable(path, undefined, OPTIONS, opened);
      assert.equal((await Array.fromAsync(table.rows())).flat().length, 1);
      assert.ok(nameless() > before, 'they are not on the disk');
    }
    assert.equal(nameless(), before);
    const broken = await saved({ sheets: { A: sheet }, strings: texts('<si>') });
    assert.match(await refusal(broken), /cannot be read as XLSX/);
    assert.equal(nameless(), before);
  });
});

/** A sentence with a reason and what to do, without a word of a parser's. */
const SAID =
  /^FILE (?:cannot be read as XLSX: (?!.*(?:stream|node|root|Z_|invalid|expected| \d+:\d+)).+\. (?:Open|Save) .+\.$|is (?:no table|compressed|a workbook|empty)|has (?:no|a password))/;

describe('refused, with the reason', () => {
  const sheet = `${HEADER}${Array.from({ length: 200 }, (_, at) => `<row>${inline(`name ${at}`)}</row>`).join('')}`;

  it('damage anywhere in a sheet', async () => {
    const path = await saved({ sheets: { A: sheet } });
    const whole = readFileSync(path);
    const name = 'xl/worksheets/sheet1.xml';
    const from = whole.indexOf(name) + name.length;
    // Behind the packed bytes their size stands, and then the list of the parts.
    const to = whole.indexOf('PK\x01\x02') - 16;
    assert.ok(to - from > 500);
    for (let at = from; at < to; at += Math.ceil((to - from) / 40)) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ 0x10;
      writeFileSync(path, bytes);
      assert.match(await refusal(path), /^FILE cannot be read as XLSX: /, `byte ${at}`);
    }
    writeFileSync(path, whole);
    truncateSync(path, whole.length - 10);
    assert.match(await refusal(path), /^FILE cannot be read as XLSX: /);
  });

  it('damage at any byte, in our words, with what to do', async () => {
    const strings = '<si><t>shared</t></si>';
    const path = await saved({ sheets: { A: sheet }, strings });
    const whole = readFileSync(path);
    let refused = 0;
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 400)) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      writeFileSync(path, bytes);
      const said = await refusal(path).catch(() => undefined);
      // It can be read all the same: of a day of a part, nothing depends on it.
      if (said === undefined) continue;
      refused += 1;
      assert.match(said, SAID, `byte ${at}`);
    }
    assert.ok(refused > 100, `${refused} refused`);
  });

  it('XML that is none, in any part that is read', async () => {
    for (const broken of [
      '<row',
      '<row></c></row>',
      '&nbsp;',
      '<row a="1" a="2"/>',
      '\u0001',
      '<1/>',
    ])
      for (const made of [
        saved({ sheets: { A: `${HEADER}${broken}` } }),
        saved({ sheets: { A: sheet }, strings: `<si><t>a</t></si>${broken}` }),
      ]) {
        const said = await refusal(await made);
        assert.match(said, SAID);
        assert.match(said, /a part of it is no XML at its line \d+, character \d+\./, broken);
      }
  });

  it('what is no workbook, or one of another kind', async () => {
    const old = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    const locked = files.write('old.xlsx', Buffer.concat([old, Buffer.alloc(4_096)]));
    assert.match(await refusal(locked), /^FILE is a workbook of an old kind, as Excel 2003/);
    assert.match(await refusal(files.write('no.xlsx', 'Name,Date\n')), /cannot be read as XLSX/);
    const none = await saved({ sheets: {} });
    assert.match(await refusal(none), /^FILE has no sheet\./);
  });

  it('texts without an end', async () => {
    async function* endless(): AsyncGenerator<string> {
      yield `${HEADER}<row><c t="inlineStr"><is><t>`;
      for (let at = 0; at < 20; at += 1) yield 'x'.repeat(1_048_576);
      yield '</t></is></c></row>';
    }
    const wrong = await refusal(await saved({ sheets: { A: endless() } }));
    assert.match(wrong, /^FILE cannot be read as XLSX: a text of it is larger than 8388608 bytes/);
  });
});

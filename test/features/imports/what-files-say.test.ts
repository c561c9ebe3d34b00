/** What a file says is taken in as a person sees it; what nobody can read is refused, and nothing of it is lost without a word. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { resources } from '../../../src/core/registry.ts';
import { lookAtFile } from '../../../src/features/imports/serves/look.ts';
import { OPTIONS } from '../../../src/features/imports/serves/words.ts';
import { csvParsed } from '../../support/csv-parsed.ts';
import { counts, filesFolder, type Importing, rejectedIn, take } from '../../support/importing.ts';
import { type MadeWorkbook, workbookFile } from '../../support/workbook-file.ts';
import { world } from '../../support/world.ts';

const stage = world();
const files = filesFolder();
let count = 0;

interface Brought {
  /** By its identifier, what is stored of a record. */
  readonly stored: Readonly<Record<string, { readonly name: string; readonly at: string }>>;
  /** The refused rows: number, reason, cells. */
  readonly refused: readonly (readonly string[])[];
  readonly noticed: readonly (readonly [what: string, count: number, ...examples: string[]])[];
}

/** Imports a file of services. */
async function bring(
  name: string,
  bytes: Uint8Array | string,
  how: Importing = {},
): Promise<Brought> {
  count += 1;
  const path = files.write(`${count}-${name}`, bytes);
  const { location, account } = stage.parents;
  const options = { resource: 'events', time_zone: 'America/Chicago', ...how };
  const set = { location_unique_identifier: location, ...how.set };
  const { run, noticed } = await take(stage.service.app.store, account, [path], {
    ...options,
    set,
  });
  const rejected = run.counts.failed === 0 ? [] : csvParsed(rejectedIn(run)).slice(1);
  const stored: Record<string, { readonly name: string; readonly at: string }> = {};
  for (let more = '', all = false; !all; ) {
    const { body } = await stage.service.get(`/v1/events?limit=100${more}`);
    for (const { external_identifier: id, event_datetime: at, public_data } of body.data)
      stored[id] = { name: public_data?.person?.full_name, at };
    more = `&starting_after=${body.data.at(-1)?.unique_identifier}`;
    all = !body.has_more;
  }
  return {
    stored,
    refused: rejected,
    noticed: noticed.map((one) => [one.what, one.count, ...one.examples]),
  };
}

/** What is wrong with a file, as the code of its refusal. */
async function codeOf(name: string, bytes: Uint8Array | string, how: Importing = {}) {
  const error = await bring(name, bytes, how).then(
    () => undefined,
    (failed: Error & { readonly code?: string }) => failed,
  );
  return error?.code;
}

const HEAD = 'Case,Event Name,Date and time,Deceased';
const row = (id: string, name: string) => `${id},Funeral,2026-12-03T14:30:00-06:00,${name}`;
const csv = (...names: string[]) =>
  [HEAD, ...names.map((name, at) => row(`${count}-${at}`, name))].join('\n');

describe('characters', () => {
  const NAMES = ['José Peña', 'Zoë Müller', 'Łukasz Żółć', '東京', 'Renée Lefèvre', 'Dana 🕯'];

  it('that are cut or wrong anywhere refuse their rows alone, with the column', async () => {
    const wrong = fc.record({
      at: fc.nat(NAMES.length - 1),
      byte: fc.nat(3),
      how: fc.constantFrom('cut', 'replaced'),
      mark: fc.boolean(),
      said: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(wrong, async ({ at, byte, how, mark, said }) => {
        const lines = csv(...NAMES)
          .split('\n')
          .map((line) => Buffer.from(line));
        const line = lines[at + 1] ?? Buffer.from('');
        const first = line.findIndex((one) => one >= 0xc2);
        const length = Buffer.from(NAMES[at]?.match(/[^ -~]/u)?.[0] ?? '').length;
        const place = first + (byte % (length - 1));
        lines[at + 1] =
          how === 'cut'
            ? Buffer.concat([line.subarray(0, place + 1), line.subarray(first + length)])
            : Buffer.concat([line.subarray(0, place), Buffer.from([0xff]), line.subarray(place)]);
        const bytes = Buffer.concat([
          Buffer.from(mark ? '\ufeff' : ''),
          ...lines.flatMap((one) => [one, Buffer.from('\n')]),
        ]);
        const own = count;
        const { stored, refused } = await bring('cut.csv', bytes, {
          encoding: said ? 'utf-8' : undefined,
        });
        assert.deepEqual(
          refused.map(([number]) => number),
          [String(at + 2)],
        );
        assert.match(
          refused[0]?.[1] ?? '',
          /^person\.full_name has characters that cannot be read/,
        );
        for (const [other, name] of NAMES.entries())
          assert.equal(stored[`${own}-${other}`]?.name, other === at ? undefined : name);
      }),
      { numRuns: 25 },
    );
  });

  it('that are cut are no reason to read a file by another encoding', async () => {
    const cut = Buffer.concat([Buffer.from(csv('Ana', 'Jos')), Buffer.from([0xc3, 0x0a])]);
    const { refused, noticed } = await bring('cut.csv', cut);
    assert.deepEqual([refused.length, noticed], [1, []]);
  });

  it('of two encodings in a file: those that are no UTF-8 are refused', async () => {
    const own = count;
    const mixed = Buffer.concat([
      Buffer.from(csv('José', 'Zoë')),
      Buffer.from(`\n${row('mixed', 'Ren\xe9e')}\n`, 'latin1'),
    ]);
    const { stored, refused } = await bring('mixed.csv', mixed);
    assert.deepEqual(
      refused.map(([number]) => number),
      ['4'],
    );
    assert.equal(stored[`${own}-0`]?.name, 'José');
  });

  it('of a file in which nothing is UTF-8 are guessed, and shown before anything is written', async () => {
    const names = ['José Peña', 'Müller', 'Lefèvre', 'Ødegård'];
    const own = count;
    const { stored, noticed } = await bring('old.csv', Buffer.from(csv(...names), 'latin1'));
    assert.deepEqual(noticed, [['encoding_guessed', 3, 'José Peña', 'Müller', 'Lefèvre']]);
    assert.equal(stored[`${own}-3`]?.name, 'Ødegård');
    const text = csv('Jos\x8e Pe\x96a');
    const mac = await bring('mac.csv', Buffer.from(text.replaceAll('\n', '\r'), 'latin1'));
    assert.deepEqual(mac.noticed, [['encoding_guessed', 1, 'José Peña']]);
    const path = files.write('look.csv', Buffer.from(csv(...names), 'latin1'));
    const how = { resources, resource: 'events', remedies: OPTIONS };
    for (const [encoding, first] of [
      [undefined, 'José Peña'],
      ['macintosh', 'JosÈ PeÒa'],
    ] as const) {
      const look = await lookAtFile(path, { ...how, encoding }, 5);
      assert.deepEqual(look.noticed?.[0]?.examples[0], first);
    }
  });

  it('of UTF-16 that are halves refuse their rows alone', async () => {
    const own = count;
    const text = csv('Zoë', 'Da\ud800na', 'Kim');
    const { stored, refused } = await bring('wide.csv', Buffer.from(`\ufeff${text}`, 'utf16le'));
    assert.deepEqual(
      refused.map(([number]) => number),
      ['3'],
    );
    assert.deepEqual(
      [0, 1, 2].map((at) => stored[`${own}-${at}`]?.name),
      ['Zoë', undefined, 'Kim'],
    );
    const ended = Buffer.from(`\ufeff${csv('Zoë', 'Kim')}`, 'utf16le').subarray(0, -1);
    assert.equal((await bring('ended.csv', ended)).refused.length, 1);
  });

  it('of lines of JSON are UTF-8, as those that are sent', async () => {
    const line = (id: string, name: string) =>
      JSON.stringify({
        external_identifier: id,
        event_name: 'Funeral',
        event_datetime: '2026-12-03T20:30:00Z',
        person: { full_name: name },
      });
    const bytes = Buffer.concat([
      Buffer.from(`${line('j1', 'Dana')}\n`),
      Buffer.from(`${line('j2', 'Ren\xe9e')}\n`, 'latin1'),
    ]);
    const { location, account } = stage.parents;
    const { run, noticed } = await take(
      stage.service.app.store,
      account,
      [files.write('lines.ndjson', bytes)],
      { resource: 'events', set: { location_unique_identifier: location } },
    );
    assert.deepEqual([run.counts, noticed], [{ ...counts(1, 0, 0, 1) }, []]);
    assert.match(rejectedIn(run), /^\{"_row":2,"_error":"[^"]*not valid UTF-8/);
  });
});

describe('lines and columns', () => {
  it('end as on any computer', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const own = count;
      const text = csv('"Dana, the ""elder"""', 'Robin').replaceAll('\n', end);
      for (const tail of ['', end, `${end}\x1a`]) {
        const { stored, refused } = await bring('ends.csv', text + tail);
        assert.equal(refused.length, 0, JSON.stringify(end + tail));
        assert.equal(stored[`${own}-0`]?.name, 'Dana, the "elder"');
        assert.equal(stored[`${own}-1`]?.name, 'Robin');
      }
    }
  });

  it('without a name and without content are none, wherever they are', async () => {
    const lines = csv('Dana', 'Robin').split('\n');
    for (const change of [
      (line: string) => `${line},,`,
      (line: string, at: number) => (at === 0 ? line : `${line},`),
      (line: string) => line.replace(',', ', ,'),
      (line: string, at: number) => (at === 0 ? `${line}, ,  ` : line),
    ]) {
      const { refused } = await bring('columns.csv', lines.map(change).join('\n'));
      assert.deepEqual(refused, []);
    }
  });

  it('without a name and with content are asked about, or refuse their row', async () => {
    const lines = csv('Dana', 'Robin').split('\n');
    const with5 = (line: string, at: number) => `${line},${at === 2 ? 'x' : ''}`;
    assert.equal(await codeOf('unnamed.csv', lines.map(with5).join('\n')), 'import_refused');
    const [head = '', ...others] = csv(...Array<string>(1_200).fill('Dana')).split('\n');
    const late = others.map((line, at) => line.replace(',', at === 1_150 ? ',x,' : ',,'));
    const { refused } = await bring('late.csv', [head.replace(',', ',,'), ...late].join('\n'));
    assert.deepEqual(
      refused.map(([number, why]) => [number, why?.slice(0, 37)]),
      [['1152', 'The row has something in column B, wh']],
    );
  });

  it('are separated by what the header says, whatever else is in the cells', async () => {
    for (const delimiter of [',', ';', '\t', '|'])
      for (const other of [',', ';', '\t', '|'].filter((one) => one !== delimiter)) {
        const lines = csv('Dana', `flowers${other} music`).split('\n');
        const text = lines.map((line, at) =>
          at === 2
            ? `${line.split(',', 3).join(delimiter)}${delimiter}flowers${other} music`
            : line.replaceAll(',', delimiter),
        );
        const own = count;
        const { stored } = await bring('odd.csv', text.join('\n'));
        assert.equal(stored[`${own}-1`]?.name, `flowers${other} music`);
      }
  });

  it('of a row that is broken refuse that row, with its reason in words of cells', async () => {
    const text = `${csv('Dana')}\n${row('b1', '"Robin')}`;
    const { refused } = await bring('quote.csv', text);
    assert.match(refused[0]?.[1] ?? '', /^person\.full_name begins with a quote that nothing clo/);
  });
});

describe('what is no table', () => {
  const others: readonly (readonly [code: string, ...files: (string | Uint8Array)[]])[] = [
    ['file_json', '[{"a": 1}]', ' [ [1,2] ]', '{"a": 1}\n{"a": 2}', '\ufeff{ "a": [] }', '[]'],
    [
      ...([
        'file_page',
        '<html><table>',
        '<!DOCTYPE html>\n<html>',
        '\n<table border=1><tr>',
      ] as const),
      ...[
        'MIME-Version: 1.0\r\nContent-Type: multipart/related',
        Buffer.from('\ufeff<HTML>', 'utf16le'),
      ],
    ],
    [
      ...(['file_old_workbook', 'ID;PWXL;N;E\r\n', 'TABLE\r\n0,1\r\n"EXCEL"'] as const),
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
      Buffer.from('0904060000001000', 'hex'),
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_048)]),
    ],
    ['file_xml', '<?xml version="1.0"?><people/>', '<people><one/></people>'],
    ['file_compressed', gzipSync('a,b\n1,2\n'), Buffer.from('377abcaf271c', 'hex')],
    ['file_document', '%PDF-1.7', '{\\rtf1 }', '\x89PNG\r\n', Buffer.alloc(3_000, '\0\x01\x02')],
  ];
  for (const [code, ...contents] of others)
    it(`is told: ${code}`, async () => {
      for (const content of contents)
        for (const name of ['x.csv', 'x.xlsx', 'x.xls', 'x.json', 'x']) {
          const bytes =
            typeof content === 'string' && content.startsWith('\x89')
              ? Buffer.from(content, 'latin1')
              : content;
          assert.equal(await codeOf(name, bytes), code, `${name}: ${String(content).slice(0, 40)}`);
        }
    });

  it('but a table is read by any name', async () => {
    for (const name of ['table.xlsx', 'table.xls', 'table.txt', 'table'])
      assert.deepEqual((await bring(name, csv('Dana'))).refused, []);
  });
});

const inline = (text: string) =>
  `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
const cells = (...texts: string[]) => `<row>${texts.map(inline).join('')}</row>`;
const header = cells(...HEAD.split(','));
const STYLES =
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="164"/></cellXfs><dxfs><dxf><numFmt numFmtId="22" formatCode="&quot;x&quot;0"/></dxf></dxfs>';
const service = (id: string, number: number) =>
  `<row>${inline(id)}${inline('Funeral')}<c s="1"><v>${number}</v></c>${inline('Dana')}</row>`;

/** When the service of a workbook is. */
async function timeIn(made: Partial<MadeWorkbook>, number: number): Promise<string | undefined> {
  const id = `w-${count}`;
  const sheets = { One: header + service(id, number) };
  const bytes = await workbookFile({ sheets, styles: STYLES, ...made });
  return (await bring('book.xlsx', bytes)).stored[id]?.at;
}

describe('parts of a workbook', () => {
  const in1904 = 44_897.604166666664;
  const in1900 = in1904 + 1_462;
  const wanted = '2026-12-03T20:30:00Z';
  const X15 = 'xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main"';

  it('count where they belong, and nowhere else', async () => {
    const ext = (inside: string) => `<extLst><ext uri="{x}" ${X15}>${inside}</ext></extLst>`;
    const set = { properties: '<workbookPr date1904="1"/>' };
    for (const extensions of [
      ext('<x15:workbookPr chartTrackingRefBase="1"/>'),
      ext('<workbookPr/>'),
      '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x15"><workbookPr/></mc:Choice></mc:AlternateContent>',
    ]) {
      assert.equal(await timeIn({ ...set, extensions }, in1904), wanted);
      const other = extensions.replace('<workbookPr/>', '<workbookPr date1904="1"/>');
      assert.equal(await timeIn({ extensions: other }, in1900), wanted);
    }
  });

  it('have the numbers that their formats say, not those of others', async () => {
    const elsewhere = `${STYLES}<extLst><ext uri="{x}" ${X15}><numFmts><numFmt numFmtId="22" formatCode="0"/></numFmts><cellXfs><xf numFmtId="0"/></cellXfs></ext></extLst>`;
    assert.equal(await timeIn({ styles: elsewhere }, in1900), wanted);
    const before = `<cellStyleXfs><xf numFmtId="0"/></cellStyleXfs>${STYLES}`;
    assert.equal(await timeIn({ styles: before }, in1900), wanted);
  });

  const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const prefixed = (text: string): string =>
    text
      .replaceAll(/<(\/?)([A-Za-z]+)(?=[\s>/])/g, '<$1q:$2')
      .replace(`xmlns="${MAIN}"`, `xmlns:q="${MAIN}"`);
  const changes: Readonly<Record<string, (name: string, text: string) => string | Uint8Array>> = {
    'a prefix': (name, text) =>
      /rels|Content/.test(name) ? text : prefixed(text.replace(/^<\?.*?\?>\s*/s, '')),
    'the strict edition': (_, text) =>
      text
        .replaceAll(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main')
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
          'http://purl.oclc.org/ooxml/officeDocument/relationships',
        ),
    'UTF-16': (_, text) =>
      Buffer.from(`\ufeff${text.replace('encoding="UTF-8"', 'encoding="UTF-16"')}`, 'utf16le'),
    'UTF-16, the other way': (_, text) =>
      Buffer.from(
        `\ufeff${text.replace('encoding="UTF-8"', 'encoding="UTF-16"')}`,
        'utf16le',
      ).swap16(),
    'Latin-1': (_, text) => Buffer.from(text.replace('"UTF-8"', '"ISO-8859-1"'), 'latin1'),
    'a mark': (_, text) => Buffer.from(`\ufeff${text}`),
    'targets from the root': (_, text) =>
      text.replace(/Target="(worksheets|styles)/g, 'Target="/xl/$1'),
  };
  for (const [how, change] of Object.entries(changes))
    it(`are read with ${how}`, async () => {
      assert.equal(await timeIn({ change }, in1900), wanted);
    });

  it('of other languages are passed over', async () => {
    const foreign = '<f:row xmlns:f="urn:other"><f:c><f:v>1</f:v></f:c></f:row>';
    const around: [string, string] = [
      '<f:sheetData xmlns:f="urn:other"><row><c><v>1</v></c></row></f:sheetData>',
      `<extLst><ext><sheetData>${service('ext', 1)}</sheetData></ext></extLst>`,
    ];
    const id = `w-${count}`;
    const sheets = { One: header + foreign + service(id, in1900) };
    const { stored } = await bring(
      'book.xlsx',
      await workbookFile({ sheets, styles: STYLES, around }),
    );
    assert.equal(stored[id]?.at, wanted);
    assert.equal(stored.ext, undefined);
  });
});

describe('cells of a workbook', () => {
  const book = (rows: string, more: Partial<MadeWorkbook> = {}) =>
    workbookFile({ sheets: { One: header + rows }, styles: STYLES, ...more });
  const moment = '<c s="1"><v>46359.604166666664</v></c>';

  it('that are errors, or formulas without a value, refuse their row', async () => {
    const name = (cell: string, at: number) =>
      `<row>${inline(`e${at}`)}${inline('Funeral')}${moment}${cell}</row>`;
    const wrong = [
      ...['<c t="e"><v>#SOMETHING NEW</v></c>', '<c><f>A1</f></c>', '<c><f>A1</f><v></v></c>'],
      ...['<c><f>A1</f><v/></c>', '<c t="str"><f>A1</f></c>', '<c t="e"><f>A1</f><v>#REF!</v></c>'],
      '<c t="b"><f>A1</f><v/></c>',
    ];
    const right = [
      ...['<c t="str"><f>A1</f><v>Dana</v></c>', '<c t="str"><f>A1</f><v></v></c>'],
      '<c t="inlineStr"><f>A1</f><is><t></t></is></c>',
      ...['<c><f t="shared" si="0"/><v>5</v></c>', '<c t="inlineStr"><is><t>#REF!</t></is></c>'],
    ];
    const { stored, refused } = await bring(
      'e.xlsx',
      await book([...wrong, ...right].map(name).join('')),
    );
    assert.deepEqual(
      refused.map(([number]) => Number(number)),
      wrong.map((_, at) => at + 2),
    );
    assert.deepEqual(
      right.map((_, at) => stored[`e${wrong.length + at}`]?.name),
      ['Dana', undefined, undefined, '5', '#REF!'],
    );
  });

  it('that are hidden or merged are said', async () => {
    const hidden = service('h2', 46_359.5).replace('<row>', '<row hidden="1">');
    const around: [string, string] = [
      '<cols><col min="4" max="4" hidden="1"/><col min="9" max="9" hidden="1"/></cols>',
      '<mergeCells><mergeCell ref="A1:D1"/><mergeCell ref="D2:D3"/><mergeCell ref="X2:X9"/></mergeCells>',
    ];
    const { noticed } = await bring(
      'h.xlsx',
      await book(service('h1', 46_359.5) + hidden, { around }),
    );
    assert.deepEqual(noticed, [
      ['hidden_rows', 1, '3'],
      ['hidden_columns', 1, 'Deceased'],
      ['merged_cells', 1, 'D2:D3'],
    ]);
  });

  it('of hidden sheets are not read, which is said', async () => {
    const sheets = { Lists: cells('a', 'b'), Services: header + service('s1', 46_359.5) };
    const attributes = { Lists: 'state="veryHidden"' };
    const bytes = await workbookFile({ sheets, styles: STYLES, attributes });
    assert.deepEqual((await bring('s.xlsx', bytes)).noticed, [['hidden_sheets', 1, 'Lists']]);
  });

  it('that are blank name no column', async () => {
    const stray = '<c r="XFD1" t="inlineStr"><is><t xml:space="preserve"> </t></is></c>';
    const sheets = { One: header.replace('</row>', `${stray}</row>`) + service('x1', 46_359.5) };
    const { refused } = await bring('x.xlsx', await workbookFile({ sheets, styles: STYLES }));
    assert.deepEqual(refused, []);
  });

  it('of a date and of its time are joined as they are shown', async () => {
    const head = cells('Case', 'Event Name', 'Date', 'Time', 'Deceased');
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="14"/><xf numFmtId="18"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs>`;
    const both = (id: string, date: string, time: string) =>
      `<row>${inline(id)}${inline('Funeral')}${date}${time}${inline('Dana')}</row>`;
    const cell = (style: number, number: number) => `<c s="${style}"><v>${number}</v></c>`;
    const day = cell(0, 46_359);
    const rows = [
      ...[both('j0', day, cell(1, 0.604166666)), both('j1', day, cell(2, 0.604166666))],
      ...[both('j2', day, cell(3, 0.604166666)), both('j3', cell(3, 46_359), inline('2:30 PM'))],
      ...[both('j4', inline('12/3/2026'), cell(1, 0.604166666))],
      ...[
        both('j5', day, inline('12/30/1899 2:30:00 PM')),
        both('j6', cell(0, 46_359.7), cell(1, 1.604166666)),
      ],
    ];
    const bytes = await workbookFile({ sheets: { One: head + rows.join('') }, styles });
    const { stored, refused } = await bring('j.xlsx', bytes, { dates: 'mdy' });
    assert.deepEqual(refused, []);
    for (const at of rows.keys())
      assert.equal(stored[`j${at}`]?.at, '2026-12-03T20:30:00Z', `j${at}`);
  });

  it('come back from the file of refused rows as they were', async () => {
    const rows = `<row>${inline('r1')}${inline('')}${moment}${inline('Dana')}</row>`;
    const { refused } = await bring('r.xlsx', await book(rows));
    assert.deepEqual(refused[0]?.slice(2), ['r1', '', '2026-12-03T14:30:00', 'Dana']);
  });
});

describe('the file of refused rows', () => {
  it('runs nothing as a formula, and is imported as it was', async () => {
    const odd = ['=1+1', '@SUM(1)', '+1', '-1', "'=1", "''@x", '\t=1', "'tis", 'plain', '="x"&1'];
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = odd.map(
      (text, at) => `${quoted(`f${at}`)},Funeral,to be decided,${quoted(text)}`,
    );
    const path = files.write('formulas.csv', [HEAD, ...lines].join('\n'));
    const { location, account } = stage.parents;
    const how = { resource: 'events', set: { location_unique_identifier: location } };
    const { run } = await take(stage.service.app.store, account, [path], how);
    const text = readFileSync(run.files[0]?.rejected ?? '', 'utf8');
    for (const cell of csvParsed(text).flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
    const fixed = text.replaceAll('to be decided', '2026-12-03T14:30:00-06:00');
    const { stored, refused } = await bring('fixed.csv', fixed);
    assert.deepEqual(refused, []);
    for (const [at, one] of odd.entries()) assert.equal(stored[`f${at}`]?.name, one);
  });
});

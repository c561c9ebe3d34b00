/** No workbook that somebody brings to the console takes the service from the others: a heap of 512 MiB is enough for any. */
// needs: --all, program
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { it } from 'node:test';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { readSettings } from '../../src/core/config.ts';
import { invite } from '../../src/services/staff/invitations.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { withAll } from '../support/all.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { OWN, PASSWORD } from '../support/console.ts';
import { parseJson } from '../support/parse-json.ts';
import type { Body } from '../support/service.ts';

interface Bloated {
  readonly head: string;
  /** Left out: there is nothing between head and tail. */
  readonly piece?: string;
  /** How many bytes of pieces there are, nearly. */
  readonly bytes?: number;
  readonly tail: string;
}

const BLOCK = 1_048_576;

/** Made without ever unpacking it: blocks that were packed once follow each other. */
function bloatedArchive(parts: Readonly<Record<string, Bloated>>): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, part] of Object.entries(parts)) {
    const { packed, size, sum } = bloated(part);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(sum, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    entries.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name));
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed);
    at += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, directory, end]);
}

function bloated({ head, piece = '', bytes = 0, tail }: Bloated) {
  const block = Buffer.from(piece.repeat(Math.ceil(Math.min(BLOCK, bytes) / (piece.length || 1))));
  const times = block.length === 0 ? 0 : Math.ceil(bytes / block.length);
  const flushed = { level: 9, finishFlush: constants.Z_FULL_FLUSH };
  const packed = Buffer.concat([
    deflateRawSync(head, flushed),
    ...Array<Buffer>(times).fill(deflateRawSync(block, flushed)),
    deflateRawSync(tail),
  ]);
  let sum = crc32(head);
  for (let nth = 0; nth < times; nth += 1) sum = crc32(block, sum);
  const size = Buffer.byteLength(head) + times * block.length + Buffer.byteLength(tail);
  return { packed, size, sum: crc32(tail, sum) };
}

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const link = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${TYPE}/${type}" Target="${target}"/>`;
const whole = (element: string, inside: string): Bloated => ({
  head: `<${element}>${inside}`,
  tail: `</${element}>`,
});

/** A workbook with a sheet of locations; `parts` take the place of its own, by their names. */
function bloatedWorkbook(parts: Readonly<Record<string, Bloated>>): Buffer {
  return bloatedArchive({
    '_rels/.rels': whole('Relationships', link('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': whole(
      'workbook',
      '<sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets>',
    ),
    'xl/_rels/workbook.xml.rels': whole('Relationships', LINKS),
    'xl/worksheets/sheet1.xml': whole('worksheet', `<sheetData>${HEADER}</sheetData>`),
    ...parts,
  });
}

const cell = (text: string) => `<c t="str"><v>${text}</v></c>`;
const HEADER = `<row>${cell('External Identifier')}${cell('Location Name')}</row>`;
const LINKS = [
  link('r1', 'worksheet', 'worksheets/sheet1.xml'),
  link('r2', 'styles', 'styles.xml'),
  link('r3', 'sharedStrings', 'sharedStrings.xml'),
].join('');

const MIB = 1_048_576;
const STYLES = 'xl/styles.xml';
const STRINGS = 'xl/sharedStrings.xml';
const SHEET = 'xl/worksheets/sheet1.xml';
const BOOK_LINKS = 'xl/_rels/workbook.xml.rels';

const links = { head: `<Relationships>${LINKS}`, tail: '</Relationships>' };
const styles = { head: '<styleSheet><cellXfs>', tail: '</cellXfs></styleSheet>' };
const strings = { head: '<sst>', tail: '</sst>' };
const sheet = { head: `<worksheet><sheetData>${HEADER}`, tail: '</sheetData></worksheet>' };
/** What begins and ends like that, with so many MiB of a piece between. */
const full = (
  { head, tail }: Pick<Bloated, 'head' | 'tail'>,
  piece: string,
  mib: number,
): Bloated => ({ head, piece, bytes: mib * MIB, tail });
/** A part of a sheet: what begins and ends there is within its rows. */
const inSheet = (head: string, tail: string) => ({
  head: `${sheet.head}${head}`,
  tail: `${tail}${sheet.tail}`,
});
/** What is packed badly, and makes the file as large as its parts are allowed to be for. */
const PADDING = {
  'xl/media/picture.bin': { head: randomBytes(1.4 * MIB).toString('latin1'), tail: '' },
};
const codes = Array.from(
  { length: 9_000 },
  (_, id) =>
    `<numFmt numFmtId="${id + 200}" formatCode="${(id % 2 === 0 ? '[' : '0').repeat(1_000)}x"/>`,
).join('');
const xfs = Array.from({ length: 9_000 }, (_, id) => `<xf numFmtId="${id + 200}"/>`).join('');
const attributes = Array.from({ length: 1_000_000 }, (_, at) => `a${at}=""`).join(' ');

/** Said where a text is in too many pieces. */
const PIECES = /a text of its cells is in more than 32768 pieces/;
const inline = inSheet('<row><c t="inlineStr"><is>', '</is></c></row>');

/** By what they are made of, and what is said of each; `undefined`: it is none, or its rows are refused alone. */
const bombs: Readonly<
  Record<string, readonly [parts: Readonly<Record<string, Bloated>>, said: RegExp | undefined]>
> = {
  'links, 800 MiB': [
    { [BOOK_LINKS]: full(links, '<Relationship Id="a" Type="b/c" Target="d"/>', 800) },
    /xl\/_rels\/workbook\.xml\.rels holds more than 4 MiB/,
  ],
  'links, 3 MiB': [
    { [BOOK_LINKS]: full(links, '<Relationship Target="d"/>', 3) },
    /more than 10000 links/,
  ],
  'styles, 600 MiB': [
    { [STYLES]: full(styles, '<xf/>', 600) },
    /xl\/styles\.xml holds more than 64 MiB/,
  ],
  'styles, 60 MiB': [{ [STYLES]: full(styles, '<xf/>', 60) }, /more than 65536 formats of cells/],
  'sheets and more, 200 MiB': [
    { 'xl/workbook.xml': full({ head: '<workbook>', tail: '</workbook>' }, '<definedName/>', 200) },
    /xl\/workbook\.xml holds more than 16 MiB/,
  ],
  'shared texts, 900 MiB': [
    { [STRINGS]: full(strings, '<si/>', 900) },
    /xl\/sharedStrings\.xml unpacks to more than 200 times the size of the file/,
  ],
  'parts that are large together': [
    { [STRINGS]: full(strings, '<si/>', 8), [SHEET]: full(sheet, '<row/>', 60) },
    /unpacks to more than 200 times the size of the file/,
  ],
  'elements within each other': [
    { [SHEET]: full({ head: '<worksheet>', tail: '</worksheet>' }, '<a>', 60) },
    /nested more than 256 deep/,
  ],
  'attributes of one element': [
    { [SHEET]: { head: `<worksheet><sheetData ${attributes}>`, tail: '</sheetData></worksheet>' } },
    /more than 1000 attributes/,
  ],
  'cells of one row': [
    { [SHEET]: full(inSheet('<row>', '</row>'), '<c r="A2" t="str"><v>1</v></c>', 12) },
    undefined,
  ],
  'pieces of one text in a sheet': [{ [SHEET]: full(inline, '<t>a</t>', 250), ...PADDING }, PIECES],
  'pieces of one text that is a value': [
    { [SHEET]: full(inSheet('<row><c t="str">', '</c></row>'), '<v>a</v>', 60), ...PADDING },
    PIECES,
  ],
  'pieces of one shared text': [
    { [STRINGS]: full({ head: '<sst><si>', tail: '</si></sst>' }, '<t>a</t>', 250), ...PADDING },
    PIECES,
  ],
  'large pieces of one text': [
    { [SHEET]: full(inline, `<t>${'a'.repeat(20_000)}</t>`, 60), ...PADDING },
    undefined,
  ],
  'cells without an end to them': [
    { [SHEET]: full(sheet, '<row/><c/>', 90), ...PADDING },
    /has more than \d+ elements/,
  ],
  'formats that take long to understand': [
    { [STYLES]: { ...styles, head: `<styleSheet><numFmts>${codes}</numFmts><cellXfs>${xfs}` } },
    undefined,
  ],
  'rows that share a text of 900 kB': [
    {
      [STRINGS]: { head: `<sst><si><t>${'x'.repeat(900_000)}</t></si>`, tail: '</sst>' },
      [SHEET]: full(sheet, '<row><c t="s"><v>0</v></c></row>', 20),
    },
    /its cells hold more than 536870912 characters/,
  ],
};

/** One of each limit: of a part, of all parts, of elements within each other, of what a row holds. */
const SOME = /^(links, 3 MiB|shared texts, 900 MiB|elements within each other|cells of one row)$/;

it('a workbook that unpacks to a thousand times its size is refused, and others are served meanwhile', async (test) => {
  const { cwd, account, secret } = await withAccount();
  const DATABASE_URL = `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`;
  const store = await openStoreAlone(readSettings({}, { DATABASE_URL }), { create: false });
  const grant = { role: 'editor' as const, anchors: null, region: null, allow: [] };
  const grantedIn = { ...grant, accounts: [account] };
  const invited = { email: 'editor@example.com', ...grantedIn };
  const { link } = await invite(store.staff, invited, 'http://127.0.0.1', Date.now());
  await store.close();

  const env = { NODE_OPTIONS: '--max-old-space-size=512' };
  const service = await startProcess({ cwd, env });
  const token = link.slice(link.lastIndexOf('/') + 1);
  const redeemed = await fetch(`${service.url}/console/api/invitations/redeem`, {
    method: 'POST',
    headers: { ...OWN, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password: PASSWORD }),
  });
  const [Cookie = ''] = redeemed.headers.getSetCookie().map((set) => set.split(';')[0] ?? '');

  const post = (path: string, type: string, body: BodyInit) =>
    fetch(`${service.url}/console/api/v1/uploads${path}`, {
      method: 'POST',
      headers: { ...OWN, Cookie, 'Content-Type': type, Accept: 'application/x-ndjson' },
      body,
    });
  const bring = async (what: string, upload: string): Promise<Body> => {
    const asked = JSON.stringify({ resource: 'locations' });
    const answer = await post(`/${upload}/${what}`, 'application/json', asked);
    const last = (await answer.text()).trimEnd().split('\n').at(-1) ?? '';
    return parseJson(last);
  };

  let isOver = false;
  let served = 0;
  const beside = (async () => {
    while (!isOver) {
      assert.match(await makeLocation(service.url, secret, account, `beside ${served}`), /^loc_/);
      served += 1;
    }
  })();
  try {
    for (const [what, [parts, said]] of Object.entries(bombs)) {
      await test.test(what, SOME.test(what) ? {} : withAll, async () => {
        const file = bloatedWorkbook(parts);
        assert.ok(file.length < 4 * MIB, `${file.length} bytes`);
        const before = served;
        const type = 'application/octet-stream';
        const sent = await post('?name=chapels.xlsx', type, new Uint8Array(file));
        const { unique_identifier: upload } = parseJson(await sent.text()) as Body;
        const [, checked] = await Promise.all([bring('look', upload), bring('check', upload)]);
        const { error } = checked;
        if (said === undefined) {
          assert.deepEqual([error, checked.counts?.failed], [undefined, parts[SHEET] ? 1 : 0]);
        } else {
          assert.equal(error?.code, 'workbook_unreadable', JSON.stringify(checked).slice(0, 500));
          assert.match(error.message, said);
          assert.match(error.message, /^chapels\.xlsx /, 'it names the file as the person does');
        }
        assert.ok(served > before, 'another caller is served');
        assert.equal(service.process.exitCode, null);
      });
    }
  } finally {
    isOver = true;
  }
  await beside;
});

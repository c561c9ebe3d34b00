/** No workbook that somebody brings to the console takes the service from the others: a heap of 512 MiB is enough for any. */
// needs: --all, program
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { it } from 'node:test';
import { readSettings } from '../../src/core/config.ts';
import { issueKey } from '../../src/records/auth/issue-key.ts';
import { invite } from '../../src/services/staff/invitations.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { withAll } from '../support/all.ts';
import { ownFolder } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { OWN, PASSWORD } from '../support/console.ts';
import { parseJson } from '../support/parse-json.ts';
import type { Body } from '../support/service.ts';
import { type Bloated, bloatedWorkbook, HEADER, LINKS } from '../support/workbook-bomb.ts';

const MIB = 1_048_576;
const STYLES = 'xl/styles.xml';
const STRINGS = 'xl/sharedStrings.xml';
const SHEET = 'xl/worksheets/sheet1.xml';
const BOOK_LINKS = 'xl/_rels/workbook.xml.rels';

const styles = { head: '<styleSheet><cellXfs>', tail: '</cellXfs></styleSheet>' };
const strings = { head: '<sst>', tail: '</sst>' };
const sheet = { head: `<worksheet><sheetData>${HEADER}`, tail: '</sheetData></worksheet>' };
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

/** By what they are made of, and what is said of each; `undefined`: it is none, or its rows are refused alone. */
const bombs: Readonly<
  Record<string, readonly [parts: Readonly<Record<string, Bloated>>, said: RegExp | undefined]>
> = {
  'links, 800 MiB': [
    {
      [BOOK_LINKS]: {
        head: `<Relationships>${LINKS}`,
        piece: '<Relationship Id="a" Type="b/c" Target="d"/>',
        bytes: 800 * MIB,
        tail: '</Relationships>',
      },
    },
    /xl\/_rels\/workbook\.xml\.rels holds more than 4 MiB/,
  ],
  'links, 3 MiB': [
    {
      [BOOK_LINKS]: {
        head: `<Relationships>${LINKS}`,
        piece: '<Relationship Target="d"/>',
        bytes: 3 * MIB,
        tail: '</Relationships>',
      },
    },
    /more than 10000 links/,
  ],
  'styles, 600 MiB': [
    { [STYLES]: { ...styles, piece: '<xf/>', bytes: 600 * MIB } },
    /xl\/styles\.xml holds more than 64 MiB/,
  ],
  'styles, 60 MiB': [
    { [STYLES]: { ...styles, piece: '<xf/>', bytes: 60 * MIB } },
    /more than 65536 formats of cells/,
  ],
  'sheets and more, 200 MiB': [
    {
      'xl/workbook.xml': {
        head: '<workbook>',
        piece: '<definedName/>',
        bytes: 200 * MIB,
        tail: '</workbook>',
      },
    },
    /xl\/workbook\.xml holds more than 16 MiB/,
  ],
  'shared texts, 900 MiB': [
    { [STRINGS]: { ...strings, piece: '<si/>', bytes: 900 * MIB } },
    /xl\/sharedStrings\.xml unpacks to more than 200 times the size of the file/,
  ],
  'parts that are large together': [
    {
      [STRINGS]: { ...strings, piece: '<si/>', bytes: 8 * MIB },
      [SHEET]: { ...sheet, piece: '<row/>', bytes: 60 * MIB },
    },
    /unpacks to more than 200 times the size of the file/,
  ],
  'elements within each other': [
    { [SHEET]: { head: '<worksheet>', piece: '<a>', bytes: 60 * MIB, tail: '</worksheet>' } },
    /nested more than 256 deep/,
  ],
  'attributes of one element': [
    { [SHEET]: { head: `<worksheet><sheetData ${attributes}>`, tail: '</sheetData></worksheet>' } },
    /more than 1000 attributes/,
  ],
  'cells of one row': [
    {
      [SHEET]: {
        head: `${sheet.head}<row>`,
        piece: '<c r="A2" t="str"><v>1</v></c>',
        bytes: 12 * MIB,
        tail: `</row>${sheet.tail}`,
      },
    },
    undefined,
  ],
  'pieces of one text in a sheet': [
    {
      [SHEET]: {
        head: `${sheet.head}<row><c t="inlineStr"><is>`,
        piece: '<t>a</t>',
        bytes: 250 * MIB,
        tail: `</is></c></row>${sheet.tail}`,
      },
      ...PADDING,
    },
    /a text of its cells is in more than 32768 pieces/,
  ],
  'pieces of one text that is a value': [
    {
      [SHEET]: {
        head: `${sheet.head}<row><c t="str">`,
        piece: '<v>a</v>',
        bytes: 60 * MIB,
        tail: `</c></row>${sheet.tail}`,
      },
      ...PADDING,
    },
    /a text of its cells is in more than 32768 pieces/,
  ],
  'pieces of one shared text': [
    {
      [STRINGS]: {
        head: '<sst><si>',
        piece: '<t>a</t>',
        bytes: 250 * MIB,
        tail: '</si></sst>',
      },
      ...PADDING,
    },
    /a text of its cells is in more than 32768 pieces/,
  ],
  'large pieces of one text': [
    {
      [SHEET]: {
        head: `${sheet.head}<row><c t="inlineStr"><is>`,
        piece: `<t>${'a'.repeat(20_000)}</t>`,
        bytes: 60 * MIB,
        tail: `</is></c></row>${sheet.tail}`,
      },
      ...PADDING,
    },
    undefined,
  ],
  'cells without an end to them': [
    { [SHEET]: { ...sheet, piece: '<row/><c/>', bytes: 90 * MIB }, ...PADDING },
    /has more than \d+ elements/,
  ],
  'formats that take long to understand': [
    {
      [STYLES]: {
        head: `<styleSheet><numFmts>${codes}</numFmts><cellXfs>${xfs}`,
        tail: '</cellXfs></styleSheet>',
      },
    },
    undefined,
  ],
  'rows that share a text of 900 kB': [
    {
      [STRINGS]: { head: `<sst><si><t>${'x'.repeat(900_000)}</t></si>`, tail: '</sst>' },
      [SHEET]: {
        ...sheet,
        piece: '<row><c t="s"><v>0</v></c></row>',
        bytes: 20 * MIB,
      },
    },
    /its cells hold more than 536870912 characters/,
  ],
};

/** One of each limit: of a part, of all parts, of elements within each other, of what a row holds. */
const SOME = [
  'links, 3 MiB',
  'shared texts, 900 MiB',
  'elements within each other',
  'cells of one row',
];

it('a workbook that unpacks to a thousand times its size is refused, and others are served meanwhile', async (test) => {
  const cwd = ownFolder();
  const settings = readSettings(
    {},
    { DATABASE_URL: `sqlite:${join(cwd, 'data', 'ledgerstone.db')}` },
  );
  const store = await openStoreAlone(settings, { create: true });
  const { unique_identifier: account } = await store.accounts.create({
    name: 'Example Funeral Group',
    livemode: false,
  });
  const { secret } = await issueKey(store.keys, false, { accounts: [account] });
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

  const bring = async (what: string, file: Buffer): Promise<Body> => {
    const asked = { name: 'chapels.xlsx', resource: 'locations' };
    const answer = await fetch(`${service.url}/console/api/imports/${what}`, {
      method: 'POST',
      headers: { ...OWN, Cookie, 'Content-Type': 'application/octet-stream' },
      body: Buffer.concat([Buffer.from(`${JSON.stringify(asked)}\n`), file]),
    });
    const last = (await answer.text()).trimEnd().split('\n').at(-1) ?? '';
    return parseJson(last);
  };

  let isOver = false;
  let served = 0;
  const beside = (async () => {
    while (!isOver) {
      const { status, text } = await call(service.url, secret, '/v1/locations/upsert', {
        account_unique_identifier: account,
        external_identifier: `beside ${served}`,
        location_name: 'Main Street Chapel',
      });
      assert.equal(status, 200, text);
      served += 1;
    }
  })();
  try {
    for (const [what, [parts, said]] of Object.entries(bombs)) {
      await test.test(what, SOME.includes(what) ? {} : withAll, async () => {
        const file = bloatedWorkbook(parts);
        assert.ok(file.length < 4 * MIB, `${file.length} bytes`);
        const before = served;
        const [, checked] = await Promise.all([bring('look', file), bring('preview', file)]);
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

/** Workbooks as Excel saves them: the sheets before the texts that their cells share. */
import { buffer } from 'node:stream/consumers';
import { writeArchive } from '../../src/services/export/formats.ts';

type Text = string | AsyncIterable<string>;

export interface MadeWorkbook {
  /** By name, what stands in `sheetData`. */
  readonly sheets: Readonly<Record<string, Text>>;
  /** What stands in `sst`. */
  readonly strings?: Text;
  /** What stands in `styleSheet`. */
  readonly styles?: string;
  /** What stands in `workbook` before the sheets. */
  readonly properties?: string;
}

const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';

/** The bytes of the file, made as they are read. */
export function workbookBytes({
  sheets,
  strings,
  styles,
  properties = '',
}: MadeWorkbook): AsyncIterable<Uint8Array> {
  const names = Object.keys(sheets);
  const parts: [name: string, root: string, inside: Text][] = [];
  const element = (name: string) => `${name} xmlns="${SHEETS}"`;
  const links = [
    ...names.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ...(styles === undefined ? [] : [['styles', 'styles.xml'] as const]),
    ...(strings === undefined ? [] : [['sharedStrings', 'sharedStrings.xml'] as const]),
  ];
  const linked = (type: string, target: string, at: number) =>
    `<Relationship Id="rId${at + 1}" Type="${LINKS}/${type}" Target="${target}"/>`;
  const tabs = names
    .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
    .join('');
  parts.push(
    ['[Content_Types].xml', `Types xmlns="${PACKAGE}/content-types"`, ''],
    [
      '_rels/.rels',
      `Relationships xmlns="${PACKAGE}/relationships"`,
      linked('officeDocument', 'xl/workbook.xml', 0),
    ],
    [
      'xl/workbook.xml',
      `${element('workbook')} xmlns:r="${LINKS}"`,
      `${properties}<sheets>${tabs}</sheets>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `Relationships xmlns="${PACKAGE}/relationships"`,
      links.map(([type, target], at) => linked(type, target, at)).join(''),
    ],
    ...names.map((name, at): [string, string, Text] => [
      `xl/worksheets/sheet${at + 1}.xml`,
      element('worksheet'),
      within('sheetData', sheets[name] ?? ''),
    ]),
  );
  if (styles !== undefined) parts.push(['xl/styles.xml', element('styleSheet'), styles]);
  if (strings !== undefined) parts.push(['xl/sharedStrings.xml', element('sst'), strings]);
  const files = parts.map(([name, root, inside]) => ({
    name,
    bytes: xml(root, inside),
    compress: true,
  }));
  return writeArchive(files, new Date(2027, 0, 1));
}

export async function workbookFile(made: MadeWorkbook): Promise<Buffer> {
  return buffer(workbookBytes(made));
}

async function* xml(root: string, inside: Text): AsyncGenerator<string> {
  yield `${HEAD}<${root}>`;
  if (typeof inside === 'string') yield inside;
  else yield* inside;
  yield `</${root.split(' ', 1)[0]}>`;
}

async function* within(element: string, inside: Text): AsyncGenerator<string> {
  yield `<${element}>`;
  if (typeof inside === 'string') yield inside;
  else yield* inside;
  yield `</${element}>`;
}

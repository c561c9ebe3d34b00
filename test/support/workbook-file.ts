/** Workbooks as Excel saves them: the sheets before the texts that their cells share. */
import { buffer } from 'node:stream/consumers';
import { writeArchive } from '../../src/features/exports/serves/formats.ts';

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
  /** What stands in `workbook` after the sheets. */
  readonly extensions?: string;
  /** What stands in each `worksheet` before and after `sheetData`. */
  readonly around?: readonly [before: string, after: string];
  /** By name, more attributes of a sheet. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Changes the text of a part, and may give it other bytes. */
  readonly change?: (name: string, text: string) => string | Uint8Array;
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
  extensions = '',
  around: [before, after] = ['', ''],
  attributes = {},
  change,
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
    .map(
      (name, at) =>
        `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}" ${attributes[name] ?? ''}/>`,
    )
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
      `${properties}<sheets>${tabs}</sheets>${extensions}`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `Relationships xmlns="${PACKAGE}/relationships"`,
      links.map(([type, target], at) => linked(type, target, at)).join(''),
    ],
    ...names.map((name, at): [string, string, Text] => [
      `xl/worksheets/sheet${at + 1}.xml`,
      element('worksheet'),
      within('sheetData', sheets[name] ?? '', before, after),
    ]),
  );
  if (styles !== undefined) parts.push(['xl/styles.xml', element('styleSheet'), styles]);
  if (strings !== undefined) parts.push(['xl/sharedStrings.xml', element('sst'), strings]);
  const files = parts.map(([name, root, inside]) => ({
    name,
    bytes: change === undefined ? xml(root, inside) : changed(name, xml(root, inside), change),
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

async function* changed(
  name: string,
  texts: AsyncIterable<string>,
  change: NonNullable<MadeWorkbook['change']>,
): AsyncGenerator<string | Uint8Array> {
  yield change(name, (await Array.fromAsync(texts)).join(''));
}

async function* within(element: string, inside: Text, before: string, after: string) {
  yield `${before}<${element}>`;
  if (typeof inside === 'string') yield inside;
  else yield* inside;
  yield `</${element}>${after}`;
}

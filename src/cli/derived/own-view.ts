/** Prints our own objects. */
import { align, table } from '../output.ts';

/** The columns of a list: members, or headings with a member or the content of a cell. */
export type ListColumns = readonly (
  | string
  | readonly [heading: string, cell: string | ((one: never) => unknown)]
)[];

/** The entries in their columns; the last column is left out where it says nothing. */
export function tableOf(columns: ListColumns, entries: readonly object[]): readonly string[] {
  const cells = columns.map((one) => {
    const [heading, cell] = typeof one === 'string' ? [headingOf(one).toUpperCase(), one] : one;
    const texts = entries.map((entry) =>
      textOf(typeof cell === 'string' ? entry[cell as never] : cell(entry as never)),
    );
    return { heading, texts };
  });
  if (cells.at(-1)?.texts.every((text) => text === '')) cells.pop();
  return table(
    cells.map(({ heading }) => heading),
    entries.map((_, row) => cells.map(({ texts }) => texts[row] || '-')),
  );
}

/** All members of an answer that say something, each under its heading; each text of a list on a line. */
export function rowsOf(answer: object): readonly string[] {
  return align(
    Object.entries(answer)
      .filter(([name]) => name !== 'object')
      .flatMap(([name, value]) => {
        const texts = (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);
        return texts.map((text, at) => [at === 0 ? headingOf(name) : '', text]);
      }),
  );
}

/** `requests_at_once`: Requests at once; `revoked_at`: Revoked. */
export function headingOf(name: string): string {
  if (name === 'unique_identifier') return 'ID';
  if (name === 'inserted_at') return 'Created';
  const words = name.replace(/_at$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, one]) => [headingOf(name).toLowerCase(), textOf(one)])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} ${text}`)
    .join(', ');
}

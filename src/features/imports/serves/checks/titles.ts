/** Whom a row of a file is about, as a person sees it, and which records several rows name. */
import { numberOf } from '../../../../core/number-of.ts';
import type { Resource } from '../../../../core/schema/define.ts';
import { shownIn } from '../../../../core/tables/cell.ts';
import type { RepeatedRecord } from '../../declares/answers.ts';
import type { NamedTarget } from '../amounts.ts';
import type { SourceRow } from '../table/table.ts';

/** The most characters of what a row is called. */
const LONGEST = 200;

/** The columns that say whom a row is about: those of its title, or of a value for all rows that is made of columns. */
export function titlesOf(
  { display }: Resource,
  header: readonly string[],
  targets: readonly (NamedTarget | undefined)[],
  set: Readonly<Record<string, string>> = {},
): readonly number[] {
  for (const name of display.title) {
    const at = targets.findIndex((target) => target?.name === name);
    if (at >= 0) return [at];
    const columns = (set[name] ?? '').match(/\{[^{}]+\}/g) ?? [];
    const places = columns.map((column) => header.indexOf(column.slice(1, -1)));
    if (places.some((place) => place >= 0)) return places.filter((place) => place >= 0);
  }
  return [];
}

/** Whom a row is about, by the columns that say so. */
export function titleIn(cells: readonly string[], titles: readonly number[]): string {
  const words = titles.flatMap((at) => cells[at]?.trim() || []);
  return words.join(' ').slice(0, LONGEST);
}

/** Rows that are remembered; those beyond are not compared. */
const REMEMBERED = 250_000;
/** Rows of which it is remembered whom they are about. */
const TITLES = 20_000;
const EXAMPLES = 5;
const RECORDS = 50;
const ROWS = 10;

/** How many rows name a record that an earlier one names, the first of them with that one, and whom they are about. */
export interface Duplicates {
  readonly count: number;
  readonly examples: readonly (readonly [row: number, earlier: number])[];
  readonly records?: readonly RepeatedRecord[];
}

/** Notices rows that name the same record: the later ones change what the first one makes. */
export function createDuplicateCounter(
  header: readonly string[],
  targets: readonly (NamedTarget | undefined)[],
  titles: readonly number[] = [],
) {
  const own = targets.findIndex((target) => target?.name === 'external_identifier');
  const columns = [...targets.keys()].filter(
    (at) => own >= 0 && targets[at]?.name.endsWith('_identifier'),
  );
  const rows = new Map<number, number>();
  const names = new Map<number, string>();
  const records = new Map<number, { identifier: string; rows: { row: number; of: string }[] }>();
  const examples: (readonly [number, number])[] = [];
  let count = 0;
  return {
    see({ number, cells, values }: SourceRow): void {
      if (columns.length === 0 || rows.size >= REMEMBERED) return;
      // What has lost its digits is refused, and names no record.
      const value = values?.[own];
      if (value?.is === 'number' && value.lacks !== undefined) return;
      // Rows without an identifier name no record.
      if ((cells[own] ?? '').trim() === '') return;
      const shown = columns.map((at) => shownIn(cells[at] ?? '', values?.[at]));
      const key = numberOf(shown.join('\0'));
      const earlier = rows.getOrInsert(key, number);
      if (names.size < TITLES) names.set(number, titleIn(cells, titles));
      if (earlier === number) return;
      count += 1;
      if (examples.length < EXAMPLES) examples.push([number, earlier]);
      if (!records.has(key) && records.size >= RECORDS) return;
      const found = records.getOrInsertComputed(key, () => ({
        identifier: shownIn(cells[own] ?? '', value),
        rows: [{ row: earlier, of: names.get(earlier) ?? '' }],
      }));
      if (found.rows.length < ROWS) found.rows.push({ row: number, of: titleIn(cells, titles) });
    },
    get found(): Duplicates | undefined {
      if (count === 0) return undefined;
      const column = header[own] ?? '';
      return { count, examples, records: [...records.values()].map((one) => ({ ...one, column })) };
    },
  };
}

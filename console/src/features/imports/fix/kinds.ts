/** What of a file a person should look at, by kinds: refused cells, values that are read otherwise than they stand, and rows that name one record. */

import { imports as says } from 'messages';
import { parseJson } from '../../../../../client/src/json.ts';
import type { DescribedResource } from '../../../records/description.ts';
import { type Refusal, refusalText } from '../../../refusals.ts';
import { columnsFor, tableIn } from '../refused.ts';
import type { FileOptions, Look, Outcome } from '../service.ts';

/** A fault of a row; `label` is its column with what stands there. */
export interface CellFault extends Refusal {
  readonly label?: string;
  readonly columns?: readonly string[];
}

export interface KindRow {
  readonly row: number;
  /** Whom it is about. */
  readonly of: string;
  /** By the name of a column what stands there. */
  readonly cells: Readonly<Record<string, string>>;
}

export interface FixKind {
  readonly key: string;
  /** `asked`: a choice decides; `people`: an identifier of several people. */
  readonly is: 'asked' | 'refused' | 'people' | 'twice' | 'read';
  readonly what?: Noticed;
  readonly title: string;
  readonly examples: readonly string[];
  readonly count: number;
  readonly columns: readonly string[];
  readonly rows: readonly KindRow[];
}

type Noticed = NonNullable<Outcome['noticed']>[number]['what'];

/** Kinds of values that a choice decides, with the codes by which they are refused without one. */
const ASKED: { readonly [what in Noticed]?: readonly string[] } = {
  phones_with_words: ['phone_unreadable'],
  phones_short: ['phone_unreadable'],
};
const READ: { readonly [what in Noticed]?: readonly string[] } = {
  names_reversed: [],
  years_short: ['year_short'],
  times_short: ['time_unreadable'],
  dates_none: [],
};
const OWN = new Set(['place_unknown', 'place_ambiguous', 'identifier_ambiguous']);
/** Rows of a kind that can be typed over one by one. */
export const MOST_ROWS = 50;
const EXAMPLES = 3;

export interface RefusedRow extends KindRow {
  readonly faults: readonly CellFault[];
}

export interface Judged {
  readonly look: Look;
  readonly resource: DescribedResource;
  readonly options: FileOptions;
  readonly outcome: Outcome;
}

/** The rows that are refused, by their numbers. */
export function refusedIn({ look, resource, options, outcome }: Judged) {
  const titles = titleColumns(look, resource, options);
  const rows = new Map<number, RefusedRow>();
  for (const [number = '', error = '', ...texts] of tableIn(outcome.rejected).slice(1)) {
    const cells = Object.fromEntries(
      look.header.map((column, at) => [column, texts[at] ?? ''] as const),
    );
    const of = titles.map((column) => cells[column] ?? '').filter(Boolean);
    const faults = error.startsWith('[{') ? (parseJson(error) as CellFault[]) : [];
    rows.set(Number(number), { row: Number(number), of: of.join(' '), cells, faults });
  }
  return rows;
}

export function kindsIn(judged: Judged, refused: ReadonlyMap<number, RefusedRow>): FixKind[] {
  const { outcome } = judged;
  const noticed = (outcome.noticed ?? []).flatMap(({ what, count, examples, places = [] }) =>
    what !== 'encoding_guessed' && (what in ASKED || what in READ)
      ? [{ what, count, examples, places }]
      : [],
  );
  const covered = new Set(
    noticed.flatMap(({ what, places }) =>
      (ASKED[what] ?? READ[what] ?? []).flatMap((code) =>
        places.map(({ row, column }) => `${code} ${row}:${column}`),
      ),
    ),
  );
  const told = noticed.map(
    ({ what, count, examples, places }): FixKind => ({
      ...{ key: what, what, count, examples: [] },
      is: what in ASKED ? 'asked' : 'read',
      title: says.noticed[what]({ count, examples: shownOf(examples, count) }).replace('….', '…'),
      columns: [...new Set(places.map(({ column }) => column))],
      rows: rowsOf(places),
    }),
  );
  return [
    ...repeatedIn(outcome),
    ...told.filter(({ is }) => is === 'asked'),
    ...faultyIn(refused, covered),
    ...told.filter(({ is }) => is === 'read'),
  ];
}

type NoticedCells = NonNullable<NonNullable<Outcome['noticed']>[number]['places']>;

/** The rows of cells: those of one row together. */
function rowsOf(places: NoticedCells): readonly KindRow[] {
  const rows = new Map<number, { row: number; of: string; cells: Record<string, string> }>();
  for (const { row, column, text, of } of places) {
    if (rows.size >= MOST_ROWS && !rows.has(row)) continue;
    const found = rows.get(row) ?? { row, of, cells: {} };
    found.cells[column] = text;
    rows.set(row, found);
  }
  return [...rows.values()];
}

/** What is refused, by why and in which column. */
function faultyIn(
  refused: ReadonlyMap<number, RefusedRow>,
  covered: ReadonlySet<string>,
): readonly FixKind[] {
  const kinds = new Map<string, { fault: CellFault; rows: RefusedRow[] }>();
  for (const row of refused.values())
    for (const fault of row.faults) {
      const { code, columns = [], label = '' } = fault;
      const isCovered = columns.some((column) => covered.has(`${code} ${row.row}:${column}`));
      if (isCovered || OWN.has(code)) continue;
      const key = [code, ...(columns.length > 0 ? columns : [label])].join(' ');
      const kind = kinds.get(key) ?? { fault, rows: [] };
      if (!kind.rows.includes(row)) kind.rows.push(row);
      kinds.set(key, kind);
    }
  return [...kinds]
    .map(([key, { fault, rows }]): FixKind => {
      const { columns = [] } = fault;
      const texts = rows.map(({ cells }) => columns.map((column) => cells[column] ?? '').join(' '));
      const some = [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
      return {
        ...{ key, is: 'refused', count: rows.length, columns },
        title: sentenceOf(fault, columns.join(', ')),
        examples: some.slice(0, EXAMPLES),
        rows: rows.slice(0, MOST_ROWS),
      };
    })
    .sort((one, other) => other.count - one.count);
}

/** What is wrong in the words of the page: about a column, without what stands there. */
export function sentenceOf(fault: CellFault, column = ''): string {
  return refusalText({ ...fault, param: fault.label }, column || fault.label);
}

function repeatedIn({ twice }: Outcome): readonly FixKind[] {
  const records = twice?.records ?? [];
  if (twice === undefined) return [];
  const isOfSeveral = ({ rows }: (typeof records)[number]): boolean =>
    new Set(rows.map(({ of }) => of.trim().toLowerCase())).size > 1;
  return (['people', 'twice'] as const).flatMap((is): FixKind[] => {
    const own = records.filter((one) => isOfSeveral(one) === (is === 'people'));
    if (own.length === 0) return [];
    const rows = own.flatMap(({ identifier, column, rows }) =>
      rows.map(({ row, of }) => ({ row, of, cells: { [column]: identifier } })),
    );
    const again = own.reduce((sum, one) => sum + one.rows.length - 1, 0);
    return [
      {
        ...{ key: is, is, rows, columns: [own[0]?.column ?? ''] },
        count: rows.length,
        title: is === 'people' ? says.fix.people(own.length) : says.fix.twice(again),
        examples: own.slice(0, EXAMPLES).map(({ identifier }) => identifier),
      },
    ];
  });
}

function shownOf(examples: readonly string[], count: number): string {
  return examples.join(' · ') + (count > examples.length ? ' · …' : '');
}

/** The columns that say whom a row is about. */
function titleColumns(
  { header }: Look,
  { title }: DescribedResource,
  { map = {}, set = {} }: FileOptions,
): readonly string[] {
  for (const name of title) {
    const [own] = Object.entries(map).find(([, field]) => field === name) ?? [];
    const columns = own === undefined ? columnsFor(set[name] ?? '') : [own];
    const known = columns.filter((column) => header.includes(column));
    if (known.length > 0) return known;
  }
  return [];
}

/** The kinds that were there before with those that are there now; of those that are gone none is left. */
export function withSeen(before: readonly FixKind[], now: readonly FixKind[]): readonly FixKind[] {
  const known = before.map((one) => {
    const again = now.find(({ key }) => key === one.key);
    if (again === undefined) return { ...one, count: 0 };
    const rows = new Map([...again.rows, ...one.rows].map((row) => [row.row, row] as const));
    return { ...again, rows: [...rows.values()].sort((a, b) => a.row - b.row) };
  });
  const fresh = now.filter(({ key }) => !before.some((one) => one.key === key));
  return [...known, ...fresh];
}

/** How loud it is: something is to be decided, is refused, or is read as it is told. */
export function stateOf(
  { is, what, count }: FixKind,
  options: FileOptions,
): 'open' | 'bad' | 'good' {
  if (count === 0) return 'good';
  if (is === 'people' || is === 'refused') return 'bad';
  if (what === 'phones_with_words') return options.phone_words === undefined ? 'open' : 'good';
  if (what === 'phones_short') return /^\d{3}$/.test(options.area_code ?? '') ? 'good' : 'open';
  return is === 'twice' ? 'open' : 'good';
}

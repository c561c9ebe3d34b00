/** Notices for a person before the rows of a file are written: nothing of it is wrong, and all of it may surprise. */
import type { Notice, NoticedCell } from '../declares/answers.ts';
import type { NamedTarget } from './amounts.ts';
import { titleIn } from './checks/titles.ts';
import { isNoDate, isPlainDate } from './table/dates.ts';
import { examplesOf, type FileLook } from './table/encoding.ts';
import { isListOfOurs } from './table/headings.ts';
import { isName, turnedRound } from './table/names.ts';
import { fullYear, hasShortYear, phoneWithWords, shortPhone, shortTime } from './table/readings.ts';
import type { SourceRow, SourceTable } from './table/table.ts';

const EXAMPLES = 3;
/** Cells of each kind that are shown one by one. */
const PLACES = 100;
/** The most characters of what is shown of a cell. */
const LONGEST = 200;

interface Columns {
  readonly targets: readonly (NamedTarget | undefined)[];
  /** Columns of a date, each with that of its time. */
  readonly joined: readonly (readonly [at: number, into: number])[];
  /** Columns that say whom a row is about. */
  readonly titles?: readonly number[];
}

/** Notes what is seen of a table while its rows are read. */
export function createNotices(
  { header, headerRow, places }: SourceTable,
  { targets: own, joined, titles = [] }: Columns,
) {
  const targets = [...own];
  const isOurs = isListOfOurs(header);
  for (const [at, into] of joined) targets[at] = own[into];
  const hidden = createCount();
  const reversed = createCount();
  const readings = {
    years_short: createCount(),
    phones_with_words: createCount(),
    phones_short: createCount(),
    times_short: createCount(),
    dates_none: createCount(),
  };
  const placesOf = (is: (target: NamedTarget) => boolean) =>
    [...targets.keys()].filter((at) => targets[at] !== undefined && is(targets[at]));
  const names = placesOf(isName);
  const dates = placesOf(({ kind }) => kind.startsWith('date'));
  const phones = placesOf(({ kind }) => kind.endsWith('phone number'));
  const isTaken = (place: number): boolean => targets[places.indexOf(place)] !== undefined;
  const named = places.filter(isTaken);
  return {
    see({ number, isHidden, cells }: SourceRow): void {
      if (isHidden) hidden.add(String(number));
      const place = (at: number) => (): NoticedCell | undefined =>
        number === 0
          ? undefined
          : {
              row: number,
              column: header[at] ?? '',
              text: (cells[at] ?? '').slice(0, LONGEST),
              of: titleIn(cells, titles),
            };
      for (const at of names) {
        const turned = turnedRound(cells[at] ?? '');
        if (turned !== undefined) reversed.add(`${cells[at]?.trim()} → ${turned}`, place(at));
      }
      for (const at of dates) {
        const text = cells[at] ?? '';
        if (!isOurs && isNoDate(text)) readings.dates_none.add(text.trim(), place(at));
        if (isPlainDate(text)) continue;
        if (hasShortYear(text)) readings.years_short.add(yearTold(text, targets[at]), place(at));
        const time = targets[at]?.kind === 'date and time' ? shortTime(text) : undefined;
        if (time !== undefined) readings.times_short.add(`${text.trim()} → ${time}`, place(at));
      }
      for (const at of phones) {
        const text = cells[at] ?? '';
        if (phoneWithWords(text)) readings.phones_with_words.add(text.trim(), place(at));
        else if (shortPhone(text)) readings.phones_short.add(text.trim(), place(at));
      }
    },
    /** To be asked when all rows are read. */
    found(facts: SourceTable['facts']): readonly Notice[] {
      const merged = createCount();
      for (const range of facts?.merged ?? []) {
        const [first, last] = cornersOf(range);
        const isBelow = last !== undefined && last.row > headerRow;
        if (isBelow && named.some((at) => at >= (first?.column ?? 0) && at <= last.column))
          merged.add(range);
      }
      const columns = createCount();
      for (const at of named)
        if (facts?.hiddenColumns.some(([first, last]) => at >= first && at <= last))
          columns.add(header[places.indexOf(at)] ?? '');
      const sheets = createCount();
      for (const name of facts?.hiddenSheets ?? []) sheets.add(name);
      return [
        ...hidden.as('hidden_rows'),
        ...columns.as('hidden_columns'),
        ...sheets.as('hidden_sheets'),
        ...merged.as('merged_cells'),
        ...reversed.as('names_reversed'),
        ...READINGS.flatMap((what) => readings[what].as(what)),
      ];
    },
  };
}

const READINGS = [
  ...(['years_short', 'times_short', 'dates_none'] as const),
  ...(['phones_with_words', 'phones_short'] as const),
];

/** `6/5/25 → 2025`, as the year would be read. */
function yearTold(text: string, target: NamedTarget | undefined): string {
  const digits = Number(/(\d\d)(?!\d)(?=\D*$|[ T])/.exec(text.trim().slice(0, 10))?.[1]);
  if (target === undefined || Number.isNaN(digits)) return text.trim();
  return `${text.trim()} → ${fullYear(target, digits, new Date().getFullYear())}`;
}

/** How a guessed encoding reads the names that decide whether it is right. */
export function noticesOf(look: FileLook): readonly Notice[] {
  const examples = createCount();
  for (const text of examplesOf(look)) examples.add(text);
  return examples.as('encoding_guessed');
}

function createCount() {
  const examples = new Set<string>();
  const places: NoticedCell[] = [];
  let count = 0;
  return {
    add(example: string, place?: () => NoticedCell | undefined): void {
      count += 1;
      if (examples.size < EXAMPLES) examples.add(example);
      const cell = places.length < PLACES ? place?.() : undefined;
      if (cell !== undefined) places.push(cell);
    },
    as: (what: Notice['what']): readonly Notice[] =>
      count === 0
        ? []
        : [{ what, count, examples: [...examples], ...(places.length > 0 && { places }) }],
  };
}

/** The first and the last cell of a range such as `A2:C4`. */
function cornersOf(range: string) {
  return range.split(':').map((cell) => {
    const [, letters = '', row = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(cell) ?? [];
    let column = 0;
    for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
    return { column: column - 1, row: Number(row) };
  });
}

/** A sentence for who runs a command. */
export function noticeText(
  { what, count, examples }: Pick<Notice, 'what' | 'count' | 'examples'>,
  encoding = '',
): string {
  const some = examples.join(', ') + (count > examples.length ? ', …' : '');
  const many = (one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
  switch (what) {
    case 'encoding_guessed':
      return `it is not UTF-8, and is read as ${encoding}: ${some}. If that is wrong, use --encoding.`;
    case 'hidden_rows':
      return `${many('row')} that the sheet hides ${count === 1 ? 'is' : 'are'} imported, too (${some}).`;
    case 'hidden_columns':
      return `${many('column')} that the sheet hides ${count === 1 ? 'is' : 'are'} imported, too (${some}).`;
    case 'hidden_sheets':
      return `${many('sheet')} of the workbook ${count === 1 ? 'is' : 'are'} hidden, and not read (${some}).`;
    case 'names_reversed':
      return `${many('name')} with the family name first (${some}): to turn them round, use --names last_first.`;
    case 'years_short':
      return `${many('date')} with a year of two digits (${some}): to read them so, use --short-years.`;
    case 'phones_with_words':
      return `${many('phone number')} with words beside (${some}): to leave these out, or to keep them as a detail, use --phone-words.`;
    case 'phones_short':
      return `${many('phone number')} of seven digits (${some}): say their area code with --area-code.`;
    case 'times_short':
      return `${many('time')} with a letter for the half of the day (${some}).`;
    case 'dates_none':
      return `${many('date')} by which programs say that there is none (${some}): the cells count as empty.`;
    default:
      return `${many('range')} of merged cells (${some}): only the first cell of each has its value, the others are empty.`;
  }
}

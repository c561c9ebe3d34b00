/** The mapping of a file's columns to fields. */
import { rivalOf, targetNames } from '../../../core/schema/csv/columns.ts';
import { APOSTROPHES, isFormula } from '../../../core/schema/csv/write.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { nearestName } from '../../../core/schema/fields/members.ts';
import { readDigits } from '../../../core/schema/phones/numbers.ts';
import { TEXT } from '../../../core/tables/cell.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import { amountsOf, type NamedTarget, targetNamed } from './amounts.ts';
import { createDuplicateCounter, type Duplicates } from './checks/titles.ts';
import { createNotices } from './noticed.ts';
import { type Cell, dateText, isWrong, partText } from './table/cells.ts';
import {
  type DateRules,
  hasOwnOffset,
  isDay,
  isLocalTime,
  isPlainDate,
  isTimeOfDay,
  orderIn,
} from './table/dates.ts';
import { fieldCalled, fieldNames, folded, saysTime } from './table/headings.ts';
import type { SourceRow, SourceTable } from './table/table.ts';
import type { Remedies } from './words.ts';

/** By the name of the column, the field; `null`: the column is left out. Two columns may be for one date and time. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface Mapped {
  /** By the place of the column; `undefined`: it is left out, or joined to another one. */
  readonly targets: readonly (NamedTarget | undefined)[];
  readonly mapping: Mapping;
  /** Places of two columns with a date and its time: the later one has the target. */
  readonly joined: readonly Joined[];
  /** Unmapped columns, each with the field that is most similar. */
  readonly unknown: readonly { readonly column: string; readonly nearest: string | undefined }[];
}

export type { Duplicates };

export type Joined = readonly [at: number, into: number];

/** The cell at that place of a row: for a date and its time both, in that order. */
export function cellOf(row: SourceRow, at: number, joined: readonly Joined[]): Cell {
  const pair = joined.find(([, into]) => into === at);
  if (pair === undefined) return cellAt(row, at);
  const both = [cellAt(row, pair[0]), cellAt(row, at)];
  // What cannot be read of one cannot be read of both.
  const wrong = both.find(isWrong);
  if (wrong !== undefined) return wrong;
  const parts = both.map(partText);
  const text = (isTimeOfDay(parts[0] ?? '') ? parts.toReversed() : parts).join(' ').trim();
  return row.values === undefined ? { text } : { text, value: TEXT };
}

function cellAt({ cells, values }: SourceRow, at: number): Cell {
  const text = cells[at] ?? '';
  return values === undefined ? { text } : { text, value: values[at] ?? TEXT };
}

/** Throws `TransferRefused` for a mapping that names what is not there, or a field twice. */
export function mapColumns(
  resource: Resource,
  { header, samples = [] }: Pick<SourceTable, 'header'> & Partial<Pick<SourceTable, 'samples'>>,
  given: Mapping,
  remedies: Remedies,
): Mapped {
  const names = [...targetNames(resource), ...amountsOf(resource).values()];
  const faults: TransferRefused[] = [];
  const refuse = (...said: ConstructorParameters<typeof TransferRefused>) =>
    faults.push(new TransferRefused(...said));
  const mapping: Record<string, string | null> = {};
  const unmapped: string[] = [];
  const taken = new Map<string, number>();
  const joined: Joined[] = [];
  const targets: (NamedTarget | undefined)[] = [];
  // A list of ours names what a record belongs to by our identifier, and for people by name.
  const isOurs =
    header.includes(APOSTROPHES) &&
    header.some((column) => fieldCalled(resource, column, header) === resource.parentParam);
  const readable = samples.filter(({ fault }) => fault === undefined);
  const cellsOf = (at: number) => readable.flatMap(({ cells }) => cells[at]?.trim() || []);
  const isTime = (at: number): boolean => {
    const cells = cellsOf(at);
    return saysTime(header[at] ?? '') || (cells.length > 0 && cells.every(isTimeOfDay));
  };
  for (const [at, column] of header.entries()) {
    targets.push(undefined);
    if (column.startsWith('_')) continue;
    const own = Object.hasOwn(given, column) ? given[column] : undefined;
    if (own === null) {
      mapping[column] = null;
      continue;
    }
    const name = own ?? fieldOf(resource, column, header, cellsOf(at));
    if (isOurs && own === undefined && Object.hasOwn(resource.parentNames, name ?? '')) {
      mapping[column] = null;
      continue;
    }
    const target = name === undefined ? undefined : targetNamed(resource, name);
    if (target === undefined) {
      if (own === undefined) unmapped.push(column);
      else
        refuse(
          `The mapping names ${own}, which is not a field of ${resource.path}.${meant(nearestName(own, names))}`,
        );
      continue;
    }
    const rival = rivalOf(target, taken);
    if (rival !== undefined) {
      const other = header[rival] ?? '';
      const joins =
        target.kind === 'date and time' &&
        !joined.some(([, into]) => into === rival) &&
        (own !== undefined || isTime(rival) !== isTime(at));
      if (!joins && own === undefined) {
        unmapped.push(column);
        continue;
      }
      if (joins) {
        joined.push([rival, at]);
        targets[rival] = undefined;
      } else {
        const [first, second] = [JSON.stringify(other), JSON.stringify(column)];
        const field = remedies.name(resource, target.name);
        const message = `The columns ${first} and ${second} are both for ${field}: ${remedies.leaveOut}.`;
        refuse({ code: 'columns_rival', values: { first, second, field }, message });
      }
    }
    taken.set(target.name, at);
    mapping[column] = target.amount ?? target.name;
    targets[at] = target;
  }
  for (const column of Object.keys(given)) {
    if (!header.includes(column))
      refuse(`The mapping names the column ${JSON.stringify(column)}, which is not in the file.`);
  }
  const [first, ...others] = faults;
  if (first !== undefined)
    throw others.length === 0
      ? first
      : new TransferRefused(faults.map(({ message }) => message).join('\n'));
  const proposed = new Map(taken);
  const isFree = (name: string): boolean => {
    const target = targetNamed(resource, name);
    return target !== undefined && rivalOf(target, proposed) === undefined;
  };
  // Each is proposed once: a mapping with a rival is refused.
  const unknown = unmapped.map((column) => {
    const word = column
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
    const nearest = nearestName(word, names.filter(isFree));
    const target = nearest === undefined ? undefined : targetNamed(resource, nearest);
    if (target !== undefined) proposed.set(target.name, -1);
    return { column, nearest };
  });
  return { targets, mapping, joined, unknown };
}

/** There are unmapped columns. */
export class ColumnsUnknown extends TransferRefused {
  readonly proposed: Mapping;

  constructor(file: string, { mapping, unknown }: Mapped) {
    const columns =
      unknown.length === 1
        ? 'a column of which nothing says what it is'
        : `${unknown.length} columns of which nothing says what they are`;
    const named = unknown.map(({ column }) => JSON.stringify(column)).join(', ');
    const isTitle = unknown.length === 1 && Object.keys(mapping).length === 0;
    const title = isTitle
      ? ' If that is a title, say which row names the columns with --header-row.'
      : '';
    super(`${file} has ${columns}: ${named}.${title}`);
    const nearest = unknown.map(({ column, nearest = null }) => [column, nearest] as const);
    this.proposed = { ...mapping, ...Object.fromEntries(nearest) };
  }
}

/** Headings that say only that there is a number, or a person to call. */
const VAGUE = new Set(['number', 'number 1', 'number 2'].map(folded));
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Values that show by themselves what they are, and the kind of the field that takes them. */
const BY_THEMSELVES: readonly (readonly [is: (cell: string) => boolean, kind: RegExp])[] = [
  [isPhoneLong, /phone number$/],
  [(cell) => EMAIL.test(cell), /^email address$/],
  [isDay, /^date and time$/],
];

/**
 * The field for which a column is: by its name, unless that is a text's, or open, and all of its cells are of another kind.
 * "Service" over days is when it is, and not what.
 */
function fieldOf(
  resource: Resource,
  column: string,
  header: readonly string[],
  cells: readonly string[],
): string | undefined {
  const called = fieldCalled(resource, column, header);
  const isOpen = called === undefined ? VAGUE.has(folded(column)) : isText(resource, called);
  const [, kind] = BY_THEMSELVES.find(([is]) => cells.length > 0 && cells.every(is)) ?? [];
  if (!isOpen || kind === undefined) return called;
  const byOthers = new Set(header.map((other) => fieldCalled(resource, other, header)));
  const found = fieldNames(resource).find(
    (name) => kind.test(targetNamed(resource, name)?.kind ?? '') && !byOthers.has(name),
  );
  return found ?? called;
}

/** Whether it is a text that says something, and not one that identifies. */
function isText(resource: Resource, name: string): boolean {
  return targetNamed(resource, name)?.kind === 'text' && !name.endsWith('identifier');
}

function isPhoneLong(cell: string): boolean {
  const { digits: { length } = '' } = readDigits(cell) ?? {};
  return length >= 10 && length <= 15;
}

function meant(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/**
 * The order that is set, or that the file proves, how many rows there are, and which of them name a record again.
 * Throws `TransferRefused` where there is neither, and where the times of the file have no offset and neither the
 * options nor the locations have a time zone.
 */
export async function lookAtDates(
  path: string,
  table: SourceTable,
  { targets, joined }: Pick<Mapped, 'targets' | 'joined'>,
  {
    order: given,
    before,
    zone,
    hasZones,
    shortDates,
    titles = [],
  }: DateRules & {
    readonly hasZones: boolean;
    readonly before?: DateRules['order'];
    readonly shortDates: boolean;
    readonly titles?: readonly number[];
  },
  remedies: Remedies,
) {
  const twice = createDuplicateCounter(table.header, targets, titles);
  const notices = createNotices(table, { targets, joined, titles });
  const columns = targets.flatMap((target, at) => (target?.kind.startsWith('date') ? [at] : []));
  const times = new Set(columns.filter((at) => targets[at]?.kind === 'date and time'));
  const first: { mdy?: number; dmy?: number; either?: number; local?: number } = {};
  let hasOffset = false;
  let total = 0;
  let hasFormulas = table.header.some(isFormula);
  for await (const rows of table.rows()) {
    total += rows.length;
    for (const row of rows) {
      notices.see(row);
      hasFormulas ||= row.cells.some(isFormula);
      if (row.fault !== undefined) continue;
      const { number } = row;
      twice.see(row);
      for (const at of columns) {
        const cell = dateText(cellOf(row, at, joined));
        if (isPlainDate(cell)) {
          hasOffset ||= times.has(at) && hasOwnOffset(cell);
          continue;
        }
        const order = orderIn(cell, shortDates);
        if (order !== undefined) first[order] ??= number;
        if (!times.has(at)) continue;
        if (hasOwnOffset(cell)) hasOffset = true;
        else if (first.local === undefined && isLocalTime(cell)) first.local = number;
      }
    }
  }
  if (zone === undefined && !hasZones && first.local !== undefined && !hasOffset) {
    const values = { file: path, row: first.local };
    const message = `${path} has times without an offset from UTC (row ${first.local}), and nothing in it says where they are: ${remedies.zone}.`;
    throw new TransferRefused({ code: 'times_without_zone', values, message });
  }
  const { mdy, dmy, either } = given === undefined ? first : {};
  if (mdy !== undefined && dmy !== undefined) {
    const values = { file: path, month_first: mdy, day_first: dmy };
    const message = `${path} writes the month first in row ${mdy} and the day first in row ${dmy}: ${remedies.dates}; the other rows are then rejected.`;
    throw new TransferRefused({ code: 'date_orders_mixed', values, message });
  }
  const shown = mdy !== undefined ? 'mdy' : dmy !== undefined ? 'dmy' : undefined;
  const proven = shown ?? (either === undefined ? undefined : before);
  if (proven === undefined && either !== undefined) {
    const values = { file: path, row: either };
    const message = `${path} has dates such as 03/04/2026 (row ${either}), and nothing in it shows whether the month or the day comes first: ${remedies.dates}.`;
    throw new TransferRefused({ code: 'date_order_unclear', values, message });
  }
  const hasLocal = first.local !== undefined;
  const noticed = notices.found(table.facts);
  return { total, twice: twice.found, noticed, hasFormulas, hasLocal, order: given ?? proven };
}

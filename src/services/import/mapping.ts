/** The mapping of a file's columns to fields. */
import { numberOf } from '../../core/number-of.ts';
import {
  type ColumnTarget,
  rivalOf,
  targetNames,
  targetOf,
} from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import { nearestName } from '../../core/schema/fields/members.ts';
import { TransferRefused } from '../transfer/refused.ts';
import { type DateRules, hasOwnOffset, isLocalTime, isTimeOfDay, orderIn } from './table/cells.ts';
import { fieldCalled, folded } from './table/headings.ts';
import type { SourceTable } from './table/table.ts';
import type { Remedies } from './words.ts';

/** By the name of the column, the field; `null`: the column is left out. Two columns may be for one date and time. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface Mapped {
  /** By the place of the column; `undefined`: it is left out, or joined to another one. */
  readonly targets: readonly (ColumnTarget | undefined)[];
  readonly mapping: Mapping;
  /** Places of two columns with a date and its time: the later one has the target. */
  readonly joined: readonly Joined[];
  /** Unmapped columns, each with the field that is most similar. */
  readonly unknown: readonly { readonly column: string; readonly nearest: string | undefined }[];
}

export type Joined = readonly [at: number, into: number];

/** The cell at that place of a row: for a date and its time both, in that order. */
export function joinedCell(cells: readonly string[], at: number, joined: readonly Joined[]) {
  const cell = cells[at] ?? '';
  const pair = joined.find(([, into]) => into === at);
  if (pair === undefined) return cell;
  // Some programs write a date alone as midnight.
  const parts = [cells[pair[0]] ?? '', cell].map((part) =>
    part.trim().replace(/(?<=\d)[T ]0?0:00(?::00)?$/, ''),
  );
  return (isTimeOfDay(parts[0] ?? '') ? parts.toReversed() : parts).join(' ').trim();
}

/** Throws `TransferRefused` for a mapping that names what is not there, or a field twice. */
export function mapColumns(
  resource: Resource,
  header: readonly string[],
  given: Mapping,
  remedies: Remedies,
): Mapped {
  const names = targetNames(resource);
  const faults: TransferRefused[] = [];
  const refuse = (...said: ConstructorParameters<typeof TransferRefused>) =>
    faults.push(new TransferRefused(...said));
  const mapping: Record<string, string | null> = {};
  const unmapped: string[] = [];
  const taken = new Map<string, number>();
  const joined: Joined[] = [];
  const targets: (ColumnTarget | undefined)[] = [];
  for (const [at, column] of header.entries()) {
    targets.push(undefined);
    if (column.startsWith('_')) continue;
    const own = Object.hasOwn(given, column) ? given[column] : undefined;
    if (own === null) {
      mapping[column] = null;
      continue;
    }
    const name = own ?? fieldCalled(resource, column);
    const target = name === undefined ? undefined : targetOf(resource, name);
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
        (own !== undefined || isTime(other) !== isTime(column));
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
    mapping[column] = target.name;
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
  const free = names.filter((name) => !taken.has(name));
  const unknown = unmapped.map((column) => {
    const word = column
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
    return { column, nearest: nearestName(word, free) };
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

function isTime(column: string): boolean {
  const name = folded(column);
  return name.includes('time') && !name.includes('date');
}

function meant(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Rows that are remembered; those beyond are not compared. */
const REMEMBERED = 250_000;
const EXAMPLES = 5;

/** How many rows name a record that an earlier one names, and the first of them with that one. */
export interface Duplicates {
  readonly count: number;
  readonly examples: readonly (readonly [row: number, earlier: number])[];
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
  { order: given, zone, hasZones }: DateRules & { readonly hasZones: boolean },
  remedies: Remedies,
) {
  const twice = createDuplicateCounter(targets);
  const columns = targets.flatMap((target, at) => (target?.kind.startsWith('date') ? [at] : []));
  const times = new Set(columns.filter((at) => targets[at]?.kind === 'date and time'));
  const first: { mdy?: number; dmy?: number; either?: number; local?: number } = {};
  let hasOffset = false;
  let total = 0;
  for await (const rows of table.rows()) {
    total += rows.length;
    for (const { number, cells } of rows) {
      twice.see(number, cells);
      for (const at of columns) {
        const cell = joinedCell(cells, at, joined);
        const order = orderIn(cell);
        if (order !== undefined) first[order] ??= number;
        if (!times.has(at)) continue;
        if (isLocalTime(cell)) first.local ??= number;
        else hasOffset ||= hasOwnOffset(cell);
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
  const proven = mdy !== undefined ? 'mdy' : dmy !== undefined ? 'dmy' : undefined;
  if (proven === undefined && either !== undefined) {
    const values = { file: path, row: either };
    const message = `${path} has dates such as 03/04/2026 (row ${either}), and nothing in it shows whether the month or the day comes first: ${remedies.dates}.`;
    throw new TransferRefused({ code: 'date_order_unclear', values, message });
  }
  const hasLocal = first.local !== undefined;
  return { total, twice: twice.found, hasLocal, order: given ?? proven };
}

/** Notices rows that name the same record: the later ones change what the first one makes. */
function createDuplicateCounter(targets: readonly (ColumnTarget | undefined)[]) {
  const isNamed = targets.some((target) => target?.name === 'external_identifier');
  const columns = [...targets.keys()].filter(
    (at) => isNamed && targets[at]?.name.endsWith('_identifier'),
  );
  const rows = new Map<number, number>();
  const examples: (readonly [number, number])[] = [];
  let count = 0;
  return {
    see(number: number, cells: readonly string[]): void {
      if (columns.length === 0 || rows.size >= REMEMBERED) return;
      const key = numberOf(columns.map((at) => cells[at] ?? '').join('\0'));
      const earlier = rows.getOrInsert(key, number);
      if (earlier === number) return;
      count += 1;
      if (examples.length < EXAMPLES) examples.push([number, earlier]);
    },
    get found(): Duplicates | undefined {
      return count === 0 ? undefined : { count, examples };
    },
  };
}

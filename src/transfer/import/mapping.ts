/** Which column of a file is for which field. */
import type { Resource } from '../../schema/define.ts';
import { nearestName } from '../../schema/fields/members.ts';
import { TransferRefused } from '../refused.ts';
import { type FieldTarget, targetNames, targetOf } from './target.ts';

/** By the name of the column, the field; `null`: the column is left out. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface Mapped {
  /** By the place of the column; `undefined`: it is left out. */
  readonly targets: readonly (FieldTarget | undefined)[];
  readonly mapping: Mapping;
  /** Columns of which nobody has said what they are for, each with the field that is most like it. */
  readonly unknown: readonly { readonly column: string; readonly nearest: string | undefined }[];
}

/** Throws `TransferRefused` for a mapping that names what is not there, or a field twice. */
export function mapColumns(resource: Resource, header: readonly string[], given: Mapping): Mapped {
  const names = targetNames(resource);
  const folded = new Map(names.map((name) => [fold(name), name]));
  const faults: string[] = [];
  const mapping: Record<string, string | null> = {};
  const unknown: Mapped['unknown'][number][] = [];
  const seen = new Set<string>();
  const taken = new Map<string, string>();
  const targets = header.map((column) => {
    if (column.startsWith('_')) return undefined;
    if (seen.has(column)) {
      faults.push(
        column === ''
          ? 'Two columns have no name: name them, or remove them.'
          : `The column ${JSON.stringify(column)} appears twice: rename one of them.`,
      );
    }
    seen.add(column);
    const own = Object.hasOwn(given, column) ? given[column] : undefined;
    if (own === null) {
      mapping[column] = null;
      return undefined;
    }
    const name = own ?? (targetOf(resource, column) ? column : folded.get(fold(column)));
    const target = name === undefined ? undefined : targetOf(resource, name);
    if (target === undefined) {
      const nearest = nearestName(
        (name ?? column)
          .trim()
          .toLowerCase()
          .replace(/[\s-]+/g, '_'),
        names,
      );
      if (own === undefined) unknown.push({ column, nearest });
      else
        faults.push(
          `The mapping names ${own}, which is no field of ${resource.path}.${meant(nearest)}`,
        );
      return undefined;
    }
    const rival = rivalOf(target, taken);
    if (rival !== undefined) {
      faults.push(
        `The columns ${JSON.stringify(rival)} and ${JSON.stringify(column)} are both for ${target.name}: leave one out, with null in the mapping.`,
      );
    }
    taken.set(target.name, column);
    mapping[column] = target.name;
    return target;
  });
  for (const column of Object.keys(given)) {
    if (!header.includes(column))
      faults.push(
        `The mapping names the column ${JSON.stringify(column)}, which the file has not.`,
      );
  }
  if (faults.length > 0) throw new TransferRefused(faults.join('\n'));
  return { targets, mapping, unknown };
}

/** There are columns that nobody has mapped. */
export class ColumnsUnknown extends TransferRefused {
  /** The mapping as it is proposed. */
  readonly proposed: Mapping;

  constructor(file: string, { mapping, unknown }: Mapped) {
    const columns =
      unknown.length === 1
        ? 'a column that is not a field'
        : `${unknown.length} columns that are not fields`;
    const named = unknown.map(({ column }) => JSON.stringify(column)).join(', ');
    const isTitle = unknown.length === 1 && Object.keys(mapping).length === 0;
    const title = isTitle
      ? ' If that is a title, remove the rows above the one that names the columns.'
      : '';
    super(`${file} has ${columns}: ${named}.${title}`);
    const nearest = unknown.map(({ column, nearest = null }) => [column, nearest] as const);
    this.proposed = { ...mapping, ...Object.fromEntries(nearest) };
  }
}

/** Adds to the faults what rows need and no column or constant says. */
export function missingFields(
  resource: Resource,
  targets: readonly (FieldTarget | undefined)[],
): string[] {
  const first = new Set(targets.map((target) => target?.steps[0]));
  return Object.entries(resource.upsert)
    .filter(([name, field]) => field.required && field.omittable !== true && !first.has(name))
    .map(([name]) => name);
}

function rivalOf(
  { name, steps }: FieldTarget,
  taken: ReadonlyMap<string, string>,
): string | undefined {
  for (let depth = 1; depth <= steps.length; depth += 1) {
    const above = taken.get(steps.slice(0, depth).join('.'));
    if (above !== undefined) return above;
  }
  for (const [other, column] of taken) if (other.startsWith(`${name}.`)) return column;
  return undefined;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '');
}

function meant(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** The part of the address that goes to the service: filters, order and cursor. */
import type { DescribedFilter, DescribedResource } from '../../description.ts';

const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const;

/** Records on a page. */
export const PAGE = 50;

/** Takes both cursors away. */
export const CURSORS = { starting_after: undefined, ending_before: undefined } as const;

/** The parameters of a filter, as a query has them. */
export function paramsOf({ param, by }: DescribedFilter): readonly string[] {
  return by === 'range' ? [param, ...BOUNDS.map((bound) => `${param}[${bound}]`)] : [param];
}

export function queryOf(
  resource: DescribedResource,
  query: URLSearchParams,
): Readonly<Record<string, string>> {
  const known = [...resource.filters.flatMap(paramsOf), 'order', ...Object.keys(CURSORS)];
  return Object.fromEntries(
    known.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

export function isFiltered(resource: DescribedResource, query: URLSearchParams): boolean {
  return resource.filters.some((filter) => paramsOf(filter).some((name) => query.has(name)));
}

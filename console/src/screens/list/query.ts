/** The part of the address that goes to the service: filters, order and cursor. */

import { storedZoneOf, storedZones } from '../../places/stored.ts';
import {
  aboveOf,
  anchor,
  type DescribedFilter,
  type DescribedResource,
  filterBy,
  saidOf,
} from '../../records/description.ts';
import { serviceNow } from '../../service/time.ts';
import { between, isNamedDays, midnight, NAMED_DAYS } from '../../values/days.ts';

/** Some of a query, by name. */
export type Params = Readonly<Record<string, string>>;

const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const;

/** Records on a page. */
export const PAGE = 50;

/** Takes both cursors away. */
export const CURSORS = { starting_after: undefined, ending_before: undefined } as const;

/** The order in the address that is the usual one of the service, where the console has another. */
export const NEWEST = 'newest';

/** Days that are counted from today; only the address knows of them. */
export function daysParam(param: string): string {
  return `${param}[days]`;
}

/** The parameters of a filter, as a query has them. */
export function paramsOf({ param, by }: DescribedFilter): readonly string[] {
  return by === 'range'
    ? [param, ...BOUNDS.map((bound) => `${param}[${bound}]`), daysParam(param)]
    : [param];
}

/** What is shown first of records that have a time of their own: the latest. */
export function usualOrder({ orders }: DescribedResource): string {
  const [first] = orders;
  return first === undefined || first === 'name' ? '' : `-${first}`;
}

/** The value of `order` in the request; `''` for the service's own order. */
export function orderOf(resource: DescribedResource, query: URLSearchParams): string {
  const order = query.get('order') ?? usualOrder(resource);
  return order === NEWEST ? '' : order;
}

/** What records must meet, wherever in the list they are. */
export function filtersOf(resource: DescribedResource, query: URLSearchParams): Params {
  return Object.assign({}, ...resource.filters.map((filter) => valuesOf(filter, query)));
}

export function queryOf(resource: DescribedResource, query: URLSearchParams): Params {
  const order = orderOf(resource, query);
  return Object.assign(
    {},
    filtersOf(resource, query),
    ...Object.keys(CURSORS).map((name) => present(name, query)),
    order === '' ? {} : { order },
  );
}

/** A filter in the address, as it is sent to the service: relative days count from today. */
export function valuesOf(filter: DescribedFilter, query: URLSearchParams): Params {
  const { param } = filter;
  const days = filter.by === 'range' ? query.get(daysParam(param)) : null;
  if (!isNamedDays(days))
    return Object.assign({}, ...paramsOf(filter).map((name) => present(name, query)));
  const [from, until] = NAMED_DAYS[days];
  const now = serviceNow();
  const zone = zoneOfQuery(query);
  return between(
    param,
    midnight(zone, now, from),
    until === undefined ? undefined : midnight(zone, now, until),
    zone,
  );
}

/** Days of a list are those of the location that it is limited to. */
export function zoneOfQuery(query: URLSearchParams): string {
  return storedZoneOf(query.get(`${anchor?.name}_unique_identifier`));
}

function present(name: string, query: URLSearchParams): Params {
  const value = query.get(name);
  return value === null || name.endsWith(daysParam('')) ? {} : { [name]: value };
}

/** What the records belong to, shown with them: not what all of them have in common. */
export function besideOf(resource: DescribedResource, query: URLSearchParams): readonly string[] {
  return aboveOf(resource).filter((name) => !query.has(filterBy(resource, name) ?? ''));
}

/** A page of the list at an address. */
export function pageParams(resource: DescribedResource, query: URLSearchParams): object {
  return {
    ...queryOf(resource, query),
    limit: PAGE,
    ...expandOf(withHome(resource, besideOf(resource, query)).concat(saidOf(resource))),
  };
}

/** Where locations have several time zones, the location of each record is requested with it. */
export function withHome(resource: DescribedResource, beside: readonly string[]) {
  const home = anchor?.name ?? '';
  const isWanted = storedZones().length > 1 && aboveOf(resource).includes(home);
  return isWanted ? [...new Set([...beside, home])] : beside;
}

export function expandOf(names: readonly string[]): { readonly expand?: readonly string[] } {
  return names.length === 0 ? {} : { expand: names };
}

export function isFiltered(resource: DescribedResource, query: URLSearchParams): boolean {
  return resource.filters.some((filter) => paramsOf(filter).some((name) => query.has(name)));
}

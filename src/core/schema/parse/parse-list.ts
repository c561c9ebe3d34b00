/** Reads the query of a list, or of a single record, and reports all faults. */
import { Faults } from '../../errors.ts';
import {
  anchorOf,
  type Expand,
  expanded,
  expandNames,
  perResource,
  type Resource,
  type SortOrder,
  saysOf,
} from '../define.ts';
import { type BodyReading, optional } from '../fields/kind.ts';
import { boolean } from '../fields/kinds/boolean.ts';
import { choice } from '../fields/kinds/choice.ts';
import { comparisons } from '../fields/kinds/range.ts';
import { text } from '../fields/kinds/text.ts';
import { wholeNumber } from '../fields/kinds/whole-number.ts';
import { list } from '../fields/list.ts';
import type { Members } from '../fields/members.ts';
import { type Filterable, filterMembers, filtersOf, noFilter, ordersOf } from '../filters.ts';
import { inThousands } from '../present/words.ts';
import {
  checkReference,
  externalOf,
  identifierOf,
  parentNames,
  type Reference,
  referenceFrom,
} from '../reference.ts';
import { TRUE } from '../shape.ts';
import { isObject, type JsonObject, valueAt } from '../values.ts';
import { parseQuery, readQuery, textIn } from './query-string.ts';

/** The record that a filter by identifier names, in either of the ways to name it. */
export interface AncestorFilter {
  readonly filter: Filterable;
  readonly resource: Resource;
  readonly reference: Reference;
}

/** Parameters that name a parent by the caller's identifiers, in place of those filters. */
export const namingParams = perResource((resource): Members => {
  const filters = filtersOf(resource);
  const own = new Set(filters.map(({ steps: [first] }) => first));
  return Object.fromEntries(
    filters
      .flatMap(({ above }) => (above === undefined ? [] : Object.entries(parentNames(above))))
      .filter(([name]) => !own.has(name))
      .map(([name, field]) => [name, { ...field, required: false }]),
  );
});

/** The records that the values name. The result is only valid if no fault was added. */
function ancestorFilters(
  resource: Resource,
  values: JsonObject,
  faults: Faults,
  unknown: BodyReading['unknown'],
): readonly AncestorFilter[] {
  const named: AncestorFilter[] = [];
  const used = new Set<string>();
  for (const filter of filtersOf(resource)) {
    const { above } = filter;
    // Where an event is named together with its location, that is said of the location, too.
    if (above === undefined || used.has(identifierOf(above))) continue;
    if (values[externalOf(above)] === undefined) {
      const reference = values[identifierOf(above)];
      if (typeof reference === 'string') named.push({ filter, resource: above, reference });
      continue;
    }
    checkReference(above, values, faults);
    named.push({ filter, resource: above, reference: referenceFrom(above, values) });
    for (const name of Object.keys(parentNames(above))) used.add(name);
  }
  if (unknown === 'ignore') return named;
  for (const [name, { says }] of Object.entries(namingParams(resource))) {
    if (typeof values[name] !== 'string' || used.has(name)) continue;
    const message = `${name} is not a parameter here by itself (${says}): ${noFilter(resource, name)}`;
    faults.add(name, 'parameter_unknown', message);
  }
  return named;
}

/** The parameters of a list. */
export interface ListRequest {
  readonly limit: number;
  readonly cursor?: {
    readonly side: 'after' | 'before';
    readonly unique_identifier: string;
    readonly param: string;
  };
  readonly above: readonly AncestorFilter[];
  readonly comparisons: readonly Comparison[];
  readonly expand: Expand;
  readonly order: SortOrder;
  /** Only records at locations of this region. */
  readonly region?: string;
  /** Only records that this source made, by its unique identifier, or `me`. */
  readonly source?: string;
  /** By what features say of records: whether that is so. */
  readonly said: readonly (readonly [name: string, is: boolean])[];
  readonly total: boolean;
}

/** A condition that records of the list meet. */
export interface Comparison {
  readonly filter: Filterable;
  readonly is: '=' | '>=' | '>' | '<=' | '<';
  /** The value as it is stored and answered. */
  readonly value: string;
}

const MAX_PAGE = 1000;

/** Counting stops here. */
export const MAX_TOTAL = 10_000;

const pageParams = {
  limit: optional(wholeNumber({ min: 1, max: MAX_PAGE }), 'Maximum number of records to return'),
  starting_after: optional(text({}), 'unique_identifier of the record after which the page starts'),
  ending_before: optional(text({}), 'unique_identifier of the record before which the page ends'),
  include: optional(
    list(choice('total'), { min: 1, max: 1 }),
    `\`total\` adds the number of records in the whole list, counted up to ${inThousands(MAX_TOTAL)}`,
  ),
} as const satisfies Members;

/** Query parameters of a single record. */
export const readParams = perResource((resource): Members => {
  const names = expandNames(resource);
  if (names.length === 0) return {};
  const says = 'Include what the record belongs to, the identifiers of it, or its sources';
  return { expand: optional(list(choice(...names), { min: 1, max: names.length }), says) };
});

/** All query parameters of a list, in the order of the reference. */
export const listParams = perResource((resource): Members & typeof pageParams => {
  const orders = orderNames(resource);
  const { schema: order, ...chosen } = choice(...orders);
  const anchor = anchorOf(resource);
  return {
    ...pageParams,
    ...(orders.length > 0 && {
      order: optional(
        { ...chosen, schema: { ...order, 'x-enum-varnames': orders.map(inWordsOf) } },
        'The field to sort by, in ascending order; a minus sign before it reverses the order',
      ),
    }),
    ...filterMembers(resource),
    ...(anchor && {
      region: optional(
        text({ max: 120 }),
        `Only records at a ${anchor.name} of this region, which is in the settings of ${anchor.path} and accounts`,
      ),
    }),
    ...(resource.parent && {
      source: optional(
        text({}),
        'Only records that this source created, by its unique_identifier; `me`: the source of the API key',
        'me',
      ),
    }),
    ...saidParams(resource),
    ...namingParams(resource),
    ...readParams(resource),
  };
});

/** Filters by what features say of records. */
export const saidParams = perResource(
  (resource): Members =>
    Object.fromEntries(
      saysOf(resource).map(({ name, says }) => [
        name,
        optional(boolean(), `Only records of which this is so, or is not: ${lowered(says)}`),
      ]),
    ),
);

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Reads the filters by what features say. */
export function saidIn(resource: Resource, values: JsonObject): ListRequest['said'] {
  return saysOf(resource).flatMap(({ name }) => {
    const is = values[name];
    return typeof is === 'boolean' ? [[name, is] as const] : [];
  });
}

/** Each key to sort by, and each key descending. */
function orderNames(resource: Resource): readonly string[] {
  return ordersOf(resource).flatMap(({ name }) => [name, `-${name}`]);
}

/** Names an order for languages that know no minus in names, where it would be called as its reverse. */
function inWordsOf(order: string): string {
  return order.startsWith('-') ? `${order.slice(1)}_descending` : order;
}

function orderOf(resource: Resource, { order }: JsonObject): SortOrder {
  if (typeof order !== 'string') return resource.list.order;
  return order.startsWith('-') ? { key: order.slice(1), descending: true } : { key: order };
}

/** Reads the query of a list, or throws one `ApiError` that names every fault in it. */
export function parseList(
  resource: Resource,
  query: string,
  unknown: BodyReading['unknown'],
  declared: Members = listParams(resource),
  elsewhere = (at: string) => noFilter(resource, at),
): ListRequest {
  const faults = new Faults();
  const values = readQuery(declared, query, faults, unknown, elsewhere);
  const { limit } = values;
  const [after, before] = [textIn(values, 'starting_after'), textIn(values, 'ending_before')];
  if (after !== undefined && before !== undefined) {
    const message =
      'starting_after and ending_before cannot be sent together: a page has one start.';
    faults.add('ending_before', 'parameters_conflict', message);
  }
  const above = ancestorFilters(resource, values, faults, unknown);
  faults.throwIfAny();
  const region = textIn(values, 'region')?.trim();
  const source = textIn(values, 'source');
  return {
    limit: typeof limit === 'number' ? limit : resource.list.page,
    ...(after && { cursor: { side: 'after', unique_identifier: after, param: 'starting_after' } }),
    ...(before && {
      cursor: { side: 'before', unique_identifier: before, param: 'ending_before' },
    }),
    above,
    comparisons: comparisonsIn(resource, values),
    expand: expandedIn(resource, values),
    said: saidIn(resource, values),
    order: orderOf(resource, values),
    total: values.include !== undefined,
    ...(region !== undefined && { region }),
    ...(source !== undefined && { source }),
  };
}

/** All query parameters of a list that is read as rows from its beginning to its end, in the order of the reference. */
export const rowParams = perResource((resource): Members => {
  const { limit, ending_before, include, ...others } = listParams(resource);
  const { expand, ...wanted } = others as Members;
  return wanted;
});

/** Reads the query of a list that is read as rows, or throws one `ApiError` that names every fault in it. */
export function parseRows(resource: Resource, query: string, unknown: BodyReading['unknown']) {
  return parseList(resource, query, unknown, rowParams(resource), (at) =>
    Object.hasOwn(listParams(resource), at) ? OF_PAGES : noFilter(resource, at),
  );
}

const OF_PAGES =
  'rows come from the beginning of the list to its end, each with the identifiers of what it belongs to. Leave it out, or send Accept: application/json to get pages.';

/** All query parameters of a single record, in the order of the reference. */
export const findParams = perResource(
  (resource): Members => ({
    ...readParams(resource),
    version: optional(
      wholeNumber({ min: 1 }),
      'The record at that version, even if it was removed since, as far as the log of changes goes back',
    ),
  }),
);

/** Reads the query of a single record: expansions, and the version if it is not the last. */
export function parseRead(
  resource: Resource,
  query: string,
  unknown: BodyReading['unknown'],
): { readonly expand: Expand; readonly version: number | undefined } {
  const values = parseQuery(findParams(resource), query, unknown);
  const { version } = values;
  return {
    expand: expandedIn(resource, values),
    version: typeof version === 'number' ? version : undefined,
  };
}

/** Reads `expand[]` from a query. Faults are ignored here: the read itself reports them. */
export function expandOf(resource: Resource, query: string): Expand {
  return expandedIn(resource, readQuery(readParams(resource), query, new Faults(), 'ignore'));
}

function expandedIn(resource: Resource, { expand }: JsonObject): Expand {
  return expanded(resource, Array.isArray(expand) ? (expand as string[]) : []);
}

/** The conditions in values of filters, without those by what the records belong to. */
export function comparisonsIn(resource: Resource, values: JsonObject): readonly Comparison[] {
  return filtersOf(resource)
    .filter(({ above }) => above === undefined)
    .flatMap((filter) => comparisonsOf(filter, values));
}

function comparisonsOf(filter: Filterable, values: JsonObject): Comparison[] {
  const sent = valueAt(values, filter.steps);
  if (typeof sent === 'string') return [{ filter, is: '=', value: sent }];
  if (sent === true) return [{ filter, is: '=', value: TRUE }];
  return Object.entries(isObject(sent) ? sent : {}).map(([name, value]) => ({
    filter,
    is: comparisons[name as keyof typeof comparisons],
    value: value as string,
  }));
}

/** Reads what a search asks for, and names everything that is wrong with it. */
import { Faults } from '../errors.ts';
import { expandableOf, expandNames, IDENTIFIERS } from './ancestors.ts';
import type { Resource } from './define.ts';
import { choice } from './fields/choice.ts';
import { type BodyReading, optional, required } from './fields/kind.ts';
import { list } from './fields/list.ts';
import type { Members } from './fields/members.ts';
import { text } from './fields/text.ts';
import { wholeNumber } from './fields/whole-number.ts';
import type { Expand } from './parse-list.ts';
import { readQuery } from './query-string.ts';
import type { JsonObject } from './values.ts';

export interface SearchRequest {
  /** As it was typed. */
  readonly q: string;
  /** Of each resource. */
  readonly limit: number;
  /** Names of resources; `undefined`: all that are searched. */
  readonly resources: ReadonlySet<string> | undefined;
  readonly account: string | undefined;
  readonly location: string | undefined;
  /** What is to be put into records of a resource. */
  readonly expand: (resource: Resource) => Expand;
}

const MAX_LIMIT = 50;
export const DEFAULT_FOUND = 10;

/** All that the query may say, in the order of the reference. */
export function searchParams(resources: readonly Resource[]): Members {
  const searched = resources.filter(({ shape }) => shape.searched !== undefined);
  const [first = '', ...others] = searched.map(({ name }) => name);
  const [above = '', ...more] = [...new Set(resources.flatMap(expandNames))];
  return {
    q: required(
      text({ max: 200 }),
      'Words of names by their starts, the last four or more digits of a phone number, an email address, or an identifier',
      'doe jane',
    ),
    resource: optional(
      list(choice(first, ...others), { min: 1, max: searched.length }),
      'Only records of these resources',
    ),
    limit: optional(
      wholeNumber({ min: 1, max: MAX_LIMIT }),
      `How many records of each resource to return at most; ${DEFAULT_FOUND} where it is left out`,
    ),
    account: optional(text({}), 'Only records of this account, by its unique_identifier'),
    location: optional(
      text({}),
      'Only this location, by its unique_identifier, and what is below it',
    ),
    expand: optional(
      list(choice(above, ...more), { min: 1, max: more.length + 1 }),
      'What the records belong to, or the identifiers of all that, to be put into the answer',
    ),
  };
}

/** Throws one `ApiError` that names every fault. */
export function parseSearch(
  params: Members,
  query: string,
  unknown: BodyReading['unknown'],
): SearchRequest {
  const faults = new Faults();
  const values = readQuery(params, query, faults, unknown);
  if (query === '') {
    faults.add('q', 'parameter_missing', 'q is missing: send what to look for, such as q=doe.');
  }
  faults.throwIfAny();
  const { limit } = values;
  const expand = namesIn(values, 'expand');
  return {
    q: textIn(values, 'q') ?? '',
    limit: typeof limit === 'number' ? limit : DEFAULT_FOUND,
    resources: namesIn(values, 'resource'),
    account: textIn(values, 'account'),
    location: textIn(values, 'location'),
    expand: (resource) => ({
      resources: expandableOf(resource).filter(({ name }) => expand?.has(name)),
      identifiers: resource.parent !== undefined && expand?.has(IDENTIFIERS) === true,
    }),
  };
}

function textIn(values: JsonObject, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

function namesIn(values: JsonObject, name: string): ReadonlySet<string> | undefined {
  const value = values[name];
  return Array.isArray(value) ? new Set(value.map(String)) : undefined;
}

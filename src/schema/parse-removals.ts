/** Reads what the query of the list of removals asks for, and what a restore of one says. */
import { Faults } from '../errors.ts';
import type { Resource } from './define.ts';
import { choice } from './fields/choice.ts';
import { type BodyReading, optional } from './fields/kind.ts';
import { list } from './fields/list.ts';
import type { Members } from './fields/members.ts';
import { text } from './fields/text.ts';
import { wholeNumber } from './fields/whole-number.ts';
import { writeParams } from './parse.ts';
import { readQuery, setIn, textIn } from './query-string.ts';

export interface RemovalsRequest {
  /** As it was sent; the only one that the key may see where it was not. */
  readonly account: string | undefined;
  /** Words that the record held, or its external identifier. */
  readonly q: string | undefined;
  /** Names of resources; `undefined`: of all. */
  readonly resources: ReadonlySet<string> | undefined;
  readonly location: string | undefined;
  /** The unique identifier of a record that the removal took. */
  readonly record: string | undefined;
  readonly limit: number;
  /** The unique identifier of a removal. */
  readonly starting_after: string | undefined;
}

const PAGE = 50;
const MAX_PAGE = 100;

/** All that the query may say, in the order of the reference. */
export function removalsParams(resources: readonly Resource[]): Members {
  const [first = '', ...others] = resources
    .filter(({ parent }) => parent !== undefined)
    .map(({ name }) => name);
  return {
    account: optional(
      text({}),
      'unique_identifier of the account; may be left out where the API key has only one',
    ),
    q: optional(
      text({ max: 200 }),
      'Only records that held these words, in whole or in part, or have them in their external_identifier',
    ),
    resource: optional(
      list(choice(first, ...others), { min: 1, max: resources.length }),
      'Only removals that began with a record of these resources',
    ),
    location: optional(text({}), 'Only removals at this location, by its unique_identifier'),
    record: optional(text({}), 'Only the removal that took this record, by its unique_identifier'),
    limit: optional(
      wholeNumber({ min: 1, max: MAX_PAGE }),
      `How many removals to return at most; ${PAGE} where it is left out`,
    ),
    starting_after: optional(text({}), '`position` of the page before'),
  };
}

/** What the query of a restore may say. */
export const restoreRemovalParams = { dry_run: writeParams.dry_run } as const satisfies Members;

/** Throws one `ApiError` that names every fault. */
export function parseRemovals(
  params: Members,
  query: string,
  unknown: BodyReading['unknown'],
): RemovalsRequest {
  const faults = new Faults();
  const values = readQuery(params, query, faults, unknown);
  faults.throwIfAny();
  const { limit } = values;
  return {
    account: textIn(values, 'account'),
    q: textIn(values, 'q'),
    resources: setIn(values, 'resource'),
    location: textIn(values, 'location'),
    record: textIn(values, 'record'),
    limit: typeof limit === 'number' ? limit : PAGE,
    starting_after: textIn(values, 'starting_after'),
  };
}

/** Whether it is only to be told what a restore would do. Throws one `ApiError` that names every fault. */
export function parseRestoreRemoval(query: string, unknown: BodyReading['unknown']): boolean {
  const faults = new Faults();
  const { dry_run } = readQuery(restoreRemovalParams, query, faults, unknown);
  faults.throwIfAny();
  return dry_run === true;
}

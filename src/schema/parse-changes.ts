/** Reads what the query of the log of changes asks for, and names everything that is wrong with it. */
import { Faults } from '../errors.ts';
import type { Resource } from './define.ts';
import { choice } from './fields/choice.ts';
import { type BodyReading, optional } from './fields/kind.ts';
import { list } from './fields/list.ts';
import type { Members } from './fields/members.ts';
import { text } from './fields/text.ts';
import { wholeNumber } from './fields/whole-number.ts';
import { readQuery, setIn, textIn } from './query-string.ts';

export const OUTCOMES = ['created', 'updated', 'deleted', 'restored', 'wiped'] as const;

/** What may be done to a record of the resource: an account is never removed, and its records can be wiped. */
export function outcomesOf({ parent }: Resource): readonly [Outcome, ...Outcome[]] {
  return parent === undefined
    ? ['created', 'updated', 'wiped']
    : ['created', 'updated', 'deleted', 'restored'];
}
type Outcome = (typeof OUTCOMES)[number];

/** What a request for changes asks for. */
export interface ChangesRequest {
  /** As it was sent; the only one that the key may see where it was not. */
  readonly account: string | undefined;
  /** The unique identifier of a change, `now`, or from the first that is kept. */
  readonly starting_after: string | undefined;
  readonly limit: number;
  /** Seconds to wait for a change where there is none. */
  readonly wait: number;
  /** Names of resources; `undefined`: of all. */
  readonly resources: ReadonlySet<string> | undefined;
  readonly outcomes: ReadonlySet<string> | undefined;
  readonly location: string | undefined;
  /** Whether the records are put into the answer as they are now. */
  readonly expand: boolean;
}

const MAX_PAGE = 1000;
const PAGE = 100;
const MAX_WAIT_SECONDS = 60;

/** All that the query may say, in the order of the reference. */
export function changesParams(resources: readonly Resource[]): Members {
  const [first = '', ...others] = resources.map(({ name }) => name);
  return {
    account: optional(
      text({}),
      'unique_identifier of the account; may be left out where the API key has only one',
    ),
    starting_after: optional(
      text({}),
      '`position` of the page before, unique_identifier of the last change that you have, or `now`; left out: from the first that is kept',
    ),
    limit: optional(
      wholeNumber({ min: 1, max: MAX_PAGE }),
      `How many changes to return at most; ${PAGE} where it is left out`,
    ),
    wait: optional(
      wholeNumber({ min: 0, max: MAX_WAIT_SECONDS }),
      'Seconds to wait for a change where there is none yet',
    ),
    resource: optional(
      list(choice(first, ...others), { min: 1, max: resources.length }),
      'Only changes of records of these resources',
    ),
    outcome: optional(
      list(choice(...OUTCOMES), { min: 1, max: OUTCOMES.length }),
      'Only changes with these outcomes',
    ),
    location: optional(
      text({}),
      'Only changes of this location, by its unique_identifier, and of what is below it',
    ),
    expand: optional(
      list(choice('record'), { min: 1, max: 1 }),
      'The records as they are now, to be put into the answer',
    ),
  };
}

/** Throws one `ApiError` that names every fault. */
export function parseChanges(
  params: Members,
  query: string,
  unknown: BodyReading['unknown'],
): ChangesRequest {
  const faults = new Faults();
  const values = readQuery(params, query, faults, unknown);
  faults.throwIfAny();
  const { limit, wait, expand } = values;
  return {
    account: textIn(values, 'account'),
    starting_after: textIn(values, 'starting_after'),
    limit: typeof limit === 'number' ? limit : PAGE,
    wait: typeof wait === 'number' ? wait : 0,
    resources: setIn(values, 'resource'),
    outcomes: setIn(values, 'outcome'),
    location: textIn(values, 'location'),
    expand: expand !== undefined,
  };
}

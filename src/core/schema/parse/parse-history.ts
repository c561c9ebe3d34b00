/** Reads the query of a record's history. */

import type { Resource } from '../define.ts';
import { type BodyReading, optional, required } from '../fields/kind.ts';
import { text } from '../fields/kinds/text.ts';
import { wholeNumber } from '../fields/kinds/whole-number.ts';
import { type Members, readMembers } from '../fields/members.ts';
import { type Params, readParams } from './parse.ts';
import { parseQuery } from './query-string.ts';

export interface HistoryRequest {
  readonly limit: number;
  /** The unique identifier of a change. */
  readonly starting_after: string | undefined;
}

const PAGE = 100;
const MAX_PAGE = 1000;

/** The query parameters, in the order of the reference. */
export const historyParams = {
  limit: optional(
    wholeNumber({ min: 1, max: MAX_PAGE }),
    `Maximum number of changes to return; ${PAGE} by default`,
  ),
  starting_after: optional(text({}), 'unique_identifier of the last change of the previous page'),
} as const satisfies Members;

/** Throws one `ApiError` that names every fault. */
export function parseHistory(query: string, unknown: BodyReading['unknown']): HistoryRequest {
  const { limit, starting_after } = parseQuery(historyParams, query, unknown);
  return {
    limit: typeof limit === 'number' ? limit : PAGE,
    starting_after: typeof starting_after === 'string' ? starting_after : undefined,
  };
}

/** The parameters of a restore. */
export const restoreParams = {
  version: required(wholeNumber({ min: 1 }), 'The version to restore', 3),
} as const satisfies Members;

/** Reads the version to restore, or throws one `ApiError` that names every fault of the body and the query. */
export function parseRestore(
  resource: Resource,
  params: Params,
): { readonly version: number; readonly dry_run: boolean } {
  const { reading, dry_run, sent = {} } = readParams(resource, params);
  const { version } = readMembers(restoreParams, sent, '', reading);
  reading.faults.throwIfAny();
  return { version: version as number, dry_run };
}

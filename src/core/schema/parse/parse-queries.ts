/** Reads the parameters of removals, bulk requests, histories and restores. */
import { Faults } from '../../errors.ts';
import { perResource, type Resource } from '../define.ts';
import { type BodyReading, optional, required } from '../fields/kind.ts';
import { boolean } from '../fields/kinds/boolean.ts';
import { text } from '../fields/kinds/text.ts';
import { wholeNumber } from '../fields/kinds/whole-number.ts';
import { type Members, readMembers } from '../fields/members.ts';
import type { JsonObject } from '../values.ts';
import {
  identityParams,
  type PairReference,
  type Params,
  pairFrom,
  readParams,
  writeParams,
} from './parse.ts';
import { parseQuery, readQuery } from './query-string.ts';

/** Query parameters of a DELETE. */
export const removalParams = {
  cascade: optional(boolean(), 'Remove the record together with all records that belong to it'),
  ...writeParams,
} as const satisfies Members;

/** Query parameters of a DELETE without an identifier in its path: they also identify the record. */
export const pairRemovalParams = perResource(
  (resource): Members => ({ ...identityParams(resource), ...removalParams }),
);

export interface RemovalRequest {
  readonly named?: PairReference;
  readonly cascade: boolean;
  readonly dry_run: boolean;
}

/** Reads the query of a DELETE of one record, or throws one `ApiError` that names every fault of it. */
export function parseRemoval(query: string, unknown: BodyReading['unknown']): RemovalRequest {
  return requestOf(parseQuery(removalParams, query, unknown));
}

/** Parses the removal of a record that the query names. */
export function parsePairRemoval(
  resource: Resource,
  query: string,
  unknown: BodyReading['unknown'],
): RemovalRequest {
  const faults = new Faults();
  const values = readQuery(pairRemovalParams(resource), query, faults, unknown);
  const named = pairFrom(resource, 'DELETE', values, faults);
  faults.throwIfAny();
  return { ...requestOf(values), named };
}

function requestOf({ cascade, dry_run }: JsonObject): RemovalRequest {
  return { cascade: cascade === true, dry_run: dry_run === true };
}

export const manyParams = {
  ...writeParams,
  atomic: optional(
    boolean(),
    'Save all rows of a JSON array or none: one refused row refuses the others',
  ),
} as const satisfies Members;

/** Reads the query of a bulk request, whose rows are one JSON array or lines. Throws one `ApiError` that names every fault in it. */
export function parseMany(
  query: string,
  encoding: 'array' | 'lines',
  unknown: BodyReading['unknown'],
): { readonly atomic: boolean; readonly dry_run: boolean } {
  const { atomic, dry_run } = parseQuery(manyParams, query, unknown, ({ atomic }, faults) => {
    if (atomic === true && encoding === 'lines')
      faults.add(
        'atomic',
        'value_invalid',
        'atomic=true is for JSON arrays: what has been answered cannot be taken back. Send the rows as application/json, or leave it out.',
      );
  });
  return { atomic: atomic === true, dry_run: dry_run === true };
}

export interface HistoryRequest {
  readonly limit: number;
  readonly starting_after: string | undefined;
}

const PAGE = 100;
const MAX_PAGE = 1000;

/** Query parameters of a history, in the order of the reference. */
export const historyParams = {
  limit: optional(
    wholeNumber({ min: 1, max: MAX_PAGE }),
    `Maximum number of changes to return; ${PAGE} by default`,
  ),
  starting_after: optional(text({}), 'unique_identifier of the last change of the previous page'),
} as const satisfies Members;

/** Reads the query of a history, or throws one `ApiError` that names every fault. */
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

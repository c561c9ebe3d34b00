/** Reads the parameters of a DELETE: all of them are in the query. */
import { Faults } from '../../errors.ts';
import type { Resource } from '../define.ts';
import { type BodyReading, optional } from '../fields/kind.ts';
import { boolean } from '../fields/kinds/boolean.ts';
import type { Members } from '../fields/members.ts';
import type { JsonObject } from '../values.ts';
import { identityParams, type PairReference, pairFrom } from './pair-reference.ts';
import { writeParams } from './parse.ts';
import { perResource } from './per-resource.ts';
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
  /** The record, if it is not in the path. */
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

/** Reads the parameters of removals, bulk requests, histories and restores. */
import { Faults } from '../../errors.ts';
import { perResource, type Resource } from '../define.ts';
import { type BodyReading, optional, required } from '../fields/kind.ts';
import { wish } from '../fields/kinds/boolean.ts';
import { text } from '../fields/kinds/text.ts';
import { wholeNumber } from '../fields/kinds/whole-number.ts';
import { type Members, readMembers } from '../fields/members.ts';
import { identityParams, type Params, pairFrom, readParams, writeParams } from './parse.ts';
import { parseQuery, readQuery, textIn } from './query-string.ts';

/** Query parameters of a DELETE. */
export const removalParams = {
  cascade: optional(wish(), 'Remove the record together with all records that belong to it'),
  ...writeParams,
} as const satisfies Members;

/** Query parameters of a DELETE without an identifier in its path: they also identify the record. */
export const pairRemovalParams = perResource(
  (resource): Members => ({ ...identityParams(resource), ...removalParams }),
);

/** Reads the query of a DELETE of one record, or throws one `ApiError` that names every fault of it; `inQuery`: it names the record. */
export function parseRemoval(
  resource: Resource,
  query: string,
  unknown: BodyReading['unknown'],
  inQuery: boolean,
) {
  const faults = new Faults();
  const declared = inQuery ? pairRemovalParams(resource) : removalParams;
  const values = readQuery(declared, query, faults, unknown);
  const named = inQuery ? pairFrom(resource, 'DELETE', values, faults) : undefined;
  faults.throwIfAny();
  return { named, cascade: values.cascade === true, dry_run: values.dry_run === true };
}

export const manyParams = {
  ...writeParams,
  atomic: optional(
    wish(),
    'Save all rows of a JSON array or none: one refused row refuses the others',
  ),
} as const satisfies Members;

/** Reads the query of a bulk request, whose rows are one JSON array or lines. Throws one `ApiError` that names every fault in it. */
export function parseMany(
  query: string,
  encoding: 'array' | 'lines',
  unknown: BodyReading['unknown'],
) {
  const { atomic, dry_run } = parseQuery(manyParams, query, unknown, ({ atomic }, faults) => {
    const says =
      'atomic=true is for JSON arrays: what has been answered cannot be taken back. Send the rows as application/json, or leave it out.';
    if (atomic === true && encoding === 'lines') faults.add('atomic', 'value_invalid', says);
  });
  return { atomic: atomic === true, dry_run: dry_run === true };
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
export function parseHistory(query: string, unknown: BodyReading['unknown']) {
  const values = parseQuery(historyParams, query, unknown);
  const { limit } = values;
  return {
    limit: typeof limit === 'number' ? limit : PAGE,
    starting_after: textIn(values, 'starting_after'),
  };
}

/** The parameters of a restore. */
export const restoreParams = {
  version: required(wholeNumber({ min: 1 }), 'The version to restore', 3),
} as const satisfies Members;

/** Reads the version to restore, or throws one `ApiError` that names every fault of the body and the query. */
export function parseRestore(resource: Resource, params: Params) {
  const { reading, dry_run, sent = {} } = readParams(resource, params);
  const { version } = readMembers(restoreParams, sent, '', reading);
  reading.faults.throwIfAny();
  return { version: version as number, dry_run };
}

/** Reads the query of a bulk request. */

import { type BodyReading, optional } from '../fields/kind.ts';
import { boolean } from '../fields/kinds/boolean.ts';
import type { Members } from '../fields/members.ts';
import { writeParams } from './parse.ts';
import { parseQuery } from './query-string.ts';

/** The form of the rows: one JSON array, or line by line. */
export type RowsEncoding = 'array' | 'lines';

export const manyParams = {
  ...writeParams,
  atomic: optional(
    boolean(),
    'Save all rows of a JSON array or none: one refused row refuses the others',
  ),
} as const satisfies Members;

/** Reads the query of a bulk request, or throws one `ApiError` that names every fault in it. */
export function parseMany(
  query: string,
  encoding: RowsEncoding,
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

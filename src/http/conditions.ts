/** The headers with conditions on the record to be written. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { WriteParams } from '../ingest/one/write.ts';
import { versionsIn } from './etag.ts';

type Only = NonNullable<WriteParams['only']>;

/** The values of `Ledgerstone-Mode`, and the condition of each on the record that an upsert names. */
export const MODES: ReadonlyMap<string, Only['record']> = new Map([
  ['create_only', 'absent'],
  ['update_only', 'present'],
]);

/** The conditions of `Ledgerstone-Mode` and `If-Match` on the record that an upsert names. Throws `header_invalid`. */
export function conditionOfUpsert(request: FastifyRequest): WriteParams['only'] {
  const sent = request.headers['ledgerstone-mode'];
  const only = conditionOfRecord(request);
  if (sent === undefined) return only;
  const record = MODES.get(String(sent).trim().toLowerCase());
  if (record === undefined) {
    throw new ApiError('header_invalid', {
      message: `The header Ledgerstone-Mode must be ${[...MODES.keys()].map((mode) => `"${mode}"`).join(' or ')}, or be left out.`,
    });
  }
  return { ...only, record };
}

/** The condition of `If-Match` on a record. Throws `header_invalid`. */
export function conditionOfRecord(request: FastifyRequest): WriteParams['only'] {
  const { 'if-match': sent } = request.headers;
  if (sent === undefined) return undefined;
  if (sent.trim() === '*') return { record: 'present' };
  const versions = versionsIn(sent);
  if (versions === undefined) {
    throw new ApiError('header_invalid', {
      message:
        'The header If-Match must be * or a list of entity tags, each as in the ETag that was answered, with its quotation marks: If-Match: "3".',
    });
  }
  return { versions };
}

/** The headers with conditions on the record to be written. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { WriteParams } from '../../records/ingest/one/write.ts';

const ETAGS = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

export function etagOf(tag: string): string {
  return `"${tag}"`;
}

/** Whether an `If-None-Match` names the tag, compared weakly, as it requires. */
export function isNamed(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return Array.from(header.matchAll(ETAGS), ([, one]) => one).includes(tag);
}

/** A strong tag that begins with a version; after it may stand those of what was expanded. */
const VERSIONED = /^"([1-9]\d{0,14})(?:;[^"]*)?"$/;
const TAGS = /(?:W\/)?"[^"]*"/g;
const LIST = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/;

/**
 * The versions that an `If-Match` names, compared strongly, as it requires: weak and foreign tags name none.
 * `undefined` where it is not a list of tags.
 */
function versionsIn(header: string): number[] | undefined {
  if (!LIST.test(header)) return undefined;
  return [...header.matchAll(TAGS)].flatMap(([tag]) => {
    const version = VERSIONED.exec(tag)?.[1];
    return version === undefined ? [] : Number(version);
  });
}

/** A tag as Apache alters it where it compresses: `"3-gzip"`. */
const ALTERED = /^"[1-9]\d{0,14}(?:;[^"]*)?-{1,2}(?:gzip|br|deflate|zstd)"$/;

/** Says what is wrong with an `If-Match` whose tags can match no version; `undefined` where one could. */
export function noVersionIn({ headers }: FastifyRequest): string | undefined {
  const { 'if-match': sent } = headers;
  if (sent === undefined || versionsIn(sent)?.length !== 0) return undefined;
  const [tag = ''] = sent.match(TAGS) ?? [];
  const shown = `The ${tag.slice(0, 100)} in If-Match`;
  const pass = 'have it pass on application/json as it is';
  if (tag.startsWith('W/'))
    return `${shown} is a weak tag, which never matches. The service sends strong ones: something between you and it, such as a proxy that compresses, adds the W/. Send the tag without it, or ${pass}.`;
  if (ALTERED.test(tag))
    return `${shown} is not as the service sent it: something between you and it, such as a proxy that compresses, added the end. Send the tag without it, or ${pass}.`;
  return `${shown} is no tag of the record: those begin with its version, such as "3". Send the ETag that you were answered, as it is.`;
}

/** The values of `Ledgerstone-Mode`, and the condition of each on the record that an upsert names. */
export const MODES: ReadonlyMap<string, NonNullable<WriteParams['only']>['record']> = new Map([
  ['create_only', 'absent'],
  ['update_only', 'present'],
]);

/** The conditions of `Ledgerstone-Mode`, `If-Match` and `If-None-Match` on the record that an upsert names. Throws `header_invalid`. */
export function conditionOfUpsert(request: FastifyRequest): WriteParams['only'] {
  const { 'ledgerstone-mode': sent, 'if-none-match': none } = request.headers;
  const matched = versionsWanted(request);
  if (none !== undefined && none.trim() !== '*')
    throw invalid(
      'The header If-None-Match of an upsert must be *, which only creates. To change the version that you know, send its ETag in If-Match.',
    );
  const only = none === undefined ? matched : { ...matched, record: 'absent' as const };
  if (sent === undefined) return only;
  const record = MODES.get(String(sent).trim().toLowerCase());
  if (record === undefined)
    throw invalid(
      `The header Ledgerstone-Mode must be ${[...MODES.keys()].map((mode) => `"${mode}"`).join(' or ')}, or be left out.`,
    );
  if (none !== undefined && record !== 'absent')
    throw invalid('Ledgerstone-Mode and If-None-Match contradict each other: send one of them.');
  return { ...only, record };
}

/** The error of a refused upsert: with `If-None-Match`, an existing record is an unmet condition (RFC 9110, 13.1.2). */
export function refusedUpsert(request: FastifyRequest, error: unknown): unknown {
  if (request.headers['if-none-match'] === undefined) return error;
  if (!(error instanceof ApiError) || error.code !== 'record_exists') return error;
  return new ApiError('record_present', { message: error.message });
}

/** The condition of `If-Match` on a record. Throws `header_invalid`. */
export function conditionOfRecord(request: FastifyRequest): WriteParams['only'] {
  if (request.headers['if-none-match'] !== undefined)
    throw invalid(
      'This request does not take the header If-None-Match. To change the version that you know, send its ETag in If-Match.',
    );
  return versionsWanted(request);
}

function versionsWanted(request: FastifyRequest): WriteParams['only'] {
  const { 'if-match': sent } = request.headers;
  if (sent === undefined) return undefined;
  if (sent.trim() === '*') return { record: 'present' };
  const versions = versionsIn(sent);
  if (versions !== undefined) return { versions };
  throw invalid(
    'The header If-Match must be * or a list of entity tags, each as in the ETag that was answered, with its quotation marks: If-Match: "3".',
  );
}

function invalid(message: string): ApiError {
  return new ApiError('header_invalid', { message });
}

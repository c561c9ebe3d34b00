/** Which errors an operation may answer with. */
import type { ErrorCode } from '../errors.ts';
import type { Resource } from '../schema/define.ts';
import type { Members } from '../schema/fields/members.ts';
import { listParams } from '../schema/parse.ts';

/** For every request that needs a key, whatever it asks for. */
const ALWAYS: readonly ErrorCode[] = [
  'authentication_failed',
  'permission_denied',
  'header_invalid',
  'request_malformed',
  'request_timeout',
  'headers_too_large',
  'service_unavailable',
  'internal_error',
];

/** For forms and query strings. */
const FORM: readonly ErrorCode[] = [
  'parameter_unknown',
  'parameter_repeated',
  'type_invalid',
  'text_invalid',
  'form_invalid',
  'encoding_invalid',
  'nesting_too_deep',
];

const BODY: readonly ErrorCode[] = [
  'parameter_missing',
  'json_invalid',
  'number_out_of_range',
  'body_too_large',
  'media_type_unsupported',
  'resource_missing',
];

export function upsertCodes({ params, anchor }: Resource): ReadonlySet<ErrorCode> {
  const limits: readonly ErrorCode[] = anchor ? ['location_not_permitted'] : [];
  return new Set([...ALWAYS, ...FORM, ...BODY, ...limits, ...refusals(params)]);
}

export function listCodes(): ReadonlySet<ErrorCode> {
  return new Set([
    ...ALWAYS,
    ...FORM,
    'body_unexpected',
    'parameters_conflict',
    ...refusals(listParams),
  ]);
}

/** What the members refuse values with: their samples show every way. */
function refusals(members: Members): ErrorCode[] {
  return Object.values(members).flatMap(({ kind }) => [
    ...kind.samples.refused.map(({ code }) => code),
    ...refusals(kind.members ?? {}),
  ]);
}

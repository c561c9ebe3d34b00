/** The errors that an operation may answer with: those that the parts of its declaration imply, and its own. */
import type { ErrorCode } from '../../../src/core/errors.ts';
import type { Members } from '../../../src/core/schema/fields/members.ts';
import type { Operation } from '../../../src/edge/operations/operation.ts';

/** Errors of every request that needs a key. */
const ALWAYS: readonly ErrorCode[] = [
  'api_key_missing',
  'api_key_unknown',
  'api_key_expired',
  'api_key_suspended',
  'api_key_revoked',
  'api_key_address',
  'authentication_failed',
  'permission_denied',
  'header_invalid',
  'request_malformed',
  'request_timeout',
  'rate_limited',
  'memory_limited',
  'headers_too_large',
  'service_unavailable',
  'store_set_back',
  'store_refused',
  'internal_error',
];

/** Errors of forms and query strings. */
const FORM: readonly ErrorCode[] = [
  'parameter_unknown',
  'parameter_repeated',
  'type_invalid',
  'text_invalid',
  'form_invalid',
  'encoding_invalid',
  'nesting_too_deep',
];

const BODY: readonly ErrorCode[] = ['parameter_missing', 'json_invalid', 'number_out_of_range'];

/** Errors of every method that may have a body, whether it is taken or refused. */
const SENT: readonly ErrorCode[] = ['body_too_large', 'media_type_unsupported'];

export function errorsOf(
  operation: Pick<Operation, 'route' | 'query' | 'body' | 'file' | 'errors'>,
): ReadonlySet<ErrorCode> {
  const { route, query = {}, body, file, errors = [] } = operation;
  const members = [...Object.values(query), ...Object.values(body ?? {})];
  const when = (holds: boolean, codes: readonly ErrorCode[]) => (holds ? codes : []);
  return new Set([
    ...ALWAYS,
    ...FORM,
    ...(body !== undefined ? BODY : file === undefined ? (['body_unexpected'] as const) : []),
    ...when(!route.startsWith('GET '), SENT),
    ...when(
      members.some(({ required }) => required),
      ['parameter_missing'],
    ),
    ...refusalsOf({ ...query, ...body }),
    ...errors,
  ]);
}

/** The errors of the members: their samples show every kind. */
function refusalsOf(members: Members): ErrorCode[] {
  return Object.values(members).flatMap(({ kind }) => [
    ...kind.samples().refused.map(({ code }) => code),
    ...refusalsOf(kind.members ?? {}),
  ]);
}

/** Which errors an operation may answer with. */
import type { ErrorCode } from '../errors.ts';
import type { Resource } from '../schema/define.ts';
import type { Members } from '../schema/fields/members.ts';
import { identityParams } from '../schema/named-pair.ts';
import { historyParams, restoreParams } from '../schema/parse-history.ts';
import { findParams, listParams } from '../schema/parse-list.ts';

/** For every request that needs a key, whatever it asks for. */
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

/** For every write of one record: what its query and its headers can be refused for. */
const WRITE: readonly ErrorCode[] = [
  'value_invalid',
  'resource_missing',
  'parameters_conflict',
  'record_changed',
  'idempotency_key_reused',
  'idempotency_keys_exhausted',
];

export function upsertCodes({ upsert, parentNames, anchor }: Resource): ReadonlySet<ErrorCode> {
  const conflicts: readonly ErrorCode[] =
    Object.keys(parentNames).length === 0 ? [] : ['parameters_conflict'];
  return new Set([
    ...ALWAYS,
    ...FORM,
    ...BODY,
    ...WRITE,
    'record_exists',
    'record_present',
    ...conflicts,
    ...limits(anchor),
    ...refusals(upsert),
  ]);
}

/** Of a whole request with many rows; the errors of single rows stand in its answer. */
export function manyCodes(): ReadonlySet<ErrorCode> {
  return new Set([
    ...ALWAYS,
    ...FORM,
    'value_invalid',
    'parameter_missing',
    'csv_invalid',
    'json_invalid',
    'batch_refused',
    'idempotency_key_reused',
    'idempotency_keys_exhausted',
    'body_too_large',
    'rows_too_many',
    'stream_refused',
    'media_type_unsupported',
  ]);
}

export function patchCodes({ patch, anchor }: Resource): ReadonlySet<ErrorCode> {
  return new Set([...ALWAYS, ...FORM, ...BODY, ...WRITE, ...limits(anchor), ...refusals(patch)]);
}

export function deletionCodes({ anchor }: Resource, hasChildren: boolean): ReadonlySet<ErrorCode> {
  const children: readonly ErrorCode[] = hasChildren
    ? ['record_has_children', 'children_too_many']
    : [];
  return new Set([
    ...ALWAYS,
    ...FORM,
    ...WRITE,
    'body_unexpected',
    'body_too_large',
    'media_type_unsupported',
    ...children,
    ...limits(anchor),
  ]);
}

/** Of a request for one record, with those of naming it in the query. */
export function pairCodes(
  resource: Resource,
  codes: ReadonlySet<ErrorCode>,
): ReadonlySet<ErrorCode> {
  const conflicts: readonly ErrorCode[] =
    Object.keys(resource.parentNames).length === 0 ? [] : ['parameters_conflict'];
  return new Set([
    ...codes,
    'parameter_missing',
    ...conflicts,
    ...refusals(identityParams(resource)),
  ]);
}

export function listCodes(resource: Resource): ReadonlySet<ErrorCode> {
  const missing: readonly ErrorCode[] = resource.parent === undefined ? [] : ['resource_missing'];
  return new Set([
    ...ALWAYS,
    ...FORM,
    'body_unexpected',
    'value_invalid',
    'parameters_conflict',
    ...missing,
    ...refusals(listParams(resource)),
  ]);
}

export function readCodes(resource: Resource): ReadonlySet<ErrorCode> {
  return new Set([
    ...ALWAYS,
    ...FORM,
    'body_unexpected',
    'resource_missing',
    'version_missing',
    'change_damaged',
    ...refusals(findParams(resource)),
  ]);
}

export function meCodes(): ReadonlySet<ErrorCode> {
  return new Set([...ALWAYS, ...FORM, 'body_unexpected']);
}

export function changesCodes(params: Members): ReadonlySet<ErrorCode> {
  return new Set([
    ...ALWAYS,
    ...FORM,
    'body_unexpected',
    'parameter_missing',
    'resource_missing',
    'position_unknown',
    'changes_expired',
    'changes_rewound',
    'change_damaged',
    ...refusals(params),
  ]);
}

export function historyCodes(): ReadonlySet<ErrorCode> {
  return new Set([
    ...ALWAYS,
    ...FORM,
    'body_unexpected',
    'resource_missing',
    'position_unknown',
    'change_damaged',
    ...refusals(historyParams),
  ]);
}

export function removalsCodes(params: Members): ReadonlySet<ErrorCode> {
  return new Set([
    ...logCodes(params),
    'parameter_missing',
    'resource_missing',
    'position_unknown',
  ]);
}

export function removalCodes(): ReadonlySet<ErrorCode> {
  return new Set([...ALWAYS, 'body_unexpected', 'removal_missing']);
}

export function restoreRemovalCodes(): ReadonlySet<ErrorCode> {
  return new Set([
    ...[...ALWAYS, ...FORM],
    ...(['body_unexpected', 'body_too_large', 'media_type_unsupported'] as const),
    ...(['removal_missing', 'location_not_permitted'] as const),
  ]);
}

export function restoreCodes({ anchor }: Resource): ReadonlySet<ErrorCode> {
  return new Set([
    ...ALWAYS,
    ...FORM,
    ...BODY,
    ...WRITE,
    'version_missing',
    'change_damaged',
    'record_exists',
    ...limits(anchor),
    ...refusals(restoreParams),
  ]);
}

export function imageCodes(): ReadonlySet<ErrorCode> {
  return new Set([...ALWAYS, ...FORM, 'body_unexpected', 'resource_missing', 'image_unavailable']);
}

export function searchCodes(params: Members): ReadonlySet<ErrorCode> {
  return new Set([
    ...ALWAYS,
    ...FORM,
    'body_unexpected',
    'parameter_missing',
    'resource_missing',
    ...refusals(params),
  ]);
}

/** Of the log of requests. */
export function logCodes(params: Members): ReadonlySet<ErrorCode> {
  return new Set([...ALWAYS, ...FORM, 'body_unexpected', 'value_invalid', ...refusals(params)]);
}

/** Of webhook endpoints. */
export function webhookCodes(
  params: Members,
  hasBody: boolean,
  own: readonly ErrorCode[],
): ReadonlySet<ErrorCode> {
  const body: readonly ErrorCode[] = hasBody ? BODY : ['body_unexpected'];
  const missing = 'resource_missing';
  return new Set([...ALWAYS, ...FORM, ...body, missing, ...own, ...refusals(params)]);
}

/** For resources whose single records a key can be limited to. */
function limits(anchor: boolean): readonly ErrorCode[] {
  return anchor ? ['location_not_permitted'] : [];
}

/** What the members refuse values with: their samples show every way. */
function refusals(members: Members): ErrorCode[] {
  return Object.values(members).flatMap(({ kind }) => [
    ...kind.samples.refused.map(({ code }) => code),
    ...refusals(kind.members ?? {}),
  ]);
}

export function selfTestCodes(what?: 'open' | 'one'): ReadonlySet<ErrorCode> {
  const body: readonly ErrorCode[] = what === 'open' ? BODY : ['body_unexpected'];
  return new Set([
    ...ALWAYS,
    ...FORM,
    ...body,
    ...(what === 'one' ? (['resource_missing'] as const) : []),
  ]);
}

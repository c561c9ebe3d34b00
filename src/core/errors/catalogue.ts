/**
 * The catalogue of every error that Ledgerstone can answer with. `docs/errors.md`,
 * the error page and OpenAPI are made from this table.
 */
import { featureErrors } from '../../features/errors.ts';
import {
  type CatalogueEntry,
  conflict,
  denied,
  finer,
  gone,
  invalid,
  limited,
  missing,
  PAGE_OUTDATED,
  tooLarge,
  unauthenticated,
  unavailable,
  unmet,
  withStatus,
} from './entry.ts';
import { fileErrors } from './files.ts';
import { requestErrors } from './requests.ts';
import { staffErrors } from './staff.ts';
import { syncErrors } from './syncs.ts';

export type { CatalogueEntry, FaultValues } from './entry.ts';

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error';

/** The types of errors by their status; errors of any other one are faults of the request. */
const TYPES: Readonly<Record<number, ErrorType>> = {
  401: 'authentication_error',
  403: 'permission_error',
  422: 'idempotency_error',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'api_error',
};

export function typeOfStatus(status: number): ErrorType {
  return TYPES[status] ?? 'invalid_request_error';
}

const permissionDenied = denied(
  'You lack the permission for this request.',
  'Use a key with the permission that the message names, or ask the operator for one.',
);
const rateLimited = {
  status: 429,
  message:
    'This API key may send {most} requests a {per}; each row of an array is one. Nothing was saved; retry after {seconds} {seconds, plural, one {second} other {seconds}}.',
  person:
    'You may send {most} requests a {per}; each row of an array is one. Nothing was saved; try again after {seconds} {seconds, plural, one {second} other {seconds}}.',
  hint: 'Retry after the seconds in `Retry-After`. `RateLimit-Policy` and `RateLimit` in every answer show the limit of the key and what is left of it. Each row of an array counts as a request; streams are slowed instead. The message says which limit it is.',
  values: { most: 60, per: 'minute', seconds: 1 },
} as const;
const serviceUnavailable = {
  ...unavailable(
    'The service cannot accept this request right now. Nothing was saved; please retry.',
    'Retry after the seconds in `Retry-After`. Upserts, and requests with an `Idempotency-Key`, are safe to repeat. Nothing was saved.',
  ),
  person: 'The service cannot do this right now. Nothing was saved; try again in a moment.',
};

export const catalogue = {
  ...requestErrors,
  // Who calls, and where.
  api_key_missing: unauthenticated(
    'Send the key as the Basic username with an empty password (curl -u KEY:), or as "Authorization: Bearer KEY".',
    'The message says what arrived instead: no `Authorization` header, `X-Api-Key` or `?api_key=` (which are not read), a scheme other than Basic or Bearer, the key as the password, the identifier `key_…` in place of the secret, or a key that was cut off.',
  ),
  api_key_unknown: unauthenticated(
    'There is no such API key.',
    'Check that the whole key was copied, and that it belongs to this service: the message has its last four characters, and says whether any were changed on the way.',
  ),
  api_key_expired: unauthenticated(
    'The API key has expired.',
    'Ask the operator for a new key. The message says when this one expired. In the last 30 days of a key, every answer says when it ends, in `Ledgerstone-Key-Expires`.',
  ),
  api_key_suspended: unauthenticated(
    'The API key is suspended.',
    'Ask the operator to resume it; until then it may do nothing.',
  ),
  api_key_revoked: unauthenticated(
    'The API key was revoked.',
    'Ask the operator for a new key: this one never works again.',
  ),
  api_key_address: unauthenticated(
    'The API key does not work from your address.',
    'Send from one of the networks that the key is limited to, or ask the operator to allow yours. Your address is the one that the service sees, which may be that of a proxy.',
  ),
  authentication_failed: unauthenticated(
    'The API key cannot be used now.',
    'The account of the key is closed: ask the operator. Other problems with a key have their own codes, which begin with `api_key_`.',
  ),
  permission_denied: permissionDenied,
  ...finer('permission_denied', permissionDenied, {
    whole_account_needed: {
      message:
        'This API key is limited to certain {limit}, and this request covers whole accounts: use a key of the whole account.',
      person:
        'You are limited to certain {limit}, and this request covers whole accounts. Ask an administrator.',
      hint: 'Use a key of the whole account, for all resources, or ask the operator for one.',
      values: { limit: 'locations' },
    },
  }),
  location_not_permitted: {
    status: 403,
    message: 'The API key is limited to certain locations, and this is not one of them.',
    person: 'You are limited to certain locations, and this is not one of them.',
    hint: 'Use a key of the whole account, or ask the operator for one that includes this location. The answer is the same whether the location exists or not.',
  },
  path_unknown: missing(
    { message: 'There is nothing at this path.', person: 'There is nothing at this address.' },
    'Check the path against the reference. Paths are case-sensitive and have no slash at the end.',
  ),
  resource_missing: missing(
    'There is no such record.',
    'Check the identifier that `param` names, or the one in the path. A record that the API key may not see gets the same answer as one that does not exist.',
  ),
  version_missing: missing(
    'The record has no such version, or it is no longer stored.',
    'Read its history, which lists every version that is kept. Versions older than the log of changes, and those removed by a wipe, are gone.',
  ),
  removal_missing: missing(
    'There is no such removal, or you may not see it.',
    'List the removals with `GET /v1/removals`. One that was restored, or that the log of changes no longer reaches, is not there any more.',
  ),
  position_unknown: invalid(
    'The position does not belong to this log of changes: send that of a page of this account, or now.',
    'The `unique_identifier` of one of its changes will do, too.',
  ),
  changes_expired: gone(
    'The log of changes no longer goes back to this position.',
    'Start over: request the changes with `starting_after=now`, read all lists, and follow from the position you got.',
  ),
  changes_rewound: gone(
    'The position is ahead of the log of changes: the service was restored to an older state.',
    'Changes made after that state are lost here. Start over: request the changes with `starting_after=now`, read all lists, and follow from the position you got. Resend what you have sent since.',
  ),
  change_damaged: gone(
    {
      message: 'A change is damaged in the store and cannot be read.',
      person: 'A change is damaged in the store. Tell the operator.',
    },
    'Continue after it: send the `starting_after` that the message names. Then read the records again that were updated around the time in the message, since one of them has changed. Tell the operator, who sees the change in the log of the service.',
  ),
  method_not_allowed: withStatus(405)(
    { message: 'This path does not take this method.', person: PAGE_OUTDATED },
    'Use one of the methods in the `Allow` header.',
  ),
  record_exists: conflict(
    'The record already exists.',
    'The request said `Ledgerstone-Mode: create_only`, and nothing was changed. Send it without that header to merge into the existing record, or choose another external_identifier.',
  ),
  record_present: unmet(
    {
      message: 'The record already exists, and the request said If-None-Match: *.',
      person: 'The record already exists. Nothing was changed.',
    },
    'Nothing was changed. Send the upsert without `If-None-Match` to merge into the existing record, or choose another external_identifier. With `Ledgerstone-Mode: create_only` the same refusal is 409 `record_exists`.',
  ),
  record_has_children: conflict(
    'Other records belong to this one.',
    'Remove those first, or send `cascade=true` in the query to remove them with it.',
  ),
  children_too_many: conflict(
    'More records belong to this one than can be removed at once.',
    'Remove some of the records below it first: one request removes at most 5,000 of them.',
  ),
  record_changed: unmet(
    {
      message: 'The record has changed since you read it.',
      person:
        'The record has changed since you opened it. Open it again, and change it if that is still right.',
    },
    'Read the record again, and if you still want the change, send its current `ETag` in `If-Match`. A tag that a proxy has weakened, such as `W/"3"`, never matches: the message says so.',
  ),
  pin_missing: missing(
    {
      message: 'This member of the record is not pinned.',
      person: 'This is no longer corrected by staff: reload the page.',
    },
    'Nothing was changed: `GET` the pins of the record. Staff pin a member by correcting it; what a record belongs to and its identifiers are never pinned.',
  ),
  pins_too_many: conflict(
    'A record has at most 100 corrected members, whose earlier and proposed values come to 256 KB.',
    'Nothing was changed. Let the source decide about some of them first: `DELETE` their pins.',
  ),
  proposal_decided: conflict(
    'This proposal is no longer open.',
    'Nothing was changed. It was accepted or kept, the source sent another value since, or its record was removed: `GET /v1/proposals` lists those that are open, and the history of the record says what happened.',
  ),
  ...syncErrors,
  idempotency_key_reused: withStatus(422)(
    'This Idempotency-Key was sent before, with a different request.',
    'Use a new key for every request, and repeat a key only with exactly the same request. Keys are kept for 24 hours.',
  ),
  idempotency_keys_exhausted: {
    status: 429,
    message:
      'Too many of your requests with an Idempotency-Key are kept. Nothing was saved; retry later, or without an Idempotency-Key.',
    hint: 'Requests with an `Idempotency-Key` are kept for 24 hours, and those of this API key fill the space that the operator allows it (`IDEMPOTENCY_MIB`). None is dropped early; space is freed as the oldest expire. Requests without an `Idempotency-Key`, and repetitions of kept ones, work as usual.',
    headers: { 'Retry-After': '60' },
  },
  batch_refused: conflict(
    '{refused} of {rows} rows {refused, plural, one {was} other {were}} refused, so nothing was saved.',
    'Fix the rows that `errors` names and send the whole batch again: `param` begins with the index of the row, counted from 0. Without `atomic=true` each row succeeds or fails on its own.',
    { refused: 2, rows: 100 },
  ),
  body_too_large: tooLarge(
    {
      message: 'The body is too large.',
      person: 'What you send is too large. Nothing was saved; send less at once.',
    },
    'Send at most 1,048,576 bytes for one record, alone or as a row, and at most 33,554,432 for a JSON array of rows. Send more rows as `application/x-ndjson`.',
  ),
  rows_too_many: tooLarge(
    {
      message: 'The request has too many rows.',
      person: 'There are too many rows. Send fewer at once.',
    },
    'Send at most 1,000 rows as a JSON array and at most 100,000 as `application/x-ndjson`. From a larger JSON array nothing is saved; from a longer stream, the rows up to the limit are processed.',
  ),
  stream_refused: invalid(
    {
      message: '1,000 consecutive rows were refused, so the stream was ended.',
      person: '1,000 rows one after the other were refused, so the import was stopped.',
    },
    'You get this in the last line of a stream. Fix what the refused rows have in common (a missing parent, a wrong field), and resend the rows from the line that it names.',
  ),
  media_type_unsupported: withStatus(415)(
    { message: 'The Content-Type of the body is not supported.', person: PAGE_OUTDATED },
    'Send `application/json` or `application/x-www-form-urlencoded`, in UTF-8 and without a Content-Encoding; a PATCH also takes `application/merge-patch+json`. The message names what arrived.',
  ),
  headers_too_large: withStatus(431)(
    { message: 'The headers are too large.', person: PAGE_OUTDATED },
    'Send at most 16 KiB of headers.',
  ),
  request_timeout: withStatus(408)(
    {
      message: 'The request did not arrive in time.',
      person:
        'Not everything arrived in time. Nothing was saved; try again, and check your connection if it keeps happening.',
    },
    'Nothing was saved. Retry; if it happens again, check your connection or proxy. A body, or a line of a stream, must arrive at 30 KiB or more every 30 seconds until it is complete.',
  ),
  rate_limited: rateLimited,
  ...finer('rate_limited', rateLimited, {
    concurrency_limited: {
      message:
        'This API key may have {most} {most, plural, one {request} other {requests}} under way at once. Nothing was saved; retry after 1 second.',
      person:
        'You may have {most} {most, plural, one {request} other {requests}} under way at once. Nothing was saved; try again after 1 second.',
      values: { most: 8 },
    },
    connections_too_many: {
      message:
        'This API key has {has} connections open, the most that one key may have. Nothing was saved; reuse the open ones, or close some.',
      person:
        'You have {has} connections open, the most that one person may have. Nothing was saved; reuse the open ones, or close some.',
      hint: 'Reuse open connections (HTTP keep-alive), or close some.',
      values: { has: 256 },
    },
    images_waiting: {
      message:
        'This account already has {most} images waiting to be fetched. Ask for the next ones when these are answered.',
      person:
        'This account already has {most} images waiting to be fetched. Ask for the next ones when these are answered.',
      hint: 'Retry after the seconds in `Retry-After`.',
      values: { most: 32 },
    },
    audit_limited: {
      message: 'This API key sends too much at once. Nothing was saved.',
      person: 'You send too much at once. Nothing was saved.',
      hint: 'Retry after the seconds in `Retry-After`: what is written to the audit first is done at a moderate pace.',
    },
  }),
  memory_limited: limited(
    {
      message:
        'Your large requests already use all the memory that one caller may use. Nothing was saved; retry when some of them are answered.',
      person:
        'You have too many large pages or files under way at once. Nothing was saved; try again in a moment.',
    },
    'Send fewer large requests at once, or smaller ones: arrays of a few hundred rows, streams of ordinary lines. Ask for fewer large pages at once, and read the answers. Retry after the seconds in `Retry-After`. Requests and answers of up to 16 KiB never get this error.',
  ),
  record_erased: gone(
    'This record was erased for good: at the request of a person, or for its age. Remove it from your system, too.',
    'Remove the record from your system, so that it is not sent again. Nothing that it held is stored any more, and none of it can be read or restored. In a bulk request only its row is left out, with the outcome `erased`. If it was erased by mistake, the operator can let you send it again.',
  ),
  past_retention: gone(
    'This record is past its retention: it belongs to a service that is older than the account keeps such records. Remove it from your system, too.',
    'Remove the record from your system, so that it is not sent again. A retention rule of the account removes such records, and would remove this one at once. In a bulk request only its row is left out, with the outcome `erased`.',
  ),
  matches_too_many: invalid(
    'More than 1,000 records match, or more than 50 of a resource match a name.',
    'Name the person more exactly: an erasure is about one person.',
  ),
  erasure_closed: conflict(
    'The erasure is closed.',
    'Begin another erasure if there is more to erase.',
  ),
  erasure_running: conflict(
    'The erasure is running.',
    'Wait until its `status` is no longer `running`.',
  ),
  erasures_too_many: conflict(
    'You have begun 100 erasures of the account that are neither done nor closed.',
    'Run or close some of them first.',
  ),
  erasures_exhausted: conflict(
    'You have begun 10,000 erasures of the account in the last 24 months.',
    'Name several people of one request in one erasure, or let another key or person begin it: each has its own 10,000. An erasure is kept for 24 months after it ended, since it proves what was done; the oldest make room then.',
  ),
  erasure_keyless: conflict(
    'Nothing can be erased without SECRET_KEY_FILE.',
    'Ask the operator to set `SECRET_KEY_FILE`: the key by which erased records are known when they are sent again.',
  ),
  store_set_back: unavailable(
    {
      message:
        'The store is of an earlier time: what was erased since is erased again first. Nothing was saved; please retry.',
      person:
        'The records are of an earlier time, and what was erased since is erased again first. Nothing was saved; try again later.',
    },
    'Retry after the seconds in `Retry-After`. The operator has restored the store; requests are served again once its journal of erasures is applied.',
  ),
  record_held: conflict(
    'A hold keeps this record, or one that belongs to it.',
    'Leave the record as it is: it is kept for a matter such as a claim, and can still be changed. Those who place holds can release the one that the message names.',
  ),
  ...featureErrors,
  ...fileErrors,
  ...staffErrors,
  // Our side.
  service_unavailable: serviceUnavailable,
  ...finer('service_unavailable', serviceUnavailable, {
    outcome_unknown: {
      message:
        'The service cannot tell right now whether it has saved this request. Please send it again: an upsert that is repeated, or a request with its Idempotency-Key, is done only once.',
      person:
        'The service cannot tell right now whether it has saved this. Do it again: it is done only once.',
      hint: 'Send the very same request again. An upsert that is repeated, or a request with its `Idempotency-Key`, is done only once.',
    },
    answer_dropped: {
      message:
        'The request was done, but its response was dropped: the server is holding too many large responses that clients have not read yet. Read pending responses and retry: an upsert that is repeated, or a request with its Idempotency-Key, is done only once.',
      person:
        'This was done, but the service is too busy to show what came of it. Reload the page in a moment, and look before you do it again.',
      hint: 'What you asked for is done; only its answer is missing. Read the answers of your other requests, then send the very same request again: an upsert that is repeated, or a request with its `Idempotency-Key`, is done only once. Ask for fewer rows at once.',
    },
  }),
  store_refused: {
    status: 500,
    message:
      'The database of the service refuses this, and will until the operator has changed something there. Nothing was saved. Keep what you sent, give the operator the request id, and send it again when they say so.',
    person:
      'The database of the service refuses this, and will until the operator has changed something there. Nothing was saved. Give the operator the identifier of the request.',
    hint: 'The service is well, but a condition, a trigger or a missing right in its database is in the way of this record, and of others like it. Sending it again changes nothing before the operator has found out what it is (`ledgerstone doctor`, and the line `the database refuses what was sent` in the log): keep the record until then. Other records are taken as usual.',
    headers: { 'Stripe-Should-Retry': 'false' },
  },
  internal_error: withStatus(500)(
    {
      message:
        'Something went wrong on our side. Please retry; if it keeps happening, report the request id.',
      person:
        'Something went wrong on our side. Try again; if it keeps happening, give the operator the identifier of the request.',
    },
    'The fault is ours. Upserts are safe to repeat. If it keeps happening, give the operator the `request_id`.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** Whether the code is only for people who sign in, never for API keys. */
export function isStaffCode(code: string): boolean {
  return Object.hasOwn(staffErrors, code);
}

/** Whether the code is one of a file, or of a row in it. */
export function isFileCode(code: string): boolean {
  return Object.hasOwn(fileErrors, code);
}

export type ErrorCode = keyof typeof catalogue;

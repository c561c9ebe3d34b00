/** The headers of requests and answers. */
import { refTo } from './schemas/names.ts';

/** The components that answers refer to. */
export const headers = {
  'Request-Id': header('Identifies the request, for questions to the operator', {
    type: 'string',
    examples: ['req_0350hLTg4Qw7ghih1EWE8L'],
  }),
  'Ledgerstone-Version': header('The version of the service', {
    type: 'string',
    examples: ['1.0.0'],
  }),
  'Cache-Control': header('Whether the answer may be kept', {
    type: 'string',
    examples: ['no-store'],
  }),
  'Server-Timing': header('How long each stage of the request took, in milliseconds', {
    type: 'string',
    examples: ['parse;dur=0.041, authorize;dur=0.012, resolve;dur=0.003, commit;dur=1.902'],
  }),
  'Ledgerstone-Outcome': header('What the request did, or would do', {
    type: 'string',
    enum: ['created', 'updated', 'unchanged', 'deleted'],
  }),
  'Ledgerstone-Kept': sometimes(
    'Members of the request that keep the value that staff entered: the sent values are proposals (`GET /v1/proposals`). `...` stands for more of them',
    { type: 'string', examples: ['visitor_full_name, visitor_phone_number'] },
  ),
  'Ledgerstone-Newer': sometimes(
    'The record has other values than were sent, and stays: your source changed it after the data of the sync was taken (`as_of`)',
    { type: 'string', const: 'true' },
  ),
  'Ledgerstone-Dry-Run': sometimes('The answer to `dry_run=true`: nothing was changed', {
    type: 'string',
    const: 'true',
  }),
  'Idempotent-Replayed': sometimes(
    'The answer to an earlier request with this `Idempotency-Key`: nothing was done twice',
    { type: 'string', const: 'true' },
  ),
  'Ledgerstone-Removed': header(
    'Number of records that the request removed, or would remove: the named one and, with `cascade=true`, all below it',
    { type: 'integer', minimum: 1 },
  ),
  'Ledgerstone-Removal': sometimes(
    'Identifies the removal: `POST /v1/removals/{unique_identifier}/restore` undoes it. Omitted if nothing can be restored',
    { type: 'string', examples: ['rem_0000003caq1Os4jhf68kwM'] },
  ),
  ETag: header(
    'Identifies this answer: the version of the record, then those of the expanded records',
    { type: 'string', examples: ['"3"', '"3;location=2"'] },
  ),
  // There may be no other page.
  Link: sometimes('The next and the previous page, as `rel="next"` and `rel="prev"` (RFC 8288)', {
    type: 'string',
  }),
  'Retry-After': header('Number of seconds to wait before you retry', {
    type: 'integer',
    minimum: 0,
  }),
  'RateLimit-Policy': sometimes(
    'The limits of the key, where it is limited: `q` requests in `w` seconds, or `q` at once (draft-ietf-httpapi-ratelimit-headers)',
    { type: 'string', examples: ['"rate";q=100;w=1, "concurrent";q=20;qu="concurrent-requests"'] },
  ),
  RateLimit: sometimes(
    'What is left of them: `r` requests now, and more in `t` seconds (the same draft)',
    { type: 'string', examples: ['"rate";r=57;t=1, "concurrent";r=19'] },
  ),
  'Ledgerstone-Key-Expires': sometimes(
    'When the API key expires; sent in its last 30 days, also with errors',
    { type: 'string', format: 'date-time', examples: ['2026-12-31T23:00:00Z'] },
  ),
  'Stripe-Should-Retry': sometimes('Whether clients of Stripe retry', {
    type: 'string',
    enum: ['true', 'false'],
  }),
  'WWW-Authenticate': header('How to authenticate', { type: 'string' }),
} as const;

/** The component parameters that requests refer to. */
export const headerParameters = {
  'Ledgerstone-Unknown-Fields': {
    name: 'Ledgerstone-Unknown-Fields',
    in: 'header',
    description: 'What to do with unknown parameters: `refuse` the request, or `ignore` them.',
    schema: { type: 'string', enum: ['refuse', 'ignore'], default: 'refuse' },
  },
  'Ledgerstone-Mode': {
    name: 'Ledgerstone-Mode',
    in: 'header',
    description:
      'Limits the upsert to creating, which fails if the record exists, or to updating, which fails if it does not. Both by default.',
    schema: { type: 'string', enum: ['create_only', 'update_only'] },
  },
  'Ledgerstone-Sync': {
    name: 'Ledgerstone-Sync',
    in: 'header',
    description:
      'The sync that the request is part of: what it names stays when the sync is finished, also where a row is refused or changes nothing.',
    schema: { type: 'string' },
    example: 'syn_0350hLTg4Qw7ghih1EWE8N',
  },
  'Ledgerstone-Instead-Of': {
    name: 'Ledgerstone-Instead-Of',
    in: 'header',
    description:
      'With `Ledgerstone-Sync`: requests of the sync that this one takes the place of, by their Request-Id and separated by commas. Where it is taken, what was not taken of them keeps the sync from being finished no more. Or a name of your own that all tries of one request have: 1 to 255 visible ASCII characters.',
    schema: { type: 'string' },
    example: 'req_0350hLTg4Qw7ghih1EWE8N',
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique name for this request: 1 to 255 visible ASCII characters. If you send the same request with it again within 24 hours, you get the first answer, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as you know it, or several: if it has changed since, the answer is 412 and nothing is done.',
    schema: { type: 'string' },
    example: '"3"',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer: if it is still current, the answer is 304.',
    schema: { type: 'string' },
  },
  'If-None-Match-Any': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The standard form of `Ledgerstone-Mode: create_only`: if the record exists, the answer is 412 `record_present` and nothing is done.',
    schema: { type: 'string', const: '*' },
  },
} as const;

export const everyAnswer = pick('Request-Id', 'Ledgerstone-Version', 'Cache-Control');
/** On answers of requests that went through all stages. */
export const timed = {
  ...everyAnswer,
  ...pick('Server-Timing', 'RateLimit-Policy', 'RateLimit', 'Ledgerstone-Key-Expires'),
};
/** On errors of requests that have a key. */
export const limited = pick('RateLimit-Policy', 'RateLimit');
export const stripeRetry = pick('Stripe-Should-Retry');
export const retryAfter = pick('Retry-After');
export const outcome = pick('Ledgerstone-Outcome');
export const kept = pick('Ledgerstone-Kept');
export const newer = pick('Ledgerstone-Newer');
export const tagged = pick('ETag');
export const link = pick('Link');
export const rehearsed = pick('Ledgerstone-Dry-Run');
export const removed = { ...pick('Ledgerstone-Removed'), ...pick('Ledgerstone-Removal') };
export const replayed = pick('Idempotent-Replayed');

function header(description: string, schema: object): object {
  return { description, schema };
}

/** A header that not all of the answers have. */
function sometimes(description: string, schema: object): object {
  return { ...header(description, schema), required: false };
}

/** References to headers, by their names. */
export function pick(...names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}

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
    examples: ['0.1.0'],
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
  'Ledgerstone-Dry-Run': sometimes(
    'Only told what would be done: nothing was changed, since the query says `dry_run=true`',
    { type: 'string', const: 'true' },
  ),
  'Idempotent-Replayed': sometimes(
    'The answer of an earlier request with this `Idempotency-Key`: nothing was done again',
    { type: 'string', const: 'true' },
  ),
  'Ledgerstone-Removed': header(
    'How many records the request removed, or would remove: the one it names and, with `cascade=true`, all below it',
    { type: 'integer', minimum: 1 },
  ),
  'Ledgerstone-Removal': sometimes(
    'Identifies the removal: `POST /v1/removals/{unique_identifier}/restore` undoes it. Left out where nothing can be restored',
    { type: 'string', examples: ['rem_0000003caq1Os4jhf68kwM'] },
  ),
  ETag: header(
    'Tells this answer from all others of this address: the version of the record and, after it, those of what was expanded',
    { type: 'string', examples: ['"3"', '"3;location=2"'] },
  ),
  // There may be no other page.
  Link: sometimes('The pages beside this one, as `rel="next"` and `rel="prev"` (RFC 8288)', {
    type: 'string',
  }),
  'Retry-After': header('After how many seconds to send the request again', {
    type: 'integer',
    minimum: 0,
  }),
  'RateLimit-Policy': sometimes(
    'What the key may send, where anything limits it: `q` requests in `w` seconds, or `q` at once (draft-ietf-httpapi-ratelimit-headers)',
    { type: 'string', examples: ['"rate";q=100;w=1, "concurrent";q=20;qu="concurrent-requests"'] },
  ),
  RateLimit: sometimes(
    'What is left of it: `r` requests now, and more in `t` seconds; the draft of `RateLimit-Policy`',
    { type: 'string', examples: ['"rate";r=57;t=1, "concurrent";r=19'] },
  ),
  'Ledgerstone-Key-Expires': sometimes(
    'When the API key expires, in its last 30 days; errors have it, too',
    { type: 'string', format: 'date-time', examples: ['2026-12-31T23:00:00Z'] },
  ),
  'Stripe-Should-Retry': header('Lets the clients of Stripe retry', {
    type: 'string',
    const: 'true',
  }),
  'WWW-Authenticate': header('How to authenticate', { type: 'string' }),
} as const;

/** The component parameters that requests refer to. */
export const headerParameters = {
  'Ledgerstone-Unknown-Fields': {
    name: 'Ledgerstone-Unknown-Fields',
    in: 'header',
    description:
      'What to do with parameters that are not known: `refuse` the request, or `ignore` them in this one.',
    schema: { type: 'string', enum: ['refuse', 'ignore'], default: 'refuse' },
  },
  'Ledgerstone-Mode': {
    name: 'Ledgerstone-Mode',
    in: 'header',
    description:
      'What the upsert may do: only create, which is refused where the record is there, or only update, which is refused where it is not. Both, where it is left out.',
    schema: { type: 'string', enum: ['create_only', 'update_only'] },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A name of your own for this request, new for every one: 1 to 255 visible ASCII characters. Sent again with the very same request within 24 hours, it is answered as the first one was, and nothing is done again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as you know it, or several: where it has changed since, the answer is 412 and nothing is done.',
    schema: { type: 'string' },
    example: '"3"',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer: while it still holds, the answer is 304.',
    schema: { type: 'string' },
  },
  'If-None-Match-Any': {
    name: 'If-None-Match',
    in: 'header',
    description:
      "HTTP's own way to say `Ledgerstone-Mode: create_only`: where the record is there, the answer is 412 `record_present` and nothing is done.",
    schema: { type: 'string', const: '*' },
  },
} as const;

export const everyAnswer = pick('Request-Id', 'Ledgerstone-Version', 'Cache-Control');
/** On answers of deprecated operations, or of those with a deprecated parameter. */
export const deprecated: Readonly<Record<string, object>> = {
  Deprecation: sometimes('Since when what you use is deprecated (RFC 9745)', {
    type: 'string',
    examples: ['@1801440000'],
  }),
  Sunset: sometimes('From when it may be gone (RFC 8594)', {
    type: 'string',
    examples: ['Tue, 01 Feb 2028 00:00:00 GMT'],
  }),
};
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

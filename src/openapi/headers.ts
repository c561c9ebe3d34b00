/** Headers: what requests may carry, and what answers do. */
import { refTo } from './names.ts';

/** The components that answers refer to. */
export const headers = {
  'Request-Id': header('Identifies the request, for questions to the operator', {
    type: 'string',
    examples: ['req_0350hLTg4Qw7ghih1EWE8L'],
  }),
  'Cache-Control': header('Whether the answer may be kept', {
    type: 'string',
    examples: ['no-store'],
  }),
  'Server-Timing': header('How long each stage of the request took, in milliseconds', {
    type: 'string',
    examples: ['parse;dur=0.041, authorize;dur=0.012, resolve;dur=0.003, commit;dur=1.902'],
  }),
  'Ledgerstone-Outcome': header('What the upsert did', {
    type: 'string',
    enum: ['created', 'updated', 'unchanged'],
  }),
  'Retry-After': header('After how many seconds to send the request again', {
    type: 'integer',
    minimum: 0,
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
} as const;

export const everyAnswer = pick('Request-Id', 'Cache-Control');
/** On answers of requests that went through all stages. */
export const timed = { ...everyAnswer, ...pick('Server-Timing') };
export const retryAfter = pick('Retry-After');
export const outcome = pick('Ledgerstone-Outcome');

function header(description: string, schema: object): object {
  return { description, schema };
}

function pick(...names: readonly (keyof typeof headers)[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}

/** Error answers: their schema, one example for each code, and the answers that an operation may give. */
import { STATUS_CODES } from 'node:http';
import { ApiError, catalogue, type ErrorCode, MAX_NAMED_FAULTS } from '../errors.ts';
import type { JsonSchema } from '../schema/fields/kind.ts';
import { everyAnswer, limited, retryAfter, stripeRetry } from './headers.ts';
import { refTo } from './names.ts';

const codes = Object.keys(catalogue) as ErrorCode[];

/** What every error says, wherever it stands. */
const said: Record<string, JsonSchema> = {
  type: {
    type: 'string',
    description: 'The kind of error. Stable; more may come',
    examples: [...new Set(Object.values(catalogue).map(({ type }) => type))],
  },
  code: codeSchema('Which error it is: that of the first fault'),
  message: {
    type: 'string',
    description: 'For people: what was wrong and what to send instead',
  },
  param: paramSchema(),
  errors: {
    type: 'array',
    description: `Every fault, the first ${MAX_NAMED_FAULTS} of them`,
    minItems: 1,
    maxItems: MAX_NAMED_FAULTS,
    items: {
      type: 'object',
      properties: {
        param: paramSchema(),
        code: codeSchema('Which fault it is'),
        message: { type: 'string', description: 'What was wrong and what to send instead' },
      },
      required: ['code', 'message'],
    },
  },
};

const ALWAYS_SAID = ['type', 'code', 'message', 'errors'];

export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Says what is wrong with a request, every fault of it at once.',
  properties: {
    error: {
      type: 'object',
      properties: {
        ...said,
        request_id: { type: 'string', description: 'The same as in the header `Request-Id`' },
        doc_url: { type: 'string', description: 'Where the code is explained' },
      },
      required: [...ALWAYS_SAID, 'request_id', 'doc_url'],
    },
  },
  required: ['error'],
};

/** An error that stands in an answer which is none. */
export const partErrorSchema: JsonSchema = {
  type: 'object',
  description:
    'Why nothing was done: as an error of a request, without what all of one request share',
  properties: said,
  required: ALWAYS_SAID,
};

/** An example of an answer for each code of the catalogue. */
export function errorExamples(serverUrl: string): Record<string, object> {
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        summary: catalogue[code].message,
        description: catalogue[code].hint,
        value: errorExample(new ApiError(code), serverUrl),
      },
    ]),
  );
}

/** The answer that an error becomes. */
export function errorExample(error: ApiError, serverUrl: string): object {
  const { type, code, message, param, faults } = error;
  return {
    error: {
      type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      errors: faults,
      request_id: 'req_0350hLTg4Qw7ghih1EWE8L',
      doc_url: `${serverUrl}/docs/errors#${code}`,
    },
  };
}

/** The answers of an operation that may fail with these codes, by status. */
export function errorResponses(possible: ReadonlySet<ErrorCode>): Record<string, object> {
  const byStatus = Map.groupBy(
    codes.filter((code) => possible.has(code)),
    (code) => catalogue[code].status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [status, response(status, some)]),
  );
}

function response(status: number, some: readonly ErrorCode[]): object {
  return {
    description: `${STATUS_CODES[status]}. Codes: ${some.map((code) => `\`${code}\``).join(', ')}.`,
    headers: {
      ...everyAnswer,
      ...(status === 503 || status === 429 ? retryAfter : {}),
      ...(status === 429 ? { ...limited, ...stripeRetry } : {}),
      ...(status === 401 ? { 'WWW-Authenticate': refTo('headers', 'WWW-Authenticate') } : {}),
    },
    content: {
      'application/json': {
        schema: refTo('schemas', 'Error'),
        examples: Object.fromEntries(some.map((code) => [code, refTo('examples', code)])),
      },
    },
  };
}

function codeSchema(what: string): JsonSchema {
  return { type: 'string', description: `${what}. Stable; more may come`, examples: codes };
}

function paramSchema(): JsonSchema {
  return {
    type: 'string',
    description: 'Dotted path of the field; left out where the whole request is meant',
    examples: ['person.full_name', 'image_urls.0'],
  };
}

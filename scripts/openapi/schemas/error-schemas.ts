/** The schemas of errors: of an answer that is one, and of a row that was refused. */
import {
  catalogue,
  isStaffCode,
  MAX_NAMED_FAULTS,
  typeOfStatus,
} from '../../../src/core/errors.ts';
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import type { Json } from '../../../src/core/schema/values.ts';
import { missingExample, rowErrorExample } from '../errors.ts';
import { illustrated } from './illustrated.ts';
import { refTo } from './names.ts';
import { open } from './open.ts';
import { objectOf, textOf } from './parts.ts';

const entries = Object.entries(catalogue).filter(([name]) => !isStaffCode(name));

const code = refTo('schemas', 'ErrorCode');
const message = textOf('A message for people: what was wrong and what to send instead');
const param = textOf('Dotted path of the field; absent if the fault is not in one field', {
  examples: ['person.full_name', 'image_urls.0'],
});

const values = refTo('schemas', 'FaultValues');

/** The members of every error. */
const said: Record<string, JsonSchema> = {
  type: refTo('schemas', 'ErrorType'),
  code,
  message,
  param,
  values,
  errors: {
    type: 'array',
    description: `All faults, at most ${MAX_NAMED_FAULTS}`,
    minItems: 1,
    maxItems: MAX_NAMED_FAULTS,
    items: refTo('schemas', 'Fault'),
  },
};

const SELDOM = ['param', 'values'];

const plain: Record<string, JsonSchema> = {
  ErrorType: open(
    [...new Set(entries.map(([, { status }]) => typeOfStatus(status)))],
    'The kind of error. Stable; more may come',
  ),
  ErrorCode: open(
    entries.map(([name]) => name),
    'The error code; of several, the first. Stable; more may come: treat unknown codes by the HTTP status',
  ),
  FaultValues: {
    type: 'object',
    description:
      'What the message says of this request, by name: limits, what arrived instead. Which values a code has is in its description. Absent if there are none',
    additionalProperties: {
      anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: 'string' } }],
    },
  },
  Fault: objectOf('One thing that is wrong.', { param, code, message, values }, SELDOM),
  ErrorResponse: objectOf('Describes all faults of a request at once.', {
    error: objectOf(
      'What is wrong',
      {
        ...said,
        request_id: textOf('The same as in the header `Request-Id`'),
        doc_url: textOf(
          'Where the code is explained: an address, or a path at the address that you called',
        ),
      },
      SELDOM,
    ),
  }),
  RowError: objectOf(
    'Why nothing was done: an error like that of a request, without the members that all rows of a request share',
    said,
    SELDOM,
  ),
};

/** The components, by name. */
export function errorSchemas(serverUrl: string): Record<string, JsonSchema> {
  const answer = missingExample(serverUrl);
  const shown: Record<string, unknown> = {
    FaultValues: catalogue.text_too_long.values,
    Fault: answer.error.errors[0],
    ErrorResponse: answer,
    RowError: rowErrorExample(serverUrl),
  };
  return Object.fromEntries(
    Object.entries(plain).map(([name, schema]) => [name, illustrated(schema, shown[name] as Json)]),
  );
}

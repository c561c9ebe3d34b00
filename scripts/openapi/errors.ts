/** Error answers: one example for each code, and the answers that an operation may give. */
import { STATUS_CODES } from 'node:http';
import {
  ApiError,
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type FaultValues,
  generalOf,
} from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { everyAnswer, limited, retryAfter, stripeRetry } from './headers.ts';
import { refTo } from './schemas/names.ts';

const codes = Object.keys(catalogue) as ErrorCode[];

/** An example of an answer for each code of the catalogue. */
export function errorExamples(serverUrl: string): Record<string, object> {
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        summary: exampleOf(code).message,
        description: catalogue[code].hint,
        value: errorExample(exampleOf(code), serverUrl),
      },
    ]),
  );
}

/** An error as it is answered. */
interface ErrorShown extends Pick<ApiError, 'type' | 'code' | 'message'> {
  readonly param?: string;
  readonly values?: FaultValues;
  readonly errors: ApiError['faults'];
  readonly request_id: string;
  readonly doc_url: string;
}

/** The answer that an error becomes. */
export function errorExample(error: ApiError, serverUrl: string): { readonly error: ErrorShown } {
  const { type, code, message, param, faults } = error;
  const [{ values } = {}] = faults;
  return {
    error: {
      type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      ...(values === undefined ? {} : { values }),
      errors: faults,
      request_id: 'req_0350hLTg4Qw7ghih1EWE8L',
      doc_url: `${serverUrl}/docs/errors#${code}`,
    },
  };
}

/** An error with this code, to be shown. */
export function exampleOf(code: ErrorCode): ApiError {
  const { message, values }: CatalogueEntry = catalogue[code];
  const about = message.startsWith('{param}') ? { param: paramOf(code) } : {};
  return new ApiError(code, values === undefined ? about : { ...about, values });
}

/** Parameters that examples are of, by the codes of their faults. */
const EXAMPLES: readonly (readonly [param: string, codes: RegExp])[] = [
  ['person.date_of_death', /^date_too_early$/],
  ['time_zone', /^time_zone_unknown$/],
  ['expires_at', /^time_past$/],
  ['event_datetime', /^(?:moment|time_(?!unexpected)|year|zone)/],
  ['person.date_of_birth', /^(?:date|no_such_day|weekday|time_unexpected)/],
  ['event_name', /^(?:text_too_long|cell|characters|quote|return|formula)/],
  ['additional_event_metadata', /^(?:value_too_large|json_unreadable)$/],
  ['additional_cart_metadata.cart_value_in_cents', /^(?:amount|number_not|number_unreadable)/],
  ['visitor_phone_number', /^phone/],
  ['visitor_interested_in_pre_planning', /^yes_or_no$/],
  ['image_urls', /^array_length/],
  ['external_identifier', /^(?:made_a_date|digits_lost)$/],
  ['event_external_identifier', /^(?:row_unplaced|identifier)/],
  ['location_external_identifier', /^place/],
  ['limit', /^number_out_of_range$/],
  ['payload', /^choice_invalid$/],
  ['accounts', /^accounts/],
  ['locations', /^locations/],
  ['requests_a_second', /^rate_invalid$/],
  ['from', /^network_invalid$/],
];

function paramOf(code: ErrorCode): string {
  const found = EXAMPLES.find(([, codes]) => codes.test(code));
  if (found === undefined) throw new Error(`Say in EXAMPLES of which parameter ${code} is.`);
  return found[0];
}

/** The error of a row that lacks what every row needs. */
export function rowErrorExample(serverUrl: string): JsonObject {
  const { request_id: _id, doc_url: _url, ...part } = missingExample(serverUrl).error;
  return part as unknown as JsonObject;
}

/** The answer to a body without an `external_identifier`. */
export function missingExample(serverUrl: string): { readonly error: ErrorShown } {
  const param = 'external_identifier';
  const message = `${param} is missing, and it is required in every upsert.`;
  return errorExample(new ApiError('parameter_missing', { param, message }), serverUrl);
}

/** The answers of an operation that may fail with these codes, by status; `more` are further examples. */
export function errorResponses(
  possible: ReadonlySet<ErrorCode>,
  more: Readonly<Record<number, Readonly<Record<string, object>>>> = {},
): Record<string, object> {
  const byStatus = Map.groupBy(
    codes.filter((code) => possible.has(code) || possible.has(generalOf(code))),
    (code) => catalogue[code].status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [status, response(status, some, more[status])]),
  );
}

function response(status: number, some: readonly ErrorCode[], more: object = {}): object {
  return {
    description: `${STATUS_CODES[status]}. Codes: ${some.map((code) => `\`${code}\``).join(', ')}.`,
    headers: {
      ...everyAnswer,
      ...(status === 503 || status === 429 ? retryAfter : {}),
      ...(status === 429 ? limited : {}),
      ...(status === 429 || status === 500 ? stripeRetry : {}),
      ...(status === 401 ? { 'WWW-Authenticate': refTo('headers', 'WWW-Authenticate') } : {}),
    },
    content: {
      'application/json': {
        schema: refTo('schemas', 'ErrorResponse'),
        examples: {
          ...more,
          ...Object.fromEntries(some.map((code) => [code, refTo('examples', code)])),
        },
      },
    },
  };
}

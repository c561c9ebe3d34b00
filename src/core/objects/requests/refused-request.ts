/** A request that was refused, or had rows refused: the reasons, without any submitted values. */
import { catalogue, type ErrorCode, messageOf as sentenceOf } from '../../errors.ts';
import { text } from '../../schema/fields/index.ts';
import type { Json } from '../../schema/values.ts';
import { blankable, count, counts, identifier, instant, json } from '../kinds.ts';
import {
  arrayOf,
  derived,
  field,
  local,
  nullable,
  type ObjectOf,
  optional,
  ownObject,
} from '../own-object.ts';

export interface RefusedFault {
  readonly code: string;
  /** The parameter, as far as its name is declared. */
  readonly param?: string;
  /** The message as the caller got it, if it has no sent values. */
  readonly message?: string;
  /** For an unknown name, the known one that is most similar. */
  readonly nearest?: string;
  readonly count: number;
  /** The numbers of the first rows with it. */
  readonly rows?: readonly number[];
}

export interface RefusedRows {
  readonly numbered: 'lines' | 'elements';
  /** The number of rows by outcome, or by the code of the first fault. */
  readonly counts: { readonly [outcome: string]: number };
}

interface Refusal {
  readonly code: string;
  readonly faults: readonly RefusedFault[];
  readonly rows: RefusedRows | null;
}

const MESSAGE = 'The message the caller received. Submitted values are left out';
const hidden = { to: [] };
const numbers = json<readonly number[]>({ type: 'array', items: { type: 'integer', minimum: 0 } });

const error = {
  code: field(text(), 'The error code'),
  param: optional(text(), 'The parameter; `*` if its name is unknown'),
  message: field(text(), MESSAGE),
  nearest: optional(text(), 'The nearest known name, for an unknown one', {
    example: 'event_datetime',
  }),
  count: field(count(), 'Number of such faults'),
  lines: optional(numbers, 'The first lines of a stream with this fault, counted from 1', {
    example: [57],
  }),
  elements: optional(numbers, 'The first elements of an array with this fault, counted from 0', {
    example: [56],
  }),
};

export const refusedRequest = ownObject({
  name: 'request',
  typeName: 'RefusedRequest',
  says: 'A request that was refused, or had rows refused. It contains no submitted values.',
  path: '/v1/requests',
  listed: {
    complete: {
      type: 'boolean',
      examples: [true],
      description:
        'With `identifier` alone: whether each refusal of a record would be found. false: some may be missing, such as of requests that were refused before their body was read, rows without a readable identifier, and what is no longer kept',
    },
    complete_since: {
      type: 'string',
      format: 'date-time',
      examples: ['2026-11-20T01:00:00.000Z'],
      description: 'With `identifier` alone: since when each refusal would be found, in UTC',
    },
  },
  table: 'refused_request',
  key: ['request_id'],
  indexes: { key: 'key, nth', time: 'time, request_id', account: 'of_account, time, request_id' },
  goesWith: 'account',
  holds: 'Refused requests, without a value that was sent',
  goes: 'After 30 days',
  identifiers: 'address path faults rows codes',
  nothing: 'authentication method code',
  fields: {
    request_id: field(identifier('req_'), 'The `Request-Id` of the answer'),
    time: field(instant(), 'When it was answered', { example: '2026-11-21T02:00:07.125Z' }),
    key: optional(blankable(identifier('key_')), 'The API key'),
    account: optional(
      blankable(identifier('acct_')),
      'The account of the key; omitted if it has several',
      { column: 'of_account' },
    ),
    authentication: optional<string | null>(
      text(),
      'Why the key was refused: `revoked`, `expired`, `suspended`, `address_not_permitted` or `account_closed`; omitted if it was accepted',
      { example: 'revoked', seldom: true },
    ),
    address: optional<string | null>(text(), 'The network address of the client', {
      example: '203.0.113.7',
      personal: true,
    }),
    method: field(text(), 'The method', { example: 'POST' }),
    path: field(text(), 'The path; parts other than known names and identifiers are `*`', {
      example: '/v1/events/upsert_many',
    }),
    status: field(count(), 'HTTP status of the answer: 200 if only rows were refused', {
      example: 200,
    }),
    code: field(
      text(),
      'The error code of the answer, or the most frequent one of its refused rows',
      { example: 'datetime_invalid' },
    ),
    message: derived(
      text(),
      MESSAGE,
      ({ code, faults }: Refusal) => messageOf(faults.find((one) => one.code === code) ?? { code }),
      { example: catalogue.datetime_invalid.message },
    ),
    errors: derived(
      arrayOf('Faults of one kind.', error),
      'The faults, most frequent first',
      errorsOf,
      {
        example: [
          {
            code: 'datetime_invalid',
            param: 'event_datetime',
            message: catalogue.datetime_invalid.message,
            count: 1,
            lines: [57],
          },
        ],
      },
    ),
    row_counts: derived(
      counts(),
      'For `upsert_many`: the number of rows by outcome or error code',
      ({ rows }: Refusal) => rows?.counts ?? null,
      { as: 'rows', leftOut: true, example: { created: 199, datetime_invalid: 1 } },
    ),
    faults: field(json<readonly RefusedFault[]>(), 'The faults, as they are stored', hidden),
    rows: nullable(json<RefusedRows>(), 'Its rows, as they are stored', hidden),
    nth: local(count(), 'Rises among those of a key, of which only the last ones stay'),
    codes: local(text(), 'All codes, and marks of identifiers, with spaces around each'),
  },
});

export type RefusedRequest = ObjectOf<typeof refusedRequest.fields> & {
  /** Marks of the caller's identifiers, by which it can be found; identifiers cannot be read from them. */
  readonly marks?: readonly string[];
  /** Whether records were refused that none of the marks is of; left out: it was no write of records. */
  readonly unnamed?: boolean;
};

function errorsOf({ faults, rows }: Refusal): Json {
  return faults.map(({ rows: where, count, ...fault }) => ({
    ...fault,
    message: messageOf(fault),
    count,
    ...(where === undefined ? {} : { [rows?.numbered ?? 'elements']: where }),
  }));
}

/** The message that the caller got, or the same without what they sent. */
export function messageOf({ code, param, message, nearest }: Omit<RefusedFault, 'count'>): string {
  const said = message ?? (isCode(code) ? sentenceOf(code, { param }) : code);
  return nearest === undefined
    ? said
    : `${said} The known name that is most like it is ${nearest}.`;
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(catalogue, code);
}

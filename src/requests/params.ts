/** What can be asked of the log of requests, and how it is read. */
import { ApiError, catalogue, type ErrorCode, Faults } from '../errors.ts';
import { choice } from '../schema/fields/choice.ts';
import { datetime } from '../schema/fields/datetime.ts';
import { type BodyReading, optional } from '../schema/fields/kind.ts';
import type { Members } from '../schema/fields/members.ts';
import { range } from '../schema/fields/range.ts';
import { text } from '../schema/fields/text.ts';
import { wholeNumber } from '../schema/fields/whole-number.ts';
import { readQuery } from '../schema/query-string.ts';
import { isObject, type Json, type JsonObject } from '../schema/values.ts';
import type { ActivityQuery, RefusedQuery } from '../store/requests.ts';
import { nameIn } from './present.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
export const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;

const [firstCode, ...otherCodes] = Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]];

const ofBoth = {
  limit: optional(wholeNumber({ min: 1, max: MAX_PAGE }), 'How many entries to return at most'),
  account: optional(text({}), 'Only what is of this account: its unique_identifier'),
  key: optional(
    text({}),
    'Only requests with this API key: its identifier, key_…, never its secret',
  ),
} as const satisfies Members;

export const refusedParams = {
  ...ofBoth,
  code: optional(
    choice(firstCode, ...otherCodes),
    'Only requests with this error code, in the answer or in one of its rows',
  ),
  request_id: optional(text({}), 'Only the request with this identifier'),
  identifier: optional(
    text({ max: 255 }),
    'Only requests in which the record with this external_identifier was refused',
  ),
  status: optional(wholeNumber({ min: 100, max: 599 }), 'Only requests answered with this status'),
  path: optional(text({ max: 200 }), 'Only requests whose path begins so, such as /v1/events'),
  by: optional(
    choice('keys', 'staff'),
    'Only requests with API keys or without any, or only those of people in the console',
  ),
  time: optional(range(datetime()), 'When the request was answered'),
  starting_after: optional(text({}), 'request_id of the entry after which the page starts'),
} as const satisfies Members;

export const activityParams = {
  ...ofBoth,
  location: optional(text({}), 'Only what was done at this location: its unique_identifier'),
  hour: optional(range(datetime()), 'The hour in which it was done'),
  starting_after: optional(text({}), 'cursor of the entry after which the page starts'),
} as const satisfies Members;

export type RefusedAsked = Omit<RefusedQuery, 'seenBy' | 'after' | 'marks'> & {
  /** As its caller calls the record. */
  readonly identifier: string | undefined;
  readonly starting_after: string | undefined;
};

/** Throws one `ApiError` that names every fault of the query. */
export function readRefusedQuery(query: string, unknown: BodyReading['unknown']): RefusedAsked {
  const values = readAll(refusedParams, query, unknown);
  return {
    ...common(values),
    code: textIn(values, 'code'),
    request_id: textIn(values, 'request_id'),
    status: typeof values.status === 'number' ? values.status : undefined,
    identifier: textIn(values, 'identifier'),
    path: textIn(values, 'path'),
    by: textIn(values, 'by') as RefusedQuery['by'],
    ...boundsOf(values.time),
    starting_after: textIn(values, 'starting_after'),
  };
}

/** Throws one `ApiError` that names every fault of the query. */
export function readActivityQuery(
  query: string,
  unknown: BodyReading['unknown'],
): Omit<ActivityQuery, 'seenBy'> {
  const values = readAll(activityParams, query, unknown);
  const cursor = textIn(values, 'starting_after');
  const after = cursor === undefined ? undefined : nameIn(cursor);
  if (cursor !== undefined && after === undefined) throw cursorUnknown('cursor of an entry');
  const { from, to } = boundsOf(values.hour);
  return {
    ...common(values),
    anchor: textIn(values, 'location'),
    // The hour that a time lies in.
    from: from === undefined ? undefined : Math.floor(from / HOUR_MS) * HOUR_MS,
    to,
    after,
  };
}

export function cursorUnknown(what: string): ApiError {
  return new ApiError('value_invalid', {
    param: 'starting_after',
    message: `starting_after is not the ${what} that the API key may see.`,
  });
}

function readAll(members: Members, query: string, unknown: BodyReading['unknown']): JsonObject {
  const faults = new Faults();
  const values = readQuery(members, query, faults, unknown);
  const key = textIn(values, 'key');
  if (key !== undefined && !/^[a-z]+_[0-9A-Za-z]+$/.test(key))
    faults.add('key', 'value_invalid', 'key must be the identifier of a key, such as key_….');
  faults.throwIfAny();
  return values;
}

function common(values: JsonObject): Pick<RefusedQuery, 'limit' | 'account' | 'key'> {
  const { limit } = values;
  return {
    limit: typeof limit === 'number' ? limit : DEFAULT_PAGE,
    account: textIn(values, 'account'),
    key: textIn(values, 'key'),
  };
}

function textIn(values: JsonObject, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** A time stands for its second; of several bounds the narrowest hold. */
function boundsOf(value: Json | undefined): {
  readonly from: number | undefined;
  readonly to: number | undefined;
} {
  const bounds =
    typeof value === 'string'
      ? { gte: value, lte: value }
      : isObject(value ?? null)
        ? (value as JsonObject)
        : {};
  const at = (name: string): number | undefined => {
    const time = textIn(bounds, name);
    return time === undefined ? undefined : Date.parse(time);
  };
  const later = [at('gte'), after(at('gt'))].filter((time) => time !== undefined);
  const earlier = [at('lt'), after(at('lte'))].filter((time) => time !== undefined);
  return {
    from: later.length === 0 ? undefined : Math.max(...later),
    to: earlier.length === 0 ? undefined : Math.min(...earlier),
  };
}

function after(time: number | undefined): number | undefined {
  return time === undefined ? undefined : time + SECOND_MS;
}

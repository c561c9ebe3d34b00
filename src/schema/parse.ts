/** Params to Draft: reads what was sent to an upsert or a list, and names everything that is wrong with it. */
import { ApiError, Faults } from '../errors.ts';
import type { Resource } from './define.ts';
import { describe, optional, type Reading } from './fields/kind.ts';
import { type Members, readMembers, type SentObject } from './fields/members.ts';
import { text } from './fields/text.ts';
import { wholeNumber } from './fields/whole-number.ts';
import { parseForm } from './form.ts';
import { parseJsonBody } from './json.ts';
import { isObject, type JsonObject, setMember } from './values.ts';

/** What came in with an upsert: untrusted. */
export interface Params {
  readonly encoding: 'json' | 'form';
  readonly body: Uint8Array;
  /** The query string without its question mark. */
  readonly query: string;
  readonly unknown: 'refuse' | 'ignore';
}

/** What an upsert asks for: parsed, canonical, absent told from `null`. */
export interface UpsertRequest {
  readonly parent: string;
  readonly external_identifier: string;
  /** In the layout of the stored document. */
  readonly patch: JsonObject;
}

/** Reads an upsert, or throws one `ApiError` that names every fault of its body and query. */
export function parseUpsert(resource: Resource, params: Params): UpsertRequest {
  const faults = new Faults();
  const reading: Reading = { encoding: params.encoding, faults, unknown: params.unknown };
  readQuery({}, params.query, faults, params.unknown);
  const sent = readBody(params, faults);
  const values = sent === undefined ? {} : readMembers(resource.params, sent, '', reading);
  faults.throwIfAny();
  return arrange(resource, values);
}

/** What a list asks for. */
export interface ListRequest {
  readonly limit: number;
  readonly cursor?: {
    readonly side: 'after' | 'before';
    readonly unique_identifier: string;
    readonly param: string;
  };
}

/** The most records on one page. */
export const MAX_PAGE = 1000;

export const listParams = {
  limit: optional(wholeNumber({ min: 1, max: MAX_PAGE }), 'How many records to return at most'),
  starting_after: optional(text({}), 'unique_identifier of the record after which the page starts'),
  ending_before: optional(text({}), 'unique_identifier of the record before which the page ends'),
} as const satisfies Members;

/** Reads the query string of a list, or throws one `ApiError` that names every fault in it. */
export function parseList(
  resource: Resource,
  query: string,
  unknown: Reading['unknown'],
): ListRequest {
  const faults = new Faults();
  const values = readQuery(listParams, query, faults, unknown);
  for (const name of Object.keys(values)) {
    if (values[name] === null)
      faults.add(name, 'value_invalid', `${name} is empty: give it a value or leave it out.`);
  }
  const { limit, starting_after, ending_before } = values;
  if (starting_after !== undefined && ending_before !== undefined) {
    faults.add(
      'ending_before',
      'parameters_conflict',
      'starting_after and ending_before cannot be sent together: a page has one start.',
    );
  }
  faults.throwIfAny();
  const page = typeof limit === 'number' ? limit : (resource.list?.page ?? MAX_PAGE);
  if (typeof starting_after === 'string') {
    return {
      limit: page,
      cursor: { side: 'after', unique_identifier: starting_after, param: 'starting_after' },
    };
  }
  if (typeof ending_before === 'string') {
    return {
      limit: page,
      cursor: { side: 'before', unique_identifier: ending_before, param: 'ending_before' },
    };
  }
  return { limit: page };
}

function readQuery(
  members: Members,
  query: string,
  faults: Faults,
  unknown: Reading['unknown'],
): JsonObject {
  if (query === '') return {};
  return readMembers(members, parseForm(Buffer.from(query), faults), '', {
    encoding: 'form',
    faults,
    unknown,
  });
}

function readBody({ encoding, body }: Params, faults: Faults): SentObject | undefined {
  if (encoding === 'form') return parseForm(body, faults);
  const sent = parseJsonBody(body, faults);
  if (sent === undefined) return undefined;
  if (isObject(sent)) return sent;
  throw new ApiError('type_invalid', {
    message: `The body must be a JSON object, and ${describe(sent)} was sent.`,
  });
}

/** Puts flat parameters where the document has them. */
function arrange(resource: Resource, values: JsonObject): UpsertRequest {
  const patch: JsonObject = {};
  for (const name in resource.fields) take(values, name, patch);
  if (resource.public_data !== undefined) {
    const inside: JsonObject = {};
    for (const name in resource.public_data) take(values, name, inside);
    patch.public_data = inside;
  }
  return {
    parent: values[resource.parentParam as string] as string,
    external_identifier: values.external_identifier as string,
    patch,
  };
}

function take(values: JsonObject, name: string, into: JsonObject): void {
  const value = values[name];
  if (value !== undefined) setMember(into, name, value);
}

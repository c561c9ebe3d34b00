/** Random parameters of an upsert that the declarations accept, and what each of them must become. */
import fc from 'fast-check';
import { ApiError } from '../../src/core/errors.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import type { Field, Samples } from '../../src/core/schema/fields/kind.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { stringify } from '../../src/core/schema/json/json.ts';
import { parseUpsert, type UpsertRequest } from '../../src/core/schema/parse/parse.ts';
import type { Json, JsonObject } from '../../src/core/schema/values.ts';

/** A value to send, and what is answered for it; nothing where it removes or was left out. */
export interface Expected {
  readonly send?: Json;
  readonly answered?: Json;
}

/** Members that are valid together as far as each one by itself is. */
export function paramsOf(
  members: Members,
): fc.Arbitrary<{ send: JsonObject; answered: JsonObject }> {
  const each = Object.fromEntries(
    Object.entries(members).map(([name, field]) => [name, expectedOf(field)]),
  );
  return fc.record(each).map((values) => {
    const send: JsonObject = {};
    const answered: JsonObject = {};
    for (const [name, value] of Object.entries(values)) {
      if (value.send !== undefined) send[name] = value.send;
      if (value.answered !== undefined) answered[name] = value.answered;
    }
    return { send, answered };
  });
}

function expectedOf({ kind, required }: Field): fc.Arbitrary<Expected> {
  const value: fc.Arbitrary<Expected> =
    kind.members === undefined
      ? fc.constantFrom(...kind.samples().accepted).map(fromSample)
      : paramsOf(kind.members).map(({ send, answered }) =>
          Object.keys(answered).length === 0 ? { send } : { send, answered },
        );
  if (required) return value;
  const emptied: Expected[] = kind.scalar ? [{ send: null }, { send: '' }] : [{ send: null }];
  return fc.oneof(
    { weight: 4, arbitrary: value },
    { weight: 2, arbitrary: fc.constant({}) },
    fc.constantFrom(...emptied),
  );
}

function fromSample({ send, stored = send }: Samples['accepted'][number]): Expected {
  return { send, answered: stored };
}

/** What an upsert makes of a JSON body: a value, or the text as it is. */
export function parseSent(
  resource: Resource,
  sent: Json | object,
  unknown: 'refuse' | 'ignore' = 'refuse',
): UpsertRequest {
  const body = Buffer.from(typeof sent === 'string' ? sent : stringify(sent as Json));
  return parseUpsert(resource, { encoding: 'json', body, query: '', unknown });
}

/** With what work is refused; nothing where it is not. */
export function refusalOf(work: () => unknown): ApiError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

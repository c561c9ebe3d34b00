/** The JSON Schemas that we publish accept and refuse what the parser does, on random values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ErrorCode, Faults } from '../../src/core/errors.ts';
import { resources } from '../../src/core/resources/index.ts';
import type { Kind } from '../../src/core/schema/fields/kind.ts';
import { object } from '../../src/core/schema/fields/object.ts';
import { parseStored, stringify } from '../../src/core/schema/json/json.ts';
import { type Json, type JsonObject, setMember } from '../../src/core/schema/values.ts';
import { anyCharacter } from '../support/characters.ts';
import { singleKinds, validatorOf } from '../support/kinds.ts';
import { paramsOf, parseSent, refusalOf } from '../support/params.ts';
import { parseJson } from '../support/parse-json.ts';
import { pluck } from '../support/pluck.ts';
import { json } from '../support/values.ts';

/** What only the parser tells, as the samples say: with these codes a value may be refused that the schema accepts. */
function beyondSchema({ samples, members = {} }: Kind<unknown>): Set<ErrorCode> {
  const own = samples().refused.filter((sample) => sample.beyondSchema !== undefined);
  return new Set([
    ...own.map(({ code }) => code),
    ...Object.values(members).flatMap(({ kind }) => [...beyondSchema(kind)]),
  ]);
}

/** Letters and signs that are next to right in dates, times, phone numbers and URLs. */
const sign = fc.oneof(
  fc.constantFrom(...'0123456789+-–.:/ ()tTzZxX[]%@#?\\\n\t\u0663\u00a0\u2028é\u{1f56f}'),
  fc.string({ minLength: 1, maxLength: 1, unit: anyCharacter }),
);

/** Blank, by Unicode, and what only looks blank or is so for JavaScript alone. */
const blank = fc.constantFrom('', ' ', '\t\n', '\u0085', '\u00a0\u2003', '\ufeff', '\u200b');

/** A text with a few letters changed, inserted or left out. */
function misspelt(text: string): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(text.length),
    away: fc.nat(2),
    put: fc.array(sign, { maxLength: 2 }),
  });
  return fc
    .array(change, { maxLength: 2 })
    .map((changes) =>
      changes
        .reduce(
          (now, { at, away, put }) => now.slice(0, at) + put.join('') + now.slice(at + away),
          text,
        )
        .toWellFormed(),
    );
}

/** A value with its texts misspelt, its numbers moved and its members replaced, now and then. */
function nearly(value: Json): fc.Arbitrary<Json> {
  if (typeof value === 'string') {
    const near = value.length > 3000 ? fc.constant(value) : misspelt(value);
    return fc.oneof({ weight: 9, arbitrary: near }, blank);
  }
  if (typeof value === 'number') {
    return fc.oneof(
      fc.integer({ min: -2, max: 2 }).map((by) => value + by),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
  }
  if (Array.isArray(value)) {
    const elements = fc.tuple(...value.map(nearly));
    return fc.oneof(
      elements,
      elements.chain((list) => fc.subarray(list)),
      elements.map((list) => [...list, ...list]),
    );
  }
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value))
    return fc.constant(value);
  const members = fc.record(
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nearly(one)])),
    { requiredKeys: [] },
  );
  return fc
    .tuple(members, fc.option(fc.tuple(fc.constantFrom(...Object.keys(value), 'other'), json)))
    .map(([changed, extra]) => {
      const result = { ...changed } as JsonObject;
      if (extra !== null) setMember(result, ...extra);
      return result;
    });
}

function near({ samples }: Kind<unknown>): fc.Arbitrary<Json> {
  const { accepted, refused } = samples();
  return fc.constantFrom(...accepted, ...refused).chain(({ send }) => nearly(send));
}

/** `codes` are the parser's faults; none means that it accepts. */
function assertAgree(
  accepted: boolean,
  codes: readonly ErrorCode[],
  beyond: ReadonlySet<ErrorCode>,
  about: string,
): void {
  if (codes.length === 0) {
    assert.ok(accepted, `only the parser accepts ${about}`);
  } else if (accepted) {
    const told = codes.filter((code) => !beyond.has(code));
    assert.deepEqual(told, [], `only JSON Schema accepts ${about}`);
  }
}

describe('a field kind and its JSON Schema agree', () => {
  for (const { name, kind } of singleKinds) {
    it(`${name} (${kind.name})`, () => {
      const validate = validatorOf(kind.schema);
      const beyond = beyondSchema(kind);
      fc.assert(
        fc.property(fc.oneof({ weight: 3, arbitrary: near(kind) }, json), (value) => {
          const text = stringify(value);
          const faults = new Faults();
          kind.read(parseStored(text), 'field', { encoding: 'json', faults, unknown: 'refuse' });
          assertAgree(validate(parseJson(text)), pluck(faults.named, 'code'), beyond, text);
        }),
        { numRuns: 1500 },
      );
    });
  }
});

describe('an upsert and its JSON Schema agree', () => {
  for (const resource of resources.filter(({ parent }) => parent !== undefined)) {
    it(resource.path, () => {
      const whole = object(resource.params);
      const validate = validatorOf(whole.schema);
      // Neither has JSON Schema a word for NUL characters.
      const beyond = beyondSchema(whole).add('text_invalid');
      const body = paramsOf(resource.params).chain(({ send }) =>
        fc.oneof(fc.constant(send), nearly(send)),
      );
      fc.assert(
        fc.property(body, (value) => {
          const text = stringify(value);
          const refusal = refusalOf(() => parseSent(resource, value as JsonObject));
          const codes = pluck(refusal?.faults ?? [], 'code');
          assertAgree(validate(parseJson(text)), codes, beyond, text);
        }),
        { numRuns: 500 },
      );
    });
  }
});

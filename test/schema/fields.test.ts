/** One walk over all field kinds: each keeps what its own samples promise. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Faults } from '../../src/core/errors.ts';
import type { InputValue, Kind } from '../../src/core/schema/fields/kind.ts';
import { isRange } from '../../src/core/schema/fields/kinds/range.ts';
import { parseForm } from '../../src/core/schema/form/form.ts';
import { equalJson, parseJsonBody, stringify } from '../../src/core/schema/json/json.ts';
import { merge } from '../../src/core/schema/merge/merge.ts';
import { isObject, isRawNumber, type Json, type JsonObject } from '../../src/core/schema/values.ts';
import { formOf } from '../support/bodies.ts';
import { declaredKinds, singleKinds, validatorOf } from '../support/kinds.ts';

/** What a member `field` of that kind makes of a value sent in a JSON body. */
function readJson(kind: Kind<unknown>, value: Json): { read: Json | undefined; faults: Faults } {
  const faults = new Faults();
  const body = parseJsonBody(Buffer.from(stringify({ field: value })), faults) as JsonObject;
  const reading = { encoding: 'json', faults, unknown: 'refuse' } as const;
  return { read: kind.read(body.field as Json, 'field', reading), faults };
}

function readForm(kind: Kind<unknown>, value: Json): { read: Json | undefined; faults: Faults } {
  const faults = new Faults();
  const form = parseForm(Buffer.from(formOf({ field: value })), faults);
  const reading = { encoding: 'form', faults, unknown: 'refuse' } as const;
  return { read: kind.read(form.members.get('field') as InputValue, 'field', reading), faults };
}

/** What a first upsert stores of a value that was read; `undefined` for nothing. */
function stored(kind: Kind<unknown>, read: Json): Json | undefined {
  const members = new Map([['field', kind.shape('field')]]);
  const shape = { is: 'object', members, stays: true, needs: [] } as const;
  const { document, faults } = merge(shape, undefined, { field: read });
  assert.deepEqual(faults ?? [], []);
  return document?.field;
}

/** Forms have text only: they say neither `null` nor "" nor an empty array or object, and no numbers in free-form content. */
function formCanSay(kind: Kind<unknown>, value: Json): boolean {
  const textOnly = kind.shape('field').is === 'content';
  const can = (one: Json): boolean => {
    if (typeof one === 'string') return one !== '' || textOnly;
    if (one === null || isRawNumber(one)) return false;
    if (typeof one !== 'object') return !textOnly;
    const inner = Object.values(one);
    return inner.length > 0 && inner.every(can);
  };
  return can(value);
}

const brief = (value: Json): string => {
  const text = stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length} characters)` : text;
};

for (const { name, kind } of [...singleKinds, ...declaredKinds]) {
  describe(`${name} (${kind.name})`, () => {
    const accepts = validatorOf(kind.schema);
    const shows = validatorOf(kind.shown);
    const { accepted, refused } = kind.samples();

    it('has samples of both sorts', () => {
      assert.ok(accepted.length > 0 && refused.length > 0);
    });

    for (const sample of accepted) {
      it(`accepts ${brief(sample.send)}`, () => {
        const expected = sample.stored ?? sample.send;
        const { read, faults } = readJson(kind, sample.send);
        assert.deepEqual(faults.named, []);
        const kept = stored(kind, read as Json);
        assert.ok(
          equalJson(kept as Json, expected),
          `${brief(kept as Json)} instead of ${brief(expected)}`,
        );
        assert.ok(
          accepts(sample.send),
          `JSON Schema refuses it: ${JSON.stringify(accepts.errors)}`,
        );
        assert.ok(shows(kept), `the schema of answers refuses it: ${JSON.stringify(shows.errors)}`);
        assert.ok(
          equalJson(stored(kind, readJson(kind, expected).read as Json) as Json, expected),
          'what was answered can be sent again',
        );
      });

      if (formCanSay(kind, sample.send)) {
        it(`accepts ${brief(sample.send)} in a form`, () => {
          const { read, faults } = readForm(kind, sample.send);
          assert.deepEqual(faults.named, []);
          assert.ok(equalJson(stored(kind, read as Json) as Json, sample.stored ?? sample.send));
        });
      }
    }

    for (const { send, code, beyondSchema } of refused) {
      it(`refuses ${brief(send)}`, () => {
        const { read, faults } = readJson(kind, send);
        assert.equal(read, undefined);
        const [fault] = faults.named;
        assert.equal(fault?.code, code);
        assert.match(fault?.param ?? '', /^field(\.|$)/);
        assert.ok(
          fault?.message.startsWith(fault.param ?? '?'),
          `${fault?.message} names no field`,
        );
        assert.match(fault?.message ?? '', /\S\.$|\?$/);
        // A raw number is an object to whoever does not know it.
        if (isRawNumber(send)) return;
        assert.equal(
          accepts(send),
          beyondSchema !== undefined,
          beyondSchema === undefined
            ? 'JSON Schema accepts it'
            : `JSON Schema refuses it too, though marked: ${beyondSchema}`,
        );
      });

      // Where the fault is the type, a form may well say the very same with the right one.
      if (code !== 'type_invalid' && formCanSay(kind, send)) {
        it(`refuses ${brief(send)} in a form`, () => {
          const { read, faults } = readForm(kind, send);
          assert.equal(read, undefined);
          assert.match(faults.named[0]?.param ?? '', /^field(\.|$)/);
        });
      }
    }
  });
}

describe('documented objects', () => {
  it('are merged member by member: each has a shape of its own, named by its whole path', () => {
    for (const { name, kind } of declaredKinds) {
      // Lists ask by range; no record holds one.
      if (kind.members === undefined || isRange(kind)) continue;
      const shape = kind.shape('field');
      assert.equal(shape.is, 'object', name);
      if (shape.is !== 'object') continue;
      assert.deepEqual([...shape.members.keys()], Object.keys(kind.members));
      assert.equal(isObject(kind.samples().accepted[0]?.send), true);
    }
  });
});

/** One walk over all field kinds: each keeps what its own samples promise. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Faults } from '../../src/core/errors.ts';
import type { InputValue, Kind } from '../../src/core/schema/fields/kind.ts';
import { isRange } from '../../src/core/schema/fields/kinds/range.ts';
import { parseForm } from '../../src/core/schema/form/form.ts';
import { equalJson, stringify } from '../../src/core/schema/json/json.ts';
import { merge } from '../../src/core/schema/merge/merge.ts';
import { isObject, isRawNumber, type Json } from '../../src/core/schema/values.ts';
import { formOf } from '../support/bodies.ts';
import {
  declaredKinds,
  type FieldReading,
  readField,
  singleKinds,
  validatorOf,
} from '../support/kinds.ts';

function readForm(kind: Kind<unknown>, value: Json): FieldReading {
  const faults = new Faults();
  const form = parseForm(Buffer.from(formOf({ field: value })), faults);
  const reading = { encoding: 'form', faults, unknown: 'refuse' } as const;
  const read = kind.read(form.members.get('field') as InputValue, 'field', reading);
  return { read, faults: faults.named };
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

    it('accepts each of its samples, in a form too, and what is answered to them', () => {
      assert.ok(accepted.length > 0);
      for (const { send, stored: expected = send } of accepted) {
        const about = brief(send);
        const keeps = ({ read, faults }: FieldReading): Json => {
          assert.deepEqual([about, faults], [about, []]);
          const kept = stored(kind, read as Json) as Json;
          assert.ok(equalJson(kept, expected), `${about} is kept as ${brief(kept)}`);
          return kept;
        };
        const kept = keeps(readField(kind, stringify(send)));
        keeps(readField(kind, stringify(expected)));
        if (formCanSay(kind, send)) keeps(readForm(kind, send));
        assert.ok(accepts(send), `${about}: ${JSON.stringify(accepts.errors)}`);
        assert.ok(shows(kept), `the answer to ${about}: ${JSON.stringify(shows.errors)}`);
      }
    });

    it('refuses each of its samples that is wrong, by its name', () => {
      assert.ok(refused.length > 0);
      for (const { send, code, beyondSchema } of refused) {
        const about = brief(send);
        const { read, faults } = readField(kind, stringify(send));
        const { param = '?', message = '' } = faults[0] ?? {};
        assert.deepEqual([about, read, faults[0]?.code], [about, undefined, code]);
        assert.match(param, /^field(\.|$)/, about);
        assert.ok(message.startsWith(param), `${about}: ${message} names no field`);
        assert.match(message, /\S\.$|\?$/, about);
        // Where the fault is the type, a form may well say the very same with the right one.
        if (code !== 'type_invalid' && formCanSay(kind, send)) {
          const form = readForm(kind, send);
          assert.equal(form.read, undefined, about);
          assert.match(form.faults[0]?.param ?? '', /^field(\.|$)/, about);
        }
        // A raw number is an object to whoever does not know it.
        if (isRawNumber(send)) continue;
        const says = `JSON Schema on ${about}, which is beyond it: ${beyondSchema ?? 'no'}`;
        assert.equal(accepts(send), beyondSchema !== undefined, says);
      }
    });
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

/** Free-form objects: anything that the sender wants to store with a record. */
import { FormGroup, formContent } from '../../form/form.ts';
import { byteLength } from '../../json/json.ts';
import { memberPath } from '../../path.ts';
import { inThousands } from '../../present/words.ts';
import { isObject, type JsonObject } from '../../values.ts';
import {
  type BodyReading,
  type InputValue,
  type Kind,
  refusals,
  refuseSingle,
  wrongType,
} from '../kind.ts';

const NO_BYTES = 'JSON Schema has no limit in bytes';

/**
 * An object of any content, merged at every depth, of at most `maxBytes` bytes
 * of compact JSON: what is sent, and what the merge gives.
 */
export function content({ maxBytes }: { maxBytes: number }): Kind<JsonObject> {
  return {
    name: 'free-form object',
    limit: `at most ${inThousands(maxBytes)} bytes of compact JSON`,
    shape: (param) => ({ is: 'content', maxBytes, param }),
    scalar: false,
    read: (sent, at, reading) => {
      const value = readObject(sent, at, reading);
      return value !== undefined && fits(value, maxBytes, at, reading) ? value : undefined;
    },
    schema: { type: 'object', additionalProperties: true },
    shown: { type: 'object', additionalProperties: true },
    samples: () => ({
      accepted: [
        {
          send: {
            plot: 'B-12',
            flowers: ['lilies', 'roses'],
            seating: { rows: 12, reserved: true },
          },
        },
        { send: { amount: 0.1, nothing: [null], empty: {}, text: '' } },
        { send: { goes: null, stays: 1 }, stored: { stays: 1 } },
        { send: { size: 'x'.repeat(maxBytes - '{"size":""}'.length) } },
      ],
      refused: [
        ...refusals(
          'value_too_large',
          [{ size: 'x'.repeat(maxBytes - '{"size":""}'.length + 1) }],
          NO_BYTES,
        ),
        ...refusals('type_invalid', [['x'], 'x', 7]),
      ],
    }),
  };
}

/** An object of texts: string keys, string values, where `null` removes a key. */
export function textMap({ maxBytes }: { maxBytes: number }): Kind<Record<string, string>> {
  return {
    ...content({ maxBytes }),
    name: 'object of texts',
    read: (sent, at, reading) => {
      const value = readObject(sent, at, reading);
      if (value === undefined) return undefined;
      const before = reading.faults.count;
      for (const key of Object.keys(value)) {
        const member = value[key];
        if (typeof member !== 'string' && member !== null)
          wrongType(member as InputValue, memberPath(at, key), 'a string', reading);
      }
      return reading.faults.count === before && fits(value, maxBytes, at, reading)
        ? value
        : undefined;
    },
    schema: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    shown: { type: 'object', additionalProperties: { type: 'string' } },
    samples: () => ({
      accepted: [
        { send: { order_number: 'A-1041', mailer_code: 'spring' } },
        { send: { empty: '' } },
        { send: { goes: null, stays: 'yes' }, stored: { stays: 'yes' } },
      ],
      refused: [
        ...refusals('type_invalid', [{ order_number: 1041 }, { nested: { a: 'b' } }, ['x']]),
        ...refusals('value_too_large', [{ size: 'x'.repeat(maxBytes) }], NO_BYTES),
      ],
    }),
  };
}

function readObject(sent: InputValue, at: string, reading: BodyReading): JsonObject | undefined {
  if (sent instanceof FormGroup) {
    const before = reading.faults.count;
    const value = formContent(sent, at, reading.faults);
    return reading.faults.count === before ? value : undefined;
  }
  return isObject(sent) ? sent : refuseSingle(sent, at, 'an object', reading);
}

function fits(value: JsonObject, maxBytes: number, at: string, reading: BodyReading): boolean {
  if (reading.most !== undefined && reading.most <= maxBytes) return true;
  const bytes = byteLength(value);
  if (bytes <= maxBytes) return true;
  reading.faults.add(at, 'value_too_large', { values: { has: bytes, most: maxBytes } });
  return false;
}

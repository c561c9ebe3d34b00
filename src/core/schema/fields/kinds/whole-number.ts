/** Whole numbers that a double holds exactly, such as an amount in cents. */
import { inThousands } from '../../present/words.ts';
import { isRawNumber } from '../../values.ts';
import {
  type BodyReading,
  type InputValue,
  type Kind,
  refusals,
  refuse,
  wrongType,
} from '../kind.ts';

/** A whole number from `min` to `max` (0 to 2⁵³ − 1), however it is spelled: `1e2` is 100. */
export function wholeNumber({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Kind<number> {
  const schema = { type: 'integer', minimum: min, maximum: max };
  return {
    name: 'whole number',
    limit: `from ${inThousands(min)} to ${inThousands(max)}`,
    shape: () => ({ is: 'value' }),
    scalar: true,
    read: (sent, at, reading) => {
      const value = readNumber(sent, reading);
      const how = reading.encoding === 'json' ? 'without quotes' : 'decimal digits only';
      if (value === undefined) return wrongType(sent, at, `a whole number, ${how}`, reading);
      if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
      if (Number.isFinite(value) && !Number.isInteger(value))
        return refuse(reading, at, 'number_not_whole');
      const message = `${at} must be a whole number from ${min} to ${max}.`;
      const values = { least: min, most: max };
      return refuse(reading, at, 'number_out_of_range', { message, values });
    },
    schema,
    shown: schema,
    samples: () => ({
      accepted: [{ send: Math.min(149_900, max) }, { send: min }, { send: max }],
      refused: [
        ...refusals('number_not_whole', [1.5]),
        ...refusals('number_out_of_range', [min - 1, max + 1]),
        ...refusals('number_out_of_range', [JSON.rawJSON('1e+400')], 'validators read doubles'),
        ...refusals('type_invalid', ['100', true]),
      ],
    }),
  };
}

/**
 * A double that is judged as the number would be: a number that no double represents is not a whole number in range.
 */
function readNumber(sent: InputValue, reading: BodyReading): number | undefined {
  if (typeof sent === 'number') return sent;
  if (isRawNumber(sent)) {
    const fraction = /^-?\d+\.\d+$|e-/.test(sent.rawJSON);
    return fraction ? 0.5 : Number.POSITIVE_INFINITY;
  }
  if (reading.encoding !== 'json' && typeof sent === 'string' && /^\d+$/.test(sent))
    return Number(sent);
  return undefined;
}

/** Telephone numbers in E.164 form (specification, E164_string). */
import { E164, readPhone } from '../../phones/numbers.ts';
import { type BodyReading, type Kind, refusals, refuse } from '../kind.ts';
import { ofText } from './text.ts';

/** An E.164 number, sent and stored as `+14155550123`. */
export function phone(): Kind<string> {
  return {
    name: 'E.164 phone number',
    ...ofText((value, at, reading) => {
      if (E164.test(value)) return value;
      const said = () => `${at} is not a phone number in E.164 form; ${advice(value, reading)}`;
      return refuse(reading, at, 'phone_number_invalid', said);
    }, '+14155550123'),
    schema: { type: 'string', pattern: E164.source },
    shown: { type: 'string', pattern: E164.source },
    samples: () => ({
      accepted: [
        ...[{ send: '+14155550123' }, { send: '+442079460958' }],
        ...[{ send: '+2345678' }, { send: '+234567890123456' }],
      ],
      refused: [
        ...refusals('phone_number_invalid', ['4155550123', '(415) 555-0123', '+1 415 555 0123']),
        ...refusals('phone_number_invalid', [' 14155550123', '+04155550123', '+1415555012']),
        ...refusals('phone_number_invalid', ['+141555501234', '+234567', '+2345678901234567']),
        ...refusals('phone_number_invalid', ['+44 (0)20 7946 0958', '0044 (0)20 7946 0958']),
        ...refusals('phone_number_invalid', ['+14155550123\n', '+1415555012٣']),
        ...refusals('type_invalid', [14155550123]),
      ],
    }),
  };
}

function advice(value: string, reading: BodyReading): string {
  if (reading.encoding === 'form' && /^ \d/.test(value))
    return 'it starts with a space, so its plus sign was sent unencoded: percent-encode + as %2B, such as %2B14155550123.';
  if (/^\+1\d*$/.test(value))
    return `after +1 there are ten digits, such as +14155550123, and here are ${value.length - 2}.`;
  const likely = readPhone(value);
  const encoded = reading.encoding === 'form' ? ', its + percent-encoded as %2B' : '';
  return likely === undefined
    ? `send + with the country code and the number, digits only, such as +14155550123${encoded}.`
    : `send ${likely} if that is the number${encoded}.`;
}

const US_PUNCTUATION = /[ ().-]/g;
const TEN_DIGITS = /^(?:\+?1)?(\d{10})$/;

/** Ways in which people write one number. */
const WRITTEN = [
  ...['+14155550123', '(415) 555-0123', '415-555-0123', '4155550123', '415.555.0123'],
  ...['1 (415) 555 0123', '+1 415-555-0123'],
];

/** A ten-digit US number in any punctuation, with or without `1` or `+1` before it; area codes are not judged. */
export function usPhone(): Kind<string> {
  return {
    name: 'US phone number',
    ...ofText((value, at, reading) => {
      const found = TEN_DIGITS.exec(value.replace(US_PUNCTUATION, ''));
      if (found !== null) return `+1${found[1]}`;
      const message = `${at} is not a US phone number; send ten digits with or without +1, such as +14155550123, (415) 555-0123, 415-555-0123 or 4155550123, and nothing else around them.`;
      return refuse(reading, at, 'phone_number_invalid', message);
    }, '+14155550123'),
    schema: {
      type: 'string',
      pattern: '^[ ().\\-]*(?:(?:\\+[ ().\\-]*)?1[ ().\\-]*)?(?:\\d[ ().\\-]*){10}$',
    },
    shown: { type: 'string', pattern: '^\\+1\\d{10}$' },
    samples: () => ({
      accepted: [
        ...WRITTEN.map((send) => ({ send, stored: '+14155550123' })),
        { send: '1234567890', stored: '+11234567890' },
      ],
      refused: [
        ...refusals('phone_number_invalid', ['555-0123', '+4155550123', '+442079460958']),
        ...refusals('phone_number_invalid', ['call 415-555-0123', '415-555-0123 x4']),
        ...refusals('phone_number_invalid', ['415/555/0123', '41555501234', '4155550123\n']),
        ...refusals('type_invalid', [4155550123]),
      ],
    }),
  };
}

/** Telephone numbers in E.164 form (specification, E164_string). */
import { type BodyReading, type Kind, refusals, refuse } from '../kind.ts';
import { ofText } from './text.ts';

/** The country code 1 has ten digits after it, always; of others lengths differ. */
const E164 = /^\+(?:1\d{10}|[2-9]\d{6,14})$/;
const PUNCTUATION = /[\s().\-/]/g;

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
  const likely = likelyE164(value);
  const encoded = reading.encoding === 'form' ? ', its + percent-encoded as %2B' : '';
  return likely === undefined
    ? `send + with the country code and the number, digits only, such as +14155550123${encoded}.`
    : `send ${likely} if that is the number${encoded}.`;
}

/** Characters that cannot be seen come with numbers that are copied. */
const UNSEEN = /\p{Cf}/gu;
/** An apostrophe of a spreadsheet, the scheme of a link. */
const BEFORE = /^(?:'|tel:)+/i;
const DASHES = /[\p{Pd}\u2212]/gu;
const WIDE = /[\uff01-\uff5e]/g;
const WIDER_BY = 0xfee0;

/** A number in the characters of a keyboard, and nothing around it. */
function plainNumber(value: string): string {
  return value
    .replace(UNSEEN, '')
    .replace(WIDE, (one) => String.fromCharCode(one.charCodeAt(0) - WIDER_BY))
    .trim()
    .replace(BEFORE, '')
    .replace(DASHES, '-');
}

/** The E.164 form of a phone number as people and programs write it, where it can be one number only. */
export function likelyE164(value: string): string | undefined {
  if (value.length > 40) return undefined;
  const plain = plainNumber(value);
  const digits = plain.replace(PUNCTUATION, '');
  const international = /^(?:\+|00|011)([1-9]\d+)$/.exec(digits)?.[1];
  const national = /^1?([2-9]\d{9})$/.exec(digits)?.[1];
  const found =
    international !== undefined
      ? dialled(international, plain)
      : national !== undefined
        ? `1${national}`
        : undefined;
  return found !== undefined && E164.test(`+${found}`) ? `+${found}` : undefined;
}

const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;
/** Countries whose numbers begin with a zero that is dialled from abroad, too: Italy and its neighbours, Ivory Coast, Congo, Gabon. */
const KEEPS_ZERO = ['39', '378', '225', '242', '241'];

/** The digits as they are dialled from abroad: `+44 (0)20` is printed with a zero that is for callers within the country. */
function dialled(digits: string, written: string): string | undefined {
  const [code = ''] = COUNTRY_CODE.exec(digits) ?? [];
  const rest = digits.slice(code.length);
  const inBrackets = /\(\s*(\d+)/.exec(written)?.[1];
  // Other prefixes within a country: (8) in Russia and Lithuania, 06 in Hungary.
  if (inBrackets === '8' || (code === '36' && rest.startsWith('06'))) return undefined;
  if (code === '7' && rest.length !== 10) return undefined;
  if (!rest.startsWith('0')) return digits;
  if (KEEPS_ZERO.includes(code)) return inBrackets === '0' ? undefined : digits;
  return rest.startsWith('00') ? undefined : code + rest.slice(1);
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

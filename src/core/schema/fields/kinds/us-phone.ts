/** US telephone numbers as people write them on a reply card, stored in E.164 form. */
import { type Kind, refusals, refuse } from '../kind.ts';
import { ofText } from './text.ts';

const PUNCTUATION = /[ ().-]/g;
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
      const found = TEN_DIGITS.exec(value.replace(PUNCTUATION, ''));
      if (found !== null) return `+1${found[1]}`;
      const message = `${at} is not a US phone number; send ten digits with or without +1, such as +14155550123, (415) 555-0123, 415-555-0123 or 4155550123, and nothing else around them.`;
      return refuse(reading, at, 'phone_number_invalid', message);
    }),
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

/** Booleans: `true` and `false` in JSON, and `true`, `false`, `1` or `0` in forms and tables. */
import { type Kind, refusals, refuse, wrongType } from '../kind.ts';

const IN_FORMS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export function boolean(): Kind<boolean> {
  return {
    name: 'boolean',
    shape: () => ({ is: 'value' }),
    scalar: true,
    read: (sent, at, reading) => {
      if (reading.encoding !== 'json' && typeof sent === 'string') {
        return (
          IN_FORMS.get(sent) ??
          refuse(reading, at, 'type_invalid', `${at} must be true, false, 1 or 0.`)
        );
      }
      if (typeof sent === 'boolean') return sent;
      return wrongType(
        sent,
        at,
        reading.encoding === 'json' ? 'true or false, without quotes' : 'true, false, 1 or 0',
        reading,
      );
    },
    schema: { type: 'boolean' },
    shown: { type: 'boolean' },
    samples: () => ({
      accepted: [{ send: true }, { send: false }],
      refused: refusals('type_invalid', ['true', 1, 0, {}]),
    }),
  };
}

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
      const isJson = reading.encoding === 'json';
      const wanted = isJson ? 'true or false, without quotes' : 'true, false, 1 or 0';
      if (typeof sent === 'string' && !isJson) {
        const value = IN_FORMS.get(sent);
        return value ?? refuse(reading, at, 'type_invalid', `${at} must be ${wanted}.`);
      }
      return typeof sent === 'boolean' ? sent : wrongType(sent, at, wanted, reading);
    },
    schema: { type: 'boolean' },
    shown: { type: 'boolean' },
    samples: () => ({
      accepted: [{ send: true }, { send: false }],
      refused: refusals('type_invalid', ['true', 1, 0, {}]),
    }),
  };
}

/** A wish that is `false` where it is left out: forms of tools offer it so. */
export function wish(): Kind<boolean> {
  return { ...boolean(), schema: { type: 'boolean', default: false } };
}

export function onlyTrue(): Kind<true> {
  const either = boolean();
  return {
    ...either,
    name: 'only `true`',
    read: (sent, at, reading) => {
      const value = either.read(sent, at, reading);
      if (value !== false) return value === undefined ? undefined : true;
      const message = `${at} finds the records in which it is true: send true, or leave it out. Lists do not find those in which it is not.`;
      return refuse(reading, at, 'value_invalid', message);
    },
    schema: { type: 'boolean', const: true },
    shown: { type: 'boolean', const: true },
    samples: () => ({
      accepted: [{ send: true }],
      refused: [...refusals('value_invalid', [false]), ...either.samples().refused],
    }),
  };
}

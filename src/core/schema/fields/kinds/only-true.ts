/** A filter that only takes `true`: most records are not true, and have no index. */
import { type Kind, refusals, refuse } from '../kind.ts';
import { boolean } from './boolean.ts';

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

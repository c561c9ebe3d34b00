/** One of a few texts, to the letter. */

import { type Kind, refuse } from '../kind.ts';
import { ofText } from './text.ts';

export function choice<const T extends string>(...choices: readonly T[]): Kind<T> {
  const [first = ''] = choices;
  const schema = choices.length === 1 ? { const: first } : { enum: choices };
  return {
    name: 'choice',
    limit: `only \`${choices.join('` or `')}\``,
    ...ofText((value, at, reading) => {
      const found = choices.find((one) => one === value);
      return found ?? refuse(reading, at, 'choice_invalid', { values: { choices } });
    }),
    schema: { type: 'string', ...schema },
    shown: { type: 'string', ...schema },
    samples: () => ({
      accepted: choices.map((send) => ({ send })),
      refused: [
        { send: `${first}x`, code: 'choice_invalid' },
        {
          send: first.toLowerCase() === first ? first.toUpperCase() : first.toLowerCase(),
          code: 'choice_invalid',
        },
        { send: 1, code: 'type_invalid' },
      ],
    }),
  };
}

/** One of a few texts, to the letter. */
import { type Kind, refusals, refuse } from '../kind.ts';
import { ofText } from './text.ts';

export function choice<const T extends string>(...choices: readonly T[]): Kind<T> {
  const [first = ''] = choices;
  const otherCase = first.toLowerCase() === first ? first.toUpperCase() : first.toLowerCase();
  const schema = choices.length === 1 ? { const: first } : { enum: choices };
  return {
    name: 'choice',
    limit: `only \`${choices.join('` or `')}\``,
    ...ofText((value, at, reading) => {
      const found = choices.find((one) => one === value);
      return found ?? refuse(reading, at, 'choice_invalid', { values: { choices } });
    }, first),
    schema: { type: 'string', ...schema },
    shown: { type: 'string', ...schema },
    samples: () => ({
      accepted: choices.map((send) => ({ send })),
      refused: [
        ...refusals('choice_invalid', [`${first}x`, otherCase]),
        ...refusals('type_invalid', [1]),
      ],
    }),
  };
}

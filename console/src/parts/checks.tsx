/** Several of a few. */
import type { ComponentChildren, JSX } from 'preact';

interface ChecksProps {
  readonly legend: ComponentChildren;
  /** What is chosen, and what it is called. */
  readonly options: readonly (readonly [string, string])[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** More than these scroll. */
const FEW = 8;

export function Checks({ legend, options, chosen, onChoose }: ChecksProps): JSX.Element {
  return (
    <fieldset class={`checks ${options.length > FEW ? 'many' : ''}`}>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ currentTarget }) =>
              onChoose(
                currentTarget.checked ? [...chosen, value] : chosen.filter((one) => one !== value),
              )
            }
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** Several of a few, or one thing that is so or not. */
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
        <Check
          key={value}
          label={label}
          isOn={chosen.includes(value)}
          onSet={(isOn) =>
            onChoose(isOn ? [...chosen, value] : chosen.filter((one) => one !== value))
          }
        />
      ))}
    </fieldset>
  );
}

interface CheckProps {
  readonly label: ComponentChildren;
  readonly isOn: boolean;
  readonly onSet: (isOn: boolean) => void;
}

export function Check({ label, isOn, onSet }: CheckProps): JSX.Element {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onSet(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** One of a few, all in sight, each with what it means. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface RadiosProps<Value> {
  readonly legend: string;
  readonly class?: string;
  readonly options: readonly (readonly [value: Value, label: string, hint?: string])[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  /** Below the choices. */
  readonly children?: ComponentChildren;
}

export function Radios<Value>(props: RadiosProps<Value>): JSX.Element {
  const name = useId();
  return (
    <fieldset class={props.class ?? 'checks'}>
      <legend>{props.legend}</legend>
      {props.options.map(([value, label, hint]) => (
        <label key={label} class="switch">
          <input
            type="radio"
            name={name}
            checked={props.value === value}
            onChange={() => props.onChoose(value)}
          />
          <span>
            {label} {hint !== undefined && <small>{hint}</small>}
          </span>
        </label>
      ))}
      {props.children}
    </fieldset>
  );
}

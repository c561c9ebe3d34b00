/** A choice of all things, or of some: explicit, never implied by choosing none. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Checks } from './checks.tsx';

/** `null`: all; `undefined`: not said yet. */
export type Choice = readonly string[] | null | undefined;

export function isSaid(choice: Choice): choice is readonly string[] | null {
  return choice === null || (choice !== undefined && choice.length > 0);
}

export interface AllOrSomeProps {
  readonly legend: string;
  readonly all: string;
  readonly some: string;
  readonly options: readonly (readonly [string, string])[];
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
  /** Another way to choose some; `choice` is not said then. */
  readonly other?: {
    readonly says: string;
    readonly chosen: boolean;
    readonly onChoose: () => void;
    readonly more: JSX.Element;
  };
}

export function AllOrSome(props: AllOrSomeProps): JSX.Element {
  const { legend, all, some, options, choice, onChoose, other } = props;
  const name = useId();
  const isSome = choice !== null && choice !== undefined;
  return (
    <fieldset class="checks">
      <legend>{legend}</legend>
      <label class="switch">
        <input
          type="radio"
          name={name}
          required
          checked={choice === null}
          onChange={() => onChoose(null)}
        />
        {all}
      </label>
      {options.length > 0 && (
        <label class="switch">
          <input type="radio" name={name} checked={isSome} onChange={() => onChoose([])} />
          {some}
        </label>
      )}
      {other !== undefined && (
        <label class="switch">
          <input type="radio" name={name} checked={other.chosen} onChange={other.onChoose} />
          {other.says}
        </label>
      )}
      {other?.chosen === true && other.more}
      {isSome && (
        <Checks
          legend={<span class="unseen">{some}</span>}
          options={options}
          chosen={choice}
          onChoose={onChoose}
        />
      )}
    </fieldset>
  );
}

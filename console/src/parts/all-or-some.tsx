/** A choice of all things, or of some: explicit, never implied by choosing none. */
import type { JSX } from 'preact';
import { Checks } from './checks.tsx';
import { Radios } from './radios.tsx';

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
  const isSome = choice !== null && choice !== undefined;
  return (
    <Radios
      legend={legend}
      options={[
        ['all', all],
        ...(options.length > 0 ? [['some', some] as const] : []),
        ...(other === undefined ? [] : [['other', other.says] as const]),
      ]}
      value={other?.chosen ? 'other' : isSome ? 'some' : choice === null ? 'all' : undefined}
      onChoose={(way) => {
        if (way === 'other') other?.onChoose();
        else onChoose(way === 'all' ? null : []);
      }}
    >
      {other?.chosen === true && other.more}
      {isSome && (
        <Checks
          legend={<span class="unseen">{some}</span>}
          options={options}
          chosen={choice}
          onChoose={onChoose}
        />
      )}
    </Radios>
  );
}

/** Several of a few, all or some of them, or whether something is so. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { OwnField } from './form.tsx';
import { IsNeeded, Legend } from './labelled.tsx';

interface ChecksProps {
  readonly legend: ComponentChildren;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** More than these scroll. */
const FEW = 8;

export function Checks({ legend, options, chosen, onChoose }: ChecksProps): JSX.Element {
  return (
    <fieldset class={`checks ${options.length > FEW ? 'many' : ''}`}>
      <Legend>{legend}</Legend>
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

/** Several of a few in a form; `isNeeded`: at least one. */
export function checksField(
  legend: string,
  options: ChecksProps['options'],
  isNeeded = false,
): OwnField<readonly string[]> {
  return {
    label: legend,
    ...(isNeeded && { isReady: ({ length }) => length > 0 }),
    own: ({ value, onChange }) => (
      <Checks legend={legend} options={options} chosen={value} onChoose={onChange} />
    ),
  };
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

/** All things, or some: explicit, never implied by choosing none. */
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

/** All things or some in a form, which have to be chosen. */
export function allOrSomeField(
  of: Pick<AllOrSomeProps, 'legend' | 'all' | 'some' | 'options'>,
): OwnField<Choice> {
  return {
    label: of.legend,
    isReady: isSaid,
    own: ({ value, onChange }) => <AllOrSome {...of} choice={value} onChoose={onChange} />,
  };
}

interface RadiosProps<Value> {
  readonly legend: string;
  readonly class?: string;
  readonly options: readonly (readonly [value: Value, label: string, hint?: string | undefined])[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  readonly children?: ComponentChildren;
}

/** One of a few, all in sight, each with what it means. */
export function Radios<Value>(props: RadiosProps<Value>): JSX.Element {
  const name = useId();
  return (
    <fieldset class={props.class ?? 'checks'}>
      <Legend>{props.legend}</Legend>
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
      <IsNeeded.Provider value={false}>{props.children}</IsNeeded.Provider>
    </fieldset>
  );
}

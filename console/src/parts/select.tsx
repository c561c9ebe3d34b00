/** A choice of one of several values. */

/** What is chosen, and what it is called. */
export type Option = readonly [value: string, words: string];

interface SelectProps {
  readonly id?: string;
  readonly class?: string;
  readonly 'aria-label'?: string;
  readonly value: string | number | undefined;
  readonly options: readonly Option[];
  readonly onChoose: (value: string) => void;
}

export function Select({ options, onChoose, ...others }: SelectProps): JSX.Element {
  return (
    <select {...others} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

interface ChoiceProps extends SelectProps {
  readonly label: string;
}

export function Choice({ label, ...select }: ChoiceProps): JSX.Element {
  return (
    <label>
      {label}
      <Select {...select} />
    </label>
  );
}

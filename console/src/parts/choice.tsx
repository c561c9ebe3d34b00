/** A labelled choice of one of several values, each with its words. */
import type { JSX } from 'preact';

export function Choice({
  label,
  words,
  value,
  onChoice,
}: {
  readonly label: string;
  readonly words: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChoice: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {Object.entries(words).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

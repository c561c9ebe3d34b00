/** What is said of a thing: what it is, and its value. */
import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Fact({ label, children }: FactProps): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface StatusProps {
  readonly of: string;
  readonly words: Readonly<Record<string, string>>;
}

export function Status({ of, words }: StatusProps): JSX.Element {
  return <span class={`status ${of}`}>{words[of] ?? of}</span>;
}

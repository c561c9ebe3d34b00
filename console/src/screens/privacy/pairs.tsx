/** A heading, and below it a line for each thing: what it is, and what is said of it. */
import { privacy as says } from 'messages';
import type { ComponentChildren } from 'preact';

export type Pair = readonly ComponentChildren[];

interface PairsProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly all: readonly Pair[];
  /** How many there are beyond these. */
  readonly beyond?: number;
}

/** Nothing where there are none. */
export function Pairs({ title, hint, all, beyond = 0 }: PairsProps): JSX.Element | null {
  if (all.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <ul>
        {all.map((parts, at) => (
          <li key={at}>
            {parts.map((part, place) => (
              <span key={place}>{part}</span>
            ))}
          </li>
        ))}
      </ul>
      {beyond > 0 && <p class="hint">{says.more(beyond)}</p>}
    </>
  );
}

/** A button that says in words what it does. */
import { Icon } from './icon.tsx';

interface ButtonProps {
  readonly label: string;
  /** What it is about, for those who do not see the row that it stands in. */
  readonly of?: string;
  /** Whether it asks before it does anything. */
  readonly asks?: boolean;
  readonly icon?: string;
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly disabled?: boolean;
  readonly 'aria-pressed'?: boolean;
  readonly onClick: (() => void) | undefined;
}

export function Button({ label, of, asks, icon, ...button }: ButtonProps): JSX.Element {
  return (
    <button type="button" {...button} aria-label={of && `${label}: ${of}`}>
      {icon && <Icon name={icon} />}
      {asks ? `${label} …` : label}
    </button>
  );
}

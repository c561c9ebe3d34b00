/** A button that is a drawing, with what it does in words. */
import type { JSX } from 'preact';
import { Icon } from './icon.tsx';

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly class?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

export function IconButton({ icon, label, ...button }: IconButtonProps): JSX.Element {
  return (
    <button type="button" {...button} class={`square ${button.class ?? ''}`} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}

/** To the one before or after. */
export function Step(props: IconButtonProps): JSX.Element {
  return <IconButton {...props} title={props.label} />;
}

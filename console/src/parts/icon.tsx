/** Small drawings, and buttons that are one. */
import { pathOf, STONE } from './icon-paths.ts';

export function Icon({ name }: { readonly name: string }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={pathOf(name)} />
    </svg>
  );
}

export function Stone(): JSX.Element {
  return (
    <svg class="stone" viewBox="0 0 24 24" aria-hidden="true">
      <path d={STONE.shape} />
      <path class="lettering" d={STONE.lettering} />
    </svg>
  );
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly class?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** A button that says in words what it does, to those who do not see it. */
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

/** Buttons, which say in words what they do, and small drawings. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { labelled } from '../values/format.ts';
import { pathOf, STONE } from './icon-paths.ts';
import { tell } from './told.ts';

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
    <button type="button" {...button} aria-label={of && labelled(label, of)}>
      {icon && <Icon name={icon} />}
      {asks ? `${label} …` : label}
    </button>
  );
}

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

/** A drawing alone; its words are for those who do not see it. */
export function IconButton({ icon, label, ...button }: IconButtonProps): JSX.Element {
  return (
    <button type="button" {...button} class={`square ${button.class ?? ''}`} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}

export function Step(props: IconButtonProps): JSX.Element {
  return <IconButton {...props} title={props.label} />;
}

export function Copy(props: { readonly text: string; readonly label?: string }): JSX.Element {
  const { text, label } = props;
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    tell(texts.copied);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" class="plain copy" aria-label={label} onClick={copy}>
      {done ? texts.copied : texts.copy}
    </button>
  );
}

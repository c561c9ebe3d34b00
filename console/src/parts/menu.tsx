/** A button with a panel below it; Escape and a click elsewhere close it. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface MenuProps {
  readonly label: ComponentChildren;
  /** What it is called where the label says too little. */
  readonly name?: string;
  readonly class?: string;
  readonly icon?: boolean;
  /** The panel; `close` closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Menu({
  label,
  name,
  class: own = '',
  icon = true,
  children,
}: MenuProps): JSX.Element {
  const details = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (details.current === null) return;
    details.current.open = false;
    details.current.querySelector('summary')?.focus();
  };
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      const shown = details.current;
      if (shown?.open && target instanceof Node && !shown.contains(target)) shown.open = false;
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, []);
  return (
    <details
      ref={details}
      class={`menu ${own}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.stopPropagation();
        close();
      }}
    >
      <summary aria-label={name}>
        {label}
        {icon && <Icon name="down" />}
      </summary>
      <div class="panel">{children(close)}</div>
    </details>
  );
}

/** A dialog over the page: the browser's own, so that focus stays in it and comes back. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether a person can leave it without doing what it asks. */
  readonly closable?: boolean;
  readonly wide?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Dialog({
  title,
  onClose,
  closable = true,
  wide = false,
  class: own = '',
  children,
}: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    if (shown !== null && !shown.open) shown.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${wide ? 'wide' : ''} ${own}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (closable) onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        {closable && (
          <button type="button" class="plain square" aria-label={texts.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}

/** A dialog over the page: the browser's own, so that focus stays in it; it goes back to where it was. */
import { page as texts } from 'messages';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from './button.tsx';
import { Lacking } from './loading.tsx';
import { Notice } from './notice.tsx';
import { asked, askFirst, type Sure, useStay } from './staying.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether a person can leave it without doing what it asks. */
  readonly closable?: boolean;
  /** Whether they have typed what would be lost: a confirmation comes first. */
  readonly filled?: boolean;
  /** What that asks, where it is not about what was typed. */
  readonly sure?: Sure;
  readonly wide?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Leaves the dialog around it, as its × does. */
const Leave = createContext<() => void>(() => undefined);

/** Where typing begins; without inputs, the first button, which does no harm. */
const FIRST = [
  ':scope > :not(header) :is(input:not(.unseen *), select, textarea):enabled, :scope > :is(input, select, textarea):enabled',
  ':scope > :not(header) button:enabled, :scope > button:enabled',
];

const DISCARD = {
  title: texts.discardSure,
  stay: texts.keepEditing,
  leave: texts.discard,
};

export function Dialog(props: DialogProps): JSX.Element {
  const { title, onClose, closable = true, filled = false, wide = false } = props;
  const { sure } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Not in the effect: what the dialog hides has lost the focus by then.
  const [before] = useState(() => document.activeElement);
  useStay(() => filled, { sure: () => sure, close: onClose });
  useEffect(() => {
    const shown = dialog.current;
    if (shown !== null && !shown.open) shown.showModal();
    const first = FIRST.map((one) => shown?.querySelector<HTMLElement>(one)).find(Boolean);
    (first ?? shown?.querySelector<HTMLElement>('h2'))?.focus();
    return () => giveBack(before);
  }, []);
  const leave = (): void => {
    if (!closable) return;
    if (filled) askFirst(sure, onClose);
    else onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={`dialog ${wide ? 'wide' : ''} ${props.class ?? ''}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      // A browser that is refused twice closes it all the same.
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        leave();
      }}
    >
      <header>
        <h2 id={heading} tabIndex={-1}>
          {title}
        </h2>
        {closable && <IconButton class="plain" icon="close" label={texts.close} onClick={leave} />}
      </header>
      {closable && <Lacking />}
      <Leave.Provider value={leave}>{props.children}</Leave.Provider>
      <Notice inDialog />
    </dialog>
  );
}

/** Asks before what is typed is lost, whichever way somebody leaves it. */
export function Leaving(): JSX.Element | null {
  const { value } = asked;
  if (value === undefined) return null;
  const { sure = DISCARD, leave } = value;
  const stay = (): void => {
    asked.value = undefined;
  };
  return (
    <Dialog title={sure.title} onClose={stay}>
      <footer>
        <Button label={sure.stay} onClick={stay} />
        <Button class="danger" label={sure.leave} onClick={leave} />
      </footer>
    </Dialog>
  );
}

/** Leaves the dialog that it stands in. */
export function Cancel(): JSX.Element {
  return <Button label={texts.cancel} onClick={useContext(Leave)} />;
}

/** The browser would do it, had the dialog not left the page before it was closed. */
function giveBack(before: Element | null): void {
  const focus = (): void => {
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
  focus();
  // It may have been disabled while something was being done, or be gone with what was done.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focus();
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('dialog[open] h2, main h1')?.focus();
  });
}

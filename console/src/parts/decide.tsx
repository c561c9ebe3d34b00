/** The end of a dialog that asks before something is done: to do it, or not. */
import type { JSX } from 'preact';
import { texts } from '../texts.ts';

interface DecideProps {
  /** What the button that does it says. */
  readonly submit: string;
  /** Whether it takes something away. */
  readonly danger?: boolean;
  readonly disabled: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

export function Decide({
  submit,
  danger = false,
  disabled,
  onSubmit,
  onCancel,
}: DecideProps): JSX.Element {
  return (
    <footer>
      <button type="button" onClick={onCancel}>
        {texts.cancel}
      </button>
      <button
        type="button"
        class={danger ? 'danger' : 'main'}
        disabled={disabled}
        onClick={onSubmit}
      >
        {submit}
      </button>
    </footer>
  );
}

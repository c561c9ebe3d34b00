/** The end of a confirmation dialog: to do it, or not. */
import type { JSX } from 'preact';
import { Cancel } from './dialog.tsx';

interface DecideProps {
  /** What the button that does it says. */
  readonly submit: string;
  /** Whether it takes something away. */
  readonly danger?: boolean;
  readonly disabled: boolean;
  readonly onSubmit: () => void;
}

export function Decide({ submit, danger = false, disabled, onSubmit }: DecideProps): JSX.Element {
  return (
    <footer>
      <Cancel />
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

/** A question before something is done that a click cannot take back: what it does, and whether to do it. */
import type { JSX } from 'preact';
import type { Act } from './act.ts';
import { Decide } from './decide.tsx';
import { Dialog } from './dialog.tsx';
import { Fault } from './fault.tsx';

export interface Question {
  readonly title: string;
  /** What it does. */
  readonly hint: string;
  readonly submit: string;
  /** Whether it takes something away. */
  readonly danger: boolean;
  readonly run: () => Promise<void>;
}

interface SureProps {
  /** `undefined`: without a confirmation. */
  readonly question: Question | undefined;
  readonly act: Act;
  readonly onClose: () => void;
}

export function Sure({ question, act, onClose }: SureProps): JSX.Element | null {
  if (question === undefined) return null;
  const { title, hint, submit, danger, run } = question;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{hint}</p>
      <Fault says={act.fault} />
      <Decide submit={submit} danger={danger} disabled={act.busy} onSubmit={() => void run()} />
    </Dialog>
  );
}

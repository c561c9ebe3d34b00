/** The three steps of an import, by their names: those that were taken lead back. */
import { imports as says } from 'messages';
import type { At } from './sitting.ts';

const STEPS = ['match', 'fix', 'import'] as const;
export type StepName = (typeof STEPS)[number];

interface StepsProps {
  readonly at: At;
  readonly may: (step: StepName) => boolean;
  readonly onStep: (step: StepName) => void;
}

export function Steps({ at, may, onStep }: StepsProps): JSX.Element {
  const now = at === 'done' ? 'import' : at;
  return (
    <nav aria-label={says.steps.label}>
      <ol class="import-steps">
        {STEPS.map((step, index) => (
          <li key={step} class={index < STEPS.indexOf(now as StepName) ? 'past' : undefined}>
            <button
              type="button"
              class="plain"
              aria-current={step === now ? 'step' : undefined}
              disabled={step !== now && !may(step)}
              onClick={() => onStep(step)}
            >
              <span class="nth" aria-hidden="true">
                {index + 1}
              </span>
              {says.steps[step]}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** A field of a small form: label, input, hint, and fault. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

interface LabelledProps {
  readonly label: string;
  readonly hint?: string;
  readonly fault: string | undefined;
  readonly children: (common: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
  }) => JSX.Element;
}

export function Labelled({ label, hint, fault, children }: LabelledProps): JSX.Element {
  const id = useId();
  const said = [fault === undefined ? '' : `${id}-fault`, hint === undefined ? '' : `${id}-hint`];
  const about = said.filter((one) => one !== '').join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': fault !== undefined,
        'aria-describedby': about === '' ? undefined : about,
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** What is asked before records are erased, a request is closed, or a record may be sent again. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RunErasureParams } from '../../../../client/src/generated/objects.d.ts';
import type { Act } from '../../parts/act.ts';
import { Ask } from '../../parts/ask.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Sure } from '../../parts/sure.tsx';
import { TypedWord } from '../../parts/typed-word.tsx';
import { api } from '../../service/api.ts';
import { says } from './texts.ts';

interface AskProps {
  readonly act: Act;
  readonly onClose: () => void;
}

/** What stays of the records. */
export type Keep = RunErasureParams['keep'];

interface EraseProps extends AskProps {
  /** None: only refused rows of imports go. */
  readonly count: number;
  /** Whether one of them is a service, which others may belong to. */
  readonly seals: boolean;
  readonly onErase: (keep: Keep) => Promise<void>;
}

/** For good: a word is typed first. */
export function Erase({ count, seals, act, onClose, onErase }: EraseProps): JSX.Element {
  const [keep, setKeep] = useState<Keep>();
  const choices = [
    [undefined, says.whole, says.eraseHint],
    ['current', says.past, says.pastHint],
  ] as const;
  return (
    <Dialog
      title={count === 0 ? says.rowsSure : says.eraseSure(count)}
      onClose={onClose}
      closable={!act.busy}
    >
      <TypedWord
        word={says.word}
        label={says.typeWord(says.word)}
        submit={says.eraseSubmit}
        act={act}
        onDo={() => onErase(keep)}
      >
        {count > 0 && (
          <fieldset class="checks explained">
            <legend>{says.whatGoes}</legend>
            {choices.map(([kept, label, hint]) => (
              <label key={label}>
                <input
                  type="radio"
                  name="keep"
                  checked={keep === kept}
                  onChange={() => setKeep(kept)}
                />
                <span>
                  {label} <small>{hint}</small>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {seals && keep === undefined && <p class="looking">{says.seals}</p>}
      </TypedWord>
    </Dialog>
  );
}

export function Close({
  id,
  onClose,
  onDone,
}: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  return (
    <Ask
      title={says.closeSure}
      hint={says.closeHint}
      submit={says.close}
      begin={{ basis: '' }}
      fields={() => ({
        basis: {
          label: says.basisLabel,
          placeholder: says.basisPlaceholder,
          of: 'lines',
          max: 500,
          needed: true,
        },
      })}
      send={({ basis }) => api.erasures.close(id, basis)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

export function Lift({
  act,
  onClose,
  onDone,
}: AskProps & { readonly onDone: () => Promise<void> }): JSX.Element | null {
  const question = {
    ...{ title: says.liftSure, hint: says.liftHint, submit: says.lift },
    ...{ danger: false, run: onDone },
  };
  return <Sure question={question} act={act} onClose={onClose} />;
}

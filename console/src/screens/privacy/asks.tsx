/** What is asked before records are erased, a request is closed, or a record may be sent again. */

import says from 'messages:privacy';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Erasure, RunErasureParams } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { Ask } from '../../parts/ask.tsx';
import { api } from '../../service/api.ts';

/** What stays of the records. */
export type Keep = RunErasureParams['keep'];

interface EraseProps {
  /** None: only refused rows of imports go. */
  readonly count: number;
  /** Whether one of them is a service, which others may belong to. */
  readonly seals: boolean;
  readonly onErase: (keep: Keep) => Promise<Erasure>;
  readonly onDone: (answer: Erasure, keep: Keep) => void;
  readonly onClose: () => void;
}

/** For good: a word is typed first. */
export function Erase({ count, seals, onErase, onDone, onClose }: EraseProps): JSX.Element {
  const [keep, setKeep] = useState<Keep>();
  const choices = [
    [undefined, says.whole, says.eraseHint],
    ['current', says.past, says.pastHint],
  ] as const;
  return (
    <Ask
      title={count === 0 ? says.rowsSure : says.eraseSure(count)}
      hint={
        <>
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
        </>
      }
      submit={says.eraseSubmit}
      danger
      begin={{ word: '' }}
      fields={() => ({ word: { label: says.typeWord(says.word), word: says.word } })}
      send={() => onErase(keep)}
      onDone={(answer) => onDone(answer, keep)}
      onClose={onClose}
    />
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
      bounds={bounds.close_erasure}
      hint={says.closeHint}
      submit={says.close}
      begin={{ basis: '' }}
      fields={() => ({
        basis: {
          label: says.basisLabel,
          placeholder: says.basisPlaceholder,
          of: 'lines',
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
  id,
  record,
  onClose,
  onDone,
}: {
  readonly id: string;
  readonly record: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  return (
    <Ask
      title={says.liftSure}
      hint={says.liftHint}
      submit={says.lift}
      send={() => api.erasures.lift(id, record)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** What is asked before records are erased, a request is closed, or a record may be sent again. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Act } from '../../parts/act.ts';
import { Decide } from '../../parts/decide.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { Sure } from '../../parts/sure.tsx';
import { says } from './texts.ts';

interface AskProps {
  readonly act: Act;
  readonly onClose: () => void;
}

/** For good: a word is typed first. */
export function Erase({
  count,
  act,
  onClose,
  onErase,
}: AskProps & { readonly count: number; readonly onErase: () => Promise<void> }): JSX.Element {
  const [typed, setTyped] = useState('');
  const isTyped = typed.trim() === says.word;
  return (
    <Dialog
      title={count === 0 ? says.rowsSure : says.eraseSure(count)}
      onClose={onClose}
      closable={!act.busy}
    >
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !act.busy) void onErase();
        }}
      >
        <p>{says.eraseHint}</p>
        <Fault says={act.fault} />
        <label>
          {says.typeWord(says.word)}
          <input
            value={typed}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <Decide
          submit={says.eraseSubmit}
          danger
          disabled={!isTyped || act.busy}
          onSubmit={() => void onErase()}
        />
      </form>
    </Dialog>
  );
}

export function Close({
  act,
  onClose,
  onDone,
}: AskProps & { readonly onDone: (basis: string) => Promise<void> }): JSX.Element {
  const [basis, setBasis] = useState('');
  const isSaid = basis.trim() !== '';
  return (
    <Dialog title={says.closeSure} onClose={onClose} filled={isSaid}>
      <div class="fields">
        <p>{says.closeHint}</p>
        <Labelled label={says.basisLabel} fault={act.fault}>
          {(common) => (
            <textarea
              {...common}
              rows={3}
              maxLength={500}
              placeholder={says.basisPlaceholder}
              value={basis}
              onInput={({ currentTarget }) => setBasis(currentTarget.value)}
            />
          )}
        </Labelled>
        <Decide
          submit={says.close}
          disabled={!isSaid || act.busy}
          onSubmit={() => void onDone(basis.trim())}
        />
      </div>
    </Dialog>
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

/** Asks before a rule begins to remove: a word is typed first. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Act } from '../../parts/act.ts';
import { Decide } from '../../parts/decide.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { numberText } from './bars.tsx';
import { says } from './texts.ts';

interface EnableProps {
  readonly goes: number;
  readonly act: Act;
  readonly onClose: () => void;
  readonly onEnable: () => Promise<void>;
}

export function Enable({ goes, act, onClose, onEnable }: EnableProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const isTyped = typed.trim() === says.word;
  return (
    <Dialog title={says.enableSure} onClose={onClose} closable={!act.busy}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !act.busy) void onEnable();
        }}
      >
        <p>{says.enableHint(numberText(goes))}</p>
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
          submit={says.enable}
          danger
          disabled={!isTyped || act.busy}
          onSubmit={() => void onEnable()}
        />
      </form>
    </Dialog>
  );
}

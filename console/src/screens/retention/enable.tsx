/** Asks before a rule begins to remove: a word is typed first. */
import type { JSX } from 'preact';
import type { Act } from '../../parts/act.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TypedWord } from '../../parts/typed-word.tsx';
import { numberText } from './bars.tsx';
import { says } from './texts.ts';

interface EnableProps {
  readonly goes: number;
  readonly act: Act;
  readonly onClose: () => void;
  readonly onEnable: () => Promise<void>;
}

export function Enable({ goes, act, onClose, onEnable }: EnableProps): JSX.Element {
  return (
    <Dialog title={says.enableSure} onClose={onClose} closable={!act.busy}>
      <TypedWord
        word={says.word}
        label={says.typeWord(says.word)}
        submit={says.enable}
        act={act}
        onDo={onEnable}
      >
        <p>{says.enableHint(numberText(goes))}</p>
      </TypedWord>
    </Dialog>
  );
}

/** Texts to copy. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface CopyProps {
  readonly text: string;
  readonly label?: string;
}

/** A button that copies a text. */
export function Copy({ text, label }: CopyProps): JSX.Element {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" class="plain copy" aria-label={label} onClick={copy}>
      {done ? texts.copied : texts.copy}
    </button>
  );
}

interface OnceProps {
  readonly title: string;
  readonly hint: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A secret that is shown once: to copy now, or never. */
export function Once({ title, hint, secret, onClose }: OnceProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{hint}</p>
      <p class="once">
        <code>{secret}</code>
        <Copy text={secret} />
      </p>
      <footer>
        <Button class="main" label={texts.done} onClick={onClose} />
      </footer>
    </Dialog>
  );
}

/** A secret that is shown once: to copy now, or never. */

import { page as texts } from 'messages';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';

interface OnceProps {
  readonly title: string;
  readonly hint: string;
  readonly secret: string;
  readonly onClose: () => void;
}

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

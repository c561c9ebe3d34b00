/** Reads again what the screen shows. */

import texts from 'messages:page';
import type { JSX } from 'preact';
import { Icon } from './icon.tsx';

export function Reload({ onReload }: { readonly onReload: () => void }): JSX.Element {
  return (
    <button type="button" class="square reload" aria-label={texts.list.refresh} onClick={onReload}>
      <Icon name="again" />
    </button>
  );
}

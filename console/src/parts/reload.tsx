/** Reads again what the screen shows. */

import texts from 'messages:page';
import type { JSX } from 'preact';
import { IconButton } from './icon-button.tsx';

export function Reload({ onReload }: { readonly onReload: () => void }): JSX.Element {
  return <IconButton class="reload" icon="again" label={texts.list.refresh} onClick={onReload} />;
}

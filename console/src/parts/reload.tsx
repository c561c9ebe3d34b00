/** Reads again what the screen shows. */
import type { JSX } from 'preact';
import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';

export function Reload({ onReload }: { readonly onReload: () => void }): JSX.Element {
  return (
    <button type="button" class="square reload" aria-label={texts.list.refresh} onClick={onReload}>
      <Icon name="again" />
    </button>
  );
}

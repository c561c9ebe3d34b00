/** The keyboard shortcuts, and a switch for them. */
import type { JSX } from 'preact';
import { Dialog } from '../parts/dialog.tsx';
import type { ScreenEntry } from '../screen.ts';
import { texts } from '../texts.ts';
import { helpOpen, shortcutsOn, switchShortcuts } from './shortcuts.ts';

export function Help({ screens: all }: { readonly screens: readonly ScreenEntry[] }): JSX.Element {
  const screens = all.flatMap(({ letter, title }) =>
    letter === undefined ? [] : [[['g', letter], texts.shortcuts.goTo(title)] as const],
  );
  return (
    <Dialog
      title={texts.shortcuts.title}
      onClose={() => {
        helpOpen.value = false;
      }}
    >
      <label class="switch">
        <input
          type="checkbox"
          checked={shortcutsOn.value}
          onChange={({ currentTarget }) => switchShortcuts(currentTarget.checked)}
        />
        {texts.shortcuts.on}
      </label>
      <dl class="keys">
        {[...texts.shortcuts.list, ...screens].map(([keys, what]) => (
          <div key={keys.join(' ')}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

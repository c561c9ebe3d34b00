/** The keyboard shortcuts, and a switch for them. */
import { shortcuts, page as texts } from 'messages';
import { Check } from '../parts/choices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import type { ScreenEntry } from '../screen.ts';
import { helpOpen, ownKeys, shortcutsOn, switchShortcuts } from './shortcuts.ts';

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], texts.nav.find],
  [['Ctrl', 'K'], texts.nav.find],
  [['Ctrl', 'Z'], texts.undo],
  [['j'], shortcuts.nextRow],
  [['k'], shortcuts.previousRow],
  [[shortcuts.enter], shortcuts.openRow],
  [['e'], shortcuts.editRecord],
  [['n'], texts.record.next],
  [['p'], texts.record.previous],
  [['?'], shortcuts.help],
];

export function Help({ screens: all }: { readonly screens: readonly ScreenEntry[] }): JSX.Element {
  const screens = all.flatMap(({ letter, title }) =>
    letter === undefined ? [] : [[['g', letter], shortcuts.goTo(title)] as const],
  );
  return (
    <Dialog
      title={texts.nav.shortcuts}
      onClose={() => {
        helpOpen.value = false;
      }}
    >
      <Check label={shortcuts.on} isOn={shortcutsOn.value} onSet={switchShortcuts} />
      <dl class="keys">
        {[...KEYS, ...ownKeys().map(([key, what]) => [[key], what] as const), ...screens].map(
          ([keys, what]) => (
            <div key={keys.join(' ')}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ),
        )}
      </dl>
    </Dialog>
  );
}

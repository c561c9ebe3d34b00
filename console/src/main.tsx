/** Starts the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import { startRouter } from './router.ts';
import { visibleScreens } from './screens.ts';
import { session } from './session.ts';
import { startShortcuts } from './shortcuts.ts';

startRouter();
startShortcuts(
  () =>
    new Map(
      visibleScreens(session.value).flatMap(({ letter, path }) =>
        letter === undefined ? [] : [[letter, path] as const],
      ),
    ),
);
const place = document.getElementById('app');
if (place !== null) {
  place.replaceChildren();
  render(<App />, place);
}

/** Starts the console. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { startClock } from './clock.ts';
import { keepFocus } from './frame/focus.ts';
import { startShortcuts } from './frame/shortcuts.ts';
import { loadEntering } from './parts/later.tsx';
import { startRouter } from './router.ts';
import { visibleScreens } from './screens.ts';
import { session, startTabs } from './service/session.ts';

/** After the requests of the first screen. */
const IDLE_MS = 3_000;

startClock();
startRouter();
startTabs();
keepFocus();
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
// What does not arrive, the screen that needs it says.
const nothing = () => undefined;
effect(() => {
  const loads = new Set(visibleScreens(session.value).map(({ loaded }) => loaded));
  setTimeout(() => {
    for (const load of loads) load?.().catch(nothing);
  }, IDLE_MS);
});
setTimeout(() => loadEntering().then(({ warnOfEnd }) => warnOfEnd(), nothing), IDLE_MS);

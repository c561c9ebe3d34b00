/** Starts the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import { startClock } from './clock.ts';
import { startShortcuts } from './frame/shortcuts.ts';
import { loadSeldom } from './parts/later.tsx';
import { startRouter } from './router.ts';
import { visibleScreens } from './screens.ts';
import { session, startTabs } from './service/session.ts';

/** After the requests of the first screen. */
const IDLE_MS = 3_000;

startClock();
startRouter();
startTabs();
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
// If it does not arrive, the screen that needs it says so.
setTimeout(() => loadSeldom().catch(() => undefined), IDLE_MS);

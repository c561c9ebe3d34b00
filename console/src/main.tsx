/** Starts the console. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { startClock } from './clock.ts';
import { keepFocus } from './frame/focus.ts';
import { startShortcuts } from './frame/shortcuts.ts';
import { loadEntering } from './parts/later.tsx';
import { sentenceOf } from './parts/loading.tsx';
import { say } from './parts/notice.tsx';
import { startRouter } from './router.ts';
import { visibleScreens } from './screens.ts';
import { session, startTabs } from './service/session.ts';

/** After the requests of the first screen. */
const IDLE_MS = 3_000;

// What nobody waits for says why it failed, too.
addEventListener('unhandledrejection', ({ reason }) => {
  // What was given up needs no word.
  if (!(reason instanceof DOMException && reason.name === 'AbortError')) say(sentenceOf(reason));
});
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
// Before anybody can have the page translated, and not before it is drawn.
import('./frame/translated.ts').then(({ startTranslated }) => {
  if (place !== null) startTranslated(place);
}, nothing);
effect(() => {
  const loads = new Set(visibleScreens(session.value).map(({ loaded }) => loaded));
  setTimeout(() => {
    for (const load of loads) load?.().catch(nothing);
  }, IDLE_MS);
});
setTimeout(() => loadEntering().then(({ warnOfEnd }) => warnOfEnd(), nothing), IDLE_MS);

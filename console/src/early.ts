/** Runs before the page is painted: light or dark, as chosen; and requests what the screen will need. */
import { pathIn } from './path.ts';
import { storedLocation } from './places/stored.ts';
import { requestAhead } from './service/ahead.ts';
import { always } from './stored.ts';

const chosen = always.get('theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;

if (location.hash.startsWith('#/invitation/')) {
  // Before the sign-in there are no screens to go to.
  document.documentElement.dataset.invited = '';
} else {
  requestAhead(pathIn(location.pathname), new URLSearchParams(location.search), storedLocation());
}

// The browser reads its tables of dates while it waits for the script, which needs them at once.
setTimeout(() => new Intl.DateTimeFormat().format(0));

/** What is told to people who do not see it, in the page's live region. */
import { signal } from '@preact/signals';

/** Long enough to be read aloud; afterwards it is no part of the page. */
const TOLD_MS = 6_000;

export const told = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string): void {
  // The same text again is news only if it differs.
  told.value = text === told.value ? `${text}\u00a0` : text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    told.value = '';
  }, TOLD_MS);
}

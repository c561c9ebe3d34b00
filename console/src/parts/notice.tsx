/** Says for a few seconds that something was done. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';

const said = signal<string | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  said.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = undefined;
  }, 4000);
}

export function Notice(): JSX.Element {
  return (
    <div class="notice" role="status" aria-live="polite">
      {said.value !== undefined && <p>{said.value}</p>}
    </div>
  );
}

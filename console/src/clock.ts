/** The time as it goes on: what says "in 40 min." or "today" is drawn again as it becomes untrue. */
import { computed, signal } from '@preact/signals';
import { midnight } from './values/days.ts';

/** How exact it is. */
const LOOK_MS = 10_000;

const looked = signal(Date.now());

/** Milliseconds since 1970. */
export function now(): number {
  void looked.value;
  return Date.now();
}

/** When this day began, in milliseconds since 1970. */
export const dayBegan = computed(() => midnight(new Date(looked.value)).getTime());

export function startClock(): void {
  const look = (): void => {
    looked.value = Date.now();
  };
  setInterval(look, LOOK_MS);
  // A hidden page looks seldom.
  document.addEventListener('visibilitychange', look);
}

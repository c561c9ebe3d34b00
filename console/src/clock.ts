/** The current time: texts such as "in 40 min." or "today" are redrawn when they change. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { usualZone } from './places/zones.ts';
import { midnight } from './values/days.ts';

const LOOK_MS = 10_000;

const looked = signal(Date.now());

/** Milliseconds since 1970. */
export function now(): number {
  void looked.value;
  return Date.now();
}

const begun = new Map<string, ReadonlySignal<number>>();

/** When this day began in a time zone, in milliseconds since 1970. */
export function dayBeganIn(zone: string): number {
  let began = begun.get(zone);
  if (began === undefined) {
    began = computed(() => midnight(zone, new Date(looked.value)).getTime());
    begun.set(zone, began);
  }
  return began.value;
}

/** When the day began where most of what is looked at is. */
export const dayBegan = computed(() => dayBeganIn(usualZone.value));

export function startClock(): void {
  const look = (): void => {
    looked.value = Date.now();
  };
  setInterval(look, LOOK_MS);
  // A hidden page looks seldom.
  document.addEventListener('visibilitychange', look);
}

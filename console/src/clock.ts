/** The current time: texts such as "in 40 min." or "today" are redrawn when they change. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { usualZone } from './places/zones.ts';
import { askTime } from './service/ahead.ts';
import { aheadBy, isDoubtful, serviceNow, whenCorrected } from './service/time.ts';
import { midnight } from './values/days.ts';

const LOOK_MS = 10_000;
/** Clocks that are less apart are called the same. */
const TOLD_MS = 5 * 60_000;

const looked = signal(serviceNow());

/** Counts the corrections of the time by answers. After one, requests that went by the wrong time are made again. */
export const corrections = signal(0);

/** Milliseconds since 1970, by the service's clock. */
export function now(): number {
  void looked.value;
  return serviceNow();
}

/** Milliseconds by which this device's clock is ahead of the service's, where that is worth telling; else 0. */
export const clockOff = computed(() => {
  void looked.value;
  // In whole minutes, so that nothing is drawn again for less.
  const off = Math.round(aheadBy() / 60_000) * 60_000;
  return Math.abs(off) >= TOLD_MS ? off : 0;
});

const begun = new Map<string, ReadonlySignal<number>>();

/** When this day began in a time zone, in milliseconds since 1970. */
export function dayBeganIn(zone: string): number {
  let began = begun.get(zone);
  if (began === undefined) {
    began = computed(() => midnight(zone, looked.value).getTime());
    begun.set(zone, began);
  }
  return began.value;
}

/** When the day began where most of what is looked at is. */
export const dayBegan = computed(() => dayBeganIn(usualZone.value));

export function startClock(): void {
  const look = (): void => {
    looked.value = serviceNow();
    if (isDoubtful() && document.visibilityState === 'visible') askTime();
  };
  whenCorrected(() => {
    corrections.value += 1;
    look();
  });
  setInterval(look, LOOK_MS);
  // A hidden page looks seldom, and a device that slept not at all.
  document.addEventListener('visibilitychange', look);
  addEventListener('focus', look);
}

/** Phone numbers and email addresses: as people type and read them at a home, and as links. */
import { signal } from '@preact/signals';
import { usualZone } from '../places/zones.ts';

type Plans = typeof import('./plans.ts');

/** `undefined` until they are loaded: numbers are in E.164 form until then. */
const plans = signal<Plans | undefined>(undefined);

/** Loads the plans of numbers; what has failed is tried again at the next call. */
export async function loadPlans(): Promise<void> {
  plans.value ??= await import('./plans.ts');
}

const nothing = (): undefined => undefined;
loadPlans().catch(nothing);

function plansNow(): Plans | undefined {
  if (plans.value === undefined) loadPlans().catch(nothing);
  return plans.value;
}

/** A stored number as it is read where that zone is the clock: `(415) 555-0123`, or `+47 22 12 34 56` from abroad. */
export function phoneText(number: string, zone = usualZone.value): string {
  const known = plansNow();
  return known === undefined ? number : known.showPhone(number, known.countryOfZone(zone));
}

/** A number as people type or paste it there, in E.164: `(415) 555-0123` is `+14155550123`. What is no number stays as it is. */
export function typedPhone(text: string, zone = usualZone.value): string {
  const known = plansNow();
  return known?.readPhone(text, known.countryOfZone(zone)) ?? text.trim();
}

export function phoneLink(number: string): string {
  return `tel:${number.replace(/[^\d+]/g, '')}`;
}

/** A link that opens a message to that address only: as anyone can send us an address, it may contain `?bcc=`. */
export function emailLink(address: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`;
}

/** The location that is looked at. */
import { signal } from '@preact/signals';
import { keepLocation, keptLocation } from './kept-location.ts';

/** Which location other screens start from; stored for this window alone. */
export const chosenLocation = signal(keptLocation());

export function chooseLocation(id: string | undefined): void {
  chosenLocation.value = id;
  keepLocation(id);
}

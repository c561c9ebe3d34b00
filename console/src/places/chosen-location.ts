/** The location that is looked at. */
import { signal } from '@preact/signals';
import { storedLocation, storeLocation } from './stored.ts';

/** Which location other screens start from; stored for this window alone. */
export const chosenLocation = signal(storedLocation());

export function chooseLocation(id: string | undefined): void {
  chosenLocation.value = id;
  storeLocation(id);
}

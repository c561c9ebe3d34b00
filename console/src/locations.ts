/** The locations that a person may see, and the one they look at. */
import { signal } from '@preact/signals';
import { type PageOf, recordsOf } from './api.ts';
import { described } from './description.ts';
import { type Loaded, useLoad } from './load.ts';
import type { Shown } from './records.ts';

/** The resource that people are limited to single ones of. */
export const anchor = described.find((one) => one.anchor);

/** More are found by name, in the list of locations. */
const MAX_LOCATIONS = 1000;

/** Which location other screens start from; kept for this window alone. */
export const chosenLocation = signal<string | undefined>(
  sessionStorage.getItem('location') ?? undefined,
);

export function chooseLocation(id: string | undefined): void {
  chosenLocation.value = id;
  if (id === undefined) sessionStorage.removeItem('location');
  else sessionStorage.setItem('location', id);
}

export function useLocations(): Loaded<PageOf<Shown>> {
  return useLoad('locations', (signal) =>
    recordsOf(anchor?.path ?? '')
      .list({ limit: MAX_LOCATIONS }, { signal })
      .page(),
  );
}

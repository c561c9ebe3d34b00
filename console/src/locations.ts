/** The locations that a person may see, and the one they look at. */
import { signal } from '@preact/signals';
import { type PageOf, recordsOf } from './api.ts';
import { anchor } from './description.ts';
import { keepLocation, keptLocation } from './kept-location.ts';
import { type Loaded, useLoad } from './load.ts';
import { type Shown, titleOf } from './records.ts';

/** More are found by name, in the list of locations. */
const MAX_LOCATIONS = 1000;

/** Which location other screens start from; stored for this window alone. */
export const chosenLocation = signal(keptLocation());

export function chooseLocation(id: string | undefined): void {
  chosenLocation.value = id;
  keepLocation(id);
}

export function useLocations(): Loaded<PageOf<Shown>> {
  return useLoad('locations', (signal) =>
    recordsOf(anchor?.path ?? '')
      .list({ limit: MAX_LOCATIONS }, { signal })
      .page(),
  );
}

/** By their identifiers. */
export function useLocationNames(): ReadonlyMap<string, string> {
  const { value } = useLocations();
  const resource = anchor;
  return new Map(
    resource && value?.data.map((one) => [one.unique_identifier, titleOf(resource, one)] as const),
  );
}

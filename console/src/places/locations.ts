/** The locations that a person may see, and the one they look at. */
import { type Loaded, useLoad } from '../load.ts';
import { anchor } from '../records/description.ts';
import { type Shown, titleOf } from '../records/records.ts';
import { listed, type PageOf } from '../service/api.ts';

/** More are found by name, in the list of locations. */
const MAX_LOCATIONS = 1000;

export { chooseLocation, chosenLocation } from './zones.ts';

export function useLocations(): Loaded<PageOf<Shown>> {
  return useLoad('locations', (signal) =>
    listed(anchor?.path ?? '', { limit: MAX_LOCATIONS }, signal),
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

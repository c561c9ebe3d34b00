/** What this browser stores of places, for the first requests of a page: they name days, and are sent before the page knows its locations. */
import { always, inTab } from '../stored.ts';

/** The time zones of the locations that are looked at. */
const ZONES = 'zones';
const UNSET_ZONE = 'UTC';

/** The usual one first. */
let zones: readonly string[] = always.get(ZONES)?.split(' ') ?? [UNSET_ZONE];
/** Whether this browser knew them when the page began. */
export const wereZonesStored = always.get(ZONES) !== undefined;
let find: ((location: string) => string) | undefined;

export function storedZones(): readonly string[] {
  return zones;
}

/** `zoneOf` gives the zone of a location. */
export function storeZones(now: readonly string[], zoneOf: (location: string) => string): void {
  zones = now;
  find = zoneOf;
  always.set(ZONES, now.join(' '));
}

/** The time zone of a location, or the usual one: where none is named, or before it is known. */
export function storedZoneOf(location?: string | null): string {
  const [usual = UNSET_ZONE] = zones;
  return location ? (find?.(location) ?? usual) : usual;
}

const LOCATION = 'location';

export function storedLocation(): string | undefined {
  return inTab.get(LOCATION);
}

export function storeLocation(id: string | undefined): void {
  inTab.set(LOCATION, id);
}

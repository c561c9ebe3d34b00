/** What this browser stores of places, for the first requests of a page: they name days, and are sent before the page knows its locations. */

/** The time zones of the locations that are looked at. */
const ZONES = 'zones';
const UNSET_ZONE = 'UTC';

/** The usual one first. */
let zones: readonly string[] = globalThis.localStorage?.getItem(ZONES)?.split(' ') ?? [UNSET_ZONE];
/** Whether this browser knew them when the page began. */
export const wereZonesStored = globalThis.localStorage?.getItem(ZONES) != null;
let find: ((location: string) => string) | undefined;

export function storedZones(): readonly string[] {
  return zones;
}

/** `zoneOf` gives the zone of a location. */
export function storeZones(now: readonly string[], zoneOf: (location: string) => string): void {
  zones = now;
  find = zoneOf;
  localStorage.setItem(ZONES, now.join(' '));
}

/** The time zone of a location, or the usual one: where none is named, or before it is known. */
export function storedZoneOf(location?: string | null): string {
  const [usual = UNSET_ZONE] = zones;
  return location ? (find?.(location) ?? usual) : usual;
}

const LOCATION = 'location';

export function storedLocation(): string | undefined {
  return globalThis.sessionStorage?.getItem(LOCATION) ?? undefined;
}

export function storeLocation(id: string | undefined): void {
  if (id === undefined) sessionStorage.removeItem(LOCATION);
  else sessionStorage.setItem(LOCATION, id);
}

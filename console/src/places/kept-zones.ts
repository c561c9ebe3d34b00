/**
 * The time zones of the locations that are looked at, as this browser stores them: the first requests of a page name
 * days, and are sent before the page knows its locations.
 */

const NAME = 'zones';
/** The zone of a location for which none is set. */
const UNSET_ZONE = 'UTC';

/** The usual one first. */
let zones: readonly string[] = globalThis.localStorage?.getItem(NAME)?.split(' ') ?? [UNSET_ZONE];
let find: ((location: string) => string) | undefined;

export function keptZones(): readonly string[] {
  return zones;
}

/** `zoneOf` gives the zone of a location. */
export function keepZones(now: readonly string[], zoneOf: (location: string) => string): void {
  zones = now;
  find = zoneOf;
  localStorage.setItem(NAME, now.join(' '));
}

/** The time zone of a location, or the usual one: where none is named, or before it is known. */
export function keptZoneOf(location?: string | null): string {
  const [usual = UNSET_ZONE] = zones;
  return location ? (find?.(location) ?? usual) : usual;
}

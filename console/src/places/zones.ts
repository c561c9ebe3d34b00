/** The location that is looked at, and the time zones and regions of all, as far as they are loaded. */
import { computed, effect, signal } from '@preact/signals';
import type { LocationSettings } from '../../../client/src/generated/objects.d.ts';
import { clockKey, hasZone } from '../values/days.ts';
import {
  storedLocation,
  storedZoneOf,
  storedZones,
  storeLocation,
  storeZones,
  wereZonesStored,
} from './stored.ts';

interface Homes {
  readonly accounts: readonly string[];
  readonly byId: ReadonlyMap<string, LocationSettings>;
  /** The account of locations with no settings of their own, where their accounts differ. */
  readonly accountOf: ReadonlyMap<string, string>;
}

export const homes = signal<Homes | undefined>(undefined);

/** Finds the settings of a location or an account; `undefined` until they are loaded. */
export function settingsOf(id: string): LocationSettings | undefined {
  const now = homes.value;
  const account = now?.accountOf.get(id) ?? now?.accounts[0] ?? '';
  return now?.byId.get(id) ?? now?.byId.get(account);
}

/** `region`: `''` for any. */
export function isInRegion(location: string | null | undefined, region: string): boolean {
  if (region === '') return true;
  return location !== undefined && settingsOf(location ?? '')?.region === region;
}

/** The time zone of a location; without one, that of the location that is looked at, or the usual one. */
export function zoneOf(location?: string): string {
  const id = location ?? chosenLocation.value ?? homes.value?.accounts[0] ?? '';
  return settingsOf(id)?.time_zone ?? storedZoneOf();
}

export const usualZone = computed(() => zoneOf());

/** The zones of the locations that are looked at, the usual one first. */
const zones = computed(() =>
  chosenLocation.value !== undefined || homes.value === undefined
    ? [usualZone.value]
    : // Of several names of one zone, the first.
      [usualZone.value, ...allZones(homes.value)].filter(
        (zone, at, all) => all.findIndex((one) => clockKey(one) === clockKey(zone)) === at,
      ),
);

function allZones({ byId }: Homes): readonly string[] {
  return [...new Set([...byId.values()].map(({ time_zone }) => time_zone))];
}

/** The zones of locations that this browser does not know. */
export const lackedZones = computed(() => [
  ...new Set(
    [usualZone.value, ...(homes.value ? allZones(homes.value) : [])].filter(
      (zone) => !hasZone(zone),
    ),
  ),
]);

/** Whether the zones are known: from before, or now; or they could not be loaded. */
export const areZonesKnown = signal(wereZonesStored);

/** As `storedZones` has them: other ones than before are those of other days. */
export const zonesOfDays = computed(() =>
  (homes.value === undefined && chosenLocation.value === undefined
    ? storedZones()
    : zones.value
  ).join(' '),
);

/** Whether the locations that are looked at have several time zones. */
export const isMixed = computed(() => zones.value.length > 1);

effect(() => {
  if (homes.value !== undefined) storeZones(zones.value, zoneOf);
});

/** Every region that is set, in order. */
export const regions = computed(() => {
  const all = [...(homes.value?.byId.values() ?? [])].flatMap(({ region }) => region ?? []);
  return [...new Set(all)].sort((one, other) => one.localeCompare(other));
});

/** The accounts for which no time zone is set. */
export const unset = computed(() =>
  (homes.value?.accounts ?? []).filter((id) =>
    homes.value?.byId.get(id)?.inherited.includes('time_zone'),
  ),
);

/** Whether a time zone is set for every account; not where they could not be loaded. */
export const isZoneKnown = computed(() => homes.value !== undefined && unset.value.length === 0);

/** What was changed here is shown at once. */
export function learnSettings(changed: LocationSettings): void {
  const now = homes.value;
  if (now === undefined) return;
  homes.value = { ...now, byId: new Map([...now.byId, [changed.unique_identifier, changed]]) };
}

/** Which location other screens start from; stored for this window alone. */
export const chosenLocation = signal(storedLocation());

export function chooseLocation(id: string | undefined): void {
  chosenLocation.value = id;
  storeLocation(id);
}

/** The time zones of records: each by the settings of its location, or of its account. */
import { effectiveSettings } from '../../core/objects/location-settings.ts';
import { type Country, HOME } from '../../core/schema/phones/numbers.ts';
import { countryOfZone } from '../../core/schema/phones/zones.ts';
import type { Store, StoredRecord } from '../../store/promises/store.ts';

export type ReadZones = ReturnType<typeof zonesOver>;

type Placed = Pick<StoredRecord, 'account' | 'anchor'>;

/** Gives the zone of each of some records. */
export function zonesOver({ locationSettings: book }: Pick<Store, 'locationSettings'>) {
  return async (records: readonly Placed[]) => {
    const ids = records.flatMap(({ account, anchor }) => [account, anchor ?? account]);
    const set = await book.of([...new Set(ids)]);
    const byId = new Map(set.map((one) => [one.unique_identifier, one]));
    return ({ account, anchor }: Placed): string =>
      effectiveSettings({ unique_identifier: anchor ?? account, account }, (id) => byId.get(id))
        .time_zone;
  };
}

/**
 * The country whose phone numbers are written without a country code at a place, or in an account: that of its time
 * zone. `HOME` where none of them has one.
 */
export async function countryAt(
  { locationSettings: book }: Pick<Store, 'locationSettings'>,
  places: readonly string[],
): Promise<Country> {
  const set = new Map((await book.of(places)).map((one) => [one.unique_identifier, one]));
  const zone = places.flatMap((one) => set.get(one)?.time_zone || []).at(0);
  return zone === undefined ? HOME : countryOfZone(zone);
}

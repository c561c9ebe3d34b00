/** The time zones of records: each by the settings of its location, or of its account. */
import { effectiveSettings } from '../../core/objects/location-settings.ts';
import type { Store, StoredRecord } from '../../store/promises/store.ts';

/** Gives the zone of each of these records. */
export type ReadZones = (
  records: readonly StoredRecord[],
) => Promise<(record: StoredRecord) => string>;

export function zonesOver({ locationSettings: book }: Pick<Store, 'locationSettings'>): ReadZones {
  return async (records) => {
    const ids = records.flatMap(({ account, anchor }) => [account, anchor ?? account]);
    const set = await book.of([...new Set(ids)]);
    const byId = new Map(set.map((one) => [one.unique_identifier, one]));
    return ({ account, anchor }) =>
      effectiveSettings({ unique_identifier: anchor ?? account, account }, (id) => byId.get(id))
        .time_zone;
  };
}

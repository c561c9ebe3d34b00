/** The time zones of records: each by the settings of its location, or of its account. */
import { effectiveSettings } from '../../core/objects/location-settings.ts';
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

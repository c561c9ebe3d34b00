/** Prints keys. */
import type { ApiKey } from '../../../client/src/generated/objects.d.ts';
import { apiKey, permissions, type StoredKey } from '../../core/objects/api-key.ts';
import { type ListColumns, present } from '../../core/objects/own-object.ts';
import { count } from '../output.ts';

type KeyJson = ApiKey & { readonly status: string; readonly last_used_at: string | null };

/** The limit of a key or a person, with the locations that its region has now. */
export type Limited = Pick<ApiKey, 'locations' | 'region'>;

export function keyJson(key: StoredKey): KeyJson {
  return present(apiKey, key, 'cli', Date.now()) as unknown as KeyJson;
}

const DAY = 'YYYY-MM-DD'.length;
export const dayOf = (time: string | null): string => time?.slice(0, DAY) ?? 'never';

/** As wide as a terminal, where no key is limited to locations: `keys show` has what takes more room. */
export const keyColumns: ListColumns = [
  ['KEY', 'unique_identifier'],
  ['SECRET', ({ livemode, ending }: KeyJson) => `${livemode ? 'live' : 'test'}…${ending}`],
  [
    'STATUS',
    ({ status, expires_at: end }: KeyJson) =>
      status === 'active' && end !== null ? `to ${dayOf(end)}` : status,
  ],
  [
    'MAY',
    ({ permissions: may, allow }: KeyJson) =>
      [may.length === permissions.length ? 'all' : may.join(', '), ...added(allow)].join(' '),
  ],
  ['LAST USED', (key: KeyJson) => dayOf(key.last_used_at)],
  'name',
  ['LOCATIONS', placesOf],
];

export const added = (allow: readonly string[]): readonly string[] =>
  allow.map((right) => `+${right}`);

/** Where a key or a person is limited to; empty for whole accounts. */
export function placesOf({ locations, region }: Limited): string {
  if (locations === null) return '';
  const all = count(locations.length, 'location');
  if (region === null) return locations.length === 1 ? locations.join() : all;
  return `${region} (${locations.length === 0 ? 'no location: sees nothing' : all})`;
}

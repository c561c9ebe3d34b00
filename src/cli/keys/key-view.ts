/** Prints keys. */
import { apiKey, permissions, type StoredKey, statusOf } from '../../core/objects/api-key.ts';
import { present } from '../../core/objects/own-object.ts';
import type { Limit } from '../../records/auth/region.ts';
import { modeOf } from '../accounts/account-view.ts';
import { align, count, table } from '../output.ts';
import { ownRows } from '../own-view.ts';
import { isoDate } from '../time.ts';

export function keyJson(key: StoredKey & { readonly secret?: string }): object {
  return present(apiKey, key, 'cli', Date.now());
}

/** All about a key; of a region its name, and not each of its locations. */
export function keyRows(
  key: StoredKey,
  wanted?: Parameters<typeof ownRows>[3],
): ReturnType<typeof ownRows> {
  return ownRows(apiKey, key.region === null ? key : { ...key, anchors: null }, Date.now(), wanted);
}

/** A key with its secret, the only time that it is shown. */
export function newKeyLines(key: StoredKey, secret: string): readonly string[] {
  const grant = keyRows(key, ({ settable }) => settable === true);
  const identifier = ['Key', key.unique_identifier];
  return align([identifier, ['Secret', `${secret}  (shown only this once)`], ...grant]);
}

/** As wide as a terminal, where no key is limited to locations: `keys show` has what takes more room. */
export function keyTable(keys: readonly StoredKey[], now: number): readonly string[] {
  const limited = keys.some(({ anchors }) => anchors !== null);
  return table(
    ['KEY', 'SECRET', 'STATUS', 'MAY', 'LAST USED', 'NAME', ...(limited ? ['LOCATIONS'] : [])],
    keys.map((key) => [
      key.unique_identifier,
      `${modeOf(key)}…${key.ending}`,
      shortStatus(key, now),
      mayDo(key),
      key.last_used_at === null ? 'never' : isoDate(key.last_used_at),
      key.name ?? '-',
      ...(limited ? [placesOf(key)] : []),
    ]),
  );
}

/** Permissions, and each right with a plus before it. */
function mayDo({ permissions: may, allow }: StoredKey): string {
  const all = may.length === permissions.length ? 'all' : may.join(', ');
  return [all, ...allow.map((right) => `+${right}`)].join(' ');
}

/** Of a key or a person; `anchors` are those that its region has now. */
export function placesOf({ anchors, region }: Limit): string {
  if (anchors === null) return 'all';
  const places = anchors.length === 1 ? anchors.join() : count(anchors.length, 'location');
  if (region === null) return places;
  return `${region} (${anchors.length === 0 ? 'no location: sees nothing' : count(anchors.length, 'location')})`;
}

function shortStatus(key: StoredKey, now: number): string {
  const status = statusOf(key, now);
  return status === 'active' && key.expires_at !== null ? `to ${isoDate(key.expires_at)}` : status;
}

/** Prints accounts. */
import { type Account, account } from '../../core/objects/account.ts';
import { effectiveSettings } from '../../core/objects/location-settings.ts';
import { present } from '../../core/objects/own-object.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { StoredSettings } from '../../store/promises/account-book.ts';
import { table } from '../output.ts';
import { isoDate } from '../time.ts';

export function accountJson(one: Account): JsonObject {
  return present(account, one, 'cli', 0);
}

/** With the time zone that each gives its locations, by what is set. */
export function accountsJson(
  accounts: readonly Account[],
  set: readonly StoredSettings[],
): readonly object[] {
  return accounts.map((one) => ({ ...accountJson(one), time_zone: zoneOf(one, set).zone }));
}

export function accountTable(
  accounts: readonly Account[],
  set: readonly StoredSettings[],
): readonly string[] {
  return table(
    ['ACCOUNT', 'NAME', 'MODE', 'STATUS', 'TIME ZONE', 'CREATED'],
    accounts.map((account) => {
      const { zone, isSet } = zoneOf(account, set);
      return [
        account.unique_identifier,
        account.name,
        modeOf(account),
        statusOf(account),
        isSet ? zone : `${zone} (not set)`,
        isoDate(account.inserted_at),
      ];
    }),
  );
}

function zoneOf({ unique_identifier: id }: Account, set: readonly StoredSettings[]) {
  const own = set.find(({ unique_identifier }) => unique_identifier === id);
  const { time_zone: zone, inherited } = effectiveSettings(
    { unique_identifier: id, account: id },
    () => own,
  );
  return { zone, isSet: !inherited.includes('time_zone') };
}

function statusOf({ closed_at, becomes }: Account): string {
  if (becomes !== null) return becomes === 'gone' ? 'being removed' : 'being emptied';
  return closed_at === null ? 'open' : `closed ${isoDate(closed_at)}`;
}

export function modeOf({ livemode }: { readonly livemode: boolean }): 'live' | 'test' {
  return livemode ? 'live' : 'test';
}

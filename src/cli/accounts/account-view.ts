/** How accounts are printed. */
import type { Account } from '../../store/promises/store.ts';
import { table } from '../output.ts';
import { isoDate, isoTime } from '../time.ts';

export function accountJson(account: Account): object {
  const { unique_identifier, name, livemode, inserted_at, updated_at, closed_at } = account;
  const { becomes } = account;
  return {
    unique_identifier,
    name,
    livemode,
    inserted_at: isoTime(inserted_at),
    updated_at: isoTime(updated_at),
    ...(closed_at === null ? {} : { closed_at: isoTime(closed_at) }),
    ...(becomes === undefined ? {} : { becomes }),
  };
}

export function accountTable(accounts: readonly Account[]): readonly string[] {
  return table(
    ['ACCOUNT', 'NAME', 'MODE', 'STATUS', 'CREATED'],
    accounts.map((account) => [
      account.unique_identifier,
      account.name,
      modeOf(account),
      statusOf(account),
      isoDate(account.inserted_at),
    ]),
  );
}

function statusOf({ closed_at, becomes }: Account): string {
  if (becomes !== undefined) return becomes === 'gone' ? 'being removed' : 'being emptied';
  return closed_at === null ? 'open' : `closed ${isoDate(closed_at)}`;
}

export function modeOf({ livemode }: { readonly livemode: boolean }): 'live' | 'test' {
  return livemode ? 'live' : 'test';
}

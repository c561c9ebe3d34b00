/** How accounts are printed. */
import type { Account } from '../store/store.ts';
import { table } from './output.ts';
import { isoDate, isoTime } from './time.ts';

export function accountJson(account: Account): object {
  const { unique_identifier, name, livemode, inserted_at, updated_at, closed_at } = account;
  return {
    unique_identifier,
    name,
    livemode,
    inserted_at: isoTime(inserted_at),
    updated_at: isoTime(updated_at),
    ...(closed_at === null ? {} : { closed_at: isoTime(closed_at) }),
  };
}

export function accountTable(accounts: readonly Account[]): readonly string[] {
  return table(
    ['ACCOUNT', 'NAME', 'MODE', 'STATUS', 'CREATED'],
    accounts.map((account) => [
      account.unique_identifier,
      account.name,
      modeOf(account),
      account.closed_at === null ? 'open' : `closed ${isoDate(account.closed_at)}`,
      isoDate(account.inserted_at),
    ]),
  );
}

export function modeOf({ livemode }: { readonly livemode: boolean }): 'live' | 'test' {
  return livemode ? 'live' : 'test';
}

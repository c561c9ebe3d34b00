/** How accounts are printed. */
import { type Account, account } from '../../core/objects/account.ts';
import { present } from '../../core/objects/own-object.ts';
import { table } from '../output.ts';
import { isoDate } from '../time.ts';

export function accountJson(one: Account): object {
  return present(account, one, 'cli', 0);
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
  if (becomes !== null) return becomes === 'gone' ? 'being removed' : 'being emptied';
  return closed_at === null ? 'open' : `closed ${isoDate(closed_at)}`;
}

export function modeOf({ livemode }: { readonly livemode: boolean }): 'live' | 'test' {
  return livemode ? 'live' : 'test';
}

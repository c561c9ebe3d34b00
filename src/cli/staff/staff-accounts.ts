/** The accounts of a new person: each must exist and be open. */
import type { Account, Store } from '../../store/promises/store.ts';
import { accountsCalled } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';

export function readStaffAccounts(
  store: Store,
  all: readonly Account[],
  given: readonly string[] | undefined,
): readonly Account[] {
  const accounts = accountsCalled(store, all, given);
  if (accounts.length === 0)
    throw new Mistake('--account must name an account; "ledgerstone accounts list" shows them.');
  const closed = accounts.find(({ closed_at }) => closed_at !== null);
  if (closed === undefined) return accounts;
  throw new Mistake(
    `${closed.unique_identifier} is closed, so nobody would see anything in it. Reopen it with "ledgerstone accounts reopen".`,
  );
}

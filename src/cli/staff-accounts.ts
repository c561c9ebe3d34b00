/** The accounts that a person is to work for: each of them there, and open. */
import type { Account, Store } from '../store/store.ts';
import { foundAccount } from './found.ts';
import { Mistake } from './mistake.ts';

export async function readStaffAccounts(
  store: Store,
  ids: readonly string[],
): Promise<readonly Account[]> {
  const all = await store.accounts.list();
  const accounts = ids.map((id) =>
    foundAccount(
      all.find(({ unique_identifier }) => unique_identifier === id),
      id,
      store,
    ),
  );
  if (accounts.length === 0)
    throw new Mistake('--account must name an account; "ledgerstone accounts list" shows them.');
  const closed = accounts.find(({ closed_at }) => closed_at !== null);
  if (closed === undefined) return accounts;
  throw new Mistake(
    `${closed.unique_identifier} is closed, so nobody would see anything in it. Reopen it with "ledgerstone accounts reopen".`,
  );
}

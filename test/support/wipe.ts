/** Wipes an account of a store, as the job does that empties accounts. */
import type { Store } from '../../src/store/promises/store.ts';

/** Gives what the account had, by resource; `undefined` if it does not exist. */
export async function wipe(
  { accounts }: Pick<Store, 'accounts'>,
  account: string,
  isRemoved = false,
): Promise<ReadonlyMap<string, number> | undefined> {
  if (!(await accounts.beginEmptying(account, isRemoved))) return undefined;
  const contents = await accounts.contents(account);
  while ((await accounts.emptySome(account)) !== undefined);
  return contents;
}

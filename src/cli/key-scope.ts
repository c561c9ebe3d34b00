/** Reads what a new key is to be for, and checks all of it against the store. */
import { anchorShape, nearestPathName, pathNames } from '../registry.ts';
import type { Account, Store } from '../store/store.ts';
import { foundAccount } from './found.ts';
import { Mistake } from './mistake.ts';

/** Those of all accounts that have these identifiers: each of them open, all live or all test. */
export function readAccounts(
  store: Store,
  all: readonly Account[],
  ids: readonly string[],
): readonly Account[] {
  const accounts = ids.map((id) =>
    foundAccount(
      all.find((account) => account.unique_identifier === id),
      id,
      store,
    ),
  );
  const closed = accounts.find((account) => account.closed_at !== null);
  if (closed !== undefined) {
    throw new Mistake(
      `${closed.unique_identifier} is closed, so a key for it would see nothing. Reopen it with "ledgerstone accounts reopen".`,
    );
  }
  const live = accounts.find(({ livemode }) => livemode);
  const test = accounts.find(({ livemode }) => !livemode);
  if (live !== undefined && test !== undefined) {
    throw new Mistake(
      `${live.unique_identifier} is a live account and ${test.unique_identifier} is a test account. A key cannot be for both.`,
    );
  }
  return accounts;
}

/** The locations with these identifiers: each in one of the accounts, and each account with one of them. */
export async function readLocations(
  store: Store,
  ids: readonly string[],
  accounts: readonly Account[],
): Promise<readonly string[] | null> {
  if (ids.length === 0) return null;
  const scope = {
    accounts: new Set(accounts.map((account) => account.unique_identifier)),
    anchors: undefined,
  };
  const used = new Set<string>();
  for (const id of ids) {
    const found = await store.find(anchorShape, id, scope);
    if (found === undefined) {
      throw new Mistake(
        `There is no ${anchorShape.resource} ${JSON.stringify(id)} in ${accounts.length === 1 ? 'this account' : 'these accounts'}.`,
      );
    }
    used.add(found.account);
  }
  // The key would list that account, and could do nothing in it.
  const unused = accounts.find((account) => !used.has(account.unique_identifier));
  if (unused !== undefined) {
    throw new Mistake(
      `None of these ${anchorShape.resource}s is in ${unused.unique_identifier}. Leave that account out, or name one of its ${anchorShape.resource}s.`,
    );
  }
  return ids;
}

/** The path names of resources, each of them known. */
export function readResources(names: readonly string[]): readonly string[] | null {
  for (const name of names) {
    if (pathNames.includes(name)) continue;
    const nearest = nearestPathName(name);
    throw new Mistake(
      `--resource ${JSON.stringify(name)} is not known; ${nearest === undefined ? `known are ${pathNames.join(', ')}` : `did you mean ${nearest}?`}`,
    );
  }
  return names.length === 0 ? null : names;
}

/** What an option was given: words with commas or spaces between them, each once. */
export function words(given: readonly string[] = []): readonly string[] {
  return [...new Set(given.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== ''))];
}

/** Reads the scope of keys and people, and checks it against the store. */
import { Faults } from '../../core/errors.ts';
import { anchorShape, pathNames, resources } from '../../core/registry.ts';
import type { Administration } from '../../edge/console/session/administrator.ts';
import { readResources } from '../../records/auth/key-grant.ts';
import { createRegions, type Regions } from '../../records/auth/region.ts';
import type { Account, Store, StoredRecord } from '../../store/promises/store.ts';
import { foundAccount } from '../found.ts';
import { Mistake } from '../mistake.ts';
import { rowsOf } from '../output.ts';
import type { Limited } from './key-view.ts';

/** The accounts with these identifiers or names: one at least, and each of them open. */
export async function openAccounts(
  store: Store,
  given: readonly string[],
): Promise<readonly Account[]> {
  const found = await accountsOrOpen(store, given);
  if (found.length === 0)
    throw new Mistake('--account must name an account; "ledgerstone accounts list" shows them.');
  const closed = found.find((account) => account.closed_at !== null);
  if (closed === undefined) return found;
  throw new Mistake(
    `${closed.unique_identifier} is closed: nothing in it can be seen. Reopen it with "ledgerstone accounts reopen".`,
  );
}

/** Services for operations on keys and people, for the operator. */
export function administrationOf(store: Store, origin = ''): Administration {
  return {
    service: {
      keys: store.keys,
      book: store.staff,
      regions: regionsOf(store),
      now: Date.now,
      accountsAmong: async (ids) =>
        (await store.accounts.list()).filter((one) => ids.has(one.unique_identifier)),
      // They were found where they were read.
      anchorsAmong: async (ids) => ids,
    },
    site: { origin },
    administered: () => {},
  };
}

/** All about a key or a person; of a region its name, and not each of its locations. */
export function limitedLines(one: Limited): readonly string[] {
  const shown = one.region === null ? one : { ...one, locations: null };
  return [...rowsOf(shown), ...emptyRegion(one)];
}

/** Says that nothing can be seen where no location has the region. */
export function emptyRegion({ locations, region }: Limited): readonly string[] {
  if (region === null || locations?.length !== 0) return [];
  return [
    `No location has the region ${JSON.stringify(region)} now: nothing is seen until one has it.`,
  ];
}

/** The accounts with these identifiers or names, each once, or all open ones. A name may contain spaces and commas. */
export async function accountsOrOpen(
  store: Store,
  given: string | readonly string[] | undefined,
): Promise<readonly Account[]> {
  const all = await store.accounts.list();
  if (given === undefined) return all.filter(({ closed_at }) => closed_at === null);
  const found = [given].flat().flatMap((text) => {
    const called = accountNamed(all, text.trim());
    if (called !== undefined) return called;
    return words([text]).map((id) => {
      const one = all.find((one) => one.unique_identifier === id) ?? accountNamed(all, id);
      return foundAccount(one, id.startsWith('acct_') ? id : text, store);
    });
  });
  return [...new Set(found)];
}

/** The only open account of that name; `undefined` if it does not exist. */
export function accountNamed(all: readonly Account[], name: string): Account | undefined {
  const [found, ...others] = all.filter(
    (account) => account.name === name && account.closed_at === null,
  );
  if (others.length === 0) return found;
  throw new Mistake(
    `${others.length + 1} accounts have the name ${JSON.stringify(name)}. Put the identifier of the right one into the column account.`,
  );
}

export function regionsOf(store: Store): Regions {
  return createRegions(store, resources, Date.now);
}

/**
 * The unique identifiers of locations that are called by them or by their external identifiers: each in one of the
 * accounts, and each account with one of them. An external identifier may contain spaces and commas.
 */
export async function locationsIn(
  store: Store,
  given: readonly string[],
  accounts: readonly Account[],
): Promise<readonly string[]> {
  const found: StoredRecord[] = [];
  for (const text of given) {
    const whole = await locationCalled(store, text.trim(), accounts);
    if (whole !== undefined) found.push(whole);
    for (const part of whole === undefined ? words([text]) : []) {
      const one = await locationCalled(store, part, accounts);
      const name = part.startsWith(anchorShape.prefix) ? part : text.trim();
      if (one === undefined)
        throw new Mistake(
          `There is no ${anchorShape.resource} ${JSON.stringify(name)} in ${accounts.length === 1 ? 'this account' : 'these accounts'}.`,
        );
      found.push(one);
    }
  }
  // The key would list that account, and could do nothing in it.
  const used = new Set(found.map(({ account }) => account));
  const unused = accounts.find((account) => !used.has(account.unique_identifier));
  if (unused !== undefined)
    throw new Mistake(
      `None of these ${anchorShape.resource}s is in ${unused.unique_identifier}. Leave that account out, or name one of its ${anchorShape.resource}s.`,
    );
  return [...new Set(found.map(({ unique_identifier }) => unique_identifier))];
}

/** The location with that unique or external identifier in the accounts. */
export async function locationCalled(
  store: Store,
  text: string,
  accounts: readonly Account[],
): Promise<StoredRecord | undefined> {
  const ids = accounts.map((account) => account.unique_identifier);
  const scope = { accounts: new Set(ids), anchors: undefined };
  const found = text.startsWith(anchorShape.prefix)
    ? await store.find(anchorShape, text, scope)
    : undefined;
  if (found !== undefined) return found;
  const pairs = ids.map((account) => ({ account, parent: account, external_identifier: text }));
  const all = await Promise.all(pairs.map((pair) => store.findPair(anchorShape, pair)));
  const [one, ...others] = all.filter((each) => each !== undefined);
  if (others.length === 0) return one;
  throw new Mistake(
    `${others.length + 1} of these accounts have a ${anchorShape.resource} ${JSON.stringify(text)}. Put its unique identifier in its place.`,
  );
}

/** Resources by their names in paths. Throws a `Mistake`. */
export function resourcesNamed(
  option: string,
  given: readonly string[] | undefined,
): readonly string[] {
  const faults = new Faults();
  const found = readResources(words(given), pathNames, faults) ?? [];
  const [wrong] = faults.named;
  if (wrong !== undefined) throw new Mistake(wrong.message.replace('resources', option));
  return found;
}

/** The values of an option: words separated by commas or spaces, each once. */
export function words(given: readonly string[] = []): readonly string[] {
  return [...new Set(given.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== ''))];
}

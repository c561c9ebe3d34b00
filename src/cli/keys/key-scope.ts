/** Reads the scope of keys and people, and checks it against the store. */
import { Faults } from '../../core/errors.ts';
import { anchorShape, pathNames } from '../../core/registry.ts';
import { readResources } from '../../records/auth/key-grant.ts';
import type { Account } from '../../store/promises/store.ts';
import {
  type AccountsAt,
  type Directory,
  type FoundLocation,
  locationCalled,
} from '../directory.ts';
import { foundAccount, isAccountId } from '../found.ts';
import { Mistake } from '../mistake.ts';
import { rowsOf } from '../output.ts';
import type { Limited } from './key-view.ts';

/** The accounts with these identifiers or names: one at least, and each of them open. */
export async function openAccounts(
  at: AccountsAt,
  given: readonly string[],
): Promise<readonly Account[]> {
  const found = await accountsOrOpen(at, given);
  if (found.length === 0)
    throw new Mistake('--account must name an account; "ledgerstone accounts list" shows them.');
  const closed = found.find((account) => account.closed_at !== null);
  if (closed === undefined) return found;
  throw new Mistake(
    `${closed.unique_identifier} is closed: nothing in it can be seen. Reopen it with "ledgerstone accounts reopen".`,
  );
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
  at: AccountsAt,
  given: string | readonly string[] | undefined,
): Promise<readonly Account[]> {
  const identified = given === undefined ? undefined : identifiersIn([given].flat());
  if (identified !== undefined)
    return Promise.all(
      identified.map(async (id) => foundAccount(await at.accounts.find(id), id, at)),
    );
  const all = await at.accounts.list();
  if (given === undefined) return all.filter(({ closed_at }) => closed_at === null);
  const found = [given].flat().flatMap((text) => {
    const called = accountNamed(all, text.trim());
    if (called !== undefined) return called;
    return words([text]).map((id) => {
      const one = all.find((one) => one.unique_identifier === id) ?? accountNamed(all, id);
      return foundAccount(one, id.startsWith('acct_') ? id : text, at);
    });
  });
  return [...new Set(found)];
}

/** The identifiers, each once; `undefined` where a name is among them, which any account may have. */
function identifiersIn(given: readonly string[]): readonly string[] | undefined {
  const all = words(given);
  return all.length > 0 && all.every(isAccountId) ? all : undefined;
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

/**
 * The unique identifiers of locations that are called by them or by their external identifiers: each in one of the
 * accounts, and each account with one of them. An external identifier may contain spaces and commas.
 */
export async function locationsIn(
  directory: Pick<Directory, 'locations'>,
  given: readonly string[],
  accounts: readonly Account[],
): Promise<readonly string[]> {
  const found: FoundLocation[] = [];
  for (const text of given) {
    const whole = await locationCalled(directory, text.trim(), accounts);
    if (whole !== undefined) found.push(whole);
    for (const part of whole === undefined ? words([text]) : []) {
      const one = await locationCalled(directory, part, accounts);
      const name = part.startsWith(anchorShape.prefix) ? part : text.trim();
      if (one === undefined)
        throw new Mistake(
          `There is no ${anchorShape.resource} ${JSON.stringify(name)} in ${accounts.length === 1 ? 'this account' : 'these accounts'}: "ledgerstone ${anchorShape.resource}s list" shows those that exist. Send it first, with POST /v1/${anchorShape.resource}s/upsert or "ledgerstone import".`,
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

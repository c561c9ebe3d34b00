/** Messages for an identifier that names nothing, or several things. */

import { account as accountObject } from '../core/objects/account.ts';
import { MAX_SOURCE_NAME } from '../core/objects/source.ts';
import { nameFault } from '../core/registry.ts';
import { countCodePoints, isBlank } from '../core/schema/fields/kinds/text.ts';
import { sameText } from '../core/schema/search/folding.ts';
import type { StoredKey } from '../store/promises/keys.ts';
import type { Store } from '../store/promises/store.ts';
import type { AccountsAt } from './directory.ts';
import { Mistake } from './mistake.ts';

type Placed = Pick<AccountsAt, 'place'>;

/** The mistake of an identifier that names nothing; `group` has the command that lists what there is. */
export function missing(what: string, id: string, { place }: Placed, group = `${what}s`): Mistake {
  return new Mistake(
    `There is no ${what} ${JSON.stringify(id)} in ${place}: "ledgerstone ${group} list" shows those that exist.`,
  );
}

/** The account, or a `Mistake` if it does not exist. */
export function foundAccount<T>(account: T | undefined, id: string, at: Placed): T {
  if (account === undefined) throw missing('account', id, at);
  return account;
}

/** Whether it is the identifier of an account, and not its name. */
export function isAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text);
}

const ACCOUNT_ID = new RegExp(
  `^${accountObject.fields.unique_identifier.kind.prefix ?? ''}[0-9A-Za-z]{22}$`,
);

/**
 * Finds the accounts that an operation is about: those that it names, or that have what it names. Only where nothing
 * says it, it is about all accounts, which are read once: on several servers, each has to answer for that.
 */
export function createConcerned(store: Store) {
  let all: Promise<readonly string[]> | undefined;
  return async ({
    id = '',
    members = {},
    account: its,
  }: Concerning): Promise<readonly string[]> => {
    const { account, accounts, ...others } = members as Readonly<Record<string, unknown>>;
    const named = [id, its, account, accounts].flat().filter((one) => typeof one === 'string');
    const own = named.filter(isAccountId);
    if (own.length > 0) return own;
    const ids = [id, ...Object.values(others)].filter((one) => typeof one === 'string');
    const of = await Promise.all(ids.map((one) => store.accountOf(one)));
    const found = of.filter((one) => one !== undefined);
    if (found.length > 0) return [...new Set(found)];
    all ??= allAccounts(store);
    return all;
  };
}

/** The request of an operation: the identifier of its path, and its members. */
interface Concerning {
  readonly id?: string;
  readonly members?: object;
  readonly account?: string | undefined;
}

/** The identifiers of all accounts, for who works on the store itself. */
export async function allAccounts({ accounts }: Store): Promise<readonly string[]> {
  return (await accounts.list()).map(({ unique_identifier }) => unique_identifier);
}

/** The key, or, if it does not exist, a `Mistake` that repeats nothing that may be a secret. */
export function foundKey<T>(key: T | undefined, id: string, at: Placed): T {
  if (key !== undefined) return key;
  if (id.startsWith('sk_'))
    throw new Mistake(
      'That is the secret of a key. Name the key by its identifier, key_…, which "ledgerstone keys list" shows.',
    );
  throw missing('key', id, at);
}

/** The one key with that identifier, that name, or those last characters of its secret. */
export function keyCalled(keys: readonly StoredKey[], text: string, at: Placed): StoredKey {
  const byId = keys.filter(({ unique_identifier }) => unique_identifier === text);
  const sameName = sameText(text);
  const isCalled = ({ name, ending }: StoredKey): boolean =>
    ending === text || (name !== null && sameText(name) === sameName);
  const called = byId.length > 0 ? byId : keys.filter(isCalled);
  if (called.length < 2) return foundKey(called[0], text, at);
  const shown = called.slice(0, 5).map((one) => `${one.unique_identifier} (…${one.ending})`);
  throw new Mistake(
    `${called.length} keys are called ${JSON.stringify(text)}: ${shown.join(', ')}${called.length > shown.length ? ', …' : ''}. Name one of them by its identifier.`,
  );
}

/** Gives the name back; throws a `Mistake` unless an account may have it. */
export function checkName(name: string): string {
  const fault = nameFault(name);
  if (fault === undefined) return name;
  throw new Mistake(
    fault.code === 'parameter_missing' ? '--name must not be blank.' : `--${fault.message}`,
  );
}

/** Gives the name back; throws a `Mistake` unless a source may have it. */
export function checkSourceName(name: string): string {
  if (isBlank(name)) throw new Mistake('--source must not be blank.');
  if (countCodePoints(name) <= MAX_SOURCE_NAME) return name;
  throw new Mistake(`--source must have at most ${MAX_SOURCE_NAME} characters.`);
}

/** Messages for an identifier that names nothing, or several things. */

import { MAX_SOURCE_NAME } from '../core/objects/source.ts';
import { nameFault } from '../core/registry.ts';
import { countCodePoints, isBlank } from '../core/schema/fields/kinds/text.ts';
import type { StoredKey } from '../store/promises/keys.ts';
import type { Store } from '../store/promises/store.ts';
import { Mistake } from './mistake.ts';

/** The mistake of an identifier that names nothing; `group` has the command that lists what there is. */
export function missing(what: string, id: string, { place }: Store, group = `${what}s`): Mistake {
  return new Mistake(
    `There is no ${what} ${JSON.stringify(id)} in ${place}: "ledgerstone ${group} list" shows those that exist.`,
  );
}

/** The account, or a `Mistake` if it does not exist. */
export function foundAccount<T>(account: T | undefined, id: string, store: Store): T {
  if (account === undefined) throw missing('account', id, store);
  return account;
}

/** The identifiers of all accounts, for who works on the store itself. */
export async function allAccounts({ accounts }: Store): Promise<readonly string[]> {
  return (await accounts.list()).map(({ unique_identifier }) => unique_identifier);
}

/** The key, or, if it does not exist, a `Mistake` that repeats nothing that may be a secret. */
export function foundKey<T>(key: T | undefined, id: string, store: Store): T {
  if (key !== undefined) return key;
  if (id.startsWith('sk_'))
    throw new Mistake(
      'That is the secret of a key. Name the key by its identifier, key_…, which "ledgerstone keys list" shows.',
    );
  throw missing('key', id, store);
}

/** The one key with that identifier, that name, or those last characters of its secret. */
export function keyCalled(keys: readonly StoredKey[], text: string, store: Store): StoredKey {
  const byId = keys.filter(({ unique_identifier }) => unique_identifier === text);
  const sameName = text.trim().toLowerCase();
  const isCalled = ({ name, ending }: StoredKey): boolean =>
    ending === text || name?.trim().toLowerCase() === sameName;
  const called = byId.length > 0 ? byId : keys.filter(isCalled);
  if (called.length < 2) return foundKey(called[0], text, store);
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

/** What to say about an identifier that names nothing. */
import type { Store } from '../store/store.ts';
import { Mistake } from './mistake.ts';

/** The account, or a `Mistake` where there is none. */
export function foundAccount<T>(account: T | undefined, id: string, { place }: Store): T {
  if (account !== undefined) return account;
  throw new Mistake(
    `There is no account ${JSON.stringify(id)} in ${place}: "ledgerstone accounts list" shows those that exist.`,
  );
}

/** The key, or a `Mistake` where there is none, which repeats nothing that may be a secret. */
export function foundKey<T>(key: T | undefined, id: string, { place }: Store): T {
  if (key !== undefined) return key;
  if (id.startsWith('sk_')) {
    throw new Mistake(
      'That is the secret of a key. Name the key by its identifier, key_…, which "ledgerstone keys list" shows.',
    );
  }
  throw new Mistake(
    `There is no key ${JSON.stringify(id)} in ${place}: "ledgerstone keys list" shows those that exist.`,
  );
}

/** The key that `dev` makes is a test key on this machine, so it is saved next to the store, and shown again on request. */
import { readFileSync, writeFileSync } from 'node:fs';
import { findKey } from '../../records/auth/issue-key.ts';
import type { Store } from '../../store/promises/store.ts';
import { Mistake } from '../mistake.ts';

/** Saves it, readable by its owner alone. Returns whether it is saved: only next to a store that is a file. */
export function keepDevKey({ file }: Store, secret: string): boolean {
  if (file === undefined) return false;
  writeFileSync(keyFile(file), `${secret}\n`, { mode: 0o600 });
  return true;
}

/** The key, if it is saved and still works. */
export async function keptDevKey({ file, keys }: Store): Promise<string | undefined> {
  if (file === undefined) return undefined;
  let secret: string;
  try {
    secret = readFileSync(keyFile(file), 'utf8').trim();
  } catch {
    return undefined;
  }
  return (await findKey(keys, secret)) === undefined ? undefined : secret;
}

/** Finds the key; throws a `Mistake` that says how to get one. */
export async function foundDevKey(store: Store): Promise<string> {
  const secret = await keptDevKey(store);
  if (secret !== undefined) return secret;
  throw new Mistake(
    `There is no test key to show for ${store.place}. "dev" keeps the one that it creates for an empty SQLite store, as long as that key works. Create another one with "ledgerstone keys create".`,
  );
}

function keyFile(file: string): string {
  return `${file}.dev-key`;
}

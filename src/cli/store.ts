/** The store that a command works on. */

import { readSettings } from '../core/config.ts';
import { openStoreAlone, STORE_SETTINGS, type StoreSettings } from '../store/open.ts';
import type { Store } from '../store/promises/store.ts';
import type { Command } from './help.ts';
import { givenSettings } from './service/settings.ts';

/** Which store a command was given. Throws `SettingsError`. */
export function storeSettings(command: Command): StoreSettings {
  return readSettings(givenSettings(command), undefined, STORE_SETTINGS);
}

/**
 * Opens the store that the command was given, does the work, and names the
 * store on standard error when all went well. A store is made only where
 * `create` says so. With `threads` another thread writes.
 */
export async function withStore<Result>(
  command: Command,
  { create = false, threads = false }: { readonly create?: boolean; readonly threads?: boolean },
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStoreAlone(storeSettings(command), { create, threads });
  try {
    const result = await work(store);
    process.stderr.write(`Store: ${store.place}\n`);
    return result;
  } finally {
    await store.close();
  }
}

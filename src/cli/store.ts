/** The store that a command works on. */
import { readSealerOf } from '../app/files.ts';
import type { Settings } from '../core/config.ts';
import type { Finding } from '../core/observe/finding.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import { SettingsError } from '../core/settings-error.ts';
import { AUDIT } from '../services/audit/chain.ts';
import { openStoreAlone, STORE_SETTINGS, type StoreSettings } from '../store/open.ts';
import { ERASED } from '../store/promises/erasing/book.ts';
import type { Store } from '../store/promises/store.ts';
import { type CommandAudit, createCommandAudit } from './audit/record-command.ts';
import type { Command } from './help.ts';
import { say } from './output.ts';
import { withKeyOfDev } from './service/secret-key.ts';
import { settingsFor } from './service/settings.ts';

/** Finds what is wrong in a store, for `doctor`. */
export type Finds = (store: Store, settings: Settings) => Promise<readonly Finding[]>;

/** Members and lines of what `restore` says of the new store. */
export type SaysRestored = (
  store: Store,
  command: Command,
) => Promise<{ readonly members: object; readonly lines: readonly string[] }>;

/** Which store a command was given. Throws `SettingsError`. */
export function storeSettings(command: Command): StoreSettings {
  return settingsFor(command, ...STORE_SETTINGS);
}

/** Settings that name the key of secrets and of erased records. */
const OF_KEY = ['database_url', 'secret_key_file', 'webhook_allow'] as const;
type OfKey = Pick<Settings, (typeof OF_KEY)[number]>;

/** Returns the settings of the key, which may be that of `dev`. */
export function keySettings(command: Command): OfKey {
  return withKeyOfDev(settingsFor(command, ...OF_KEY));
}

/** The key of secrets and of erased records, if the command was given one. Throws `SettingsError`. */
export function sealerOf(command: Command): Sealer | undefined {
  return readSealerOf(keySettings(command));
}

/** That key, unless its file cannot be read, which is no fault for what does without. */
export function usableSealer(command: Command): Sealer | undefined {
  return usableSealerIn(settingsFor(command, ...OF_KEY));
}

/** Makes a sealer for what does without: a file that cannot be read is no fault there. */
function usableSealerIn(settings: OfKey): Sealer | undefined {
  try {
    return readSealerOf(withKeyOfDev(settings));
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}

export function erasureKeysIn(settings: OfKey): readonly Uint8Array[] | undefined {
  return usableSealerIn(settings)?.derived(ERASED);
}

interface StoreOptions {
  readonly create?: boolean;
  /** Whether another thread writes. */
  readonly threads?: boolean;
  /** Whether `work` records in the audit what it does, in place of an entry of the command; what shows nothing of people records nothing. */
  readonly records?: boolean;
  /** Whether a mistake means that nothing was done, so that the audit has the command as refused. */
  readonly acts?: boolean;
}

/**
 * Opens the store that the command was given, records that in the audit, does the work, and names the
 * store on standard error when all went well. A store is made only where
 * `create` says so.
 */
export async function withStore<Result>(
  command: Command,
  { create = false, threads = false, records = false, acts = false }: StoreOptions,
  work: (store: Store, audit: CommandAudit) => Promise<Result>,
): Promise<Result> {
  const sealer = usableSealerIn(settingsFor(command, ...OF_KEY));
  const erasureKeys = sealer?.derived(ERASED);
  const store = await openStoreAlone(storeSettings(command), { create, threads, erasureKeys });
  try {
    const audit = createCommandAudit(store, command, sealer?.derived(AUDIT)[0]);
    const result = await (records
      ? work(store, audit)
      : audit.command(acts, () => work(store, audit)));
    say(`Store: ${store.place}`);
    return result;
  } finally {
    await store.close();
  }
}

/** Opens the store that the settings name, for the records of the registry. */
import type { Settings } from '../core/config.ts';
import { shapes } from '../core/registry.ts';
import type { Loading } from './loading.ts';
import {
  compactStore,
  copyStore,
  examineStore,
  isSqliteFile,
  openCopy,
  openLoading,
  openStore,
  pendingMigrations,
} from './open.ts';
import type { CompactionResult, Store } from './promises/store.ts';

/** The settings of the store. */
export type StoreSettings = Pick<
  Settings,
  'database_url' | 'database_partitions' | 'database_distribution' | 'history_days'
>;

export function whichStore(settings: StoreSettings) {
  return {
    url: settings.database_url,
    partitions: settings.database_partitions,
    distribution: settings.database_distribution,
    historyDays: settings.history_days,
    shapes,
  };
}

/** Opens the store for a command next to a process that may be serving it. Throws `StoreUnusable`. */
export function openStoreAlone(
  settings: StoreSettings,
  how: { readonly create: boolean; readonly threads?: boolean },
): Promise<Store> {
  return openStore({ ...whichStore(settings), ...how, serve: false });
}

/** The schema changes that opening the store would make, in words. Changes nothing. */
export function pendingChanges(settings: StoreSettings): Promise<readonly string[]> {
  return pendingMigrations(whichStore(settings));
}

/** Examines the store and its machine. Changes nothing. Throws `StoreUnusable`. */
export function examine(
  settings: StoreSettings & Pick<Settings, 'processes'>,
): ReturnType<typeof examineStore> {
  return examineStore({ ...whichStore(settings), processes: settings.processes });
}

/** Copies a SQLite store before `migrate` changes it; `undefined` if there is nothing to copy. */
export function copyBefore(settings: StoreSettings): string | undefined {
  return copyStore(whichStore(settings));
}

/** Puts back a copy of a SQLite store; `undefined` if the file is not such a copy. Throws `StoreUnusable`. */
export async function restoreCopy(
  settings: StoreSettings,
  file: string,
): Promise<string | undefined> {
  return isSqliteFile(file) ? openCopy(whichStore(settings), file) : undefined;
}

/** Begins to fill a store that does not exist yet, or is empty. Throws `StoreUnusable`. */
export function beginRestore(settings: StoreSettings): Promise<Loading> {
  return openLoading(whichStore(settings));
}

/** Rewrites a store that no process serves. Throws `StoreUnusable`. */
export function compact(settings: StoreSettings): Promise<CompactionResult> {
  return compactStore(whichStore(settings));
}

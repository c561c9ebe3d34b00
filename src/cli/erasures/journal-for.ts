/** The journal of erasures of the store that a command was given, in the folders that the settings name. */
import { hostname } from 'node:os';
import { resources } from '../../core/registry.ts';
import {
  createErasureJournal,
  type ErasureJournal,
  journalFolders,
} from '../../services/erasures/journal.ts';
import { SERVICE } from '../../services/moments/lags.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { settingsFor } from '../service/settings.ts';
import { sealerOf } from '../store.ts';

/** A command that names no folder uses that of the service; what is elsewhere only the service can sync. */
export async function journalFor(command: Command, store: Store): Promise<ErasureJournal> {
  const { backup_to, erasures_to } = settingsFor(command, 'backup_to', 'erasures_to');
  const given = [backup_to, erasures_to];
  const isGiven = given.some((folder) => folder !== undefined);
  const { here, elsewhere } = isGiven ? { here: [], elsewhere: [] } : await serviceFolders(store);
  const isElsewhere = elsewhere.length > 0;
  return createErasureJournal(store, {
    resources,
    sealer: sealerOf(command),
    now: Date.now,
    folders: isElsewhere ? here : journalFolders(store, [...given, ...here]),
    isElsewhere,
  });
}

/** The folders in which services keep the journal, as they have noted: those that a command may complete, and others. */
export async function serviceFolders(store: Pick<Store, 'backups'>) {
  const backups = (await store.backups.followed()).filter(({ name }) => name === SERVICE);
  const isHere = ({ host }: { readonly host: string }): boolean => host === hostname();
  return {
    here: backups.filter(isHere).map(({ folder }) => folder),
    // A copy of the store has the same note: only the service itself writes to its journal.
    elsewhere: [...backups.filter((one) => !isHere(one)), ...(await store.backups.journals())],
  };
}

/** The journal of erasures of the store that a command was given, in the folders that the settings name. */
import { hostname } from 'node:os';
import { readSettings } from '../../core/config.ts';
import { resources } from '../../core/registry.ts';
import { type ErasureJournal, journalOf } from '../../services/erasures/journal.ts';
import { SERVICE } from '../../services/moments/lags.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { givenSettings } from '../service/settings.ts';
import { sealerOf } from '../store.ts';

/** A command that names no folder uses that of the service; what is elsewhere only the service can sync. */
export async function journalFor(command: Command, store: Store): Promise<ErasureJournal> {
  const names = ['backup_to', 'erasures_to'] as const;
  const { backup_to, erasures_to } = readSettings(givenSettings(command), undefined, names);
  const given = [backup_to, erasures_to];
  const isGiven = given.some((folder) => folder !== undefined);
  const followed = (await store.backups.followed()).filter(
    ({ name }) => name === SERVICE && !isGiven,
  );
  return journalOf(store, {
    ...{ resources, sealer: sealerOf(command), now: Date.now },
    folders: [...given, ...followed.map(({ folder }) => folder)],
    isElsewhere: followed.some(({ host }) => host !== hostname()),
  });
}

/** The journal of erasures of the store that a command was given, in the folders that the settings name. */
import { readSettings } from '../../core/config.ts';
import { resources } from '../../core/registry.ts';
import { type ErasureJournal, journalOf } from '../../services/erasures/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { givenSettings } from '../service/settings.ts';
import { sealerOf } from '../store.ts';

export function journalFor(command: Command, store: Store): ErasureJournal {
  const names = ['backup_to', 'erasures_to'] as const;
  const { backup_to, erasures_to } = readSettings(givenSettings(command), undefined, names);
  const folders = [backup_to, erasures_to];
  return journalOf(store, { resources, sealer: sealerOf(command), folders, now: Date.now });
}

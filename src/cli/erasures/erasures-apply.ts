/** `ledgerstone erasures apply`: erases again, in a store that was set back, what its journal tells. */
import { existsSync } from 'node:fs';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, print } from '../output.ts';
import { shortOption } from '../service/settings.ts';
import { withStore } from '../store.ts';
import { appliedWords, journalFor } from './journal-for.ts';

export function addErasuresApply(erasures: Command): void {
  (erasures.command('apply <file>') as Command)
    .description(
      'Erase again what a store that was set back holds, as its journal of erasures says; a service that has the journal does that by itself',
    )
    .addOption(shortOption('secret_key_file'))
    .option('--json', 'Print JSON')
    .examples({
      'ledgerstone erasures apply /mnt/backups/erasures.ndjson':
        'After the store was replaced by an older copy',
    })
    .action(async (file: string, { json }: { json?: true }, command: Command) => {
      if (!existsSync(file)) throw new Mistake(`The file ${file} does not exist.`);
      await withStore(command, { threads: true }, async (store) => {
        const journal = await journalFor(command, store);
        await journal.take(file);
        const applied = await journal.apply();
        const left = (await store.journal.unapplied(MOST)).length;
        if (left > 0) process.exitCode = 2;
        print(
          json,
          { applied, left },
          ...(applied === 0 ? ['The store lacks nothing of the journal.'] : appliedWords(applied)),
          ...(left === 0 ? [] : [`${count(left, 'line')} wait for a hold to be released.`]),
        );
      });
    });
}

const MOST = 1_000_000;

/** `ledgerstone migrate`: makes the store, or brings its schema up to date. */
import type { Command } from 'commander';
import { pendingChanges } from '../app.ts';
import { examples } from './help.ts';
import { printLines } from './output.ts';
import { storeAddress, withStore } from './store.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('Make the store where there is none, or bring its schema up to date')
    .option('--dry-run', 'Only print what would be done')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone migrate', 'Before a new version is started'],
        ['ledgerstone migrate --dry-run', 'See what that would do'],
      ),
    )
    .action(async ({ dryRun }: { dryRun?: true }, command: Command) => {
      const changes = await pendingChanges(storeAddress(command));
      if (!dryRun) await withStore(command, { create: true }, async () => undefined);
      if (changes.length === 0) printLines('The store is up to date.');
      else printLines(dryRun ? 'To be done:' : 'Done:', ...changes.map((change) => `  ${change}`));
    });
}

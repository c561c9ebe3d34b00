/** `ledgerstone migrate`: makes the store, or brings its schema up to date; `status` shows whether that is needed. */
import type { Command } from 'commander';
import { copyBefore, pendingChanges } from '../../store/open-store.ts';
import { examples } from '../help.ts';
import { printJson, printLines } from '../output.ts';
import { storeSettings, withStore } from '../store.ts';
import { settingOption } from './settings.ts';

export function addMigrate(program: Command): void {
  const migrate = program
    .command('migrate')
    .description(
      'Create the store if there is none, or bring its schema up to date; a SQLite store is copied first',
    )
    .addOption(settingOption('database_partitions'))
    .addOption(settingOption('database_distribution'))
    .option('--dry-run', 'Only print what would be done')
    .option('--json', 'Print one JSON document')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone migrate', 'Run this before you start a new version'],
        ['ledgerstone migrate --dry-run', 'See what that would do'],
        ['ledgerstone migrate status', 'See whether there is anything to do'],
      ),
    )
    .action(async ({ dryRun, json }: { dryRun?: true; json?: true }, command: Command) => {
      const changes = await pendingChanges(storeSettings(command));
      let copy: string | undefined;
      if (!dryRun) {
        copy = changes.length === 0 ? undefined : copyBefore(storeSettings(command));
        if (copy !== undefined && !json) printLines(`Copied the store to ${copy} first.`);
        await withStore(command, { create: true }, async () => undefined);
      }
      if (json) printJson({ done: !dryRun, changes, copied_to: copy ?? null });
      else if (changes.length === 0) printLines(UP_TO_DATE);
      else printLines(dryRun ? 'To be done:' : 'Done:', ...changes.map(indented));
    });
  migrate
    .command('status')
    .description(
      'Show whether the schema is up to date, and what would be done, without changing anything',
    )
    .addHelpText(
      'after',
      examples(['ledgerstone migrate status', 'Check before you start a new version']),
    )
    .action(async (_options: object, command: Command) => {
      // "migrate" takes this option for itself, wherever it stands.
      const { json } = command.optsWithGlobals<{ json?: true }>();
      const changes = await pendingChanges(storeSettings(command));
      if (json) printJson({ up_to_date: changes.length === 0, to_be_done: changes });
      else if (changes.length === 0) printLines(UP_TO_DATE);
      else printLines('To be done by "ledgerstone migrate":', ...changes.map(indented));
    });
}

const UP_TO_DATE = 'The store is up to date.';

function indented(change: string): string {
  return `  ${change}`;
}

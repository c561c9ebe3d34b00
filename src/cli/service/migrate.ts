/** `ledgerstone migrate`: makes the store, or brings its schema up to date; `status` shows whether that is needed. */
import { copyStore, pendingMigrations, whichStore } from '../../store/open.ts';
import type { Command } from '../help.ts';
import { print, printLines } from '../output.ts';
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
    .examples({
      'ledgerstone migrate': 'Run this before you start a new version',
      'ledgerstone migrate --dry-run': 'See what that would do',
      'ledgerstone migrate status': 'See whether there is anything to do',
    })
    .action(async ({ dryRun, json }: { dryRun?: true; json?: true }, command: Command) => {
      const store = whichStore(storeSettings(command));
      const changes = await pendingMigrations(store);
      let copy: string | undefined;
      if (!dryRun) {
        copy = changes.length === 0 ? undefined : copyStore(store);
        if (copy !== undefined && !json) printLines(`Copied the store to ${copy} first.`);
        await withStore(command, { create: true }, async () => undefined);
      }
      const shown = { done: !dryRun, changes, copied_to: copy ?? null };
      print(json, shown, ...linesOf(changes, dryRun ? 'To be done:' : 'Done:'));
    });
  migrate
    .command('status')
    .description(
      'Show whether the schema is up to date, and what would be done, without changing anything',
    )
    .examples({ 'ledgerstone migrate status': 'Check before you start a new version' })
    .action(async (_options: object, command: Command) => {
      // "migrate" takes this option for itself, wherever it stands.
      const { json } = command.optsWithGlobals<{ json?: true }>();
      const changes = await pendingMigrations(whichStore(storeSettings(command)));
      const shown = { up_to_date: changes.length === 0, to_be_done: changes };
      print(json, shown, ...linesOf(changes, 'To be done by "ledgerstone migrate":'));
    });
}

function linesOf(changes: readonly string[], heading: string): readonly string[] {
  if (changes.length === 0) return ['The store is up to date.'];
  return [heading, ...changes.map((change) => `  ${change}`)];
}

/** `ledgerstone migrate`: makes the store, or brings its schema up to date; `status` shows whether that is needed. */
import { copyStore, pendingMigrations, whichStore } from '../../store/open.ts';
import type { Command } from '../help.ts';
import { count, megabytes, print, printLines } from '../output.ts';
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
    .option('--json', 'Print one JSON document')
    .examples({
      'ledgerstone migrate': 'Run this before you start a new version',
      'ledgerstone migrate status': 'See what that would do',
    })
    .action(async ({ json }: { json?: true }, command: Command) => {
      const store = whichStore(storeSettings(command));
      const { steps: changes } = await pendingMigrations(store);
      const copy = changes.length === 0 ? undefined : await copyStore(store);
      if (copy !== undefined && !json) printLines(`Copied the store to ${copy} first.`);
      await withStore(command, { create: true }, async (opened) => {
        // A service that begins with a wrong clock can tell.
        if ((await opened.seenTime()) === undefined) await opened.noteTime(Date.now());
      });
      const shown = { done: true, changes, copied_to: copy ?? null };
      print(json, shown, ...listed(changes, 'Done:'));
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
      const { steps, bytes, seconds, alone } = await pendingMigrations(
        whichStore(storeSettings(command)),
      );
      const shown = {
        ...{ up_to_date: steps.length === 0, to_be_done: steps },
        ...{ stop_first: alone, seconds_at_most: seconds, bytes_at_most: bytes },
      };
      const takes =
        bytes === 0
          ? 'It reads no table, and takes a moment.'
          : `It takes ${count(seconds, 'second')} and ${megabytes(bytes)} of disk at most, and as much disk again for the copy of a SQLite store.`;
      const stops =
        'Stop all processes of the service first: the version before would fail, wait too long, or leave out what is new.';
      const more = steps.length === 0 ? [] : [takes, ...(alone ? [stops] : [])];
      print(json, shown, ...listed(steps, 'To be done by "ledgerstone migrate":'), ...more);
    });
}

function listed(steps: readonly string[], heading: string): readonly string[] {
  if (steps.length === 0) return ['The store is up to date.'];
  return [heading, ...steps.map((step) => `  ${step}`)];
}

/** `ledgerstone migrate`: makes the store, or brings its schema up to date; `status` shows whether that is needed. */
import { copyStore, pendingMigrations, whichStore } from '../../store/open.ts';
import type { Pending } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { megabytes, print, printLines } from '../output.ts';
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
      const pending = await pendingMigrations(store);
      const { steps: changes } = pending;
      let copy: string | undefined;
      if (!dryRun) {
        copy = changes.length === 0 ? undefined : copyStore(store);
        if (copy !== undefined && !json) printLines(`Copied the store to ${copy} first.`);
        await withStore(command, { create: true }, async () => undefined);
      }
      const shown = { done: !dryRun, changes, copied_to: copy ?? null };
      print(json, shown, ...linesOf(pending, dryRun ? 'To be done:' : 'Done:', !dryRun));
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
      const pending = await pendingMigrations(whichStore(storeSettings(command)));
      const { steps, bytes, alone } = pending;
      const shown = {
        ...{ up_to_date: steps.length === 0, to_be_done: steps },
        ...{ stop_first: alone, seconds_at_most: secondsOf(bytes), bytes_at_most: bytes },
      };
      print(json, shown, ...linesOf(pending, 'To be done by "ledgerstone migrate":'));
    });
}

/** Read and written in a second by a slow disk. */
const BYTES_PER_SECOND = 25_000_000;
const secondsOf = (bytes: number) => Math.ceil(bytes / BYTES_PER_SECOND);

function linesOf({ steps, bytes, alone }: Pending, heading: string, isDone = false) {
  if (steps.length === 0) return ['The store is up to date.'];
  const listed = [heading, ...steps.map((step) => `  ${step}`)];
  if (isDone) return listed;
  const takes =
    bytes === 0
      ? 'It reads no table, and takes a moment.'
      : `It takes ${secondsOf(bytes)} seconds and ${megabytes(bytes)} of disk at most, and as much disk again for the copy of a SQLite store.`;
  const stops =
    'Stop all processes of the service first: the version before would leave out what is new.';
  return [...listed, takes, ...(alone ? [stops] : [])];
}

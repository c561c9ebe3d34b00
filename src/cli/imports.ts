/** `ledgerstone imports`: what was imported into a store. */
import type { Command } from 'commander';
import type { ImportRun } from '../store/imports.ts';
import type { Store } from '../store/store.ts';
import { examples } from './help.ts';
import { Mistake } from './mistake.ts';
import { printJson, printLines, table } from './output.ts';
import { withStore } from './store.ts';
import { isoTime } from './time.ts';

/** Of a list. */
const MAX_LISTED = 1_000;

export function addImports(program: Command): void {
  const imports = program
    .command('imports')
    .description('See what was imported')
    .addHelpText('after', examples(['ledgerstone imports list', 'The newest first']));
  imports
    .command('list')
    .description('List imports, the newest first')
    .option('--json', 'Print one JSON document')
    .action(async ({ json }: { json?: true }, command: Command) => {
      const runs = await withStore(command, {}, (store) => store.imports.list(MAX_LISTED));
      if (json) {
        printJson(runs.map(view));
        return;
      }
      const rows = runs.map((run) => {
        const { created, updated, unchanged, failed } = run.counts;
        return [
          run.unique_identifier,
          isoTime(run.inserted_at),
          run.status,
          ...[created, updated, unchanged, failed].map(String),
          run.files.map(({ name }) => name).join(', '),
        ];
      });
      const headings = ['Import', 'Begun', 'Status', 'Created', 'Updated', 'Unchanged', 'Rejected'];
      printLines(...table([...headings, 'Files'], rows));
    });
  imports
    .command('show')
    .description('Show an import')
    .argument('<id>', 'Its identifier, imp_…')
    .action(async (id: string, _options: unknown, command: Command) => {
      printJson(view(await withStore(command, {}, (store) => foundImport(store, id))));
    });
}

export async function foundImport(store: Store, id: string): Promise<ImportRun> {
  const run = await store.imports.find(id);
  if (run !== undefined) return run;
  throw new Mistake(
    `There is no import ${JSON.stringify(id)} in ${store.place}: "ledgerstone imports list" shows those that exist.`,
  );
}

function view(run: ImportRun): object {
  const { unique_identifier, status, counts, files, accounts, inserted_at, updated_at } = run;
  const times = { inserted_at: isoTime(inserted_at), updated_at: isoTime(updated_at) };
  return { unique_identifier, status, ...counts, files, accounts, ...times };
}

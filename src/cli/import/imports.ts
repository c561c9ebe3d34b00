/** `ledgerstone imports`: what was imported into a store. */
import { present } from '../../core/objects/own-object.ts';
import { type ImportRun, importRun } from '../../core/objects/transfer/import-run.ts';
import { resources } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { OperationCall, Services } from '../../edge/operations/operation.ts';
import { undoImport } from '../../services/import/undo.ts';
import { createUndoing, undoOf } from '../../services/import/undoing.ts';
import { ended } from '../../services/jobs.ts';

import type { Store } from '../../store/promises/store.ts';
import { agreed } from '../confirm.ts';
import type { CommandOperation } from '../derived/operation.ts';
import { addDerived } from '../derived.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { countingProgress, printLines } from '../output.ts';
import { withStore } from '../store.ts';

/** The most imports of a list. */
const MAX_LISTED = 1_000;

/** Imports are of the whole store, so that no operation of an account has them. */
const OPERATIONS: readonly CommandOperation[] = [
  {
    name: 'list_imports',
    route: 'GET /imports',
    run: async ({ store }: Pick<Services, 'store'>) => ({
      data: (await store.imports.list(MAX_LISTED)).map(view),
    }),
  },
  {
    name: 'get_import',
    route: 'GET /imports/:unique_identifier',
    run: async ({ store }: Pick<Services, 'store'>, { id }: OperationCall<JsonObject>) =>
      view(await foundImport(store, id)),
  },
];

export function addImports(program: Command): void {
  const imports = addDerived(program, {
    name: 'imports',
    says: 'See what was imported, and undo it',
    operations: OPERATIONS,
    open: (store) => ({ services: { store } }),
    commands: {
      list: {
        says: 'List imports, newest first',
        examples: { '': 'See all imports' },
        none: 'Nothing was imported.',
        columns: [
          ['IMPORT', 'unique_identifier'],
          ['STARTED', 'inserted_at'],
          ...['status', 'created', 'updated', 'unchanged'],
          ['REJECTED', 'failed'],
          ['FILES', ({ files }: ImportRun) => files.map(({ name }) => name).join(', ')],
        ],
      },
      'show <id>': {
        says: 'Show an import: its files, its status and what became of its rows',
        examples: { 'imp_…': 'See all about one import' },
      },
    },
  });
  imports
    .command('undo')
    .description('Remove the records that an import created, and restore those that it changed')
    .argument('<id>', 'Its identifier, imp_…')
    .option('--dry-run', 'Show what would happen, and write nothing')
    .option('-y, --yes', 'Do not ask for confirmation')
    .examples({ 'ledgerstone imports undo imp_… --dry-run': 'See what undoing it would do' })
    .addHelpText(
      'after',
      '\nA record that has changed since stays as it is and is named; the exit status is then 2.',
    )
    .action((id: string, options: { dryRun?: true; yes?: true }, command: Command) =>
      undo(command, id, options),
    );
}

async function undo(
  command: Command,
  id: string,
  { dryRun, yes }: { dryRun?: true; yes?: true },
): Promise<void> {
  const dry_run = dryRun === true;
  const { removed, restored, left, undone_at } = await withStore(
    command,
    { acts: true },
    async (store) => {
      const run = await foundImport(store, id);
      using progress = countingProgress(process.stderr);
      const show = (records: number): void => progress.show(id, records);
      const rehearsed = () => ended(undoImport(store, run, { resources, dry_run: true }), show);
      if (run.status === 'undone') {
        // Records that had to stay may be removable by now.
        const would = await rehearsed();
        if (would.removed + would.restored === 0) return { ...would, undone_at: run.updated_at };
      }
      if (dry_run) return { ...(await rehearsed()), undone_at: undefined };
      if (!yes) await confirmed(run);
      const done = await createUndoing(store, resources).run(undoOf(run), show);
      if (done === undefined)
        throw new Mistake(`A service goes on with it: see "ledgerstone imports show ${id}".`);
      return { ...done, undone_at: undefined };
    },
  );
  if (undone_at !== undefined) {
    printLines(
      `${id} was already undone on ${presentTime(undone_at)}. There is nothing more to undo.`,
    );
  } else {
    const says = `${removed} removed, ${restored} restored, ${left.length} left as they are.`;
    printLines(dry_run ? `Dry run: ${says} Nothing was written.` : says);
  }
  if (left.length === 0) return;
  printLines(...left.map(({ resource, record, reason }) => `${resource} ${record}: ${reason}`));
  process.exitCode = 2;
}

async function confirmed({ unique_identifier, counts }: ImportRun): Promise<void> {
  const what = `Undo ${unique_identifier}: remove up to ${counts.created} records, and restore up to ${counts.updated} to what they held before?`;
  if (!(await agreed(what, '--yes to undo the import'))) throw new Mistake('Nothing was undone.');
}

async function foundImport(store: Store, id: string): Promise<ImportRun> {
  const run = await store.imports.find(id);
  if (run !== undefined) return run;
  throw new Mistake(
    `There is no import ${JSON.stringify(id)} in ${store.place}: "ledgerstone imports list" shows those that exist.`,
  );
}

/** The counts stand beside their object, too, as they did before it. */
function view(run: ImportRun): object {
  return { ...present(importRun, run, 'cli', 0), ...run.counts };
}

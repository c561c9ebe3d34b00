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
import { missing } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { countingProgress, printLines } from '../output.ts';
import { withStore } from '../store.ts';

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
    .action(undo);
}

async function undo(
  id: string,
  { dryRun, yes }: { readonly dryRun?: true; readonly yes?: true },
  command: Command,
): Promise<void> {
  let undone_at: number | undefined;
  const { removed, restored, left } = await withStore(command, { acts: true }, async (store) => {
    const run = await foundImport(store, id);
    using progress = countingProgress();
    const show = (records: number): void => progress.show(id, records);
    const isUndone = run.status === 'undone';
    if (isUndone || dryRun) {
      const would = await ended(undoImport(store, run, { resources, dry_run: true }), show);
      // Records that had to stay may be removable by now.
      if (isUndone && would.removed + would.restored === 0) undone_at = run.updated_at;
      if (dryRun || undone_at !== undefined) return would;
    }
    const { created, updated } = run.counts;
    const what = `Undo ${id}: remove up to ${created} records, and restore up to ${updated} to what they held before?`;
    if (!yes && !(await agreed(what, '--yes to undo the import')))
      throw new Mistake('Nothing was undone.');
    const done = await createUndoing(store, resources).run(undoOf(run), show);
    if (done !== undefined) return done;
    throw new Mistake(`A service goes on with it: see "ledgerstone imports show ${id}".`);
  });
  const says = `${removed} removed, ${restored} restored, ${left.length} left as they are.`;
  if (undone_at !== undefined)
    printLines(
      `${id} was already undone on ${presentTime(undone_at)}. There is nothing more to undo.`,
    );
  else printLines(dryRun ? `Dry run: ${says} Nothing was written.` : says);
  if (left.length === 0) return;
  printLines(...left.map(({ resource, record, reason }) => `${resource} ${record}: ${reason}`));
  process.exitCode = 2;
}

async function foundImport(store: Store, id: string): Promise<ImportRun> {
  const run = await store.imports.find(id);
  if (run === undefined) throw missing('import', id, store);
  return run;
}

/** The counts stand beside their object, too, as they did before it. */
function view(run: ImportRun): object {
  return { ...present(importRun, run, 'cli', 0), ...run.counts };
}

/** `ledgerstone imports`: what was imported into a store. */
import { present } from '../../core/objects/own-object.ts';
import { importRun } from '../../core/objects/transfer/import-run.ts';
import { resources } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { undoImport } from '../../services/import/undo.ts';
import { createUndoing, undoOf } from '../../services/import/undoing.ts';
import { ended } from '../../services/jobs.ts';
import type { ImportRun } from '../../store/promises/imports.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { print, printJson, printLines, table } from '../output.ts';
import { countingProgress } from '../progress.ts';
import { withStore } from '../store.ts';

/** The most imports of a list. */
const MAX_LISTED = 1_000;
const HEADINGS = [
  ...['IMPORT', 'STARTED', 'STATUS'],
  ...['CREATED', 'UPDATED', 'UNCHANGED', 'REJECTED', 'FILES'],
];

export function addImports(program: Command): void {
  const imports = program.command('imports').description('See what was imported, and undo it');
  imports
    .command('list')
    .description('List imports, newest first')
    .option('--json', 'Print one JSON document')
    .examples(['ledgerstone imports list', 'See all imports'])
    .action(async ({ json }: { json?: true }, command: Command) => {
      const runs = await withStore(command, {}, (store) => store.imports.list(MAX_LISTED));
      const rows = runs.map((run) => {
        const { created, updated, unchanged, failed } = run.counts;
        return [
          run.unique_identifier,
          presentTime(run.inserted_at),
          run.status,
          ...[created, updated, unchanged, failed].map(String),
          run.files.map(({ name }) => name).join(', '),
        ];
      });
      print(json, runs.map(view), ...table(HEADINGS, rows));
    });
  imports
    .command('show')
    .description(
      'Print an import as one JSON document: its files, its status and what became of its rows',
    )
    .argument('<id>', 'Its identifier, imp_…')
    .examples(['ledgerstone imports show imp_…', 'See all about one import'])
    .action(async (id: string, _options: unknown, command: Command) => {
      printJson(view(await withStore(command, {}, (store) => foundImport(store, id))));
    });
  imports
    .command('undo')
    .description('Remove the records that an import created, and restore those that it changed')
    .argument('<id>', 'Its identifier, imp_…')
    .option('--dry-run', 'Show what would happen, and write nothing')
    .option('-y, --yes', 'Do not ask for confirmation')
    .examples(['ledgerstone imports undo imp_… --dry-run', 'See what undoing it would do'])
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
      const progress = countingProgress(process.stderr);
      const show = (records: number): void => progress.show(id, records);
      const rehearsed = () =>
        ended(undoImport(store, run, { resources, dry_run: true }), show).finally(progress.clear);
      if (run.status === 'undone') {
        // Records that had to stay may be removable by now.
        const would = await rehearsed();
        if (would.removed + would.restored === 0) return { ...would, undone_at: run.updated_at };
      }
      if (dry_run) return { ...(await rehearsed()), undone_at: undefined };
      if (!yes) await confirmed(run);
      const undone = createUndoing(store, resources).run(undoOf(run), show);
      const done = await undone.finally(progress.clear);
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
  if (!process.stdin.isTTY) {
    throw new Mistake(
      'Cannot ask for confirmation without a terminal: add --yes to undo the import.',
    );
  }
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: `Undo ${unique_identifier}: remove up to ${counts.created} records, and restore up to ${counts.updated} to what they held before?`,
    initialValue: false,
  });
  if (answer !== true) throw new Mistake('Nothing was undone.');
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

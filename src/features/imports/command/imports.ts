/** `ledgerstone imports`: what was imported into a store. */
import type { ImportUndo } from '../../../../client/src/generated/objects.d.ts';
import { agreed } from '../../../cli/confirm.ts';
import type { CommandOperation, Performer } from '../../../cli/derived/performer.ts';
import { addDerived } from '../../../cli/derived.ts';
import { missing } from '../../../cli/found.ts';
import type { Command } from '../../../cli/help.ts';
import { Mistake } from '../../../cli/mistake.ts';
import { countingProgress, print } from '../../../cli/output.ts';
import { elsewhereOption, plainHttpOption, serviceAt } from '../../../cli/service/elsewhere.ts';
import { withStore } from '../../../cli/store.ts';
import { present } from '../../../core/objects/own-object.ts';
import { resources } from '../../../core/registry.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { OperationCall, Services } from '../../../edge/operations/operation.ts';
import { ended } from '../../../services/jobs.ts';
import type { Store } from '../../../store/promises/store.ts';
import { type ImportRun, importRun } from '../declares/import-run.ts';
import { undoImport } from '../serves/undo.ts';
import { createUndoing, undoOf } from '../serves/undoing.ts';

const MAX_LISTED = 1_000;

/** Imports are of the whole store, so that no operation of an account has them. */
const OPERATIONS: readonly CommandOperation[] = [
  {
    name: 'list_imports',
    route: 'GET /v1/imports',
    run: async ({ store }: Pick<Services, 'store'>) => ({
      data: (await store.imports.list(MAX_LISTED)).map(view),
    }),
  },
  {
    name: 'get_import',
    route: 'GET /v1/imports/:unique_identifier',
    run: async ({ store }: Pick<Services, 'store'>, { id }: OperationCall<JsonObject>) =>
      view(await foundImport(store, id)),
  },
];

export function addImports(program: Command): void {
  const imports = addDerived(program, {
    name: 'imports',
    says: 'See what was imported, and undo it',
    operations: OPERATIONS,
    takes: ['store'],
    commands: {
      list: {
        says: 'List imports, newest first',
        examples: { '': 'See all imports' },
        none: 'Nothing was imported.',
        columns: [
          ['IMPORT', 'unique_identifier'],
          ['STARTED', 'inserted_at'],
          'status',
          ...(['created', 'updated', 'unchanged'] as const).map(
            (name) => [name.toUpperCase(), ({ counts }: ImportRun) => counts[name]] as const,
          ),
          ['REJECTED', ({ counts }: ImportRun) => counts.failed],
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
    .addOption(elsewhereOption('url'))
    .addOption(plainHttpOption())
    .option('--dry-run', 'Show what would happen, and write nothing')
    .option('-y, --yes', 'Do not ask for confirmation')
    .option('--json', 'Print one JSON document')
    .examples({ 'ledgerstone imports undo imp_… --dry-run': 'See what undoing it would do' })
    .addHelpText(
      'after',
      '\nA record that has changed since stays as it is and is named; the exit status is then 2.',
    )
    .action(undo);
}

interface UndoFlags {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly url?: string;
  readonly plainHttp?: true;
  readonly json?: true;
}

/** The most records that are named in the JSON, as in the answer of a service. */
const NAMED = 50;

async function undo(id: string, flags: UndoFlags, command: Command): Promise<void> {
  const { dryRun, yes, url, plainHttp } = flags;
  if (url !== undefined)
    return undoAt(serviceAt(url, { option: 'url', plainHttp: plainHttp === true }), id, flags);
  let undone_at: number | undefined;
  const done = await withStore(command, { acts: true }, async (store) => {
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
    const undone = await createUndoing(store, resources).run(undoOf(run), show);
    if (undone !== undefined) return undone;
    throw new Mistake(`A service goes on with it: see "ledgerstone imports show ${id}".`);
  });
  const { left, ...counts } = done;
  const before =
    undone_at === undefined
      ? undefined
      : `${id} was already undone on ${presentTime(undone_at)}. There is nothing more to undo.`;
  report({ ...counts, kept: left.length, left }, flags, before);
}

/** Asks a service elsewhere to undo it. */
async function undoAt(
  { perform }: Pick<Performer, 'perform'>,
  id: string,
  flags: UndoFlags,
): Promise<void> {
  const undoing: CommandOperation = {
    name: 'undo_import',
    route: 'POST /v1/imports/:unique_identifier/undo',
    body: {},
  };
  const undoes = async (dry_run: boolean) => {
    const request = { id, inPath: {}, query: [], body: { dry_run }, about: {} };
    return (await perform(undoing, request)) as ImportUndo;
  };
  const would = await undoes(true);
  if (flags.dryRun) return report(would, flags);
  const what = `Undo ${id}: remove ${would.removed} records, and restore ${would.restored} to what they held before?`;
  if (!flags.yes && !(await agreed(what, '--yes to undo the import')))
    throw new Mistake('Nothing was undone.');
  report(await undoes(false), flags);
}

interface Undone extends Readonly<Pick<ImportUndo, 'removed' | 'restored' | 'kept'>> {
  readonly left: readonly ImportUndo['left'][number][];
}

/** Says what was undone, or would be; `instead` where nothing was to be. The exit status is 2 where records stay. */
function report(
  { removed, restored, kept, left }: Undone,
  { dryRun, json }: UndoFlags,
  instead?: string,
): void {
  const says = `${removed} removed, ${restored} restored, ${kept} left as they are.`;
  print(
    json,
    { object: 'import_undo', removed, restored, kept, left: left.slice(0, NAMED) },
    instead ?? (dryRun ? `Dry run: ${says} Nothing was written.` : says),
    ...left.map(({ resource, record, reason }) => `${resource} ${record}: ${reason}`),
  );
  if (kept > 0) process.exitCode = 2;
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

/** `ledgerstone export`: writes everything out, as it stood at one moment, for people and for other programs. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { Store } from '../store/store.ts';
import { counted, type ExportedFile, exportFiles } from '../transfer/export/export.ts';
import type { Format } from '../transfer/export/formats.ts';
import { type ExportOptions, FORMAT_NAMES, readTarget } from './export-target.ts';
import { foundAccount } from './found.ts';
import { examples } from './help.ts';
import { printJson, printLines, table } from './output.ts';
import { countingProgress } from './progress.ts';
import { withStore } from './store.ts';

export function addExport(program: Command): void {
  program
    .command('export')
    .description('Write the records of a store as rows, as they stand at one moment')
    .option('--resource <names...>', 'Only these resources, by their path names')
    .option('--account <id>', 'Only this account; by default all that are open')
    .addOption(
      new Option(
        '--format <format>',
        'The format; by default what the name of --out ends in, or ndjson',
      ).choices(FORMAT_NAMES),
    )
    .option(
      '--out <path>',
      'The file to write, or the folder for a file of each resource; by default one resource is printed',
    )
    .option('--json', 'Print what was written as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone export --out everything/', 'Everything, a file for each resource'],
        ['ledgerstone export --resource events --out events.xlsx', 'A workbook for people'],
        [
          'ledgerstone export --resource events --account acct_… --format csv | head',
          'The first events of an account',
        ],
      ),
    )
    .action(async (options: ExportOptions, command: Command) => {
      await withStore(command, {}, (store) => exportStore(store, options));
    });
}

async function exportStore(store: Store, options: ExportOptions): Promise<void> {
  const target = readTarget(options);
  const accounts = await accountsOf(store, options.account);
  const snapshot = await store.snapshot();
  const progress = countingProgress(process.stderr);
  const { format } = target;
  const onRows: Parameters<typeof counted>[0]['onRows'] = ({ path }, rows) =>
    progress.show(path, rows);
  try {
    const exporting = { snapshot, accounts, format, onRows };
    if (target.files === undefined) {
      await counted(exporting, target.resource, (bytes) =>
        pipeline(Readable.from(bytes, { objectMode: false }), process.stdout, { end: false }),
      );
      return;
    }
    const exported = await exportFiles(exporting, target.files);
    progress.clear();
    tell(exported, { format, taken_at: snapshot.taken_at, json: options.json });
  } finally {
    progress.clear();
    await snapshot.close();
  }
}

/** The open accounts, or the one that was named. */
async function accountsOf(store: Store, id: string | undefined): Promise<readonly string[]> {
  const all = await store.accounts.list();
  if (id === undefined) {
    return all.filter((one) => one.closed_at === null).map((one) => one.unique_identifier);
  }
  const found = all.find(({ unique_identifier }) => unique_identifier === id);
  return [foundAccount(found, id, store).unique_identifier];
}

interface Told {
  readonly format: Format;
  readonly taken_at: number;
  readonly json: true | undefined;
}

function tell(exported: readonly ExportedFile[], { format, taken_at, json }: Told): void {
  if (json) {
    printJson({
      taken_at: new Date(taken_at).toISOString(),
      format,
      files: exported.map(({ resource, rows, file }) => ({ resource: resource.path, rows, file })),
    });
    return;
  }
  const rows = exported.map(({ resource, rows: count, file }) => [
    resource.path,
    count.toLocaleString('en-US'),
    file,
  ]);
  printLines(...table(['Resource', 'Rows', 'File'], rows));
}

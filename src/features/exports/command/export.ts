/** `ledgerstone export`: exports a snapshot of everything, for people and for other programs. */
import { extname, join } from 'node:path';
import { isFile, isFolder } from '../../../cli/backup/backup-file.ts';
import type { Command } from '../../../cli/help.ts';
import { accountsOrOpen, resourcesNamed } from '../../../cli/keys/key-scope.ts';
import { Mistake } from '../../../cli/mistake.ts';
import { align, countingProgress, isTerminal, pour, print, warn } from '../../../cli/output.ts';
import { fastOption, type PaceOptions, paceOf } from '../../../cli/pace.ts';
import { stopSignal } from '../../../cli/service/until-stopped.ts';
import { withStore } from '../../../cli/store.ts';
import { resources } from '../../../core/registry.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { replaceFile } from '../../../services/transfer/new-files.ts';
import type { Store } from '../../../store/promises/store.ts';
import {
  type Exporting,
  type ExportPlan,
  exportFiles,
  planSince,
  planWhole,
  readState,
  removedTable,
  stateText,
  tableOf,
  writeTable,
} from '../serves/export.ts';
import { FORMATS, type Format, rowPartsFor } from '../serves/formats.ts';

export function addExport(program: Command): void {
  program
    .command('export')
    .description('Write the records of the store as rows, all as they stand at one moment')
    .addOptions({
      '--resource <names...>': 'Only these resources, by their names in paths, such as events',
      '--account <id>': 'Only this account, by identifier or name; by default all open accounts',
      '--format <format>': [
        'The format; by default the ending of --out, or ndjson',
        ...FORMAT_NAMES,
      ],
      '--out <path>':
        'The file to write, or a folder for a file of each resource; by default the one resource is printed',
      '--since <file>':
        'Write only what has changed or was removed since the export that wrote this file, then update the file; everything if it does not exist',
    })
    .addOption(fastOption())
    .option('--json', 'Print what was written as one JSON document')
    .examples({
      'ledgerstone export --out everything/': 'Everything, a file for each resource',
      'ledgerstone export --out changed-$(date +%F)/ --since export.state':
        'Every night, what has changed since the last',
      'ledgerstone export --resource events --out events.xlsx': 'A workbook for people',
      'ledgerstone export --resource events --account acct_… --format csv | head':
        'The first events of an account',
    })
    .action((options: ExportOptions, command: Command) =>
      withStore(command, {}, (store) => exportStore(store, options)),
    );
}

async function exportStore(store: Store, options: ExportOptions): Promise<void> {
  const { format, wanted, fileOf } = readTarget(options);
  const { since } = options;
  const state = since === undefined ? undefined : (readState(since) ?? new Map());
  const called = await accountsOrOpen(store, options.account);
  const accounts = called.map(({ unique_identifier }) => unique_identifier);
  const plan = await (state === undefined
    ? planWhole(store, accounts)
    : planSince(store, accounts, state));
  await using _ = plan.snapshot;
  using progress = countingProgress();
  const stopping = stopSignal();
  stopping.addEventListener('abort', () => {
    process.exitCode = INTERRUPTED;
  });
  const pace = paceOf(options);
  const onRows = progress.show;
  const parts = rowPartsFor(format, store);
  /** Why records are left out that the format cannot hold: that is their account's alone, and the others are exported. */
  const left: string[] = [];
  const leaveOut = accounts.length > 1 ? (reason: string) => void left.push(reason) : undefined;
  const exporting: Exporting = {
    ...{ log: store.log, plan, format, parts, pace, onRows, leaveOut, stopping },
  };
  const tables = wanted.map((resource) => tableOf(exporting, resource));
  if (fileOf === undefined) {
    for (const one of tables) await writeTable(exporting, one, toOutput);
    sayLeft(left);
    return;
  }
  if (since !== undefined) tables.push(removedTable(exporting, resources));
  const targets = tables.map((one) => ({ table: one, file: fileOf(one.name) }));
  const exported = await exportFiles(exporting, targets);
  progress.clear();
  // What was left out is exported the next time, in a format that holds it.
  if (since !== undefined && state !== undefined && left.length === 0) {
    // Other accounts go on from where they were.
    replaceFile(since, stateText(new Map([...state, ...plan.reached])));
  }
  report(exported, plan, options, format);
  sayLeft(left);
}

const MAX_TOLD = 20;

/** Names the records that are missing, and fails. */
function sayLeft(left: readonly string[]): void {
  if (left.length === 0) return;
  process.exitCode = 1;
  for (const reason of left.slice(0, MAX_TOLD)) warn(`Left out: ${reason}`);
  const count = left.length.toLocaleString('en-US');
  warn(
    `${count} ${left.length === 1 ? 'record is' : 'records are'} missing, and all others are there. Export as CSV or NDJSON to have all.`,
  );
}

/** Prints the bytes, no faster than they are read. The reader may stop, as `head` does. */
async function toOutput(bytes: AsyncIterable<string | Uint8Array>): Promise<void> {
  await pour(bytes).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** The exit status after the first signal. */
const INTERRUPTED = 130;

function report(
  exported: Awaited<ReturnType<typeof exportFiles>>,
  { snapshot, stretches, restarted }: ExportPlan,
  { since, json }: ExportOptions,
  format: Format,
): void {
  const changed_only = stretches.map(({ account }) => account);
  const answer = {
    taken_at: new Date(snapshot.taken_at).toISOString(),
    format,
    ...(since === undefined ? {} : { changed_only, restarted }),
    files: exported.map(({ table: resource, rows, file }) => ({ resource, rows, file })),
  };
  const rows = exported.map((one) => [one.table, one.rows.toLocaleString('en-US'), one.file]);
  print(json, answer, ...align([['RESOURCE', 'ROWS', 'FILE'], ...rows]));
  for (const account of json ? [] : restarted) {
    warn(
      `The log of changes does not tell what happened in ${account} since ${since}, so all its records were written, and those that were removed are not named.`,
    );
  }
}

interface ExportOptions extends PaceOptions {
  readonly resource?: readonly string[];
  readonly account?: string;
  readonly format?: Format;
  readonly out?: string;
  readonly since?: string;
}

const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

/**
 * The export, and its destination: `fileOf` gives the file of rows by their name; without it, those of the one resource
 * are printed. Throws a `Mistake` where the options do not go together.
 */
function readTarget(options: ExportOptions) {
  const { resource: names, format: given, out, since, json } = options;
  if (since !== undefined && names !== undefined)
    throw new Mistake('--since covers all resources. Leave out --resource.');
  const wanted = wantedResources(resourcesNamed('--resource', names));
  const isOne = wanted.length === 1;
  if (since !== undefined && out === undefined)
    throw new Mistake('--since also writes a file of what was removed. Name a folder with --out.');
  if (out === undefined) {
    if (!isOne) throw new Mistake('Name a folder with --out, or one resource with --resource.');
    if (json)
      throw new Mistake('--json describes the files that were written. Name one with --out.');
    if (given === 'xlsx' && isTerminal())
      throw new Mistake('A workbook is not written to a terminal. Name a file with --out.');
    return { format: given ?? 'ndjson', wanted, fileOf: undefined };
  }
  if (isOne && !out.endsWith('/') && !isFolder(out))
    return { format: given ?? formatOf(out), wanted, fileOf: () => out };
  if (isFile(out))
    throw new Mistake(
      `${out} is a file, but each resource needs a file of its own. Name a folder.`,
    );
  const format = given ?? 'ndjson';
  return { format, wanted, fileOf: (name: string) => join(out, `${name}.${format}`) };
}

/** Finds resources by path name, in the order of the registry: parents come before what belongs to them. */
function wantedResources(names: readonly string[]): readonly Resource[] {
  const exported = resources.filter(({ parent }) => parent !== undefined);
  if (names.length === 0) return exported;
  const root = names.find((name) => !exported.some(({ path }) => path === name));
  if (root !== undefined)
    throw new Mistake(
      `${root} are not exported as rows. "ledgerstone accounts list --json" shows them.`,
    );
  return exported.filter(({ path }) => names.includes(path));
}

function formatOf(file: string): Format {
  const ending = extname(file).slice(1).toLowerCase();
  return FORMAT_NAMES.find((format) => format === ending) ?? 'ndjson';
}

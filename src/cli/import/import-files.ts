/** The command `ledgerstone import`: plans, imports into a store, and reports the result. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Sync } from '../../../client/src/generated/objects.d.ts';
import type { ImportCounts, ImportRun } from '../../core/objects/transfer/import-run.ts';
import { resources } from '../../core/registry.ts';
import { importerOf } from '../../records/auth/principal.ts';
import { importFiles, manyOf } from '../../services/import/importing.ts';
import { ColumnsUnknown, type Mapping } from '../../services/import/mapping.ts';
import type { Duplicates } from '../../services/import/order.ts';
import { placesOf } from '../../services/import/places.ts';
import { type ImportOptions, type Plan, planImport } from '../../services/import/plan.ts';
import type { Importing, ImportResult, Mode } from '../../services/import/run.ts';
import { type DateOrder, isTimeZone } from '../../services/import/table/cells.ts';
import { readText } from '../../services/import/table/table.ts';
import { OPTIONS } from '../../services/import/words.ts';
import { stepAside } from '../../services/transfer/pace.ts';
import { TransferRefused } from '../../services/transfer/refused.ts';
import { type Store, StoreUnavailable } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { accountsOrOpen } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { checkSourceName } from '../name.ts';
import { print, printJson } from '../output.ts';
import type { PaceOptions } from '../pace.ts';
import { linesOfSync } from '../sources/syncs.ts';
import { withStore } from '../store.ts';
import { INPUT_NAME, withInput } from './import-input.ts';
import { checkSync, importSyncs, storeSync } from './import-sync.ts';
import { askFor, importProgress } from './import-terminal.ts';
import { STANDARD_INPUT } from './table-file.ts';

export interface ImportFlags extends PaceOptions {
  readonly resource?: string;
  readonly account?: string;
  readonly source?: string;
  readonly map?: string;
  readonly saveMap?: string;
  readonly set?: readonly string[];
  readonly sheet?: string;
  readonly headerRow?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly dates?: DateOrder;
  readonly timeZone?: string;
  readonly phones?: 'us';
  readonly empty: 'keep' | 'remove';
  readonly mode?: Mode;
  readonly maxFailed?: string;
  readonly rejected?: string;
  readonly dryRun?: true;
  readonly fromStart?: true;
  readonly sync?: true;
  readonly location?: string;
  readonly atMost?: string;
  readonly json?: true;
  /** Where standard input is saved, if that is imported. */
  readonly input?: string;
}

/** Exit codes by how it ended. */
const EXIT = { rejected: 2, too_many_failed: 3, interrupted: 130 } as const;

export async function importCommand(
  command: Command,
  files: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  if (!files.includes(STANDARD_INPUT)) return importNamed(command, files, flags);
  if (files.length > 1) {
    throw new Mistake('"-" stands for standard input and must be the only file.');
  }
  await withInput((input) => importNamed(command, [input], { ...flags, input }));
}

async function importNamed(
  command: Command,
  files: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  if (flags.rejected !== undefined && files.length > 1) {
    throw new Mistake(
      '--rejected works with one file only. With several, each has its rejected rows beside it.',
    );
  }
  const { mode, rejected, fast, source } = flags;
  if (source !== undefined) checkSourceName(source);
  const dry_run = flags.dryRun === true;
  const common = { mode, dry_run, rejected, fromStart: flags.fromStart === true };
  checkSync(flags);
  await withStore(command, { threads: fast === true }, async (store) => {
    const accounts = await accountsOf(store, flags.account);
    const only = accounts.length === 1 ? accounts[0] : undefined;
    if (source !== undefined && only === undefined)
      throw new Mistake('--source needs --account: sources are those of one account.');
    const scope = { accounts: new Set(accounts), anchors: undefined };
    const places = () => placesOf(store, resources, scope);
    using plan = await planned(files, flags, only, places);
    const place = flags.sync && (await storeSync(store, flags, only));
    const syncs = place ? importSyncs(store, place, dry_run) : undefined;
    if (!fast) stepAside();
    const importing = {
      ...common,
      store,
      accounts,
      many: manyOf(store, resources),
      principal: (id: string) => importerOf(id, accounts),
      pace: fast ? ('fast' as const) : ('beside' as const),
      note: dry_run ? undefined : (run: ImportRun) => store.imports.put(run),
      async begun(run: ImportRun, resumed: boolean) {
        sayResumed(run, resumed);
        if (source === undefined || only === undefined) return;
        if (!dry_run || syncs) await store.sources.assign(only, run.unique_identifier, source);
        await syncs?.begin(plan, run);
      },
      sync: syncs?.of,
    };
    const done = await running(plan, flags, (how) => importFiles(plan, { ...importing, ...how }));
    await report(done, flags, syncs?.finish);
  });
}

function sayResumed({ unique_identifier, counts }: ImportRun, resumed: boolean): void {
  const { created, updated, unchanged, failed } = counts;
  const rows = created + updated + unchanged + failed;
  if (resumed) process.stderr.write(`Continuing ${unique_identifier} after ${rows} rows.\n`);
}

async function planned(
  files: readonly string[],
  flags: ImportFlags,
  account: string | undefined,
  places: ImportOptions['places'],
): Promise<Plan> {
  const set = Object.fromEntries((flags.set ?? []).map(readSet));
  const options: ImportOptions = {
    resources,
    resource: flags.resource,
    account,
    map: flags.map === undefined ? undefined : readMap(flags.map),
    ask:
      flags.input === undefined && process.stdin.isTTY && process.stderr.isTTY ? askFor : undefined,
    set,
    sheet: flags.sheet,
    header_row: readWhole('--header-row', flags.headerRow),
    encoding: flags.encoding,
    delimiter: readDelimiter(flags.delimiter),
    dates: flags.dates,
    time_zone: readZone(flags.timeZone),
    us_phones: flags.phones === 'us',
    empty: flags.empty,
    remedies: OPTIONS,
    places,
  };
  if (flags.saveMap !== undefined && existsSync(flags.saveMap)) {
    throw new Mistake(`${flags.saveMap} already exists and is not overwritten. Name another file.`);
  }
  const read = await planImport(files, options).catch(proposing);
  const plan = flags.input === undefined ? read : inputPlan(read);
  for (const { path, resource, read, total, hasLocal, twice } of plan.files) {
    process.stderr.write(
      `${path}: ${total.toLocaleString('en-US')} ${total === 1 ? 'row' : 'rows'} of ${resource.path}, read as ${readText(read)}.\n`,
    );
    if (hasLocal && flags.timeZone === undefined)
      process.stderr.write(
        `${path}: its times without an offset are read by the clock of the location of each row. To read them otherwise, use --time-zone.\n`,
      );
    if (twice !== undefined)
      process.stderr.write(`${path}: ${inWordsTwice(twice, flags.sync === true)}\n`);
  }
  if (flags.saveMap !== undefined) {
    const all = Object.assign({}, ...plan.files.map(({ mapping }) => mapping ?? {}));
    writeFileSync(flags.saveMap, `${JSON.stringify(all, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  }
  return plan;
}

/** Files that belong next to standard input are written to the current folder. */
function inputPlan(plan: Plan): Plan {
  return { ...plan, files: plan.files.map((file) => ({ ...file, path: INPUT_NAME })) };
}

/** Prints a first mapping, so that it can be saved as it is. */
function proposing(error: unknown): never {
  if (!(error instanceof ColumnsUnknown)) throw error;
  printJson(error.proposed);
  throw new Mistake(
    `${error.message}\nA mapping to start from was printed. Save it (run the same command with > map.json), correct it, with null for each column to leave out, and pass it as --map map.json.`,
  );
}

type How = Pick<Importing, 'progress' | 'maxFailed' | 'signal'>;

/** Imports until the end, or until the command is interrupted. */
async function running<Result extends ImportResult>(
  plan: Plan,
  flags: ImportFlags,
  work: (how: How) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const total = plan.files.reduce((sum, file) => sum + file.total, 0);
  const shown = importProgress(process.stderr, total);
  let wrote = false;
  try {
    return await work({
      progress(rows, counts) {
        wrote = flags.dryRun !== true;
        shown.show(rows, counts);
      },
      maxFailed: readWhole('--max-failed', flags.maxFailed) ?? Number.POSITIVE_INFINITY,
      signal: stopping.signal,
    });
  } catch (error) {
    // Progress is stored, and the same command continues from there.
    if (wrote || error instanceof StoreUnavailable || error instanceof TransferRefused) {
      process.exitCode = EXIT.too_many_failed;
    }
    throw error;
  } finally {
    shown.clear();
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

interface Reported {
  readonly stopped: ImportResult['stopped'] | undefined;
  readonly dryRun: true | undefined;
  readonly rejected: readonly string[];
  readonly syncs: readonly Sync[] | undefined;
}

/** `finish` removes what the rows left out. */
async function report(
  { run, stopped }: ImportResult,
  { json, dryRun }: ImportFlags,
  finish: (() => Promise<readonly Sync[]>) | undefined,
): Promise<void> {
  let refused: unknown;
  const finished = stopped === undefined ? finish?.() : undefined;
  const syncs = await finished?.catch((error: unknown) => {
    refused = error;
    return [];
  });
  const { counts, unique_identifier, files } = run;
  const rejected = files.map((file) => file.rejected).filter((path) => !dryRun && existsSync(path));
  process.exitCode =
    stopped === undefined ? (counts.failed > 0 ? EXIT.rejected : 0) : EXIT[stopped];
  const result = { ...counts, import: dryRun ? null : unique_identifier, rejected };
  print(
    json,
    syncs === undefined || syncs.length === 0 ? result : { ...result, syncs },
    ...linesOf(run, { stopped, dryRun, rejected, syncs }),
  );
  if (refused === undefined) return;
  process.exitCode = EXIT.rejected;
  throw refused;
}

function linesOf(
  { counts, unique_identifier }: ImportRun,
  { stopped, dryRun, rejected, syncs = [] }: Reported,
): readonly string[] {
  const again = 'Run the same command to continue.';
  return [
    dryRun ? `Dry run: ${inWords(counts)}. Nothing was written.` : `${inWords(counts)}.`,
    ...(dryRun ? [] : [`Import: ${unique_identifier}`]),
    ...(rejected.length > 0 ? [`Rejected rows: ${rejected.join(', ')}`] : []),
    ...(stopped === 'too_many_failed' ? [`Stopped: too many rows were rejected. ${again}`] : []),
    ...(stopped === 'interrupted' ? [`Interrupted. ${again}`] : []),
    ...syncs.flatMap((sync) => linesOfSync(sync, dryRun === true)),
  ];
}

function inWords({ created, updated, unchanged, failed }: ImportCounts): string {
  return `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} rejected`;
}

function inWordsTwice({ count, examples }: Duplicates, isSync: boolean): string {
  const [row, earlier] = examples[0] ?? [];
  const rows = count === 1 ? '1 row names' : `${count.toLocaleString('en-US')} rows name`;
  return `${rows} the same record as an earlier one (row ${row} that of row ${earlier}): the later row ${isSync ? 'is rejected if it differs' : 'changes it'}.`;
}

/** The open accounts, or the one that was named. */
async function accountsOf(store: Store, given: string | undefined): Promise<readonly string[]> {
  const accounts = await accountsOrOpen(store, given);
  const closed = accounts.find(({ closed_at }) => closed_at !== null);
  if (closed !== undefined) throw new Mistake(`The account ${closed.unique_identifier} is closed.`);
  return accounts.map(({ unique_identifier }) => unique_identifier);
}

function readMap(path: string): Mapping {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Mistake(`--map ${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  const isMapping =
    typeof read === 'object' &&
    read !== null &&
    !Array.isArray(read) &&
    Object.values(read).every((value) => value === null || typeof value === 'string');
  if (!isMapping) {
    throw new Mistake(
      `--map ${path} must be a JSON object that gives for each column the name of a field, or null.`,
    );
  }
  return read as Mapping;
}

function readSet(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Mistake(`--set must be field=value, not ${JSON.stringify(text)}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function readDelimiter(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (/^[\x20-\x7e\t]$/.test(delimiter) && delimiter !== '"') return delimiter;
  throw new Mistake(`--delimiter must be one character, or tab, not ${JSON.stringify(text)}.`);
}

function readZone(zone: string | undefined): string | undefined {
  if (zone === undefined || isTimeZone(zone)) return zone;
  throw new Mistake(
    `--time-zone ${JSON.stringify(zone)} is not known. Name one such as America/New_York.`,
  );
}

function readWhole(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Mistake(`${option} must be a whole number, not ${JSON.stringify(text)}.`);
}

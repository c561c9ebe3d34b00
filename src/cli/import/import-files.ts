/** The command `ledgerstone import`: plans, imports into a store, and reports the result. */
import { createWriteStream, existsSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pipeline } from 'node:stream/promises';
import type { Sync } from '../../../client/src/generated/objects.d.ts';
import { Faults } from '../../core/errors.ts';
import type { ImportCounts, ImportRun } from '../../core/objects/transfer/import-run.ts';
import { resources } from '../../core/registry.ts';
import { targetOf } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import { timeZone } from '../../core/schema/fields/index.ts';
import { isObject, type Json } from '../../core/schema/values.ts';
import { temporaryFolder } from '../../core/temporary.ts';
import { importerOf } from '../../records/auth/principal.ts';
import {
  ColumnsUnknown,
  type Duplicates,
  type Mapped,
  type Mapping,
} from '../../services/import/mapping.ts';
import { placesOf } from '../../services/import/places.ts';
import { type ImportOptions, type Plan, planImport } from '../../services/import/plan.ts';
import {
  type Importing,
  type ImportResult,
  importFiles,
  type Mode,
  manyOf,
} from '../../services/import/run.ts';
import { readText } from '../../services/import/table/table.ts';
import { OPTIONS } from '../../services/import/words.ts';
import { stepAside } from '../../services/transfer/pace.ts';
import { isNoRoom, TransferRefused } from '../../services/transfer/refused.ts';
import { StoreUnavailable } from '../../store/promises/store.ts';
import { checkSourceName } from '../found.ts';
import { bytesOf, STANDARD_INPUT } from '../given.ts';
import type { Command } from '../help.ts';
import { accountsOrOpen } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { count, plain, print, printJson, progressLine } from '../output.ts';
import type { PaceOptions } from '../pace.ts';
import { linesOfSync } from '../sources/syncs.ts';
import { withStore } from '../store.ts';
import { checkSync, importSyncs, type SyncFlags, storeSync } from './import-sync.ts';

interface ImportFlags
  extends PaceOptions,
    SyncFlags,
    Pick<ImportOptions, 'resource' | 'account' | 'sheet' | 'encoding' | 'delimiter' | 'dates'> {
  readonly map?: string;
  readonly saveMap?: string;
  readonly headerRow?: string;
  readonly timeZone?: string;
  readonly phones?: 'us';
  readonly empty: 'keep' | 'remove';
  readonly mode?: Mode;
  readonly maxFailed?: string;
  readonly rejected?: string;
  readonly dryRun?: true;
  readonly fromStart?: true;
  /** Where standard input is saved, if that is imported. */
  readonly input?: string;
}

const EXIT_CODE = { rejected: 2, too_many_failed: 3, interrupted: 130 } as const;

export async function importCommand(
  files: readonly string[],
  flags: ImportFlags,
  command: Command,
): Promise<void> {
  if (!files.includes(STANDARD_INPUT)) return importNamed(files, flags, command);
  if (files.length > 1)
    throw new Mistake('"-" stands for standard input and must be the only file.');
  await withInput((input) => importNamed([input], { ...flags, input }, command));
}

async function importNamed(
  files: readonly string[],
  flags: ImportFlags,
  command: Command,
): Promise<void> {
  if (flags.rejected !== undefined && files.length > 1)
    throw new Mistake(
      '--rejected works with one file only. With several, each has its rejected rows beside it.',
    );
  const { mode, rejected, fast, source } = flags;
  if (source !== undefined) checkSourceName(source);
  const dry_run = flags.dryRun === true;
  const common = { mode, dry_run, rejected, fromStart: flags.fromStart === true };
  checkSync(flags);
  await withStore(command, { threads: fast === true }, async (store) => {
    const named = await accountsOrOpen(store, flags.account);
    const closed = named.find(({ closed_at }) => closed_at !== null);
    if (closed) throw new Mistake(`The account ${closed.unique_identifier} is closed.`);
    const accounts = named.map(({ unique_identifier }) => unique_identifier);
    const only = accounts.length === 1 ? accounts[0] : undefined;
    if (source !== undefined && only === undefined)
      throw new Mistake('--source needs --account: sources are those of one account.');
    const scope = { accounts: new Set(accounts), anchors: undefined };
    const places = () => placesOf(store, resources, scope);
    const maxFailed = readWhole('--max-failed', flags.maxFailed) ?? Number.POSITIVE_INFINITY;
    using plan = await planned(files, flags, only, places);
    const place = flags.sync && (await storeSync(store, flags, only));
    const syncs = place ? importSyncs(store, place, dry_run) : undefined;
    if (!fast) stepAside();
    const importing = {
      ...common,
      store,
      accounts,
      many: manyOf(store, resources),
      maxFailed,
      principal: (id: string) => importerOf(id, accounts),
      pace: fast ? ('fast' as const) : ('beside' as const),
      note: dry_run ? undefined : (run: ImportRun) => store.imports.put(run),
      async begun(run: ImportRun, resumed: boolean) {
        const { unique_identifier, counts } = run;
        const rows = counts.created + counts.updated + counts.unchanged + counts.failed;
        if (resumed) process.stderr.write(`Continuing ${unique_identifier} after ${rows} rows.\n`);
        if (source === undefined || only === undefined) return;
        if (!dry_run || syncs) await store.sources.assign(only, unique_identifier, source);
        await syncs?.begin(plan, run);
      },
      sync: syncs?.of,
    };
    const done = await running(plan, flags, (how) => importFiles(plan, { ...importing, ...how }));
    await report(done, flags, syncs?.finish);
  });
}

async function planned(
  paths: readonly string[],
  flags: ImportFlags,
  account: string | undefined,
  places: ImportOptions['places'],
): Promise<Plan> {
  const { saveMap, input } = flags;
  const options: ImportOptions = {
    resources,
    resource: flags.resource,
    account,
    map: flags.map === undefined ? undefined : readMap(flags.map),
    ask: input === undefined && process.stdin.isTTY && process.stderr.isTTY ? askFor : undefined,
    set: Object.fromEntries((flags.set ?? []).map(readSet)),
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
  if (saveMap !== undefined && existsSync(saveMap))
    throw new Mistake(`${saveMap} already exists and is not overwritten. Name another file.`);
  const read = await planImport(paths, options).catch(proposing);
  // Files that belong next to standard input are written to the current folder.
  const files = read.files.map((file) =>
    input === undefined ? file : { ...file, path: INPUT_NAME },
  );
  for (const { path, resource, read, total, hasLocal, twice } of files) {
    process.stderr.write(
      `${path}: ${count(total, 'row')} of ${resource.path}, read as ${readText(read)}.\n`,
    );
    if (hasLocal && flags.timeZone === undefined)
      process.stderr.write(
        `${path}: its times without an offset are read by the clock of the location of each row. To read them otherwise, use --time-zone.\n`,
      );
    if (twice !== undefined)
      process.stderr.write(`${path}: ${inWordsTwice(twice, flags.sync === true)}\n`);
  }
  if (saveMap !== undefined) {
    const all = Object.assign({}, ...files.map(({ mapping }) => mapping ?? {}));
    writeFileSync(saveMap, `${JSON.stringify(all, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  }
  return { ...read, files };
}

/** Prints a first mapping, so that it can be saved as it is. */
function proposing(error: unknown): never {
  if (!(error instanceof ColumnsUnknown)) throw error;
  printJson(error.proposed);
  throw new Mistake(
    `${error.message}\nA mapping to start from was printed. Save it (run the same command with > map.json), correct it, with null for each column to leave out, and pass it as --map map.json.`,
  );
}

/** Imports until the end, or until the command is interrupted. */
async function running(
  plan: Plan,
  flags: ImportFlags,
  work: (how: Pick<Importing, 'progress' | 'signal'>) => Promise<ImportResult>,
): Promise<ImportResult> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const total = plan.files.reduce((sum, file) => sum + file.total, 0);
  const shown = importProgress(total);
  let wrote = false;
  try {
    return await work({
      progress(rows, counts) {
        wrote = flags.dryRun !== true;
        shown.show(rows, counts);
      },
      signal: stopping.signal,
    });
  } catch (error) {
    // Progress is stored, and the same command continues from there.
    if (wrote || error instanceof StoreUnavailable || error instanceof TransferRefused) {
      process.exitCode = EXIT_CODE.too_many_failed;
    }
    throw error;
  } finally {
    shown.clear();
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** `finish` removes what the rows left out. */
async function report(
  { run, stopped }: ImportResult,
  { json, dryRun }: ImportFlags,
  finish: (() => Promise<readonly Sync[]>) | undefined,
): Promise<void> {
  let refused: unknown;
  const finished = stopped === undefined ? finish?.() : undefined;
  const syncs =
    (await finished?.catch((error: unknown) => {
      refused = error;
    })) ?? [];
  const { counts, unique_identifier, files } = run;
  const rejected = files.map((file) => file.rejected).filter((path) => !dryRun && existsSync(path));
  process.exitCode =
    stopped === undefined ? (counts.failed > 0 ? EXIT_CODE.rejected : 0) : EXIT_CODE[stopped];
  const result = { ...counts, import: dryRun ? null : unique_identifier, rejected };
  const { created, updated, unchanged, failed } = counts;
  const words = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} rejected`;
  const again = 'Run the same command to continue.';
  print(
    json,
    syncs.length === 0 ? result : { ...result, syncs },
    dryRun ? `Dry run: ${words}. Nothing was written.` : `${words}.`,
    ...(dryRun ? [] : [`Import: ${unique_identifier}`]),
    ...(rejected.length > 0 ? [`Rejected rows: ${rejected.join(', ')}`] : []),
    ...(stopped === 'too_many_failed' ? [`Stopped: too many rows were rejected. ${again}`] : []),
    ...(stopped === 'interrupted' ? [`Interrupted. ${again}`] : []),
    ...syncs.flatMap((sync) => linesOfSync(sync, dryRun === true)),
  );
  if (refused === undefined) return;
  process.exitCode = EXIT_CODE.rejected;
  throw refused;
}

function inWordsTwice({ count: times, examples }: Duplicates, isSync: boolean): string {
  const [row, earlier] = examples[0] ?? [];
  return `${count(times, 'row')} ${times === 1 ? 'names' : 'name'} the same record as an earlier one (row ${row} that of row ${earlier}): the later row ${isSync ? 'is rejected if it differs' : 'changes it'}.`;
}

function readMap(path: string): Mapping {
  const text = bytesOf(path).toString();
  let read: Json;
  try {
    read = JSON.parse(text) as Json;
  } catch (error) {
    throw new Mistake(`--map ${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  const isText = (value: unknown) => value === null || typeof value === 'string';
  if (!isObject(read) || !Object.values(read).every(isText))
    throw new Mistake(
      `--map ${path} must be a JSON object that gives for each column the name of a field, or null.`,
    );
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
  if (zone === undefined) return zone;
  const faults = new Faults();
  const read = timeZone().read(zone, '--time-zone', {
    encoding: 'json',
    faults,
    unknown: 'refuse',
  });
  faults.throwIfAny();
  return String(read);
}

function readWhole(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Mistake(`${option} must be a whole number, not ${JSON.stringify(text)}.`);
}

/** Its name in output and stored imports, and the prefix of files next to it. */
const INPUT_NAME = 'standard-input';

const HEAD_BYTES = 64;

/** Gives `work` the file, which is gone when `work` has ended. Messages of errors have its name, not its path. */
async function withInput(work: (path: string) => Promise<void>): Promise<void> {
  using folder = temporaryFolder('import');
  const path = join(folder.path, INPUT_NAME);
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    await work(await named(path));
  } catch (error) {
    if (isNoRoom(error))
      throw new Mistake(
        'The folder for temporary files (TMPDIR) has no room for standard input: make some, or name another folder.',
      );
    if (error instanceof Error) {
      error.message = error.message.replaceAll(`${path}.ndjson`, INPUT_NAME);
      error.message = error.message.replaceAll(path, INPUT_NAME);
    }
    throw error;
  }
}

/** A file says by its name that it has JSON lines. Here the first character does; no column is called so. */
async function named(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) });
  const head = buffer.toString('latin1', 0, bytesRead);
  if (!/^[\s\0\u00ef\u00bb\u00bf\u00fe\u00ff]*\{/.test(head)) return path;
  await rename(path, `${path}.ndjson`);
  return `${path}.ndjson`;
}

function importProgress(total: number) {
  const began = performance.now();
  const line = progressLine();
  let first: number | undefined;
  return {
    show(rows: number, { failed }: ImportCounts): void {
      first ??= rows;
      const before = first;
      line.show(() => {
        const rate = ((rows - before) / (performance.now() - began)) * 1_000;
        const left = rate > 0 ? `, ${Math.ceil((total - rows) / rate)} s left` : '';
        const count = `${rows.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} rows`;
        const rejected = failed > 0 ? `, ${failed.toLocaleString('en-US')} rejected` : '';
        return `${count}${rejected}, ${Math.round(rate).toLocaleString('en-US')}/s${left}`;
      });
    },
    clear: line.clear,
  };
}

async function askFor(file: string, mapped: Mapped, resource: Resource): Promise<Mapping> {
  using terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers: Record<string, string | null> = {};
  process.stderr.write(`${plain(file)} has columns of which nothing says what they are.\n`);
  for (const { column, nearest } of mapped.unknown) {
    const hint = nearest === undefined ? '' : `, such as ${nearest},`;
    for (;;) {
      const question = `Which field is ${plain(column)}? Type a name${hint} or press Enter to leave it out: `;
      const answer = (await terminal.question(question)).trim();
      answers[column] = answer === '' ? null : answer;
      if (answer === '' || targetOf(resource, answer) !== undefined) break;
    }
  }
  return answers;
}

/** Plans an import of files, and runs it into a store. */
import { existsSync, writeFileSync } from 'node:fs';
import type { Sync } from '../../../../client/src/generated/objects.d.ts';
import { canAsk } from '../../../cli/confirm.ts';
import type { Command } from '../../../cli/help.ts';
import { accountsOrOpen } from '../../../cli/keys/key-scope.ts';
import { Mistake } from '../../../cli/mistake.ts';
import { count, printJson, say } from '../../../cli/output.ts';
import { resources } from '../../../core/registry.ts';
import type { Services } from '../../../edge/operations/operation.ts';
import { importerOf } from '../../../records/auth/principal.ts';
import { stepAside } from '../../../services/transfer/pace.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import { type Store, StoreUnavailable } from '../../../store/promises/store.ts';
import type { ImportRun } from '../declares/import-run.ts';
import { aboveFinder } from '../serves/above.ts';
import { ColumnsUnknown } from '../serves/mapping.ts';
import { memoryOf, NO_LIKE } from '../serves/memory.ts';
import { noticeText } from '../serves/noticed.ts';
import { placesOf } from '../serves/places.ts';
import { type ImportOptions, type Plan, type PlannedFile, planImport } from '../serves/plan.ts';
import type { RejectedRow } from '../serves/rejected.ts';
import {
  type Earlier,
  type Importing,
  type ImportResult,
  importFiles,
  manyOf,
} from '../serves/run.ts';
import { readText } from '../serves/table/table.ts';
import { OPTIONS } from '../serves/words.ts';
import {
  askFor,
  EXIT_CODE,
  type ImportFlags,
  importProgress,
  inWordsTwice,
  isNews,
  readDelimiter,
  readingsOf,
  readMap,
  readSet,
  readWhole,
} from './asked.ts';
import { importSyncs, storeSync } from './import-sync.ts';
import { createReasons, type Reasons } from './reasons.ts';

/** The result of an import, with that of what its rows left out. */
export interface Imported extends ImportResult {
  readonly syncs: readonly Sync[];
  /** Why nothing of that was removed. */
  readonly refusal: Error | undefined;
  readonly reasons: Reasons;
}

/** More of an import, for whoever watches a folder. */
export interface Watching {
  readonly earlier: Earlier | undefined;
  readonly begun: (run: ImportRun) => void;
}

export async function importInto(
  store: Store,
  command: Command,
  files: readonly string[],
  flags: ImportFlags,
  watching?: Watching,
): Promise<Imported> {
  const { mode, rejected, fast, source, called } = flags;
  const dry_run = flags.dryRun === true;
  const fromStart = flags.fromStart === true;
  const accounts = await openAccounts(store, flags);
  const only = accounts.length === 1 ? accounts[0] : undefined;
  const scope = { accounts: new Set(accounts), anchors: undefined };
  const memory = memoryOf(store, { accounts: scope.accounts, wanted: flags.like });
  const like = flags.like === undefined ? undefined : await likeOf(store, flags.like);
  const places = async () =>
    placesOf(store, resources, scope, await memory.chosen(), await memory.areaCodes());
  const maxFailed = readWhole('--max-failed', flags.maxFailed) ?? Number.POSITIVE_INFINITY;
  const resource = flags.resource ?? like;
  using plan = await planned(files, { ...flags, ...(resource && { resource }) }, only, {
    places,
    memory,
    above: aboveFinder(store, scope),
  });
  const place = flags.sync && (await storeSync(store, flags, only, files));
  const syncs =
    place && importSyncs({ store, syncs: await syncsOf(store, command) }, place, dry_run);
  if (!fast) stepAside();
  let finished: readonly Sync[] = [];
  let refusal: Error | undefined;
  const reasons = createReasons();
  const importing = {
    ...{ mode, dry_run, rejected, fromStart, store, accounts, called, maxFailed },
    counts: source !== undefined && !dry_run,
    earlier: watching?.earlier,
    many: manyOf(store, resources),
    principal: (id: string) => importerOf(id, accounts),
    pace: fast ? ('fast' as const) : ('beside' as const),
    note: dry_run ? undefined : (run: ImportRun) => store.imports.put(run),
    async begun(run: ImportRun, resumed: boolean) {
      const { unique_identifier, counts } = run;
      const rows = counts.created + counts.updated + counts.unchanged + counts.failed;
      if (resumed) say(`Continuing ${unique_identifier} after ${rows} rows.`);
      watching?.begun(run);
      if (source === undefined || only === undefined) return;
      if (!dry_run || syncs) await store.sources.assign(only, unique_identifier, source);
      await syncs?.begin(plan, run);
    },
    sync: syncs?.of,
    refused: (rows: readonly RejectedRow[], { path }: PlannedFile) => reasons.add(path, rows),
    /** Removes what the rows left out. */
    async ending() {
      finished =
        (await syncs?.finish().catch((error: Error) => {
          refusal = error;
        })) ?? [];
    },
  };
  const done = await running(plan, flags, (how) => importFiles(plan, { ...importing, ...how }));
  return { ...done, syncs: finished, refusal, reasons };
}

/** The accounts that are written to. Throws a `Mistake` where the options do not go together. */
export async function openAccounts(store: Store, { account, source }: ImportFlags) {
  const named = await accountsOrOpen(store, account);
  const closed = named.find(({ closed_at }) => closed_at !== null);
  if (closed) throw new Mistake(`The account ${closed.unique_identifier} is closed.`);
  if (source !== undefined && named.length !== 1)
    throw new Mistake('--source needs --account: sources are those of one account.');
  return named.map(({ unique_identifier }) => unique_identifier);
}

/** The resource of that import. Throws a `Mistake` where nothing is kept of it. */
export async function likeOf({ imports }: Store, id: string): Promise<string | undefined> {
  if (id === NO_LIKE) return undefined;
  if ((await imports.remembered(id)) === undefined)
    throw new Mistake(`--like ${id}: nothing is kept of such an import.`);
  return (await imports.find(id))?.files[0]?.resource;
}

async function planned(
  paths: readonly string[],
  flags: ImportFlags,
  account: string | undefined,
  found: Pick<ImportOptions, 'places' | 'above' | 'memory'>,
): Promise<Plan> {
  const { saveMap, input, called, watch } = flags;
  const asks = input === undefined && watch === undefined && canAsk();
  const { readings, taken_back } = readingsOf(flags);
  const options: ImportOptions = {
    resources,
    resource: flags.resource,
    account,
    map: flags.map === undefined ? undefined : readMap(flags.map),
    ask: asks ? askFor : undefined,
    set: Object.fromEntries((flags.set ?? []).map(readSet)),
    sheet: flags.sheet,
    header_row: readWhole('--header-row', flags.headerRow),
    encoding: flags.encoding,
    delimiter: readDelimiter(flags.delimiter),
    dates: flags.dates,
    ...readings,
    taken_back,
    empty: flags.empty,
    remedies: OPTIONS,
    ...found,
  };
  if (saveMap !== undefined && existsSync(saveMap))
    throw new Mistake(`${saveMap} already exists and is not overwritten. Name another file.`);
  const planning = planImport(paths, options);
  const read = await (watch === undefined ? planning.catch(proposing) : planning);
  // What is imported from elsewhere has the name by which people know it.
  const files = read.files.map((file) => (called === undefined ? file : { ...file, path: called }));
  for (const { path, resource, read, total, hasLocal, twice, like, noticed = [] } of files) {
    say(`${path}: ${count(total, 'row')} of ${resource.path}, read as ${readText(read)}.`);
    if (like) say(`${path}: columns and choices as in ${like.name} (${like.import}).`);
    if (hasLocal && flags.timeZone === undefined)
      say(
        `${path}: its times without an offset are read by the clock of the location of each row. To read them otherwise, use --time-zone.`,
      );
    if (twice !== undefined) say(`${path}: ${inWordsTwice(twice, flags.sync === true)}`);
    for (const one of noticed)
      if (isNews(one, flags)) say(`${path}: ${noticeText(one, read.encoding)}`);
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

/** The service of syncs, loaded where an import is one. */
async function syncsOf(store: Store, command: Command): Promise<Services['syncs']> {
  const { bagFor } = await import('../../../cli/derived/here.ts');
  const { syncs } = await bagFor(store, command).take(['syncs']);
  if (syncs === undefined) throw new TypeError('The bag has syncs.');
  return syncs;
}

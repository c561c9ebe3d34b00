/** Runs an import, chunk by chunk, from where it last stopped. */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { createIdentifiers } from '../../../core/schema/id.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import { createIngest } from '../../../records/ingest/ingest.ts';
import type { Many, WholeOptions } from '../../../records/ingest/many/many.ts';
import type { ManyCall, ParsedRow, RowWritten } from '../../../records/ingest/many/row.ts';
import type { Sighted } from '../../../records/ingest/seen.ts';
import { PAUSE_CLOCK, type PauseClock } from '../../../services/transfer/pace.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { ImportCounts, ImportPosition, ImportRun } from '../declares/import-run.ts';
import { arrivalsOf, type ImportArrivals } from './activity/arrivals.ts';
import { createRepeats } from './checks/rehearsed.ts';
import { headingsOf, withAreaCodes } from './memory.ts';
import type { Plan, PlannedFile } from './plan.ts';
import { createRejectedFile, freePath, type RejectedRow } from './rejected.ts';
import { type ImportRow, sizeOf } from './rows.ts';

const BYTES = 524_288;
/** Chunks and milliseconds after which the position is noted. */
const NOTED_CHUNKS = 64;
const NOTED_MS = 1_000;
/** Locations whose area code is remembered. */
const MOST_ANCHORS = 1_000;

/** Rows of one commit, and the pause after it: in parts of the time that it took. */
export const PACES = {
  /** Others who write to the store wait for some milliseconds, and have half of the time. */
  beside: { rows: 64, pause: 1 },
  /** As streams of rows to a service, which shares the store among them. */
  shared: { rows: 256, pause: 0 },
  fast: { rows: 500, pause: 0 },
} as const;

export type Mode = 'create_only' | 'update_only';

/** How files are imported into a store, and whether to go on with an earlier import. */
export interface Importing {
  readonly store: Pick<Store, 'imports' | 'log' | 'requests'>;
  readonly accounts: readonly string[];
  /** Not to go on with an import that did not come to its end. */
  readonly fromStart: boolean;
  /** The import of before that may have done all of it already: nothing is done again. */
  readonly earlier?: Earlier | undefined;
  /** The name of the only file, as people call it. */
  readonly called?: string | undefined;
  /** Where the rejected rows of the only file are; else each file has its own next to it. */
  readonly rejected?: string | undefined;
  readonly begun?: (run: ImportRun, resumed: boolean) => void | Promise<void>;
  /** Awaited when all rows are done, before the import has ended: killed meanwhile, it goes on there. */
  readonly ending?: () => Promise<unknown>;
  /** Whether it has a source of its own, of which it is counted what came. */
  readonly counts?: boolean | undefined;
  /** Makes an import that was stopped ready to go on here. */
  readonly resumes?: (run: ImportRun) => Promise<ImportRun>;
  /** Who begins it, for whom a service does. */
  readonly by?: string | undefined;
  /** Awaited before rows are written: as many as a limit lets through. */
  readonly limits?: ((rows: number) => Promise<unknown>) | undefined;
  readonly many: Pick<Many, 'array'>;
  readonly principal: (id: string) => Principal;
  readonly mode: Mode | undefined;
  readonly dry_run: boolean;
  readonly pace: keyof typeof PACES;
  readonly clock?: PauseClock;
  readonly still?: ManyCall['still'];
  readonly sync?: ((resource: Resource) => Sighted | undefined) | undefined;
  /** Notes how far it has come; not said: nothing is noted, and no row is written anywhere. */
  readonly note?: ((run: ImportRun) => Promise<unknown>) | undefined;
  readonly progress: (rows: number, counts: ImportCounts) => void;
  /** Called for each row of a rehearsal that is not refused. */
  readonly rehearsed?: (row: ImportRow, result: RowWritten, file: PlannedFile) => void;
  /** Called with rows that are refused. */
  readonly refused?: (rows: readonly RejectedRow[], file: PlannedFile) => void;
  /** Bytes of rejected rows that are stored of a file, and a callback with how many are not. */
  readonly keep?: { readonly bytes: number; readonly cut: (rows: number) => void };
  readonly maxFailed: number;
  readonly signal: AbortSignal;
}

/** An import that its caller began before it was killed: by its identifier, or the moment before it began. */
export interface Earlier {
  readonly import?: string | undefined;
  readonly since: number;
}

type SentRow = RowWritten | ApiError;

type SendOrder = Required<Pick<WholeOptions, 'ready' | 'handedOver'>>;

export interface ImportResult {
  readonly run: ImportRun;
  /** Why it stopped before its end; it can be continued. */
  readonly stopped?: 'too_many_failed' | 'interrupted';
}

interface Chunk {
  readonly rows: readonly ImportRow[];
  readonly after: number;
}

/** Continues at the position of `run`. An error of the store ends the import, after the position is noted. */
async function runImport(plan: Plan, begun: ImportRun, running: Importing): Promise<ImportResult> {
  const send = sender(begun.unique_identifier, running);
  const arrivals = running.counts ? arrivalsOf(running.store, begun) : undefined;
  let run = begun;
  let done = 0;
  let noted = performance.now();
  let unnoted = 0;
  let stopped: ImportResult['stopped'];
  /** By identifier the locations at which rows were written. */
  const anchors = new Set<string>();
  /** Resolves when it is known what became of all chunks so far. */
  let settled = Promise.resolve();
  const rejected = plan.files.map(({ header, hasFormulas = false }, at) =>
    createRejectedFile(
      begun.files[at]?.rejected ?? '',
      header && { names: header, hasFormulas },
      begun.position.rejected[at] ?? 0,
      running.keep?.bytes,
    ),
  );
  const note = async (): Promise<void> => {
    run = { ...run, updated_at: Date.now() };
    await running.note?.(run);
    await arrivals?.note();
    noted = performance.now();
    unnoted = 0;
  };
  try {
    for (const [at, file] of plan.files.entries()) {
      if (at < begun.position.file) {
        done += file.total;
        continue;
      }
      const skip = at === begun.position.file ? begun.position.rows : 0;
      const repeats =
        running.dry_run && running.mode === undefined ? createRepeats(file.resource) : undefined;
      const settle = async (chunk: Chunk, results: readonly SentRow[]): Promise<void> => {
        const good = chunk.rows.filter(({ is }) => 'request' in is);
        const sent = results.map((result, nth) => {
          const row = good[nth];
          if ('faults' in result || row === undefined || !('request' in row.is)) return result;
          if (result.anchor && anchors.size < MOST_ANCHORS) anchors.add(result.anchor);
          const told = repeats?.(row.is, result) ?? result;
          if (running.dry_run) running.rehearsed?.(row, told, file);
          return told;
        });
        const { counts, refused } = resultsOf(file, chunk, sent, run.counts, arrivals);
        running.refused?.(refused, file);
        if (running.note !== undefined) {
          const written = (await rejected[at]?.add(refused)) ?? 0;
          running.keep?.cut(refused.length - written);
        }
        const position: ImportPosition = {
          file: at,
          rows: chunk.after,
          rejected: rejected.map(({ bytes }) => bytes),
        };
        run = { ...run, counts, position };
        unnoted += 1;
        running.progress(done + chunk.after, counts);
        if (unnoted >= NOTED_CHUNKS || performance.now() - noted > NOTED_MS) await note();
      };
      for await (const chunk of chunksOf(file, skip, begun.chunk)) {
        const handed = Promise.withResolvers<void>();
        const ready = settled.then(() => {
          if (running.signal.aborted) stopped = 'interrupted';
          else if (run.counts.failed > running.maxFailed) stopped = 'too_many_failed';
          if (stopped !== undefined) throw new Error(stopped);
        });
        // It may fail before it is awaited.
        ready.catch(() => undefined);
        const order = { ready, handedOver: handed.resolve };
        const sent = send(file, at, chunk, order);
        settled = sent.then((results) => settle(chunk, results));
        // The next chunk is prepared while the store has this one, but not before it has it.
        await Promise.race([handed.promise.then(() => setImmediate()), settled]);
      }
      await settled;
      done += file.total;
    }
    if (run.counts.failed > running.maxFailed) return { run, stopped: 'too_many_failed' };
    if (running.ending !== undefined) {
      await note();
      await running.ending();
    }
    run = { ...run, status: 'finished' };
    await remember(plan, run, running, anchors);
    return { run };
  } catch (error) {
    if (stopped !== undefined) return { run, stopped };
    throw error;
  } finally {
    await settled.catch(() => undefined);
    await Promise.all(rejected.map((each) => each.close()));
    // If the store cannot be reached, the last note counts, and receipts show the rest.
    await note().catch(() => undefined);
  }
}

/** Keeps what was chosen for a file of which rows were taken, for the next one with the same columns. */
async function remember(
  { files }: Plan,
  run: ImportRun,
  { store, note }: Importing,
  anchors: ReadonlySet<string>,
) {
  const [file, another] = files;
  const { created, updated, unchanged } = run.counts;
  if (note === undefined || another !== undefined || created + updated + unchanged === 0) return;
  if (file?.header === undefined || file.choices === undefined) return;
  const headings = headingsOf(file.resource, file.header);
  const choices = withAreaCodes(file.choices, anchors);
  await store.imports.remember(run.unique_identifier, headings, choices);
}

/** Upserts the rows of chunks, as those of a request with many are, and returns their results. */
function sender(
  id: string,
  { many, principal, mode, dry_run, still, pace, sync, limits, clock = PAUSE_CLOCK }: Importing,
) {
  const only: ManyCall['only'] = mode && { record: mode === 'create_only' ? 'absent' : 'present' };
  const own = { principal: principal(id), unknown: 'refuse', only, dry_run, still } as const;
  const { pause } = PACES[pace];
  let until = 0;

  const upsert = async (
    resource: Resource,
    rows: readonly ParsedRow[],
    idempotency_key: string,
    { ready, handedOver }: SendOrder,
  ): Promise<readonly SentRow[]> => {
    const call = { ...own, resource, sync: sync?.(resource) };
    // The name and the file say what is in the rows, and these which they are.
    const names = rows.map(({ request }) => request.external_identifier);
    const fingerprint = hash('sha256', JSON.stringify(names), 'buffer');
    const repeatable = { idempotency_key, fingerprint };
    if (pause > 0) {
      await ready;
      // Reading meanwhile was part of the pause.
      const left = until - clock.elapsed();
      if (left > 0) await clock.rest(left);
    }
    await limits?.(rows.length);
    const began = clock.elapsed();
    // Where it pauses, there is time enough to read then, in less memory.
    const ahead = pause === 0 ? { ready, handedOver } : {};
    const { results } = await many.array(call, rows, { atomic: false, repeatable, ...ahead });
    const ended = clock.elapsed();
    until = dry_run ? 0 : ended + pause * (ended - began);
    return results.map((one) => {
      if (one instanceof Error && !(one instanceof ApiError)) throw one;
      return one;
    });
  };

  return async (
    { resource, path }: PlannedFile,
    at: number,
    { rows, after }: Chunk,
    order: SendOrder,
  ): Promise<readonly SentRow[]> => {
    const unsent = rows.filter(({ is }) => !('request' in is));
    // Where the rows are a sync, the records of those that cannot be sent are not left out.
    if (sync !== undefined && unsent.length > 0) {
      const named = unsent.map(({ identifier, number }) => ({
        external_identifier: identifier ?? refuseUnnamed(path, number),
        content: null,
      }));
      await sync(resource)?.see(named);
    }
    const good = rows.flatMap(({ is }) => ('request' in is ? is : []));
    if (good.length > 0) return upsert(resource, good, `${at}.${after - rows.length}`, order);
    await order.ready;
    return [];
  };
}

function refuseUnnamed(path: string, number: number): never {
  throw new TransferRefused(
    `${path}: row ${number} does not say which record it is, so nobody can tell what is left out. Fix the row, or import without --sync. Nothing was removed.`,
  );
}

function resultsOf(
  { resource: { name }, sentencesOf }: PlannedFile,
  { rows }: Chunk,
  sent: readonly SentRow[],
  before: ImportCounts,
  arrivals: ImportArrivals | undefined,
): { readonly counts: ImportCounts; readonly refused: readonly RejectedRow[] } {
  const results = sent.values();
  const counts = { ...before };
  const refused: RejectedRow[] = [];
  for (const { number, cells, is } of rows) {
    const result = 'request' in is ? (results.next().value as SentRow) : { faults: is };
    if ('faults' in result) {
      counts.failed += 1;
      refused.push({ number, cells, error: sentencesOf(result.faults, cells) });
      arrivals?.add(name, {});
    } else {
      arrivals?.add(name, result);
      counts[result.outcome] = (counts[result.outcome] ?? 0) + 1;
    }
  }
  return { counts, refused };
}

/** Cuts a file into chunks: rows are always cut alike, from wherever a chunk begins. */
async function* chunksOf(file: PlannedFile, skip: number, most: number): AsyncGenerator<Chunk> {
  let rows: ImportRow[] = [];
  let bytes = 0;
  let after = 0;
  for await (const some of file.rows()) {
    for (const row of some) {
      after += 1;
      if (after <= skip) continue;
      rows.push(row);
      bytes += sizeOf(row.cells);
      if (rows.length < most && bytes < BYTES) continue;
      yield { rows, after };
      rows = [];
      bytes = 0;
    }
  }
  if (rows.length > 0) yield { rows, after };
}

export async function importFiles(plan: Plan, importing: Importing): Promise<ImportResult> {
  const { dry_run, begun } = importing;
  const last = dry_run || importing.fromStart ? undefined : await lastOf(plan, importing);
  if (last !== undefined && last.status !== 'running' && isEarlier(last, importing.earlier))
    return { run: last };
  const resumed = last?.status === 'running';
  const run = resumed ? ((await importing.resumes?.(last)) ?? last) : await begin(plan, importing);
  await begun?.(run, resumed);
  return runImport(plan, run, importing);
}

/** The import of the same files in the same way, or the one that was begun of them. */
async function lastOf({ fingerprint }: Plan, { store: { imports }, earlier }: Importing) {
  const named = earlier?.import === undefined ? undefined : await imports.find(earlier.import);
  // Choices may be others by now: what is not done yet is done by them.
  const goesOn = named && (named.status !== 'running' || named.fingerprint === fingerprint);
  return goesOn ? named : imports.latest(fingerprint);
}

function isEarlier(run: ImportRun, earlier: Earlier | undefined): boolean {
  if (earlier === undefined) return false;
  return run.unique_identifier === earlier.import || run.inserted_at >= earlier.since;
}

/** The writes into a store that this process opened for itself. */
export function manyOf(store: Store, resources: readonly Resource[]): Many {
  return createIngest(store, { resources, now: Date.now }).many;
}

async function begin(plan: Plan, importing: Importing): Promise<ImportRun> {
  const { store, accounts, pace, dry_run, rejected, called } = importing;
  const now = Date.now();
  const run: ImportRun = {
    unique_identifier: createIdentifiers(() => now)('imp_'),
    fingerprint: plan.fingerprint,
    status: 'running',
    files: plan.files.map(({ path, resource, header }) => ({
      name: called ?? path,
      resource: resource.path,
      rejected: freePath(rejected ?? `${path}.rejected.${header === undefined ? 'ndjson' : 'csv'}`),
    })),
    accounts: [],
    began: {},
    by: importing.by ?? null,
    chunk: PACES[pace].rows,
    position: { file: 0, rows: 0, rejected: [] },
    counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    inserted_at: now,
    updated_at: now,
  };
  if (dry_run) return run;
  const cursors = accounts.map(async (one) => [one, (await store.log.last(one)) ?? null] as const);
  const begun = { ...run, accounts, began: Object.fromEntries(await Promise.all(cursors)) };
  await store.imports.put(begun);
  return begun;
}

/** Runs an import, chunk by chunk, from where it last stopped. */
import { setImmediate } from 'node:timers/promises';
import type { Resource } from '../../core/schema/define.ts';
import type { ImportCounts, ImportPosition, ImportRun } from '../../store/promises/imports.ts';
import { TransferRefused } from '../transfer/refused.ts';
import type { RowFault } from './fault-words.ts';
import type { Plan, PlannedFile } from './plan.ts';
import { RejectedFile, type RejectedRow } from './rejected.ts';
import { type ImportRow, type RowUpsert, sizeOf } from './rows.ts';

/** The most bytes of one commit. */
const BYTES = 524_288;
/** Chunks and milliseconds after which the position is noted. */
const NOTED_CHUNKS = 64;
const NOTED_MS = 1_000;

/** The result of a sent row. */
export type RowOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged' | 'erased' }
  | { readonly faults: readonly RowFault[] };

/** Where rows go. */
export interface Sink {
  /**
   * Upserts rows in one commit, and returns their outcomes in order. The same name and rows again do nothing and return
   * the same.
   */
  send(
    resource: Resource,
    rows: readonly RowUpsert[],
    name: string,
    order: SendOrder,
  ): Promise<readonly RowOutcome[]>;
  /** Takes the identifiers of rows that cannot be sent, where the rows are a sync: their records are not left out. */
  saw?(resource: Resource, identifiers: readonly string[]): Promise<void>;
}

/** The order of a commit with the commits before and after it. */
export interface SendOrder {
  /** To be awaited before they are written; what it throws ends the import. Until then they may be prepared. */
  readonly ready: Promise<void>;
  /** May be called when nothing is left to do but to wait: the next rows are prepared meanwhile. */
  readonly handedOver: () => void;
}

export interface Running {
  readonly sink: Sink;
  /** Notes how far it has come; not said: nothing is noted, and no row is written anywhere. */
  readonly note?: ((run: ImportRun) => Promise<unknown>) | undefined;
  readonly progress: (rows: number, counts: ImportCounts) => void;
  /** Bytes of rejected rows that are stored of a file, and a callback with how many are not. */
  readonly keep?: { readonly bytes: number; readonly cut: (rows: number) => void };
  /** Rejected rows after which it stops. */
  readonly maxFailed: number;
  readonly signal: AbortSignal;
}

export interface ImportResult {
  readonly run: ImportRun;
  /** Why it stopped before its end; it can be continued. */
  readonly stopped?: 'too_many_failed' | 'interrupted';
}

class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly reason: NonNullable<ImportResult['stopped']>;

  constructor(reason: NonNullable<ImportResult['stopped']>) {
    super(reason);
    this.reason = reason;
  }
}

interface Chunk {
  readonly rows: readonly ImportRow[];
  readonly after: number;
}

/** Continues at the position of `run`. An error of the sink ends the import, after the position is noted. */
export async function runImport(
  plan: Plan,
  begun: ImportRun,
  running: Running,
): Promise<ImportResult> {
  let run = begun;
  let done = 0;
  let noted = performance.now();
  let unnoted = 0;
  /** Resolves when it is known what became of all chunks so far. */
  let settled = Promise.resolve();
  const rejected = plan.files.map(
    ({ header }, at) =>
      new RejectedFile(
        begun.files[at]?.rejected ?? '',
        header,
        begun.position.rejected[at] ?? 0,
        running.keep?.bytes,
      ),
  );
  const note = async (): Promise<void> => {
    run = { ...run, updated_at: Date.now() };
    await running.note?.(run);
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
      const settle = async (chunk: Chunk, sent: readonly RowOutcome[]): Promise<void> => {
        const { counts, refused } = resultsOf(file, chunk, sent, run.counts);
        if (running.note !== undefined) {
          const kept = (await rejected[at]?.add(refused)) ?? 0;
          running.keep?.cut(refused.length - kept);
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
          if (running.signal.aborted) throw new Stopped('interrupted');
          if (run.counts.failed > running.maxFailed) throw new Stopped('too_many_failed');
        });
        // It may fail before it is awaited.
        ready.catch(() => undefined);
        const order = { ready, handedOver: handed.resolve };
        const sent = sendChunk(file, at, chunk, running.sink, order);
        settled = sent.then((results) => settle(chunk, results));
        // The next chunk is prepared while the store has this one, but not before it has it.
        await Promise.race([handed.promise.then(() => setImmediate()), settled]);
      }
      await settled;
      done += file.total;
    }
    if (run.counts.failed > running.maxFailed) return { run, stopped: 'too_many_failed' };
    run = { ...run, status: 'finished' };
    return { run };
  } catch (error) {
    if (error instanceof Stopped) return { run, stopped: error.reason };
    throw error;
  } finally {
    await settled.catch(() => undefined);
    await Promise.all(rejected.map((each) => each.close()));
    // If the store cannot be reached, the last note counts, and receipts show the rest.
    await note().catch(() => undefined);
  }
}

async function sendChunk(
  { resource, path }: PlannedFile,
  at: number,
  { rows, after }: Chunk,
  sink: Sink,
  order: SendOrder,
): Promise<readonly RowOutcome[]> {
  const unsent = rows.filter(({ is }) => !('sent' in is));
  if (sink.saw !== undefined && unsent.length > 0) {
    await sink.saw(
      resource,
      unsent.map(({ identifier, number }) => identifier ?? refuseUnnamed(path, number)),
    );
  }
  const good = rows.flatMap(({ is }) => ('sent' in is ? is : []));
  if (good.length > 0) return sink.send(resource, good, `${at}.${after - rows.length}`, order);
  await order.ready;
  return [];
}

function refuseUnnamed(path: string, number: number): never {
  throw new TransferRefused(
    `${path}: row ${number} does not say which record it is, so nobody can tell what is left out. Fix the row, or import without --sync. Nothing was removed.`,
  );
}

function resultsOf(
  { tell }: PlannedFile,
  { rows }: Chunk,
  sent: readonly RowOutcome[],
  before: ImportCounts,
): { readonly counts: ImportCounts; readonly refused: readonly RejectedRow[] } {
  const results = sent.values();
  const counts = { ...before };
  const refused: RejectedRow[] = [];
  for (const { number, cells, is } of rows) {
    const result: RowOutcome = 'sent' in is ? (results.next().value as RowOutcome) : { faults: is };
    if ('faults' in result) {
      counts.failed += 1;
      refused.push({ number, cells, error: tell(result.faults, cells) });
    } else {
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

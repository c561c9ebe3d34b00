/** Runs an import, chunk by chunk, from where it last stopped. */
import type { Resource } from '../../core/schema/define.ts';
import type { ImportCounts, ImportPosition, ImportRun } from '../../store/promises/imports.ts';
import type { RowFault } from './fault-words.ts';
import type { Plan, PlannedFile } from './plan.ts';
import { RejectedFile, type RejectedRow } from './rejected.ts';
import { type ImportRow, type RowUpsert, sizeOf } from './rows.ts';

/** Of one commit. */
const BYTES = 524_288;
/** Chunks and milliseconds after which the position is noted. */
const NOTED_CHUNKS = 64;
const NOTED_MS = 1_000;

/** The result of a sent row. */
export type RowOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged' }
  | { readonly faults: readonly RowFault[] };

/** Where rows go. */
export interface Sink {
  /**
   * Upserts rows in one commit, and returns their outcomes in order. The same name and rows again do nothing and return
   * the same. `handedOver` may be called when only the commit is left to wait for.
   */
  send(
    resource: Resource,
    rows: readonly RowUpsert[],
    name: string,
    handedOver: () => void,
  ): Promise<readonly RowOutcome[]>;
}

export interface Running {
  readonly sink: Sink;
  /** Notes how far it has come; not said: nothing is noted, and no row is written anywhere. */
  readonly note?: ((run: ImportRun) => Promise<void>) | undefined;
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
      await using ahead = new Ahead(chunksOf(file, skip, begun.chunk));
      for (let chunk = await ahead.next(); chunk !== undefined; chunk = await ahead.next()) {
        const stopped = running.signal.aborted
          ? 'interrupted'
          : run.counts.failed > running.maxFailed
            ? 'too_many_failed'
            : undefined;
        if (stopped !== undefined) return { run, stopped };
        const sent = sendChunk(file, at, chunk, running.sink, () => ahead.begin());
        const { counts, refused } = resultsOf(file, chunk, await sent, run.counts);
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
      }
      done += file.total;
    }
    if (run.counts.failed > running.maxFailed) return { run, stopped: 'too_many_failed' };
    run = { ...run, status: 'finished' };
    return { run };
  } finally {
    await Promise.all(rejected.map((each) => each.close()));
    // If the store cannot be reached, the last note counts, and receipts show the rest.
    await note().catch(() => undefined);
  }
}

async function sendChunk(
  { resource }: PlannedFile,
  at: number,
  { rows, after }: Chunk,
  sink: Sink,
  handedOver: () => void,
): Promise<readonly RowOutcome[]> {
  const good = rows.flatMap(({ is }) => ('sent' in is ? is : []));
  if (good.length === 0) return [];
  return sink.send(resource, good, `${at}.${after - rows.length}`, handedOver);
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
      counts[result.outcome] += 1;
    }
  }
  return { counts, refused };
}

/** Gives chunks one by one, and may read the next one before it is wanted. */
class Ahead {
  readonly #chunks: AsyncGenerator<Chunk, undefined>;
  #next: Promise<IteratorResult<Chunk, undefined>> | undefined;

  constructor(chunks: AsyncGenerator<Chunk, undefined>) {
    this.#chunks = chunks;
  }

  /** Begins to read the next one, once the previous one is in progress. */
  begin(): void {
    setImmediate(() => {
      this.#next ??= this.#chunks.next();
      // It is thrown where the chunk is wanted.
      this.#next.catch(() => {});
    });
  }

  async next(): Promise<Chunk | undefined> {
    const next = this.#next ?? this.#chunks.next();
    this.#next = undefined;
    return (await next).value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#next?.catch(() => {});
    await this.#chunks.return(undefined);
  }
}

/** The same rows make the same chunks, from wherever a chunk begins. */
async function* chunksOf(
  file: PlannedFile,
  skip: number,
  most: number,
): AsyncGenerator<Chunk, undefined> {
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

/** Runs an import, chunk by chunk, from wherever it has come. */

import type { Resource } from '../../schema/define.ts';
import type { ImportCounts, ImportPosition, ImportRun } from '../../store/imports.ts';
import type { RowFault } from './fault-words.ts';
import type { Plan, PlannedFile } from './plan.ts';
import { RejectedFile, type RejectedRow } from './rejected.ts';
import type { ImportRow } from './rows.ts';

/** Of one commit. */
const BYTES = 524_288;
/** Bytes of memory that a cell takes without its text. */
const POINTER = 8;
/** Chunks and milliseconds after which the position is noted. */
const NOTED_CHUNKS = 64;
const NOTED_MS = 1_000;

/** What became of a row that was sent. */
export type SentRow =
  | { readonly outcome: 'created' | 'updated' | 'unchanged' }
  | { readonly faults: readonly RowFault[] };

/** Where rows go. */
export interface Sink {
  /** Of one commit, at the most; the same for the whole of an import. */
  readonly rows: number;
  /**
   * Upserts rows, each as JSON text, in one commit: what became of each, in
   * order. With the same name and rows it does nothing again, and tells the same.
   */
  send(resource: Resource, rows: readonly string[], name: string): Promise<readonly SentRow[]>;
}

export interface Running {
  readonly sink: Sink;
  /** Notes how far it has come; not said: nothing is noted, and no row is written anywhere. */
  readonly note?: ((run: ImportRun) => Promise<void>) | undefined;
  readonly progress: (rows: number, counts: ImportCounts) => void;
  /** Bytes of rejected rows that are kept of a file, and who hears how many rows are not. */
  readonly keep?: { readonly bytes: number; readonly cut: (rows: number) => void };
  /** Rejected rows after which it stops. */
  readonly maxFailed: number;
  readonly signal: AbortSignal;
}

export interface Ran {
  readonly run: ImportRun;
  /** Why it did not come to its end; it can go on. */
  readonly stopped?: 'too_many_failed' | 'interrupted';
}

interface Chunk {
  readonly rows: readonly ImportRow[];
  readonly after: number;
}

/** Goes on where `run` has come. What the sink throws ends it, after the position is noted. */
export async function runImport(plan: Plan, begun: ImportRun, running: Running): Promise<Ran> {
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
      for await (const chunk of chunksOf(file, skip, running.sink.rows)) {
        const stopped = running.signal.aborted
          ? 'interrupted'
          : run.counts.failed > running.maxFailed
            ? 'too_many_failed'
            : undefined;
        if (stopped !== undefined) return { run, stopped };
        const { counts, refused } = await sendChunk(file, at, chunk, run.counts, running.sink);
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
    // Where the store is out of reach, what was noted last holds, and receipts tell the rest.
    await note().catch(() => undefined);
  }
}

async function sendChunk(
  { resource, tell }: PlannedFile,
  at: number,
  { rows, after }: Chunk,
  before: ImportCounts,
  sink: Sink,
): Promise<{ readonly counts: ImportCounts; readonly refused: readonly RejectedRow[] }> {
  const good = rows.filter(({ faults }) => faults === undefined);
  const sent =
    good.length === 0
      ? []
      : await sink.send(
          resource,
          good.map(({ body }) => body),
          `${at}.${after - rows.length}`,
        );
  const results = sent.values();
  const counts = { ...before };
  const refused: RejectedRow[] = [];
  for (const { number, cells, faults } of rows) {
    const result: SentRow = faults === undefined ? (results.next().value as SentRow) : { faults };
    if ('faults' in result) {
      counts.failed += 1;
      refused.push({ number, cells, error: tell(result.faults, cells) });
    } else {
      counts[result.outcome] += 1;
    }
  }
  return { counts, refused };
}

/** The same rows make the same chunks, from wherever a chunk begins. */
async function* chunksOf(file: PlannedFile, skip: number, most: number): AsyncGenerator<Chunk> {
  let rows: ImportRow[] = [];
  let bytes = 0;
  let after = 0;
  for await (const some of file.rows()) {
    for (const row of some) {
      after += 1;
      if (after <= skip) continue;
      rows.push(row);
      bytes += sizeOf(row);
      if (rows.length < most && bytes < BYTES) continue;
      yield { rows, after };
      rows = [];
      bytes = 0;
    }
  }
  if (rows.length > 0) yield { rows, after };
}

/** What is rejected has no body, and is held until it is written. */
function sizeOf({ body, faults, cells }: ImportRow): number {
  if (faults === undefined) return body.length;
  return cells.reduce((sum, cell) => sum + cell.length + POINTER, 0);
}

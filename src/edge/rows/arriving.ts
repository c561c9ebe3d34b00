/** The rows of a body as they arrive, no more than there is memory for. */

import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { LoopQueue } from '../../core/fair/loop.ts';
import { RecordEnds } from '../../core/schema/csv/cells.ts';
import { readColumns } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import { type Line, readLines } from '../../core/schema/lines.ts';
import { MAX_ROW_BYTES } from '../../records/ingest/many/row.ts';
import { discardBody } from '../fair/bodies.ts';
import { askForBody } from '../fair/continuing.ts';
import { WINDOW_BYTES, WINDOW_MS } from '../fair/least-speed.ts';
import { type MemoryReservation, memoryOf } from '../fair/memory.ts';
import type { Lines } from '../request/body.ts';
import { callerOf } from '../request/request.ts';

/** Fewer bytes do not count: a connection costs as much anyway. */
const FREE_BYTES = 65_536;
/** Reserved at a time: small rows come and go without another reservation. */
const PIECE_BYTES = 65_536;
/** Bytes of memory that a byte of a row takes, at most. */
const WEIGHT = 4;

const YOURS_FULL =
  'Your large requests already use all the memory that one caller may use. Send the rows from this line on when some of them are answered.';
const ALL_FULL =
  'Large requests already use all the memory set aside for them. Send the rows from this line on later.';
const TOGETHER = 256;
/** Results that are not yet sent: the longest are a thousand faults of some hundred rows. */
const ANSWER_BYTES = 512;

const DELIMITERS = { csv: ',', tsv: '\t' } as const;

interface RowsRequest {
  readonly as: Lines;
  readonly resource: Resource;
  readonly unknown: 'refuse' | 'ignore';
  /** In which what comes of a row that is too long is looked at: nothing else is done with it that could be shared. */
  readonly ticks: LoopQueue;
}

export type ArrivingRows = Awaited<ReturnType<typeof openRows>>;

/** Begins to read the body of a request; of a table the header. Throws what is wrong with that. */
export async function openRows(request: FastifyRequest, reply: FastifyReply, sent: RowsRequest) {
  const arrivals = new Arrivals(request.raw);
  const reserved = rowsIn(memoryOf(reply));
  const limits = {
    longest: MAX_ROW_BYTES,
    together: TOGETHER,
    begun: reserved.begun,
    tooLong: () => sent.ticks.wait(callerOf(request).key),
  };
  if (sent.as === 'lines')
    return { arrivals, reserved, rows: holding(reserved, [], readLines(arrivals, limits)) };
  try {
    const delimiter = DELIMITERS[sent.as];
    const records = readLines(arrivals, { ...limits, ends: new RecordEnds(delimiter) });
    const { value: first = [] } = await records.next();
    const [header, ...others] = first as readonly Line[];
    const columns = readColumns(sent.resource, bytesOfHeader(header), { ...sent, delimiter });
    return { arrivals, reserved, columns, rows: holding(reserved, others, records) };
  } catch (error) {
    arrivals.discard();
    throw error;
  }
}

/** Bytes of memory that rows are counted as. */
export function weightOf(rows: readonly Line[]): number {
  let bytes = rows.length * ANSWER_BYTES;
  for (const row of rows) bytes += row.bytes?.length ?? 0;
  return bytes;
}

async function* holding(
  reserved: ReturnType<typeof rowsIn>,
  first: readonly Line[],
  others: AsyncIterable<readonly Line[]>,
): AsyncGenerator<readonly Line[]> {
  const take = async (rows: readonly Line[]): Promise<readonly Line[]> => {
    const wait = reserved.take(weightOf(rows));
    if (wait !== undefined) await wait;
    return rows;
  };
  if (first.length > 0) yield await take(first);
  for await (const rows of others) yield await take(rows);
}

function bytesOfHeader(header: Line | undefined): Uint8Array {
  if (header === undefined) {
    const message = 'The table has no header: begin it with a row of the names of its columns.';
    throw new ApiError('csv_invalid', { message });
  }
  if (header.bytes === undefined) {
    const message = `The header is larger than 1 MiB; send at most ${MAX_ROW_BYTES} bytes.`;
    throw new ApiError('body_too_large', { message });
  }
  return header.bytes;
}

/** The memory of the rows of a stream, from their first byte to their answer. */
function rowsIn(memory: MemoryReservation) {
  /** Bytes of the line that has begun, and of rows that are not answered yet. */
  let [begun, unanswered] = [0, 0];
  let wake = (): void => {};
  /** Bytes of the answer that wait until it begins. */
  let kept = 0;
  let short = (): void => {};

  const tryHold = (): boolean => {
    const beyond = Math.max(0, begun + unanswered - FREE_BYTES);
    return memory.tryHold(WEIGHT * PIECE_BYTES * Math.ceil(beyond / PIECE_BYTES) + kept);
  };
  const fits = (): boolean => {
    if (tryHold()) return true;
    if (kept === 0) return false;
    kept = 0;
    short();
    return tryHold();
  };
  const wait = async (before: number): Promise<void> => {
    let awaited = before;
    while (!fits()) {
      if (awaited === 0) {
        const { code } = memory.refusal();
        throw new ApiError(code, { message: code === 'memory_limited' ? YOURS_FULL : ALL_FULL });
      }
      const had = unanswered;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      awaited -= had - unanswered;
    }
  };

  return {
    /** Sets how much has arrived of a line without its end. Throws as `take` does. */
    begun(bytes: number): void | Promise<void> {
      begun = bytes;
      if (!fits()) return wait(unanswered);
    },
    /**
     * Rows have arrived whole. Where memory is short, waits for answers to those before them; throws `memory_limited` or
     * `service_unavailable` if there are none to wait for.
     */
    take(bytes: number): void | Promise<void> {
      const before = unanswered;
      unanswered += bytes;
      if (!fits()) return wait(before);
    },
    give(bytes: number): void {
      unanswered -= bytes;
      fits();
      wake();
    },
    /** Takes room for bytes of the answer that wait; `false` where there is none. `whenShort` is called when rows need that room. */
    keep(bytes: number, whenShort: () => void): boolean {
      short = whenShort;
      kept += bytes;
      if (tryHold()) return true;
      kept -= bytes;
      return false;
    },
  };
}

/**
 * The bodies of requests that are answered while they arrive: if one ends before it is complete, its answer must end
 * with a line that says so, since the status was sent long ago.
 */
const answeredEarly = new WeakMap<IncomingMessage, Arrivals>();

/** Whether the request is one that is answered while it arrives. */
export function mayEndEarly(request: IncomingMessage): boolean {
  return answeredEarly.has(request);
}

/** Ends the request with that error after its pending rows, if it is answered while it arrives. */
export function endEarly(request: IncomingMessage, reason: Error): boolean {
  answeredEarly.get(request)?.stop(reason);
  return answeredEarly.has(request);
}

/** How long a client may be silent between two lines. */
export const SILENCE_MS = 60_000;
/** A client that has sent nothing for so long waits for an answer. */
const QUIET_MS = 5_000;
const SILENT = 'No line has arrived for a minute.';
const TOO_SLOW =
  'The line arrives too slowly: send at least 30 KiB every 30 seconds until it is complete.';

export class Arrivals {
  readonly #body: IncomingMessage;
  #stopped: Error | undefined;
  #wake = (): void => {};
  /** For an incomplete line: since when the rest is awaited, and how much has arrived since. */
  #line: { began: number; bytes: number } | undefined;
  #whenQuiet: (() => void) | undefined;
  /** When bytes were last handed out: until more are requested, the client waits for us. */
  #gaveAt = performance.now();

  constructor(body: IncomingMessage) {
    this.#body = body;
    answeredEarly.set(body, this);
    askForBody(body);
    const wake = (): void => this.#wake();
    body.on('readable', wake).on('end', wake).on('close', wake);
    body.on('error', (error) => this.stop(error));
  }

  /** Takes nothing more: pending and later reads get this error. */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    this.#wake();
  }

  /** Calls it where nothing has come for some seconds. */
  whenQuiet(call: () => void): void {
    this.#whenQuiet = call;
  }

  /** Whether nothing more is taken, or will come. */
  get isOver(): boolean {
    return this.#stopped !== undefined || (this.#body.destroyed && !this.#body.readableEnded);
  }

  /** Discards the rest, so that its sender gets to read the answer. */
  discard(): void {
    if (!this.#body.readableEnded) discardBody(this.#body);
  }

  /** A line begins with the last bytes that were given: what is missing of it must come fast enough. */
  lineBegins(): void {
    this.#line = { began: performance.now(), bytes: 0 };
  }

  /** No line has begun: its sender may be silent. */
  lineEnds(): void {
    this.#line = undefined;
  }

  /** All that has arrived, waiting until some has; `undefined` at the end. Throws what it was stopped with, or why it ended. */
  async next(): Promise<Buffer | undefined> {
    if (this.#line !== undefined) this.#line.began += performance.now() - this.#gaveAt;
    for (;;) {
      if (this.#stopped !== undefined) throw this.#stopped;
      const bytes: Buffer | null = this.#body.read();
      if (bytes !== null) {
        this.#gaveAt = performance.now();
        if (this.#line !== undefined) this.#line.bytes += bytes.length;
        return bytes;
      }
      if (this.#body.readableEnded) return undefined;
      if (this.#body.destroyed) throw new Error('The connection ended before the body did.');
      await this.#somethingNew();
    }
  }

  async #somethingNew(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wait =
      this.#line === undefined ? SILENCE_MS : this.#line.began + WINDOW_MS - performance.now();
    const late = setTimeout(() => this.#late(), wait);
    const quiet = this.#whenQuiet && setTimeout(this.#whenQuiet, QUIET_MS);
    this.#wake = resolve;
    await promise;
    clearTimeout(late);
    clearTimeout(quiet);
  }

  #late(): void {
    if (this.#line !== undefined && this.#line.bytes >= WINDOW_BYTES) {
      this.lineBegins();
      this.#wake();
      return;
    }
    const message = this.#line === undefined ? SILENT : TOO_SLOW;
    this.stop(new ApiError('request_timeout', { message }));
  }
}

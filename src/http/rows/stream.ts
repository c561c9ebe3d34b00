/** Rows that are read line by line as they arrive, and answered line by line when they are committed. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scheduler } from '../../fair/scheduler.ts';
import type { Many } from '../../ingest/many/many.ts';
import { Gone, MAX_ROW_BYTES, type ManyCall, type RowResult } from '../../ingest/many/row.ts';
import type { ToldRows } from '../../requests/told-rows.ts';
import { LINES } from '../body.ts';
import { prepare } from '../envelope.ts';
import { errorMembers } from '../error-response.ts';
import type { KeyLimit } from '../limits/key-limit.ts';
import { paced } from '../limits/paced.ts';
import { memoryOf } from '../memory.ts';
import { Answer } from './answer.ts';
import { Arrivals } from './arrivals.ts';
import { letEndEarly } from './endings.ts';
import { HeldRows } from './held-rows.ts';
import { type Line, readLines } from './lines.ts';
import { type Refusal, rowMembers, Summary, toldRow } from './row-texts.ts';

/** Lines read at a time. */
const TOGETHER = 256;
/** Characters of answers that are written at a time. */
const PIECE_LENGTH = 65_536;

/** What becomes of a row and is not yet told: the longest are a thousand faults of some hundred rows. */
const ANSWER_BYTES = 512;

/** How long the rest of a body may take to arrive after the answer has ended. */
const REST_MS = 10_000;

export interface StreamParts {
  readonly many: Many;
  readonly scheduler: Scheduler;
  readonly call: ManyCall;
  readonly refusal: Refusal;
  /** Gets what became of each row. */
  readonly rows: ToldRows;
}

/** What the answer to a stream is made of. */
interface Streamed extends Omit<StreamParts, 'refusal'> {
  readonly arrivals: Arrivals;
  readonly answer: Answer;
  readonly held: HeldRows;
  readonly limit: KeyLimit | undefined;
  /** Of a row, and of the stream. */
  readonly refusals: { readonly row: Refusal; readonly end: Refusal };
}

/** Answers 200, then a line for each row, then one that sums up and says what ended it early, if anything did. */
export function answerStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { many, scheduler, call, refusal, rows }: StreamParts,
): FastifyReply {
  const answer = new Answer();
  const { raw } = request;
  const arrivals = new Arrivals(raw);
  letEndEarly(raw, (reason) => arrivals.stop(reason));
  const told: Refusal = (error) => {
    const refused = refusal(error);
    request.done = { rows, code: refused.code, faults: refused.faults };
    return refused;
  };
  const held = new HeldRows(memoryOf(reply));
  const refusals = { row: refusal, end: told };
  const { limit } = request;
  const parts = { arrivals, answer, held, limit, many, scheduler, call, rows, refusals };
  void respond(parts).finally(() => {
    if (raw.readableEnded) return;
    arrivals.passOver();
    const rest = setTimeout(() => raw.socket.destroy(), REST_MS).unref();
    raw.once('end', () => clearTimeout(rest));
  });
  return prepare(reply).header('Content-Type', `${LINES}; charset=utf-8`).send(answer.body);
}

async function respond(streamed: Streamed): Promise<void> {
  const { arrivals, answer, held, limit, many, scheduler, call, refusals } = streamed;
  const summary = new Summary();
  let told = 0;
  const tell = async (rows: readonly Line[], results: readonly RowResult[]): Promise<void> => {
    let index = 0;
    while (index < rows.length) {
      let text = '';
      await scheduler.run(call.principal.key, () => {
        const { number } = rows[index] as Line;
        const row = toldRow(results[index] as RowResult, refusals.row);
        summary.add(row);
        streamed.rows.add(number, row);
        text += `{"line":${number},${rowMembers(row)}}\n`;
        told = number;
        index += 1;
        return index === rows.length || text.length >= PIECE_LENGTH;
      });
      await answer.write(text);
    }
    held.give(bytesOf(rows));
  };
  let stopped: object = {};
  try {
    const lines = paced(arriving(streamed), limit, () => arrivals.isOver);
    await many.stream({ ...call, isGone: () => answer.isGone }, lines, tell);
  } catch (error) {
    if (error instanceof Gone) return;
    stopped = { line: told + 1, error: errorMembers(refusals.end(error as Error)) };
  }
  answer.end(`${JSON.stringify({ summary, ...stopped })}\n`);
}

/** The lines as they arrive, no more than there is memory for. */
async function* arriving({ arrivals, held }: Streamed): AsyncGenerator<readonly Line[]> {
  const begun = (bytes: number): void | Promise<void> => held.begun(bytes);
  for await (const lines of readLines(arrivals, {
    longest: MAX_ROW_BYTES,
    together: TOGETHER,
    begun,
  })) {
    const wait = held.take(bytesOf(lines));
    if (wait !== undefined) await wait;
    yield lines;
  }
}

function bytesOf(lines: readonly Line[]): number {
  let bytes = lines.length * ANSWER_BYTES;
  for (const line of lines) bytes += line.bytes?.length ?? 0;
  return bytes;
}

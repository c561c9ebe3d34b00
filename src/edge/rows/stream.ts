/** Rows that are read line by line as they arrive, and answered line by line when they are committed. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { inSteps } from '../../core/fair/scheduler.ts';
import type { Line } from '../../core/schema/lines.ts';
import type { Many } from '../../records/ingest/many/many.ts';
import { ClientGone, type ManyCall, type RowResult } from '../../records/ingest/many/row.ts';
import { identifierInCells, identifierInJson } from '../../services/requests/marks.ts';
import type { RowSummary } from '../../services/requests/row-summary.ts';
import type { KeyLimit } from '../limits/key-limit.ts';
import { paced } from '../limits/paced.ts';
import { LINES } from '../request/body.ts';
import { prepare } from '../response/envelope.ts';
import { errorMembers } from '../response/error-response.ts';
import { Answer } from './answer.ts';
import type { Arrivals } from './arrivals.ts';
import { type ArrivingRows, weightOf } from './arriving.ts';
import { type Refusal, rowMembers, rowReport, Summary } from './row-texts.ts';

/** Characters of answers that are written at a time. */
const PIECE_LENGTH = 65_536;

export interface StreamParts {
  readonly many: Many;
  readonly call: ManyCall;
  readonly arriving: ArrivingRows;
  readonly refusal: Refusal;
  /** Gets what became of each row. */
  readonly rows: RowSummary;
}

/** The parts that answer a stream. */
interface Streamed extends Omit<StreamParts, 'refusal'> {
  readonly answer: Answer;
  readonly limit: KeyLimit | undefined;
  /** Refusals of a row, and of the stream. */
  readonly refusals: { readonly row: Refusal; readonly end: Refusal };
}

/** Answers 200, then a line for each row, then one that sums up and says what ended it early, if anything did. */
export function answerStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { refusal, ...parts }: StreamParts,
): FastifyReply {
  const answer = new Answer();
  const { limit } = request;
  const { rows } = parts;
  const ending: Refusal = (error) => {
    const refused = refusal(error);
    request.done = { rows, code: refused.code, faults: refused.faults };
    return refused;
  };
  const refusals = { row: refusal, end: ending };
  void respond({ ...parts, answer, limit, refusals }).finally(() =>
    parts.arriving.arrivals.discard(),
  );
  return prepare(reply).header('Content-Type', `${LINES}; charset=utf-8`).send(answer.body);
}

function identifierIn(bytes: Line['bytes'], columns: ManyCall['columns']): string | undefined {
  if (bytes === undefined) return undefined;
  return columns === undefined ? identifierInJson(bytes) : identifierInCells(bytes, columns);
}

async function respond(streamed: Streamed): Promise<void> {
  const { answer, limit, many, call, refusals } = streamed;
  const { arrivals, held, columns, rows: arriving } = streamed.arriving;
  const summary = new Summary();
  let answered = 0;
  const tell = async (rows: readonly Line[], results: readonly RowResult[]): Promise<void> => {
    let index = 0;
    while (index < rows.length) {
      let text = '';
      await inSteps(call.principal.key, () => {
        const { number, bytes } = rows[index] as Line;
        const row = rowReport(results[index] as RowResult, refusals.row);
        summary.add(row);
        streamed.rows.add(number, row, () => identifierIn(bytes, call.columns));
        text += `{"line":${number},${rowMembers(row)}}\n`;
        answered = number;
        index += 1;
        return index === rows.length || text.length >= PIECE_LENGTH;
      });
      await answer.write(text);
    }
    held.give(weightOf(rows));
  };
  let stopped: object = {};
  try {
    const lines = paced(arriving, limit, () => arrivals.isOver);
    const isGone = (): boolean => answer.isGone;
    await many.stream({ ...call, isGone, still: stopping(call.still, arrivals) }, lines, tell);
  } catch (error) {
    if (error instanceof ClientGone) return;
    stopped = { line: answered + 1, error: errorMembers(refusals.end(error as Error), undefined) };
  }
  const passed_over = columns?.passedOver.length ? columns.passedOver : undefined;
  answer.end(`${JSON.stringify({ summary, passed_over, ...stopped })}\n`);
}

/** A refusal ends the stream at once, though nothing more may arrive. */
function stopping(still: ManyCall['still'], arrivals: Arrivals): ManyCall['still'] {
  return async () => {
    await still?.().catch((error: Error) => {
      if (error instanceof ApiError) arrivals.stop(error);
      throw error;
    });
  };
}

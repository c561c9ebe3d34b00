/** Rows that are read line by line as they arrive, and answered line by line when they are committed. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { inSteps } from '../../core/fair/scheduler.ts';
import type { Line } from '../../core/schema/lines.ts';
import type { Many } from '../../records/ingest/many/many.ts';
import {
  ClientGone,
  type ManyCall,
  type RowResult,
  type RowWritten,
} from '../../records/ingest/many/row.ts';
import { identifierInCells, identifierInJson } from '../../services/requests/marks.ts';
import type { RowSummary } from '../../services/requests/row-summary.ts';
import type { KeyLimit } from '../limits/key-limit.ts';
import { LINES } from '../request/body.ts';
import { prepare } from '../response/envelope.ts';
import { errorMembers } from '../response/error-response.ts';
import { Answer } from './answer.ts';
import type { Arrivals } from './arrivals.ts';
import { type ArrivingRows, weightOf } from './arriving.ts';

const PIECE_LENGTH = 65_536;

interface StreamParts {
  readonly many: Many;
  readonly call: ManyCall;
  readonly arriving: ArrivingRows;
  readonly refusal: Refusal;
  readonly rows: RowSummary;
}

/** Answers 200, then a line for each row, then one that sums up and says what ended it early, if anything did. */
export function answerStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { many, call, arriving, refusal, rows }: StreamParts,
): FastifyReply {
  const answer = new Answer();
  const { arrivals, reserved, columns } = arriving;
  const summary = new Summary();
  let answered = 0;
  const report = async (lines: readonly Line[], results: readonly RowResult[]): Promise<void> => {
    let index = 0;
    while (index < lines.length) {
      let text = '';
      await inSteps(call.principal.key, () => {
        const { number, bytes } = lines[index] as Line;
        const row = rowReport(results[index] as RowResult, refusal);
        summary.add(row);
        rows.add(number, row, () => identifierIn(bytes, columns));
        text += `{"line":${number},${rowMembers(row)}}\n`;
        answered = number;
        index += 1;
        return index === lines.length || text.length >= PIECE_LENGTH;
      });
      await answer.write(text);
    }
    reserved.give(weightOf(lines));
  };
  const respond = async (): Promise<void> => {
    let stopped: object = {};
    try {
      const lines = paced(arriving.rows, request.limit, () => arrivals.isOver);
      const isGone = (): boolean => answer.isGone;
      await many.stream({ ...call, isGone, still: stopping(call.still, arrivals) }, lines, report);
    } catch (error) {
      if (error instanceof ClientGone) return;
      const refused = refusal(error as Error);
      request.done = { rows, code: refused.code, faults: refused.faults };
      stopped = { line: answered + 1, error: errorMembers(refused, undefined) };
    }
    const passed_over = columns?.passedOver.length ? columns.passedOver : undefined;
    answer.end(`${JSON.stringify({ summary, passed_over, ...stopped })}\n`);
  };
  void respond().finally(() => arrivals.discard());
  return prepare(reply).header('Content-Type', `${LINES}; charset=utf-8`).send(answer.body);
}

function identifierIn(bytes: Line['bytes'], columns: ManyCall['columns']): string | undefined {
  if (bytes === undefined) return undefined;
  return columns === undefined ? identifierInJson(bytes) : identifierInCells(bytes, columns);
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

/**
 * Yields rows, some at a time, as the key's rate allows; all at once for a key without a limit. Once `isOver` says that
 * the client has gone, drops waiting rows, and reads the source to its end.
 */
async function* paced<Row>(
  rows: AsyncIterable<readonly Row[]>,
  limit: KeyLimit | undefined,
  isOver: () => boolean,
): AsyncGenerator<readonly Row[]> {
  if (limit === undefined) return yield* rows;
  for await (const arrived of rows) {
    for (let from = 0; from < arrived.length && !isOver(); from += limit.together) {
      const some = arrived.slice(from, from + limit.together);
      await limit.pace(some.length, isOver);
      if (!isOver()) yield some;
    }
  }
}

/** How many rows were created, updated, left unchanged, failed, and left out since their records were erased. */
export class Summary {
  readonly #counts: Record<RowWritten['outcome'] | 'failed', number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    erased: 0,
  };

  add(report: RowReport): void {
    this.#counts[report instanceof ApiError ? 'failed' : report.outcome] += 1;
  }

  /** Few services erase anything. */
  toJSON(): object {
    const { erased, ...usual } = this.#counts;
    return erased === 0 ? usual : this.#counts;
  }
}

export type Refusal = (error: Error) => ApiError;

/** The result of a row: what was done, or an error that may be shown. */
type RowReport = RowWritten | ApiError;

export function rowReport(result: RowResult, refusal: Refusal): RowReport {
  return result instanceof Error ? refusal(result) : result;
}

/** The members of what is answered to a row, as JSON text without braces. */
export function rowMembers(report: RowReport): string {
  if (report instanceof ApiError)
    return `"error":${JSON.stringify(errorMembers(report, undefined))}`;
  const { unique_identifier, outcome, kept } = report;
  const identity =
    unique_identifier === undefined ? '' : `"unique_identifier":"${unique_identifier}",`;
  return `${identity}"outcome":"${outcome}"${kept === undefined ? '' : `,"kept":${JSON.stringify(kept)}`}`;
}

/** Rows that are read line by line as they arrive, and answered line by line when they are committed. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Many } from '../../ingest/many.ts';
import { MAX_ROW_BYTES, type ManyCall, type RowResult } from '../../ingest/rows.ts';
import { LINES } from '../body.ts';
import { prepare } from '../envelope.ts';
import { errorMembers } from '../error-response.ts';
import { Answer, Unread } from './answer.ts';
import { Arrivals } from './arrivals.ts';
import { letEndEarly } from './endings.ts';
import { type Line, readLines } from './lines.ts';
import { type Refusal, rowMembers, Summary } from './row-texts.ts';

const LIMITS = { longest: MAX_ROW_BYTES, together: 256 };

/** How long the rest of a body that is not carried out may take to arrive. */
const REST_MS = 10_000;

/** Answers 200, then a line for each row, then one that sums up and says what ended it early, if anything did. */
export function answerStream(
  request: FastifyRequest,
  reply: FastifyReply,
  many: Many,
  call: ManyCall,
  refusal: Refusal,
): FastifyReply {
  const answer = new Answer();
  const { raw } = request;
  const arrivals = new Arrivals(raw);
  letEndEarly(raw, (reason) => arrivals.stop(reason));
  const told: Refusal = (error) => {
    const refused = refusal(error);
    request.done = { code: refused.code };
    return refused;
  };
  void carryOut(arrivals, answer, many, call, { row: refusal, end: told }).finally(() => {
    if (raw.readableEnded) return;
    arrivals.passOver();
    const rest = setTimeout(() => raw.socket.destroy(), REST_MS).unref();
    raw.once('end', () => clearTimeout(rest));
  });
  return prepare(reply).header('Content-Type', `${LINES}; charset=utf-8`).send(answer.body);
}

async function carryOut(
  arrivals: Arrivals,
  answer: Answer,
  many: Many,
  call: ManyCall,
  refusals: { readonly row: Refusal; readonly end: Refusal },
): Promise<void> {
  const summary = new Summary();
  let lines = 0;
  const tell = async (rows: readonly Line[], results: readonly RowResult[]): Promise<void> => {
    let text = '';
    for (const [index, { number }] of rows.entries()) {
      const result = results[index] as RowResult;
      summary.add(result);
      text += `{"line":${number},${rowMembers(result, refusals.row)}}\n`;
      lines = number;
    }
    await answer.write(text);
  };
  let stopped: object = {};
  try {
    await many.stream(call, readLines(arrivals, LIMITS), tell);
  } catch (error) {
    if (error instanceof Unread) return;
    stopped = { line: lines + 1, error: errorMembers(refusals.end(error as Error)) };
  }
  answer.end(`${JSON.stringify({ summary, ...stopped })}\n`);
}

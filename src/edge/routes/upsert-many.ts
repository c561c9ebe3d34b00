/** Answers many upserts at once. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { LoopQueue } from '../../core/fair/loop.ts';
import { inSteps } from '../../core/fair/scheduler.ts';
import type { Columns } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import { NOT_YET, rowsOf } from '../../core/schema/json/rows.ts';
import type { Line } from '../../core/schema/lines.ts';
import { parseMany } from '../../core/schema/parse/parse-queries.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { Many } from '../../records/ingest/many/many.ts';
import {
  ClientGone,
  type ManyCall,
  type RowResult,
  type RowWritten,
} from '../../records/ingest/many/row.ts';
import { identifierInCells, identifierInJson, MOST_MARKED } from '../../services/requests/marks.ts';
import { createRowSummary, type RowSummary } from '../../services/requests/row-summary.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { stillMay } from '../fair/still.ts';
import type { KeyLimit } from '../limits/key-limit.ts';
import { paramMaskOf } from '../operations/records.ts';
import { bodyOf, LINES, linesOf, unknownFieldsOf } from '../request/body.ts';
import { refuseIdempotencyKey, syncOf } from '../request/idempotency-key.ts';
import { receiveBody } from '../request/receive.ts';
import { queryOf, watchForCut } from '../request/request.ts';
import { conditionOfUpsert } from '../response/conditions.ts';
import { prepare, sendJson } from '../response/envelope.ts';
import { errorMembers, toApiError } from '../response/error-response.ts';
import { Answer } from '../rows/answer.ts';
import { type Arrivals, type ArrivingRows, openRows, weightOf } from '../rows/arriving.ts';
import { type RecordHandler, writeCallOf } from './write.ts';

const STREAM_TAKES_NO_KEY =
  'A stream of rows takes no Idempotency-Key, since part of it may have been saved. Send the rows as application/json, or send the stream again without it: upserts may be repeated.';

/** Tables that arrive share `ticks`. */
export function upsertManyHandler(
  resource: Resource,
  many: Many,
  syncs: SyncsOf,
  ticks: LoopQueue,
): RecordHandler {
  return async (request, reply) => {
    let last: Error | undefined;
    const refusal = (error: Error): ApiError => {
      const refused = toApiError(error);
      // One error may be that of hundreds of rows.
      if (refused.status >= 500 && error !== last) request.server.noteFailure(request, refused);
      last = error;
      return refused;
    };
    const lines = linesOf(request);
    if (lines !== undefined) refuseIdempotencyKey(request, STREAM_TAKES_NO_KEY);
    else await receiveBody(request, reply);
    const { principal, repeatable } = writeCallOf(request, resource);
    const unknown = unknownFieldsOf(request);
    const form = lines === undefined ? 'array' : 'lines';
    const { atomic, dry_run } = parseMany(queryOf(request), form, unknown);
    const only = conditionOfUpsert(request);
    let columns: Columns | undefined;
    const sync = await syncOf(request, resource, syncs, () => columns);
    // The request counts as one of them.
    const counted = (rows: number): void => request.limit?.charge(rows - 1, performance.now());
    const still = stillMay(request, (now) => authorize(now, resource.path, 'write'));
    const whole = { principal, counted, still, sync, resource, unknown, only, dry_run };
    if (dry_run) reply.header('Ledgerstone-Dry-Run', 'true');
    if (lines !== undefined) {
      watchForCut(request, reply);
      const arriving = await openRows(request, reply, { as: lines, resource, unknown, ticks });
      columns = arriving.columns;
      const as = dry_run ? 'rehearsed' : undefined;
      const rows = createRowSummary('lines', paramMaskOf(resource), as);
      request.done = { rows };
      const call = { ...whole, columns };
      return answerStream(request, reply, { many, call, arriving, refusal, rows });
    }
    const { body } = bodyOf(request);
    const { results, replayed } = await many.array(whole, body, { atomic, repeatable });
    const identifiers = identifiersOf(body, results);
    // The rows are done: the memory is for the answer from here on.
    request.body = undefined;
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    const as = replayed ? 'replayed' : dry_run ? 'rehearsed' : undefined;
    const rows = createRowSummary('elements', paramMaskOf(resource), as);
    request.done = { rows };
    return sendJson(reply, await arrayAnswer(whole, results, refusal, rows, identifiers));
  };
}

/** The callers' own identifiers of the first rows that were refused, each at its place. */
function identifiersOf(
  body: Uint8Array,
  results: readonly RowResult[],
): readonly (string | undefined)[] {
  const found: (string | undefined)[] = [];
  let left = MOST_MARKED;
  let last = results.length - 1;
  while (last >= 0 && !(results[last] instanceof Error)) last -= 1;
  for (const row of last < 0 ? [] : rowsOf(body)) {
    if (row === NOT_YET) continue;
    const isRefused = results[found.length] instanceof Error && left > 0;
    if (isRefused) left -= 1;
    found.push(isRefused ? identifierInJson(row) : undefined);
    if (left === 0 || found.length > last) break;
  }
  return found;
}

/** As JSON text, built in slices, so that other requests come in between; `rows` gets the result of each. */
async function arrayAnswer(
  { principal: { key }, resource: { path } }: ManyCall,
  results: readonly RowResult[],
  refusal: Refusal,
  rows: RowSummary,
  identifiers: readonly (string | undefined)[],
): Promise<string> {
  const summary = new Summary();
  const texts: string[] = [];
  await inSteps(key, () => {
    const result = results[texts.length];
    if (result === undefined) return true;
    const report = rowReport(result, refusal);
    summary.add(report);
    rows.add(texts.length, report, () => identifiers[texts.length]);
    texts.push(`{${rowMembers(report)}}`);
    return texts.length === results.length;
  });
  return `{"object":"upsert_many","url":"/v1/${path}/upsert_many","data":[${texts.join(',')}],"summary":${JSON.stringify(summary)}}`;
}

const PIECE_LENGTH = 65_536;

interface StreamParts {
  readonly many: Many;
  readonly call: ManyCall;
  readonly arriving: ArrivingRows;
  readonly refusal: Refusal;
  readonly rows: RowSummary;
}

/** Answers 200, then a line for each row, then one that sums up and says what ended it early, if anything did. */
function answerStream(
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
class Summary {
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

type Refusal = (error: Error) => ApiError;

/** The result of a row: what was done, or an error that may be shown. */
type RowReport = RowWritten | ApiError;

function rowReport(result: RowResult, refusal: Refusal): RowReport {
  return result instanceof Error ? refusal(result) : result;
}

/** The members of what is answered to a row, as JSON text without braces. */
function rowMembers(report: RowReport): string {
  if (report instanceof ApiError)
    return `"error":${JSON.stringify(errorMembers(report, undefined))}`;
  const { unique_identifier, outcome, kept } = report;
  const identity =
    unique_identifier === undefined ? '' : `"unique_identifier":"${unique_identifier}",`;
  return `${identity}"outcome":"${outcome}"${kept === undefined ? '' : `,"kept":${JSON.stringify(kept)}`}`;
}

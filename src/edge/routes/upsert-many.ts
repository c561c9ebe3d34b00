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
import {
  identifierInCells,
  identifierInJson,
  MOST_FINGERPRINTS,
} from '../../services/requests/fingerprints.ts';
import { createRowSummary, type RowSummary } from '../../services/requests/row-summary.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { stillMay } from '../fair/still.ts';
import type { KeyLimit } from '../limits/key-limit.ts';
import { paramMaskOf } from '../operations/records.ts';
import { bodyOf, isAnsweredLate, LINES, linesOf, unknownFieldsOf } from '../request/body.ts';
import { refuseIdempotencyKey } from '../request/idempotency-key.ts';
import { receiveBody } from '../request/receive.ts';
import { queryOf, watchForCut } from '../request/request.ts';
import { noteBegun, seenBy, settleAnswered, syncOf } from '../request/under-sync.ts';
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
    const lines = linesOf(request);
    if (lines !== undefined) refuseIdempotencyKey(request, STREAM_TAKES_NO_KEY);
    await noteBegun(request, syncs, lines === undefined ? receiveBody(request, reply) : undefined);
    const { principal, repeatable } = writeCallOf(request, resource);
    const unknown = unknownFieldsOf(request);
    const late = isAnsweredLate(request);
    const form = lines === undefined ? 'array' : 'lines';
    const { atomic, dry_run } = parseMany(queryOf(request), form, unknown);
    const only = conditionOfUpsert(request);
    let columns: Columns | undefined;
    const sync = await syncOf(request, resource, syncs, () => columns);
    // The request counts as one of them.
    const counted = (rows: number): void => request.limit?.charge(rows - 1, performance.now());
    const still = stillMay(request, (now) => authorize(now, resource.path, 'write'));
    const call = { principal, counted, still, sync, resource, unknown, only, dry_run };
    if (dry_run) reply.header('Ledgerstone-Dry-Run', 'true');
    const as = dry_run ? 'rehearsed' : undefined;
    if (lines !== undefined) {
      watchForCut(request, reply);
      const arriving = await openRows(request, reply, { as: lines, resource, unknown, ticks });
      columns = arriving.columns;
      const report = createReport(request, createRowSummary('lines', paramMaskOf(resource), as));
      if (request.underSync !== undefined) request.underSync.isStream = true;
      const settled = (status: number) => settleAnswered(request, status, syncs);
      return answerStream(
        reply,
        many,
        { ...call, columns },
        arriving,
        { ...report, settled },
        late,
      );
    }
    const { body } = bodyOf(request);
    const { results, replayed } = await many.array(
      { ...call, sync: sync && seenBy(request, sync) },
      body,
      { atomic, repeatable },
    );
    const identifiers = identifiersOf(body, results);
    // The rows are done: the memory is for the answer from here on.
    request.body = undefined;
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    const how = replayed ? 'replayed' : as;
    const report = createReport(request, createRowSummary('elements', paramMaskOf(resource), how));
    const texts: string[] = [];
    await inSteps(principal.key, () => {
      const index = texts.length;
      const result = results[index];
      if (result === undefined) return true;
      texts.push(`{${report.members(index, result, () => identifiers[index])}}`);
      return texts.length === results.length;
    });
    return sendJson(
      reply,
      `{"object":"upsert_many","url":"/v1/${resource.path}/upsert_many","data":[${texts.join(',')}],"summary":${JSON.stringify(report.summary())}}`,
    );
  };
}

/** The callers' own identifiers of the first rows that were refused, each at its place. */
function identifiersOf(body: Uint8Array, results: readonly RowResult[]) {
  const found: (string | undefined)[] = [];
  let left = MOST_FINGERPRINTS;
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

const PIECE_LENGTH = 65_536;

/**
 * Answers 200, then a line for each row, then one that sums up and says what ended it early, if anything did. A `late`
 * answer begins when the rows have ended, or none has come for some seconds.
 */
function answerStream(
  reply: FastifyReply,
  many: Many,
  call: ManyCall,
  { arrivals, reserved, columns, rows: arriving }: ArrivingRows,
  report: ReturnType<typeof createReport> & { readonly settled: (status: number) => Promise<void> },
  late: boolean,
): FastifyReply {
  const { request } = reply;
  const { members, summary, refusal, settled } = report;
  const answer = new Answer();
  if (late) {
    const begin = (): void => answer.begin();
    answer.holdBack((bytes) => reserved.keep(bytes, begin));
    arrivals.whenQuiet(begin);
  }
  let answered = 0;
  const answerRows = async (
    lines: readonly Line[],
    results: readonly RowResult[],
  ): Promise<void> => {
    let index = 0;
    while (index < lines.length) {
      let text = '';
      await inSteps(call.principal.key, () => {
        const { number, bytes } = lines[index] as Line;
        const row = members(number, results[index] as RowResult, () =>
          identifierIn(bytes, columns),
        );
        text += `{"line":${number},${row}}\n`;
        answered = number;
        if (request.underSync !== undefined) request.underSync.rows += 1;
        index += 1;
        return index === lines.length || text.length >= PIECE_LENGTH;
      });
      await answer.write(text);
    }
    reserved.give(weightOf(lines));
  };
  const respond = async (): Promise<void> => {
    let stopped: object = {};
    let status = 200;
    try {
      const lines = paced(arriving, request.limit, () => arrivals.isOver);
      const isGone = (): boolean => answer.isGone;
      await many.stream(
        { ...call, isGone, still: stopping(call.still, arrivals) },
        lines,
        answerRows,
      );
    } catch (error) {
      if (error instanceof ClientGone) return;
      const refused = refusal(error as Error);
      request.done = { ...request.done, code: refused.code, faults: refused.faults };
      status = refused.status;
      stopped = { line: answered + 1, error: errorMembers(refused, undefined) };
    }
    await settled(status);
    const passed_over = columns?.passedOver.length ? columns.passedOver : undefined;
    answer.end(`${JSON.stringify({ summary: summary(), passed_over, ...stopped })}\n`);
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

/** Says what became of each row, and counts it: for the answer and, in `rows`, for the logs. */
function createReport(request: FastifyRequest, rows: RowSummary) {
  const counts: Record<RowWritten['outcome'] | 'failed', number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    erased: 0,
  };
  let last: Error | undefined;
  const refusal = (error: Error): ApiError => {
    const refused = toApiError(error);
    // One error may be that of hundreds of rows.
    if (refused.status >= 500 && error !== last) request.server.noteFailure(request, refused);
    last = error;
    return refused;
  };
  request.done = { rows };
  return {
    refusal,
    /** The members of what is answered to a row, as JSON text without braces. */
    members(number: number, result: RowResult, identifierOf: () => string | undefined): string {
      const row = result instanceof Error ? refusal(result) : result;
      rows.add(number, row, identifierOf);
      if (result instanceof Error) request.underSync?.answered(number, result);
      counts[row instanceof ApiError ? 'failed' : row.outcome] += 1;
      if (row instanceof ApiError) return `"error":${JSON.stringify(errorMembers(row, undefined))}`;
      const { unique_identifier: id, outcome, kept, newer } = row;
      const identity = id === undefined ? '' : `"unique_identifier":"${id}",`;
      return `${identity}"outcome":"${outcome}"${kept === undefined ? '' : `,"kept":${JSON.stringify(kept)}`}${newer === true ? ',"newer":true' : ''}`;
    },
    /** How many rows were created, updated, left unchanged, failed, and left out since their records were erased. */
    summary(): object {
      const { erased, ...usual } = counts;
      // Few services erase anything.
      return erased === 0 ? usual : counts;
    },
  };
}

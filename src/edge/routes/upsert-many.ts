/** Answers many upserts at once. */
import type { ApiError } from '../../core/errors.ts';
import type { LoopQueue } from '../../core/fair/loop.ts';
import { inSteps } from '../../core/fair/scheduler.ts';
import type { Columns } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import { NOT_YET, rowsOf } from '../../core/schema/json/rows.ts';
import { parseMany } from '../../core/schema/parse/parse-queries.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { Many } from '../../records/ingest/many/many.ts';
import type { ManyCall, RowResult } from '../../records/ingest/many/row.ts';
import { identifierInJson, MOST_MARKED } from '../../services/requests/marks.ts';
import { createRowSummary, type RowSummary } from '../../services/requests/row-summary.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { stillMay } from '../fair/still.ts';
import { paramMaskOf } from '../operations/records.ts';
import { bodyOf, linesOf, unknownFieldsOf } from '../request/body.ts';
import { refuseIdempotencyKey } from '../request/idempotency-key.ts';
import { receiveBody } from '../request/receive.ts';
import { queryOf, watchForCut } from '../request/request.ts';
import { syncOf } from '../request/sync.ts';
import { conditionOfUpsert } from '../response/conditions.ts';
import { sendJson } from '../response/envelope.ts';
import { toApiError } from '../response/error-response.ts';
import { openRows } from '../rows/arriving.ts';
import { answerStream, type Refusal, rowMembers, rowReport, Summary } from '../rows/stream.ts';
import type { RecordHandler } from './records.ts';
import { writeCallOf } from './write.ts';

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

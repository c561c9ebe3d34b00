/** Answers operations that upsert, change, remove and restore one record. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { WriteCall, WriteParams, WriteResponse } from '../../records/ingest/one/write.ts';
import type { Query } from '../../records/query/query.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { routeOf } from '../operations/operation.ts';
import { paramMaskOf, type RecordVerb, recordOperations } from '../operations/records.ts';
import { bodyOf, refuseBody, unknownFieldsOf } from '../request/body.ts';
import { repeatableOf } from '../request/idempotency-key.ts';
import { receiveBody } from '../request/receive.ts';
import { callerOf, queryOf } from '../request/request.ts';
import { seenBy, syncOf } from '../request/under-sync.ts';
import {
  conditionOfRecord,
  conditionOfUpsert,
  etagOf,
  refusedUpsert,
} from '../response/conditions.ts';
import { sendJson } from '../response/envelope.ts';

type OfRecord = { Params: { readonly unique_identifier: string; readonly index: string } };

/** Answers an operation on records. */
export type RecordHandler = (
  request: FastifyRequest<OfRecord>,
  reply: FastifyReply,
) => Promise<FastifyReply>;

export function mountRecords(
  server: FastifyInstance,
  resource: Resource,
  handlers: Readonly<Record<RecordVerb, RecordHandler>>,
): void {
  const paramMask = paramMaskOf(resource);
  for (const { verb, route, needs, audits, bodies } of recordOperations(resource)) {
    const upserts = verb === 'upsert' || verb === 'upsertMany';
    const config = { needs: { resource, action: needs.permission }, audits, bodies, paramMask };
    server.route<OfRecord>({
      ...routeOf({ route }),
      config: { ...config, upserts },
      handler: handlers[verb],
    });
  }
}

export function writeCallOf(request: FastifyRequest, resource: Resource): WriteCall {
  const { timing } = request;
  return { principal: callerOf(request), resource, repeatable: repeatableOf(request), timing };
}

function sentOf(request: FastifyRequest, only: WriteParams['only']): WriteParams {
  const { encoding, body } = bodyOf(request);
  return { encoding, body, query: queryOf(request), unknown: unknownFieldsOf(request), only };
}

/** Does a write and answers it with the records of `expand[]`, after checking that the key may read those. */
async function answerWrite(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource,
  expandWritten: Query['expandWritten'],
  write: () => Promise<WriteResponse>,
): Promise<FastifyReply> {
  const expand = expandWritten(callerOf(request), resource, queryOf(request));
  await receiveBody(request, reply);
  const answered = await write();
  if (expand === undefined || answered.outcome === 'deleted') return sendWritten(reply, answered);
  return sendWritten(reply, { ...answered, body: await expand(answered.record, answered.body) });
}

function sendWritten(reply: FastifyReply, answered: WriteResponse): FastifyReply {
  const { outcome, how, unique_identifier, account, anchor, body } = answered;
  reply.request.done = {
    outcome: how === 'done' ? outcome : how,
    unique_identifier,
    account,
    anchor,
    // A change is in the log with who made it; a response to anything else shows what is there.
    shown: outcome !== 'deleted' && (how !== 'done' || outcome === 'unchanged'),
  };
  reply.header('ledgerstone-outcome', outcome);
  if (how === 'rehearsed') reply.header('Ledgerstone-Dry-Run', 'true');
  if ('kept' in answered && answered.kept.length > 0)
    reply.header('Ledgerstone-Kept', keptHeader(answered.kept));
  if ('newer' in answered && answered.newer) reply.header('Ledgerstone-Newer', 'true');
  if (answered.outcome === 'deleted') reply.header('Ledgerstone-Removed', String(answered.count));
  else if (how !== 'rehearsed') reply.header('etag', etagOf(String(answered.record.version)));
  if (how === 'replayed') reply.header('Idempotent-Replayed', 'true');
  return sendJson(reply, body);
}

const MAX_KEPT = 1_000;

/** Names that callers made may hold anything: those of free-form content. */
function keptHeader(kept: readonly string[]): string {
  const names = kept.map((name) => encodeURIComponent(name)).join(', ');
  if (names.length <= MAX_KEPT) return names;
  return `${names.slice(0, names.lastIndexOf(', ', MAX_KEPT) + 1)} ...`.trimStart();
}

export function writeHandlers(
  resource: Resource,
  ingest: Ingest,
  { expandWritten, history, removals }: Query,
  syncs: SyncsOf,
) {
  const upsert: RecordHandler = (request, reply) =>
    answerWrite(request, reply, resource, expandWritten, async () => {
      const call = writeCallOf(request, resource);
      const sync = syncOf(request, resource, syncs);
      const sent = () => sentOf(request, conditionOfUpsert(request));
      try {
        return await ingest.upsert({ ...call, sync: sync && seenBy(request, await sync) }, sent);
      } catch (error) {
        throw refusedUpsert(request, error);
      }
    });

  const patch: RecordHandler = (request, reply) =>
    answerWrite(request, reply, resource, expandWritten, () =>
      ingest.patch(writeCallOf(request, resource), identifierOf(request), () =>
        sentOf(request, conditionOfRecord(request)),
      ),
    );

  const remove: RecordHandler = async (request, reply) => {
    const sent = () => {
      refuseBody(request);
      return sentOf(request, conditionOfRecord(request));
    };
    const call = writeCallOf(request, resource);
    const answered = await ingest.remove(call, identifierOf(request), sent);
    if (answered.how !== 'rehearsed') {
      const principal = callerOf(request);
      const removal = await removals.of(principal, resource, answered.unique_identifier);
      if (removal !== undefined) reply.header('Ledgerstone-Removal', removal);
    }
    return sendWritten(reply, answered);
  };

  const restore: RecordHandler = (request, reply) =>
    answerWrite(request, reply, resource, expandWritten, () => {
      const principal = callerOf(request);
      authorize(principal, resource.path, 'read');
      const { unique_identifier } = request.params;
      const sent = () => sentOf(request, conditionOfRecord(request));
      const at = (version: number) => history.at(principal, resource, unique_identifier, version);
      return ingest.restore(writeCallOf(request, resource), unique_identifier, sent, at);
    });

  return { upsert, patch, patchPair: patch, remove, removePair: remove, restore };
}

/** The identifier in the path; `undefined` where the query names the record. */
function identifierOf({ params }: Parameters<RecordHandler>[0]): string | undefined {
  return params.unique_identifier;
}

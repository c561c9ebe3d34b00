/** Requests and responses of all routes that write a single record. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import type { WriteCall, WriteParams, WriteResponse } from '../../records/ingest/one/write.ts';
import type { Query } from '../../records/query/query.ts';
import { bodyOf, unknownFieldsOf } from '../request/body.ts';
import { repeatableOf } from '../request/idempotency-key.ts';
import { receiveBody } from '../request/receive.ts';
import { callerOf, queryOf } from '../request/request.ts';
import { sendJson } from './envelope.ts';
import { etagOf } from './etag.ts';

/** Throws `header_invalid`. */
export function writeCallOf(request: FastifyRequest, resource: Resource): WriteCall {
  return {
    principal: callerOf(request),
    resource,
    repeatable: repeatableOf(request),
    timing: request.timing,
  };
}

/** Throws `header_invalid`. */
export function sentOf(request: FastifyRequest, only: WriteParams['only']): WriteParams {
  const { encoding, body } = bodyOf(request);
  return { encoding, body, query: queryOf(request), unknown: unknownFieldsOf(request), only };
}

/**
 * Does a write and answers it, with the records of `expand[]`. Whether the key may read those is checked before
 * anything is written.
 */
export async function answerWrite(
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

export function sendWritten(reply: FastifyReply, answered: WriteResponse): FastifyReply {
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
  if (answered.outcome === 'deleted') reply.header('Ledgerstone-Removed', String(answered.count));
  else if (how !== 'rehearsed') reply.header('etag', etagOf(String(answered.record.version)));
  if (how === 'replayed') reply.header('Idempotent-Replayed', 'true');
  return sendJson(reply, body);
}

/** The most characters of the header. */
const MAX_KEPT = 1_000;

/** Names that callers made may hold anything: those of free-form content. */
function keptHeader(kept: readonly string[]): string {
  const names = kept.map((name) => encodeURIComponent(name)).join(', ');
  if (names.length <= MAX_KEPT) return names;
  return `${names.slice(0, names.lastIndexOf(', ', MAX_KEPT) + 1)} ...`.trimStart();
}

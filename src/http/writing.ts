/** What every route that writes a record takes from its request, and answers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answered, WriteCall, WriteParams } from '../ingest/one/write.ts';
import type { Resource } from '../schema/define.ts';
import { bodyOf, unknownFieldsOf } from './body.ts';
import { sendJson } from './envelope.ts';
import { etagOf } from './etag.ts';
import { repeatableOf } from './idempotency-key.ts';
import { callerOf, queryOf } from './request.ts';

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

export function sendWritten(reply: FastifyReply, answered: Answered): FastifyReply {
  const { outcome, how, unique_identifier, body } = answered;
  reply.request.done = { outcome: how === 'done' ? outcome : how, unique_identifier };
  reply.header('ledgerstone-outcome', outcome);
  if (how === 'rehearsed') reply.header('Ledgerstone-Dry-Run', 'true');
  if (answered.outcome === 'deleted') reply.header('Ledgerstone-Removed', String(answered.count));
  else if (how !== 'rehearsed') reply.header('etag', etagOf(String(answered.version)));
  if (how === 'replayed') reply.header('Idempotent-Replayed', 'true');
  return sendJson(reply, body);
}

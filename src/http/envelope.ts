/** What every answer carries. */
import type { FastifyReply } from 'fastify';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** Sets the headers of every answer; those of one kind of answer are set beside it. */
export function prepare(reply: FastifyReply): FastifyReply {
  reply.header('Request-Id', reply.request.id);
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  const timing = reply.request.timing.header();
  if (timing !== '') reply.header('Server-Timing', timing);
  return reply;
}

/** Answers 200 with JSON text. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return prepare(reply).header('Content-Type', JSON_UTF8).send(text);
}

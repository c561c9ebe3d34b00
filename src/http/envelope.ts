/** What every answer carries. */
import type { FastifyReply } from 'fastify';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** Sets the headers of every answer; those of one kind of answer are set beside it. */
export function prepare(reply: FastifyReply): FastifyReply {
  reply.header('Request-Id', reply.request.id);
  if (reply.server.draining) reply.header('Connection', 'close');
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  const timing = reply.request.timing.header();
  if (timing !== '') reply.header('Server-Timing', timing);
  return reply;
}

/** Answers 200 with JSON text. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return send(prepare(reply).header('Content-Type', JSON_UTF8), text);
}

/** Sends a text, compressed where it is long and the client asks. */
export function send(reply: FastifyReply, text: string): FastifyReply {
  const { 'accept-encoding': asked } = reply.request.headers;
  // Without a route, as where the path is unknown, there is nothing that compresses.
  if (asked === undefined || typeof reply.compress !== 'function') return reply.send(text);
  reply.compress(text);
  return reply;
}

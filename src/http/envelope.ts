/** What every answer carries. */
import type { FastifyReply } from 'fastify';
import { codingFor, compressed } from './compress.ts';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/**
 * Sets the headers of every answer; those of one kind of answer are set beside
 * it. Names that every answer has are in small letters: Fastify would make them
 * so, each a new text each time.
 */
export function prepare(reply: FastifyReply): FastifyReply {
  reply.header('request-id', reply.request.id);
  if (reply.server.draining) reply.header('Connection', 'close');
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  const timing = reply.request.timing.header();
  if (timing !== '') reply.header('server-timing', timing);
  return reply;
}

/** Notes that the answer is another one where the request has another such header. */
export function vary(reply: FastifyReply, header: string): FastifyReply {
  const others = reply.getHeader('Vary');
  if (others === undefined) return reply.header('Vary', header);
  return String(others).includes(header) ? reply : reply.header('Vary', `${others}, ${header}`);
}

/** Answers 200 with JSON text. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return send(prepare(reply).header('content-type', JSON_UTF8), text);
}

/** Sends a text, compressed where it is long and the client asks. */
export function send(reply: FastifyReply, text: string): FastifyReply {
  const coding = codingFor(text, reply.request.headers['accept-encoding']);
  if (coding === undefined) return reply.send(text);
  compressed(text, coding).then(
    (bytes) => vary(reply, 'accept-encoding').header('Content-Encoding', coding).send(bytes),
    (error) => reply.send(error),
  );
  return reply;
}

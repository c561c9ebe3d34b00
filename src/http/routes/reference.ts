/** The reference that answers link to, and OpenAPI: without a key. */
import type { FastifyInstance } from 'fastify';
import { JSON_UTF8, prepare } from '../envelope.ts';
import { errorsMarkdown } from '../reference/errors-markdown.ts';
import { errorsPage } from '../reference/errors-page.ts';
import { homePage } from '../reference/home-page.ts';

const FOR_AN_HOUR = 'public, max-age=3600';

export function addReferenceRoutes(
  server: FastifyInstance,
  { openapi, publicUrl }: { openapi: () => string; publicUrl: () => string },
): void {
  const open = { config: { open: true } };

  server.get('/', open, (_request, reply) =>
    prepare(reply.header('Content-Type', 'text/html; charset=utf-8')).send(homePage(publicUrl())),
  );
  server.get('/docs/errors', open, (_request, reply) =>
    prepare(
      reply.header('Cache-Control', FOR_AN_HOUR).header('Content-Type', 'text/html; charset=utf-8'),
    ).send(errorsPage()),
  );
  server.get('/docs/errors.md', open, (_request, reply) =>
    prepare(
      reply
        .header('Cache-Control', FOR_AN_HOUR)
        .header('Content-Type', 'text/markdown; charset=utf-8'),
    ).send(errorsMarkdown()),
  );
  server.get('/openapi.json', open, (_request, reply) =>
    prepare(reply.header('Cache-Control', FOR_AN_HOUR).header('Content-Type', JSON_UTF8)).send(
      openapi(),
    ),
  );
}

/** The reference that answers link to, and OpenAPI: without a key. */
import type { FastifyInstance } from 'fastify';
import { JSON_UTF8, prepare, send } from '../envelope.ts';
import { errorsMarkdown } from '../reference/errors-markdown.ts';
import { errorsPage } from '../reference/errors-page.ts';
import { homePage } from '../reference/home-page.ts';
import { PAGE_HEADERS } from '../reference/html.ts';

const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };
const MARKDOWN = { 'Content-Type': 'text/markdown; charset=utf-8' };
const JSON_TEXT = { 'Content-Type': JSON_UTF8 };

export function addReferenceRoutes(
  server: FastifyInstance,
  { openapi, publicUrl }: { openapi: () => string; publicUrl: () => string },
): void {
  const serve = (path: string, headers: Record<string, string>, make: () => string): void => {
    // Made once: anybody may ask. Only the address that texts link to can change, when the port is known.
    let made: { readonly address: string; readonly text: string } | undefined;
    server.get(path, { config: { open: true } }, (_request, reply) => {
      const address = publicUrl();
      if (made?.address !== address) made = { address, text: make() };
      return send(prepare(reply.headers(headers)), made.text);
    });
  };

  serve('/', PAGE_HEADERS, () => homePage(publicUrl()));
  serve('/docs/errors', { ...PAGE_HEADERS, ...FOR_AN_HOUR }, errorsPage);
  serve('/docs/errors.md', { ...MARKDOWN, ...FOR_AN_HOUR }, errorsMarkdown);
  serve('/openapi.json', { ...JSON_TEXT, ...FOR_AN_HOUR }, openapi);
}

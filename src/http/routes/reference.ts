/** The reference that answers link to, and OpenAPI: without a key. What makes them is loaded when somebody asks. */
import type { FastifyInstance } from 'fastify';
import { JSON_UTF8 } from '../envelope.ts';
import { KeptText } from '../kept-text.ts';
import { PAGE_HEADERS } from '../reference/html.ts';

const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };
const MARKDOWN = { 'Content-Type': 'text/markdown; charset=utf-8' };
const JSON_TEXT = { 'Content-Type': JSON_UTF8 };

export function addReferenceRoutes(
  server: FastifyInstance,
  { openapi, publicUrl }: { openapi: () => Promise<string>; publicUrl: () => string },
): void {
  const serve = (
    path: string,
    headers: Record<string, string>,
    make: () => Promise<string>,
  ): void => {
    // Made once: anybody may ask. Only the address that texts link to can change, when the port is known.
    let kept: { readonly address: string; readonly text: Promise<KeptText> } | undefined;
    const current = (): Promise<KeptText> => {
      const address = publicUrl();
      if (kept?.address !== address) {
        const text = make().then((made) => new KeptText(made));
        kept = { address, text };
        text.catch(() => {
          kept = undefined;
        });
      }
      return kept.text;
    };
    server.get(path, { config: { open: true } }, async (_request, reply) => {
      const text = await current();
      return text.send(reply.headers(headers));
    });
  };

  serve('/', PAGE_HEADERS, async () => {
    const { homePage } = await import('../reference/home-page.ts');
    return homePage(publicUrl());
  });
  serve('/docs/errors', { ...PAGE_HEADERS, ...FOR_AN_HOUR }, async () => {
    const { errorsPage } = await import('../reference/errors-page.ts');
    return errorsPage();
  });
  serve('/docs/errors.md', { ...MARKDOWN, ...FOR_AN_HOUR }, async () => {
    const { errorsMarkdown } = await import('../reference/errors-markdown.ts');
    return errorsMarkdown();
  });
  serve('/openapi.json', { ...JSON_TEXT, ...FOR_AN_HOUR }, openapi);
}

/** The console at `/console`: one page for every address below it, and the files that it loads. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { describe } from '../../core/schema/present/describe.ts';
import { pathOf } from '../request/request.ts';
import { CachedText } from '../response/cached-text.ts';
import { vary } from '../response/envelope.ts';
import { makeBundle } from '../site/bundle.ts';
import { FRAME_HEADERS, framePage } from '../site/frame.ts';
import { eachLanguage, type Language, languageFor } from '../site/language.ts';

const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;
/** For this long, a failure is the answer to all requests. */
const FAILED_MS = 5_000;

interface Served {
  readonly pages: Readonly<Record<Language, CachedText>>;
  readonly files: ReadonlyMap<string, CachedText>;
}

export function addConsoleRoutes(server: FastifyInstance, resources: readonly Resource[]): void {
  let made: Promise<Served> | undefined;
  const served = (): Promise<Served> => {
    if (made === undefined) {
      made = serve(resources);
      made.catch(() => {
        setTimeout(() => {
          made = undefined;
        }, FAILED_MS).unref();
      });
    }
    return made;
  };

  server.get('/console', { config: { open: true } }, (_request, reply) =>
    reply.redirect('/console/', 308),
  );
  server.get<{ Params: { name: string } }>(
    '/console/assets/:name',
    { config: { open: true } },
    async (request, reply) => {
      const { name } = request.params;
      const file = (await served()).files.get(name);
      if (file === undefined) throw new ApiError('path_unknown');
      const type = name.endsWith('.css') ? TYPES.css : TYPES.js;
      reply.headers({ 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', ...FOR_EVER });
      return file.send(reply);
    },
  );
  server.get('/console/*', { config: { open: true } }, async (request, reply) => {
    const path = pathOf(request.url);
    if (path.startsWith('/console/api/')) throw new ApiError('path_unknown');
    const { pages } = await served();
    reply.headers({ ...FRAME_HEADERS, 'Cache-Control': 'no-cache' });
    vary(vary(reply, 'accept-language'), 'cookie');
    return pages[languageFor(request.headers)].send(reply);
  });
}

async function serve(resources: readonly Resource[]): Promise<Served> {
  const bundle = await makeBundle();
  const description = describe(resources);
  const pages = eachLanguage(
    (language) => new CachedText(framePage(bundle, description, language)),
  );
  const files = new Map([...bundle.files].map(([name, text]) => [name, new CachedText(text)]));
  return { pages, files };
}

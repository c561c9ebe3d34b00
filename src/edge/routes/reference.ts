/** The manual and OpenAPI, without a key. The code that makes them is loaded on first request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { Manual } from '../reference/manual.ts';
import { addressOfHost, atAddress } from '../reference/page/address.ts';
import { missingPageFor, type PagedResource } from '../reference/pages.ts';
import { readPicture } from '../reference/pictures.ts';
import { pathOf } from '../request/request.ts';
import { CachedText } from '../response/cached-text.ts';
import { JSON_UTF8, prepare } from '../response/envelope.ts';

/** Browsers revalidate a page each time, which takes a few bytes. */
const PAGE = { 'Cache-Control': 'no-cache' };
const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** A page runs, loads and requests only what comes from this service, and cannot be framed. */
const HTML = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};
const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  yml: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: JSON_UTF8,
  svg: 'image/svg+xml',
};

/** Addresses whose texts are cached: any client may send a `Host` of its own. */
const MAX_ADDRESSES = 4;

export interface ReferenceParts {
  readonly resources: readonly PagedResource[];
  readonly openapi: () => Promise<string>;
  readonly publicUrl: () => string;
  /** Whether `publicUrl` was set by the operator; otherwise pages show the address at which they are requested. */
  readonly isPublicUrlSet: boolean;
}

export function addReferenceRoutes(server: FastifyInstance, parts: ReferenceParts): void {
  const { publicUrl } = parts;
  const manual = new Manual(parts.resources);
  /** By address, the most recent one last; then by path. */
  const kept = new Map<string, Map<string, CachedText>>();

  const addressFor = ({ protocol, headers }: FastifyRequest): string => {
    if (parts.isPublicUrlSet) return publicUrl();
    return addressOfHost(protocol, headers.host) ?? publicUrl();
  };

  const keptAt = (address: string): Map<string, CachedText> => {
    const texts = kept.get(address) ?? new Map<string, CachedText>();
    kept.delete(address);
    kept.set(address, texts);
    const [oldest] = kept.keys();
    if (kept.size > MAX_ADDRESSES && oldest !== undefined) kept.delete(oldest);
    return texts;
  };

  const textOf = async (
    path: string,
    address: string,
    make: () => Promise<string>,
  ): Promise<CachedText> => {
    const known = keptAt(address).get(path);
    if (known !== undefined) return known;
    const text = await make();
    // Another request may have made the same meanwhile.
    const texts = keptAt(address);
    const made = texts.get(path) ?? new CachedText(text);
    texts.set(path, made);
    return made;
  };

  const sendText = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
  ): Promise<FastifyReply> => {
    const ending = /\.(\w+)$/.exec(path)?.[1];
    const isHtml = ending === undefined;
    const { texts, version } = await manual.made();
    const address = addressFor(request);
    const text = await textOf(path, address, async () =>
      atAddress(texts.get(path) ?? '', address, isHtml),
    );
    reply
      .headers(isHtml ? HTML : { 'Content-Type': TYPES[ending] ?? 'text/plain; charset=utf-8' })
      .header('X-Content-Type-Options', 'nosniff')
      .headers(request.url.endsWith(`?v=${version}`) ? FOR_EVER : PAGE);
    return text.send(reply);
  };

  for (const path of manual.paths) {
    server.get(path, { config: { open: true } }, (request, reply) =>
      sendText(request, reply, path),
    );
  }
  server.get('/docs/', { config: { open: true } }, (_request, reply) =>
    reply.redirect('../docs', 308),
  );
  server.get<{ Params: { readonly name: string } }>(
    '/docs/pictures/:name',
    { config: { open: true } },
    async (request, reply) => {
      const picture = await readPicture(request.params.name);
      if (picture === undefined) throw new ApiError('path_unknown');
      reply.headers({ 'Content-Type': 'image/png', 'X-Content-Type-Options': 'nosniff' });
      return prepare(reply.headers(FOR_AN_HOUR)).send(picture);
    },
  );
  // Nothing below /docs needs a key, so browsers ask for no password.
  server.get('/docs/*', { config: { open: true } }, (request, reply) => {
    const missing = missingPageFor(pathOf(request.url));
    if (missing === undefined || request.headers.accept?.includes('text/html') !== true) {
      throw new ApiError('path_unknown');
    }
    request.done = { code: 'path_unknown' };
    return sendText(request, reply.code(404), missing);
  });
  server.get('/openapi.json', { config: { open: true } }, async (_request, reply) => {
    const text = await textOf('/openapi.json', publicUrl(), parts.openapi);
    return text.send(reply.headers({ 'Content-Type': JSON_UTF8, ...FOR_AN_HOUR }));
  });
}

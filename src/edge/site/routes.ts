/** Serves the manual, OpenAPI, the console's page and the client as a package, without a key. */

import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import client from '../../../client/package.json' with { type: 'json' };
import { isLanguage, LANGUAGE_COOKIE, type Language } from '../../../console/src/languages.ts';
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError } from '../../core/errors.ts';
import { cookieNamed, pathOf } from '../request/request.ts';
import { etagOf, isNamed } from '../response/conditions.ts';
import { holdAnswer, prepare, vary } from '../response/envelope.ts';
import { type Coding, codingFor, compressed, weightsIn } from '../server/compress.ts';
import { consolePage, createSiteFolder, missingPage, tagOf } from './built.ts';

const OPEN = { config: { open: true } };
const OPENAPI = '/openapi.json';
const PATHS = [
  ...['/', '/docs', '/llms.txt', OPENAPI],
  ...['/client.tgz', `/client-${client.version}.tgz`],
];
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const MAX_HOST = 255;
/** Few: any client may send a `Host` of its own. */
const MAX_RECENT = 32;

export interface SiteRouteParts {
  readonly publicUrl: () => string;
  /** Whether `publicUrl` was set by the operator; otherwise pages show the address at which they are requested. */
  readonly isPublicUrlSet: boolean;
}

interface Content {
  readonly tag: string;
  readonly bytes: number;
  readonly isText: boolean;
  read(coding: Coding | undefined): Promise<Buffer>;
}

export function addSiteRoutes(server: FastifyInstance, parts: SiteRouteParts): void {
  const site = createSiteFolder();
  /** Texts as they were compressed for the last requests: compressing a long one takes as long as many requests. */
  const recent = new BoundedMap<string, Promise<Buffer>>(MAX_RECENT);
  server.addHook('onClose', async () => site.close());

  const sendFile = async (reply: FastifyReply, path = pathOf(reply.request.url)) => {
    const { request } = reply;
    const { address, files } = await site.open();
    const file = files.get(path);
    if (file === undefined) throw new ApiError('path_unknown');
    const isVersion = file.version !== undefined && request.url.endsWith(`?v=${file.version}`);
    const headers = { ...file.headers, ...(isVersion && FOR_EVER) };
    const read = (coding?: Coding): Promise<Buffer> => site.read(file, coding);
    if (file.shows === undefined) return sendContent(reply, headers, { ...file, read });
    // OpenAPI is the longest text: written for each `Host`, it would be the most expensive to compress.
    const shown = path === OPENAPI ? parts.publicUrl() : addressFor(request, parts);
    const written = file.shows === 'html' ? escaped(shown) : shown;
    const tag = tagOf(file.tag + shown);
    const text = async () => `${await read()}`.replaceAll(address, () => written);
    const readShown = async (coding?: Coding): Promise<Buffer> => {
      if (coding === undefined) return Buffer.from(await text());
      const name = `${tag}.${coding}`;
      const made = recent.getOrInsertComputed(name, async () => compressed(await text(), coding));
      made.catch(() => recent.delete(name));
      return made;
    };
    return sendContent(reply, headers, { tag, bytes: file.bytes, isText: true, read: readShown });
  };

  for (const path of PATHS) server.get(path, OPEN, (_request, reply) => sendFile(reply));
  server.get('/docs/', OPEN, (_request, reply) => reply.redirect('../docs', 308));
  // Nothing below /docs needs a key, so browsers ask for no password.
  server.get('/docs/*', OPEN, async (request, reply) => {
    const path = pathOf(request.url);
    const { files } = await site.open();
    const missing = missingPage(path);
    const isPage = request.headers.accept?.includes('text/html') === true;
    if (files.has(path) || !files.has(missing) || !isPage) return sendFile(reply);
    request.done = { code: 'path_unknown' };
    return sendFile(reply.code(404), missing);
  });

  server.get('/console', OPEN, (_request, reply) => reply.redirect('/console/', 308));
  server.get('/console/*', OPEN, async (request, reply) => {
    const path = pathOf(request.url);
    if (path.startsWith('/console/api/')) throw new ApiError('path_unknown');
    if (path.startsWith('/console/assets/')) return sendFile(reply);
    return sendFile(reply, consolePage(languageFor(request.headers)));
  });
}

/** The address that a page shows, so that its examples can be pasted. */
function addressFor(
  { protocol, headers: { host = '' } }: FastifyRequest,
  { publicUrl, isPublicUrlSet }: SiteRouteParts,
): string {
  const isKnown = !isPublicUrlSet && host.length <= MAX_HOST && HOST.test(host);
  return isKnown ? `${protocol}://${host.toLowerCase()}` : publicUrl();
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

/** Answers with the content, or with 304 where the client has it. */
async function sendContent(
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  { tag, bytes, isText, read }: Content,
): Promise<FastifyReply> {
  const { 'if-none-match': known, 'accept-encoding': accepted } = reply.request.headers;
  const isKnown = isNamed(tag, known);
  const coding = isText ? codingFor(bytes, accepted) : undefined;
  if (!isKnown) holdAnswer(reply, bytes, true);
  const content = isKnown ? undefined : await read(coding);
  vary(prepare(reply.headers(headers)), 'accept-encoding').header('ETag', etagOf(tag));
  if (content === undefined) return reply.code(304).send();
  if (coding !== undefined) reply.header('Content-Encoding', coding);
  return reply.send(content);
}

/** The one that was chosen in this browser; else the first that the browser accepts; else English. */
function languageFor(headers: IncomingHttpHeaders): Language {
  const chosen = cookieNamed(LANGUAGE_COOKIE, headers.cookie);
  if (isLanguage(chosen)) return chosen;
  const [first] = [...weightsIn(headers['accept-language'] ?? '')]
    .map(([tag, weight]) => ({ code: tag.split('-')[0], weight }))
    .filter(({ code, weight }) => isLanguage(code) && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return isLanguage(first?.code) ? first.code : 'en';
}

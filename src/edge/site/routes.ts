/** Serves the manual, OpenAPI, the console's page and the client as a package, without a key. */

import { Buffer } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import client from '../../../client/package.json' with { type: 'json' };
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError } from '../../core/errors.ts';
import { pathOf } from '../request/request.ts';
import { holdAnswer, prepare, vary } from '../response/envelope.ts';
import { etagOf, isNamed } from '../response/etag.ts';
import { type Coding, codingFor, compressed } from '../server/compress.ts';
import { consolePage, missingPage, SiteFolder, tagOf } from './built.ts';
import { languageFor } from './language.ts';

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
  const site = new SiteFolder();
  const recent = new Recent();
  server.addHook('onClose', async () => site.close());

  const sendFile = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path = pathOf(request.url),
  ): Promise<FastifyReply> => {
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
    return sendContent(reply, headers, {
      tag,
      bytes: file.bytes,
      isText: true,
      read: async (coding) =>
        coding === undefined ? Buffer.from(await text()) : await recent.in(coding, tag, text),
    });
  };

  for (const path of PATHS) server.get(path, OPEN, (request, reply) => sendFile(request, reply));
  server.get('/docs/', OPEN, (_request, reply) => reply.redirect('../docs', 308));
  // Nothing below /docs needs a key, so browsers ask for no password.
  server.get('/docs/*', OPEN, async (request, reply) => {
    const path = pathOf(request.url);
    const { files } = await site.open();
    const missing = missingPage(path);
    const isPage = request.headers.accept?.includes('text/html') === true;
    if (files.has(path) || !files.has(missing) || !isPage) return sendFile(request, reply);
    request.done = { code: 'path_unknown' };
    return sendFile(request, reply.code(404), missing);
  });

  server.get('/console', OPEN, (_request, reply) => reply.redirect('/console/', 308));
  server.get('/console/*', OPEN, async (request, reply) => {
    const path = pathOf(request.url);
    if (path.startsWith('/console/api/')) throw new ApiError('path_unknown');
    if (path.startsWith('/console/assets/')) return sendFile(request, reply);
    return sendFile(request, reply, consolePage(languageFor(request.headers)));
  });
}

/** Texts as they were compressed for the last requests: compressing a long one takes as long as many requests. */
class Recent {
  readonly #made = new BoundedMap<string, Promise<Buffer>>(MAX_RECENT);

  in(coding: Coding, tag: string, text: () => Promise<string>): Promise<Buffer> {
    const name = `${tag}.${coding}`;
    const made = this.#made.get(name) ?? text().then((one) => compressed(one, coding));
    this.#made.set(name, made);
    made.catch(() => this.#made.delete(name));
    return made;
  }
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

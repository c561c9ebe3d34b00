/** Serves the manual, OpenAPI, the console's page and the client as a package, without a key. */

import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLanguage, LANGUAGE_COOKIE, type Language } from '../../../console/src/languages.ts';
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError } from '../../core/errors.ts';
import { prefersPage } from '../request/accepts.ts';
import type { LinkBases } from '../request/links.ts';
import { cookieNamed, pathOf } from '../request/request.ts';
import { etagOf, isNamed } from '../response/conditions.ts';
import { prepare, vary } from '../response/envelope.ts';
import { type Coding, codingFor, compressed, weightsIn } from '../server/compress.ts';
import { consolePage, createSiteFolder, missingPage, tagOf } from './built.ts';
import { PIECE_BYTES, SharedBytes } from './shared-bytes.ts';

const OPEN = { config: { open: true } };
const OPENAPI = '/openapi.json';
const PATHS = ['/', '/docs', '/llms.txt', OPENAPI, '/client-:version'];
/** Has been the address of each release. */
const CLIENT = '/client.tgz';
/** npm sends what its lockfile has. */
const LOCKED = 'pacote-integrity';
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const MAX_HOST = 255;
/** Few: any client may send a `Host` of its own. */
const MAX_RECENT = 32;
/** All files that a page of the manual and the console need, in each coding. */
const MAX_SHARED_BYTES = 33_554_432;

interface Content {
  readonly tag: string;
  readonly bytes: number;
  readonly isText: boolean;
  /** Gives all that ask for it one buffer. */
  read(coding: Coding | undefined): Promise<Buffer>;
}

interface Shared {
  readonly bytes: number;
  readonly content: Promise<Buffer>;
}

export function addSiteRoutes(server: FastifyInstance, links: LinkBases): void {
  const site = createSiteFolder();
  /** Files as they were last read. */
  const files = new BoundedMap<string, Shared>(MAX_SHARED_BYTES, ({ bytes }) => bytes);
  /** Pages as they were last written with an address, and compressed: that takes as long as many requests. */
  const pages = new BoundedMap<string, Shared>(MAX_RECENT);
  const shared = (
    map: BoundedMap<string, Shared>,
    name: string,
    bytes: number,
    make: () => Promise<Buffer>,
  ): Promise<Buffer> => {
    const { content } = map.getOrInsertComputed(name, () => ({ bytes, content: make() }));
    content.catch(() => map.delete(name));
    return content;
  };
  server.addHook('onClose', async () => site.close());

  const sendFile = async (reply: FastifyReply, path = pathOf(reply.request.url)) => {
    const { request } = reply;
    const { address, files: all } = await site.open();
    const file = all.get(path);
    if (file === undefined) throw new ApiError('path_unknown');
    const { Location: moved } = file.headers;
    if (moved !== undefined) return reply.redirect(moved, 308);
    const isVersion = file.version !== undefined && request.url.endsWith(`?v=${file.version}`);
    const headers = { ...file.headers, ...(isVersion && FOR_EVER) };
    const read = (coding?: Coding): Promise<Buffer> =>
      shared(files, `${file.tag} ${coding ?? ''}`, file.bytes, () => site.read(file, coding));
    if (file.shows === undefined) return sendContent(reply, headers, { ...file, read });
    // OpenAPI is the longest text: written for each `Host`, it would be the most expensive to compress.
    const shown =
      path === OPENAPI ? links.baseFor(request.raw.headers) : addressFor(request, links);
    const written = file.shows === 'html' ? escaped(shown) : shown;
    const tag = tagOf(file.tag + shown);
    const make = async (coding: Coding | undefined): Promise<Buffer> => {
      const all = `${await site.read(file)}`;
      // The whole address, where there is none, is the root of where the text came from.
      const rooted = written === '' ? all.replaceAll(`"${address}"`, '"/"') : all;
      const text = rooted.replaceAll(address, () => written);
      return coding === undefined ? Buffer.from(text) : compressed(text, coding);
    };
    // There are two of OpenAPI at most, whatever clients send, so no client can put them out.
    const kept = path === OPENAPI ? files : pages;
    const readShown = (coding?: Coding): Promise<Buffer> =>
      shared(kept, `${tag} ${coding ?? ''}`, file.bytes, () => make(coding));
    return sendContent(reply, headers, { tag, bytes: file.bytes, isText: true, read: readShown });
  };

  for (const path of PATHS) server.get(path, OPEN, (_request, reply) => sendFile(reply));
  // The package of this version; who has locked that of an earlier one gets it as it was.
  server.get(CLIENT, OPEN, async (request, reply) => {
    const { files: all } = await site.open();
    const locked = String(request.headers[LOCKED] ?? '').split(/\s+/);
    const [path = CLIENT] =
      [...all].find(([, { integrity = '-' }]) => locked.includes(integrity)) ?? [];
    return sendFile(vary(prepare(reply), LOCKED), path);
  });
  server.get('/docs/', OPEN, (_request, reply) => reply.redirect('../docs', 308));
  // Nothing below /docs needs a key, so browsers ask for no password.
  server.get('/docs/*', OPEN, async (request, reply) => {
    const path = pathOf(request.url);
    const { files: all } = await site.open();
    const missing = missingPage(path);
    const isPage = prefersPage(request.headers.accept);
    if (all.has(path) || !all.has(missing) || !isPage) return sendFile(reply);
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

/** The address that a page shows to its reader alone, so that its examples can be pasted. */
function addressFor(
  { protocol, raw, headers: { host = '' } }: FastifyRequest,
  { publicUrl, listening }: LinkBases,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const isKnown = host.length <= MAX_HOST && HOST.test(host);
  if (isKnown) return `${protocol}://${host.toLowerCase()}`;
  return listening() || `${protocol}://localhost:${raw.socket.localPort}`;
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
  const content = isKnown ? undefined : await read(coding);
  vary(prepare(reply.headers(headers)), 'accept-encoding').header('ETag', etagOf(tag));
  if (content === undefined) return reply.code(304).send();
  if (coding !== undefined) reply.header('Content-Encoding', coding);
  const { method, raw } = reply.request;
  if (method === 'HEAD' || content.length <= PIECE_BYTES) return reply.send(content);
  reply.header('Content-Length', content.length);
  return reply.send(new SharedBytes(content, raw.socket.remoteAddress ?? ''));
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

/** Bodies as raw bytes, and which encodings are accepted; the schema parses them. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';

export const MAX_BODY_BYTES = 1_048_576;
/** The most bytes of a JSON array of rows. */
export const MAX_ARRAY_BYTES = 32 * MAX_BODY_BYTES;

/** The content type of a PATCH, which merges as RFC 7396 says. */
const MERGE_PATCH = 'application/merge-patch+json';
const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
export const LINES = 'application/x-ndjson';

export type Encoding = 'json' | 'form' | 'file' | Lines;

/** Rows that are read as they arrive: JSON in lines, or the records of a table. */
export type Lines = 'lines' | 'csv' | 'tsv';

/** The bodies that a path accepts: the encoding of each media type, and how many bytes it may have. */
export interface Bodies {
  readonly types: ReadonlyMap<string, Encoding>;
  /** The encoding of a body without a Content-Type, if it is accepted. */
  readonly untyped: Encoding | undefined;
  /** Lines are read as they arrive, without a limit. */
  readonly most: { readonly [encoding in Encoding]?: number };
  /** Bytes of memory that each byte of a body takes, at most, until it is answered. */
  readonly weight: number;
}

export const ONE: Bodies = {
  types: new Map([
    [JSON_TYPE, 'json'],
    [FORM, 'form'],
  ]),
  untyped: 'form',
  most: { json: MAX_BODY_BYTES, form: MAX_BODY_BYTES },
  weight: 4,
};

export const CHANGE: Bodies = { ...ONE, types: new Map([...ONE.types, [MERGE_PATCH, 'json']]) };

export const MANY: Bodies = {
  types: new Map([
    [JSON_TYPE, 'json'],
    [LINES, 'lines'],
    ['text/csv', 'csv'],
    ['text/tab-separated-values', 'tsv'],
  ]),
  untyped: undefined,
  most: { json: MAX_ARRAY_BYTES },
  weight: 6,
};

const FILE = 'application/octet-stream';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file as it is, whatever it says that it is: its name decides. */
export const FILES: Bodies = {
  types: new Map(
    [FILE, 'text/csv', 'text/tab-separated-values', 'text/plain', SHEET, LINES, JSON_TYPE].map(
      (type) => [type, 'file'],
    ),
  ),
  untyped: undefined,
  most: { file: MAX_ARRAY_BYTES },
  weight: 2,
};

/** Leaves bodies to the routes: what Fastify does to read one for them costs more than reading it. */
export function leaveBodies(server: FastifyInstance): void {
  for (const method of server.supportedMethods)
    server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
}

/** Throws `media_type_unsupported` unless the body, if there is one, is in plain UTF-8 what the path takes. */
export function checkMediaType(request: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': coding } = request.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw new ApiError('media_type_unsupported', {
      message:
        'Compressed bodies are not accepted: send the body as it is, without a Content-Encoding.',
      headers: { 'Accept-Encoding': 'identity' },
    });
  if (encodingOf(request) !== undefined || (type === undefined && !hasBody(request))) return;
  const taken = [...bodiesOf(request).types.keys()];
  const arrived = type === undefined ? 'none arrived' : `"${type.slice(0, 100)}" arrived`;
  const accept = request.method === 'PATCH' ? 'Accept-Patch' : 'Accept-Post';
  throw new ApiError('media_type_unsupported', {
    message: `Content-Type must be ${taken.join(' or ')}, in UTF-8; ${arrived}.`,
    headers: { [accept]: taken.join(', ') },
  });
}

/** Throws `body_too_large` where the announced length is too large. */
export function checkLength(request: FastifyRequest): void {
  const most = mostBytesOf(request);
  if (most !== undefined && Number(request.headers['content-length'] ?? 0) > most)
    throw bodyTooLarge(request);
}

/** `body_too_large`, with the limit of the path. */
export function bodyTooLarge(request: FastifyRequest, headers?: Record<string, string>): ApiError {
  const most = mostBytesOf(request) ?? MAX_BODY_BYTES;
  const message = `The body is larger than ${most / MAX_BODY_BYTES} MiB; send at most ${most} bytes.`;
  return new ApiError('body_too_large', { ...(headers && { headers }), message });
}

/** Throws `body_unexpected` where a request that takes no body has one. */
export function refuseBody(request: FastifyRequest): void {
  if (hasBody(request)) throw new ApiError('body_unexpected');
}

/** The body that was received; empty if the request has none. */
export function bodyOf(request: FastifyRequest): { encoding: 'json' | 'form'; body: Uint8Array } {
  return {
    encoding: encodingOf(request) === 'json' ? 'json' : 'form',
    body: (request.body as Uint8Array | undefined) ?? new Uint8Array(),
  };
}

/** Whether its parameters are those of a form, as are those of a query without a body. */
export function isForm(request: FastifyRequest): boolean {
  return encodingOf(request) === 'form';
}

/** How the body is read as it arrives; `undefined` where it is read whole. */
export function linesOf(request: FastifyRequest): Lines | undefined {
  const encoding = encodingOf(request);
  return encoding === 'lines' || encoding === 'csv' || encoding === 'tsv' ? encoding : undefined;
}

/** Throws `header_invalid` unless `Ledgerstone-Unknown-Fields` is one of its two values. */
export function unknownFieldsOf(request: FastifyRequest): 'refuse' | 'ignore' {
  const sent = request.headers['ledgerstone-unknown-fields'];
  if (sent === undefined) return 'refuse';
  const value = String(sent).trim().toLowerCase();
  if (value === 'refuse' || value === 'ignore') return value;
  throw new ApiError('header_invalid', {
    message: 'The header Ledgerstone-Unknown-Fields must be "ignore" or "refuse".',
  });
}

/**
 * Whether the answer to a stream must wait until its rows have arrived. Some proxies ask for it: they send no more of a
 * body once its answer has begun. Throws `header_invalid` for any other value of the header.
 */
export function isAnsweredLate(request: FastifyRequest): boolean {
  const sent = request.headers['ledgerstone-answer'];
  if (sent === undefined) return false;
  if (String(sent).trim().toLowerCase() === 'after-rows') return true;
  throw new ApiError('header_invalid', {
    message: 'The header Ledgerstone-Answer must be "after-rows", or left out.',
  });
}

export function bodiesOf(request: FastifyRequest): Bodies {
  return request.route.config?.bodies ?? ONE;
}

/** The most bytes of its body; `undefined` for no limit. Of a media type that is not taken, the most of all that are. */
export function mostBytesOf(request: FastifyRequest): number | undefined {
  const { types, most } = bodiesOf(request);
  const encoding = encodingOf(request);
  if (encoding !== undefined) return most[encoding];
  const limits = Array.from(types.values(), (taken) => most[taken] ?? Number.POSITIVE_INFINITY);
  const largest = Math.max(...limits);
  return Number.isFinite(largest) ? largest : undefined;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** ASCII is UTF-8; the second of its names is what the system calls it in the locale `C`. */
const UTF_8 = /^charset="?(?:utf-?8|(?:us-)?ascii|ansi_x3\.4-1968)"?$/;

/** The encoding of the media type on this path; `undefined` if it is not accepted. */
function encodingOf(request: FastifyRequest): Encoding | undefined {
  const { types, untyped } = bodiesOf(request);
  const type = request.headers['content-type'];
  if (type === undefined) return untyped;
  const plain = types.get(type);
  if (plain !== undefined) return plain;
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !UTF_8.test(charset)) return undefined;
  return types.get(media);
}

/** Bodies: which encodings are taken, and as raw bytes; parsing is the schema's work. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

export const MAX_BODY_BYTES = 1_048_576;
/** Of a JSON array of rows. */
export const MAX_ARRAY_BYTES = 32 * MAX_BODY_BYTES;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
export const LINES = 'application/x-ndjson';

/** How a body may be sent. */
export type Encoding = 'json' | 'form' | 'lines';

/** The bodies that a path takes: which encoding a media type means, and how many bytes each may have. */
export interface Bodies {
  readonly types: ReadonlyMap<string, Encoding>;
  /** What a body without a Content-Type is, if it is anything. */
  readonly untyped: Encoding | undefined;
  /** Lines are read as they arrive: there is no most. */
  readonly most: { readonly [encoding in Encoding]?: number };
}

/** One record. */
const ONE: Bodies = {
  types: new Map([
    [JSON_TYPE, 'json'],
    [FORM, 'form'],
  ]),
  untyped: 'form',
  most: { json: MAX_BODY_BYTES, form: MAX_BODY_BYTES },
};

/** Many rows. */
export const MANY: Bodies = {
  types: new Map([
    [JSON_TYPE, 'json'],
    [LINES, 'lines'],
  ]),
  untyped: undefined,
  most: { json: MAX_ARRAY_BYTES },
};

/** Takes every body as bytes, and lines as they arrive: what it may be was checked before it is read. */
export function takeBodiesAsBytes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  // Those that are usual are named: what only `*` takes is looked up anew for each request.
  for (const type of [JSON_TYPE, FORM, '*']) {
    server.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
  }
  server.addContentTypeParser(LINES, (_request, _body, done) => done(null));
}

/** Throws `media_type_unsupported` unless the body, if there is one, is in plain UTF-8 what the path takes. */
export function checkMediaType(request: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': coding } = request.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new ApiError('media_type_unsupported', {
      message:
        'Compressed bodies are not taken: send the body as it is, without a Content-Encoding.',
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  if (encodingOf(request) === undefined && (type !== undefined || hasBody(request))) {
    const taken = [...bodiesOf(request).types.keys()];
    throw new ApiError('media_type_unsupported', {
      message: `Content-Type must be ${taken.join(' or ')}, in UTF-8.`,
      headers: { 'Accept-Post': taken.join(', ') },
    });
  }
}

/** Throws `body_too_large` where the length is told beforehand. */
export function checkLength(request: FastifyRequest): void {
  const most = mostBytesOf(request);
  if (most !== undefined && Number(request.headers['content-length'] ?? 0) > most)
    throw bodyTooLarge(request);
}

export function bodyTooLarge(request: FastifyRequest): ApiError {
  const most = mostBytesOf(request) ?? MAX_BODY_BYTES;
  return new ApiError('body_too_large', {
    message: `The body is larger than ${most / MAX_BODY_BYTES} MiB; send at most ${most} bytes.`,
  });
}

/** Throws `body_unexpected` where a request that takes no body has one. */
export function refuseBody(request: FastifyRequest): void {
  if (hasBody(request)) throw new ApiError('body_unexpected');
}

/** The body of a request whose media type was checked, and which is not read as it arrives. */
export function bodyOf(request: FastifyRequest): { encoding: 'json' | 'form'; body: Uint8Array } {
  return {
    encoding: encodingOf(request) === 'json' ? 'json' : 'form',
    body: (request.body as Uint8Array | undefined) ?? new Uint8Array(),
  };
}

/** Whether the body is read as it arrives. */
export function bringsLines(request: FastifyRequest): boolean {
  return encodingOf(request) === 'lines';
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

function bodiesOf(request: FastifyRequest): Bodies {
  return request.routeOptions.config?.bodies ?? ONE;
}

function mostBytesOf(request: FastifyRequest): number | undefined {
  const encoding = encodingOf(request);
  return encoding === undefined ? MAX_BODY_BYTES : bodiesOf(request).most[encoding];
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** What the media type means at this path; `undefined` where it is not taken. */
function encodingOf(request: FastifyRequest): Encoding | undefined {
  const { types, untyped } = bodiesOf(request);
  const type = request.headers['content-type'];
  if (type === undefined) return untyped;
  const plain = types.get(type);
  if (plain !== undefined) return plain;
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return undefined;
  return types.get(media);
}

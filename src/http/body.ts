/** Bodies: which encodings are taken, and as raw bytes; parsing is the schema's work. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

export const MAX_BODY_BYTES = 1_048_576;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Takes every body as bytes: what it may be was checked before it is read. */
export function takeBodiesAsBytes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => {
      done(null, body);
    },
  );
}

/** Throws `media_type_unsupported` unless the body, if there is one, is JSON or a form in plain UTF-8. */
export function checkMediaType(request: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': coding } = request.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new ApiError('media_type_unsupported', {
      message:
        'Compressed bodies are not taken: send the body as it is, without a Content-Encoding.',
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  if (type !== undefined && encodingOf(type) === undefined) {
    throw new ApiError('media_type_unsupported', {
      message: `Content-Type must be ${JSON_TYPE} or ${FORM}, in UTF-8.`,
      headers: { 'Accept-Post': `${JSON_TYPE}, ${FORM}` },
    });
  }
}

/** Throws `body_too_large` where the length is told beforehand. */
export function checkLength(request: FastifyRequest): void {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
    throw new ApiError('body_too_large');
}

/** Throws `body_unexpected` where a request that takes no body has one. */
export function refuseBody(request: FastifyRequest): void {
  const { 'content-length': length = '0', 'transfer-encoding': transfer } = request.headers;
  if (Number(length) > 0 || transfer !== undefined) throw new ApiError('body_unexpected');
}

/** The body of a request whose media type was checked; without a Content-Type it is a form. */
export function bodyOf(request: FastifyRequest): { encoding: 'json' | 'form'; body: Uint8Array } {
  return {
    encoding: encodingOf(request.headers['content-type'] ?? FORM) ?? 'form',
    body: (request.body as Uint8Array | undefined) ?? new Uint8Array(),
  };
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

const encodings = new Map<string, 'json' | 'form' | undefined>([
  [JSON_TYPE, 'json'],
  [FORM, 'form'],
]);

function encodingOf(type: string): 'json' | 'form' | undefined {
  const plain = encodings.get(type);
  if (plain !== undefined) return plain;
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return undefined;
  return encodings.get(media);
}

/** Idempotency-Key: the name that a caller gives to a request, so that it may be repeated. */
import { createHash, hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { isRehearsal } from '../../core/schema/parse/parse.ts';
import { secretOf } from '../../records/auth/issue-key.ts';
import type { Repeatable } from '../../records/ingest/idempotency.ts';
import { bodyOf } from './body.ts';
import { queryOf } from './request.ts';

const LONGEST = 255;
/** 128 bits in base64. */
const STORED_LENGTH = 22;
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/;
/** A string of RFC 9651, section 3.3.3, without spaces. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** The headers that change what a request means. */
const ASKING = ['ledgerstone-mode', 'ledgerstone-unknown-fields', 'if-match'] as const;

/** The Idempotency-Key and a digest of the request, if it has one and does not only rehearse. Throws `header_invalid`. */
export function repeatableOf(request: FastifyRequest): Repeatable | undefined {
  const { 'idempotency-key': sent } = request.headers;
  if (sent === undefined) return undefined;
  const idempotency_key = unreadable(readKey(String(sent)), request.headers.authorization);
  if (isRehearsal(queryOf(request))) return undefined;
  return { idempotency_key, fingerprint: fingerprintOf(request) };
}

/** The hash by which requests with the same Idempotency-Key, or another name of their caller's own, are known; `''`: it cannot be read. */
export function nameHash({ headers }: FastifyRequest, sent: string): string {
  try {
    return unreadable(readKey(sent), headers.authorization);
  } catch {
    return '';
  }
}

/** The hash by which a request is known again that is sent again as it was; `''`: its body is not here. */
export function requestHash(request: FastifyRequest): string {
  if (!(request.body instanceof Uint8Array)) return '';
  const digest = Buffer.from(fingerprintOf(request)).toString('base64url');
  return unreadable(digest, request.headers.authorization);
}

/** Throws `header_invalid` with that message where the request has an Idempotency-Key, on a path that takes none. */
export function refuseIdempotencyKey({ headers }: FastifyRequest, message: string): void {
  if (headers['idempotency-key'] !== undefined) throw new ApiError('header_invalid', { message });
}

function readKey(sent: string): string {
  const text = sent.trim();
  const key = BARE.test(text) ? text : QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (key !== undefined && key.length <= LONGEST) return key;
  throw new ApiError('header_invalid', {
    message: `The header Idempotency-Key must hold 1 to ${LONGEST} visible ASCII characters without spaces, with or without quotation marks around them.`,
  });
}

/**
 * Hashes a key for the store: it may be a name, and the secret of the API key, which no store has, keeps it from being
 * guessed. What the console sends is random.
 */
function unreadable(key: string, authorization: string | undefined): string {
  const text = `${secretOf(authorization) ?? ''}\0${key}`;
  return hash('sha256', text, 'base64url').slice(0, STORED_LENGTH);
}

/** SHA-256 of the request: two requests share it only if they are exactly the same. */
function fingerprintOf(request: FastifyRequest): Uint8Array {
  const { encoding, body } = bodyOf(request);
  const { headers } = request;
  const asking = ASKING.map((name) => `${headers[name] ?? ''}`.trim().toLowerCase());
  const head = JSON.stringify([request.method, request.url, ...asking, encoding]);
  return createHash('sha256').update(head).update('\0').update(body).digest();
}

/** Idempotency-Key: the name that a caller gives to a request, so that it may be repeated. */
import { createHash, hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { Columns } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import { isRehearsal } from '../../core/schema/parse/parse.ts';
import { secretOf } from '../../records/auth/issue-key.ts';
import type { Repeatable } from '../../records/ingest/idempotency.ts';
import type { Sighted } from '../../records/ingest/seen.ts';
import {
  identifierInCells,
  identifierInForm,
  identifierInJson,
} from '../../services/requests/fingerprints.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { bodyOf } from './body.ts';
import { callerOf, queryOf } from './request.ts';

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

/** `undefined` where the request names no sync. Throws `header_invalid`; rejects as `open` does. */
export function syncOf(
  request: FastifyRequest,
  resource: Resource,
  syncs: SyncsOf,
  columnsOf: () => Columns | undefined = () => undefined,
): Promise<Sighted> | undefined {
  const { 'ledgerstone-sync': sent, 'content-type': type = '' } = request.headers;
  if (sent === undefined) return undefined;
  const id = String(sent).trim();
  if (!/^syn_[0-9A-Za-z]{22}$/.test(id))
    throw new ApiError('header_invalid', {
      message:
        'The header Ledgerstone-Sync must be the unique_identifier of a sync, syn_…, or be left out.',
    });
  const isJson = /json/i.test(type);
  return syncs.open(callerOf(request), resource, id).then((open) => ({
    ...open,
    identifierIn(body) {
      const columns = columnsOf();
      if (columns !== undefined) return identifierInCells(body, columns);
      return isJson ? identifierInJson(body) : identifierInForm(Buffer.from(body).toString());
    },
  }));
}

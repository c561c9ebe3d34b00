/** Turns errors into answers, in this one place. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  asFormSays,
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type Fault,
  messageOf,
} from '../../core/errors.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { StoreRefusal, StoreUnavailable, StoreUnsure } from '../../store/promises/store.ts';
import { discardBody } from '../fair/bodies.ts';
import { isForm } from '../request/body.ts';
import { noVersionIn } from './conditions.ts';
import { JSON_UTF8, prepare, send } from './envelope.ts';
import { RETRY_SOON } from './retry-after.ts';

/** Where the code is explained, for the `doc_url` of an answer to a request with these headers. */
export type DocUrl = (code: ErrorCode, headers?: IncomingHttpHeaders) => string;

export function sendError(reply: FastifyReply, error: ApiError, docUrl: DocUrl): FastifyReply {
  const { done, raw } = reply.request;
  if (!raw.complete) discardBody(raw);
  reply.request.done = { rows: done?.rows, code: error.code, faults: error.faults };
  for (const [name, value] of Object.entries(error.headers)) reply.header(name, value);
  // Stripe's clients retry a 429 only if this header tells them to.
  if (error.status === 429) reply.header('Stripe-Should-Retry', 'true');
  prepare(reply).code(error.status).header('Content-Type', JSON_UTF8);
  const text = errorBody(
    error,
    reply.request.id,
    docUrl(error.code, raw.headers),
    reply.request.principal,
    reply.request,
  );
  try {
    return send(reply, text);
  } catch (noMemory) {
    // Enough for a hundred faults; without memory for them, the answer is a short one.
    if (noMemory instanceof ApiError) return sendError(reply, noMemory, docUrl);
    throw noMemory;
  }
}

export function errorBody(
  error: ApiError,
  requestId: string,
  docUrl: string,
  to?: Principal,
  request?: FastifyRequest,
) {
  const more = { request_id: requestId, doc_url: docUrl };
  return JSON.stringify({ error: { ...errorMembers(error, to, request), ...more } });
}

/** The members of an error, wherever it appears, for a program or a person; of a whole request, if that is given. */
export function errorMembers(
  { type, code, message, param, faults }: ApiError,
  to: Principal | undefined,
  request?: FastifyRequest,
): object {
  const errors = faults.map(
    to?.person === undefined ? (fault) => toProgram(fault, request) : toPerson,
  );
  const [first, said] = [faults[0], errors[0]];
  // It ends in how many more there are.
  const rest = message.slice(first?.message.length);
  const known = {
    ...(param !== undefined && { param }),
    ...(said?.values && { values: said.values }),
  };
  return { type, code, message: `${said?.message}${rest}`, ...known, errors };
}

/** A person sends neither headers nor queries, and has no key. */
function toPerson({ advice: _, ...fault }: Fault): Fault {
  const { person }: CatalogueEntry = catalogue[fault.code];
  return person ? { ...fault, message: messageOf(fault.code, fault, 'person') } : fault;
}

/** Advice for callers over HTTP alone: the code that raises these errors knows no headers and no query. */
const IN_HTTP: { readonly [code in ErrorCode]?: string } = {
  record_changed: 'Send its present ETag in If-Match.',
  record_has_children: 'To have it do so, send cascade=true in the query.',
};

function toProgram({ advice, ...fault }: Fault, request: FastifyRequest | undefined): Fault {
  const more = advice ?? IN_HTTP[fault.code];
  const unmatched = fault.code === 'record_changed' && request && noVersionIn(request);
  if (unmatched) return { ...fault, message: unmatched };
  // What a store found says nothing of how it was sent.
  const said = request !== undefined && isForm(request) ? asFormSays(fault) : fault;
  return more === undefined ? said : { ...said, message: `${said.message} ${more}` };
}

/** The error of a caller who hangs up before the body is complete. */
export function bodyCut(): ApiError {
  const message = 'The connection ended before the whole body had arrived.';
  return new ApiError('request_malformed', { message });
}

/** Any error as one that may be answered: what is not known becomes `internal_error` and says nothing. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreRefusal) return new ApiError('store_refused', { cause: error });
  if (error instanceof StoreUnavailable) {
    return new ApiError(error instanceof StoreUnsure ? 'outcome_unknown' : 'service_unavailable', {
      headers: RETRY_SOON,
      cause: error,
    });
  }
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'FST_ERR_BAD_URL') return new ApiError('path_unknown');
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return bodyCut();
  return new ApiError('internal_error', { cause: error });
}

/** Mounts operations: the guard of each, its request, and its answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ParamsReader, readerOf } from '../../core/schema/parse/read-params.ts';
import {
  authorizeAction,
  authorizeNamedRight,
  authorizeRight,
  type Principal,
} from '../../records/auth/principal.ts';
import { paramMask } from '../../services/requests/names.ts';
import { wantRecent } from '../../services/staff/sessions.ts';
import { type Operation, routeOf, type Services } from '../operations/operation.ts';
import { prepare, sendJson, vary } from '../response/envelope.ts';
import { bodyOf, refuseBody, unknownFieldsOf } from './body.ts';
import { refuseIdempotencyKey } from './idempotency-key.ts';
import { receiveBody } from './receive.ts';
import { callerOf, queryOf } from './request.ts';

/** Answers an operation that has no `run`. */
export type OperationHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  params: ParamsReader,
) => Promise<FastifyReply>;

interface OfOne {
  readonly unique_identifier?: string;
}

/** Throws for an operation that nothing answers. */
export function mountOperations(
  server: FastifyInstance,
  operations: readonly Operation[],
  { services, now }: { readonly services: Services; readonly now: () => number },
  handlers: Readonly<Record<string, OperationHandler>>,
): void {
  const mask = paramMask(operations.flatMap(({ query = {}, body = {} }) => [query, body]));
  for (const operation of operations) {
    const answer = handlers[operation.name] ?? answering(operation, services);
    const config = {
      paramMask: mask,
      may: (principal: Principal) => authorizeFor(operation, principal),
    };
    server.route({
      ...routeOf(operation),
      config,
      handler: async (request, reply) => {
        const { person } = callerOf(request);
        if (operation.confirms && person !== undefined) wantRecent(person.session, now());
        const params = await received(operation, request, reply);
        const answered = await answer(request, reply, params.read);
        if (!params.isRead()) throw new TypeError(`${operation.name} has not read what was sent.`);
        return answered;
      },
    });
  }
}

function authorizeFor({ needs = {} }: Operation, principal: Principal): void {
  const { permission, right, whole } = needs;
  if (right !== undefined)
    (whole === true ? authorizeRight : authorizeNamedRight)(principal, right);
  if (permission !== undefined) authorizeAction(principal, permission);
}

/** Receives the body where the operation takes one; without members, nothing may be sent. */
async function received(
  { query, body, check, refusesIdempotencyKey }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly read: ParamsReader; readonly isRead: () => boolean }> {
  if (refusesIdempotencyKey !== undefined) refuseIdempotencyKey(request, refusesIdempotencyKey);
  if (body === undefined) refuseBody(request);
  else await receiveBody(request, reply);
  const unknown = unknownFieldsOf(request);
  const sent = { ...bodyOf(request), query: queryOf(request), unknown };
  const read = readerOf({ query, body, check }, sent);
  let isRead = false;
  const reading: ParamsReader = (more) => {
    isRead = true;
    return request.timing.measure('parse', () => read(more));
  };
  if (query === undefined && body === undefined) reading();
  return { read: reading, isRead: () => isRead };
}

/** A page of ours loads nothing from elsewhere, and is framed by none. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

function answering({ name, run, page }: Operation, services: Services): OperationHandler {
  if (run === undefined) throw new TypeError(`Nothing answers ${name}.`);
  return async (request, reply, params) => {
    const { unique_identifier: id } = request.params as OfOne;
    const answer = await run(services, {
      caller: callerOf(request),
      id: id ?? '',
      params,
      timing: request.timing,
      isGone: () => reply.raw.destroyed,
      authenticate: () => request.server.authenticate(request),
      done: (what) => {
        request.done = what;
      },
      header: (header, value) => void reply.header(header, value),
    });
    if (id !== undefined) request.done = { unique_identifier: id, ...request.done };
    if (page !== undefined) vary(reply, 'Accept');
    return typeof answer === 'string'
      ? sendJson(reply, answer)
      : page !== undefined && request.headers.accept?.includes('text/html') === true
        ? prepare(reply).headers(PAGE_HEADERS).send(page(answer))
        : sendJson(reply, JSON.stringify(answer));
  };
}

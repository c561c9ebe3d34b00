/** Mounts operations: the guard of each, its request, and its answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import {
  type OperationParams,
  type ParamsReader,
  readerOf,
} from '../../core/schema/parse/parse.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { paramMask } from '../../services/requests/names.ts';
import { assertRecent } from '../../services/staff/sessions.ts';
import { stillMay } from '../fair/still.ts';
import { formFor, LINES_ALONE, streamRows } from '../listing/stream.ts';
import {
  type OperationCall,
  type Runnable,
  routeOf,
  type Services,
} from '../operations/operation.ts';
import {
  type Auditing,
  auditedAs,
  auditedBefore,
  authorizeFor,
  perform,
} from '../operations/perform.ts';
import { conditionOfRecord } from '../response/conditions.ts';
import { prepare, sendJson, vary } from '../response/envelope.ts';
import { prefersPage } from './accepts.ts';
import { bodyOf, FILES, LINES, refuseBody, unknownFieldsOf } from './body.ts';
import { refuseIdempotencyKey, repeatableOf } from './idempotency-key.ts';
import { receiveBody } from './receive.ts';
import { callerOf, queryOf, watchForCut } from './request.ts';

/** Answers an operation that has no `run`. */
export type OperationHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  params: ParamsReader,
) => Promise<FastifyReply>;

/** Gives the handlers of operations of a feature that have no `run`, by their routes. */
export type HandlersOf = (
  services: Services,
  resources: readonly Resource[],
) => Readonly<Record<string, OperationHandler>>;

interface Mounting<Of> {
  readonly services: (request: FastifyRequest, reply: FastifyReply) => Of;
  readonly now: () => number;
  /** Handlers of operations without `run`, by their routes. */
  readonly handlers?: Readonly<Record<string, OperationHandler>>;
}

/** Throws for an operation that nothing answers. */
export function mountOperations<Of>(
  server: FastifyInstance,
  operations: readonly Runnable<Of>[],
  { services, now, handlers = {} }: Mounting<Of>,
): void {
  const mask = paramMask(operations.flatMap(({ query = {}, body = {} }) => [query, body]));
  for (const operation of operations) {
    const answer = handlers[operation.route] ?? answering(operation, services);
    const may = (principal: Principal) => authorizeFor(operation, principal);
    const { audits, confirms, open, file } = operation;
    const action = auditedBefore(operation);
    const config = {
      paramMask: mask,
      may,
      audits,
      auditedAs: auditedAs(operation),
      confirms: confirms === true,
      ...(open && { open }),
      ...(file && { bodies: FILES }),
      reads: 'sameAs' in operation,
    };
    server.route({
      ...routeOf(operation),
      config,
      handler: async (request, reply) => {
        const session = request.principal?.person?.session;
        if (confirms && session !== undefined) assertRecent(session, now());
        const params = await received(operation, request, reply);
        const inPath = request.params as Record<string, string>;
        // No store can search for a NUL, and nothing is named by one.
        for (const name in inPath) inPath[name] = (inPath[name] ?? '').replaceAll('\0', '\ufffd');
        const { unique_identifier: record = '' } = inPath;
        const auditing: Auditing = {
          action,
          record: (facts) => request.server.audit(request, { ...facts, record }),
        };
        const caller = () => callerOf(request);
        const answered = await perform(operation, caller, auditing, () =>
          answer(request, reply, params.read),
        );
        if (!params.isRead()) throw new TypeError(`${operation.route} has not read what was sent.`);
        return answered;
      },
    });
  }
}

const NOTHING = new Uint8Array();

/** Receives the body where the operation takes one; without members, nothing may be sent. */
export async function received(
  operation: OperationParams & Pick<Runnable<never>, 'file' | 'refusesIdempotencyKey'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { query = {}, body, check, file, refusesIdempotencyKey } = operation;
  if (refusesIdempotencyKey !== undefined) refuseIdempotencyKey(request, refusesIdempotencyKey);
  if (body === undefined && file === undefined) refuseBody(request);
  else await receiveBody(request, reply);
  const unknown = unknownFieldsOf(request);
  // A file is not looked into here.
  const arrived = file ? { encoding: 'form' as const, body: NOTHING } : bodyOf(request);
  // Many programs say JSON of every request: an empty body has no members, and says nothing wrong.
  const encoding = arrived.body.length === 0 ? 'form' : arrived.encoding;
  const sent = { ...arrived, encoding, query: queryOf(request), unknown };
  const read = readerOf({ query, body, check }, sent);
  let isRead = false;
  const reading: ParamsReader = (more) => {
    isRead = true;
    return request.timing.measure('parse', () => read(more));
  };
  if (Object.keys({ ...query, ...body }).length === 0) reading();
  return { read: reading, isRead: () => isRead };
}

/** A page of ours loads nothing from elsewhere, and is framed by none. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

function answering<Of>(
  operation: Runnable<Of>,
  services: Mounting<Of>['services'],
): OperationHandler {
  const { route, run, rows, page } = operation;
  const what = auditedAs(operation);
  if (run === undefined && rows === undefined) throw new TypeError(`Nothing answers ${route}.`);
  return async (request, reply, params) => {
    const { unique_identifier: id, ...inPath } = request.params as Record<string, string>;
    const call: OperationCall<JsonObject> = {
      get caller() {
        return callerOf(request);
      },
      id: id ?? '',
      inPath,
      params,
      conditions: () => ({
        ...conditionOfRecord(request),
        repeatable: repeatableOf(request),
      }),
      timing: request.timing,
      isGone: () => reply.raw.destroyed,
      authenticate: () => request.server.authenticate(request),
      done: (what) => {
        request.done = { ...request.done, ...what };
      },
      grants: (account, action = 'administer') =>
        request.server.audit(request, { action, what, record: id ?? null, account }),
      header: (header, value) => void reply.header(header, value),
    };
    const form = run === undefined ? LINES_ALONE : rows && formFor(request.headers.accept, [LINES]);
    if (rows !== undefined && form !== undefined) {
      const walk = rows(services(request, reply), call);
      if (run !== undefined && callerOf(request).person !== undefined)
        await request.server.audit(request, { action: 'export', what });
      watchForCut(request, reply);
      const authenticate = stillMay(request, (now) => authorizeFor(operation, now));
      return streamRows(reply, { columns: [], walk, form, authenticate });
    }
    if (rows !== undefined) vary(reply, 'Accept');
    const answer = (await run?.(services(request, reply), call)) ?? {};
    if (id !== undefined) request.done = { unique_identifier: id, ...request.done };
    if (page !== undefined) vary(reply, 'Accept');
    return typeof answer === 'string'
      ? sendJson(reply, answer)
      : page !== undefined && prefersPage(request.headers.accept)
        ? prepare(reply).headers(PAGE_HEADERS).send(page(answer))
        : sendJson(reply, JSON.stringify(answer));
  };
}

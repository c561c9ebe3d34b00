/** The HTTP server: Fastify with our own bodies, checks and errors. */

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import about from '../../../package.json' with { type: 'json' };
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import type { Log } from '../../core/observe/log.ts';
import type { RequestObserver } from '../../core/observe/observers.ts';
import { Timing } from '../../core/observe/timing.ts';
import { createSequence } from '../../core/schema/id.ts';
import { featureWatches } from '../../features/requests.ts';
import type { AuditRecorder } from '../../services/audit/recorder.ts';
import { pathMask } from '../../services/requests/names.ts';
import type { Recorder } from '../../services/requests/recorder.ts';
import { StoreUnavailable } from '../../store/promises/store.ts';
import { readBodiesFairly } from '../fair/bodies.ts';
import {
  beginRequestsFairly,
  endUnread,
  handleInOrder,
  readConnectionsFairly,
  refuseOverload,
} from '../fair/connections.ts';
import { letContinue } from '../fair/continuing.ts';
import { LeastSpeed, Slots } from '../fair/least-speed.ts';
import { closeGently } from '../fair/lingering.ts';
import { MemoryBudget, memoryForRequests } from '../fair/memory.ts';
import { createGate, type GateParts } from '../limits/gate.ts';
import { leaveBodies } from '../request/body.ts';
import { addEndpoints, type EndpointParts, type EndpointServices } from '../request/endpoints.ts';
import { checkRequests, guard, pathsOf } from '../request/guard.ts';
import { headFault } from '../request/head.ts';
import { watchSyncs } from '../request/under-sync.ts';
import { type DocUrl, errorBody, sendError, toApiError } from '../response/error-response.ts';
import { endEarly, mayEndEarly } from '../rows/arriving.ts';
import { pageInstead } from '../site/unreadable.ts';
import { allowOrigins, requireHttps } from './headers.ts';
import { callerIn, createNoting, faultsOf, slownessOf } from './noting.ts';

export interface ServerParts extends EndpointParts {
  readonly gate: GateParts;
  readonly log: Log;
  /** How many processes share the port and the memory. */
  readonly processes: number;
  readonly observer?: RequestObserver | undefined;
  readonly services: EndpointServices & {
    readonly recorder: Recorder;
    readonly audit: AuditRecorder;
  };
  readonly corsOrigins: readonly string[];
  /** Announced removals, by default the table. */
  /** Whether browsers reach the service by HTTPS. */
  readonly secure: boolean;
}

/** How long the head of a request may take to arrive. */
const HEAD_MS = 15_000;

const noSchemas = (): never => {
  throw new TypeError('Bodies and answers are read and written by the declarations.');
};
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas };

export async function createServer(parts: ServerParts) {
  const { log, services } = parts;
  const { audit } = services;
  const nextRequestId = createSequence('req_');
  const docUrl: DocUrl = (code, headers) => `${parts.links.baseFor(headers)}/docs/errors#${code}`;
  const leastSpeed = new LeastSpeed();
  const clientErrors = createClientErrors(
    docUrl,
    nextRequestId,
    leastSpeed,
    (id, code, status, socket) => {
      parts.observer?.refused(code, status);
      noting.unreadable(id, code, status, socket);
    },
  );
  const server = fastify({
    genReqId: nextRequestId,
    requestIdHeader: false,
    // Queries are read by the schema, strictly; Fastify need not read them too.
    // An identifier in a path may be as long as a request line; none is judged by its length.
    routerOptions: {
      querystringParser: (text) => ({ text }),
      maxParamLength: Number.MAX_SAFE_INTEGER,
    },
    // No route has a schema of Fastify's, whose compilers are a third of all files that it would load.
    schemaController: { compilersFactory: NO_SCHEMAS },
    return503OnClosing: false,
    requestTimeout: 60_000,
    http: {
      // A request without Host is refused by the guard, so that its answer is one of ours.
      requireHostHeader: false,
      // A connection that brings no head in this time is closed.
      headersTimeout: HEAD_MS,
      connectionsCheckingInterval: 1_000,
    },
    clientErrorHandler: clientErrors.handle,
    // A path that cannot be decoded does not get as far as the guard.
    frameworkErrors: async (error, request, reply) => {
      request.timing = new Timing();
      request.route = request.routeOptions;
      const refused = await new Promise<Error | undefined>((resolve) =>
        gate.enter(request, reply, (refusal, principal) => {
          request.principal = principal;
          resolve(refusal);
        }),
      );
      const fault = headFault(request.raw);
      const page = fault === undefined ? pageInstead(request.raw, refused) : undefined;
      if (page === undefined) sendError(reply, fault ?? toApiError(refused ?? error), docUrl);
      else reply.redirect(page, 303);
      // No hook runs for it, and its clock did not start.
      const faults = faultsOf(request);
      log.requestAnswered(request, reply, faults?.list());
      parts.observer?.refused(request.done.code ?? 'path_unknown', reply.statusCode);
      noting.answered(request, reply, faults);
    },
  });
  // A client that has sent all of its requests may end its side, and still reads the answers.
  Object.assign(server.server, { httpAllowHalfOpen: true });
  const gate = createGate(server.server, parts.gate);
  handleInOrder(server.server, gate.waits);
  readBodiesFairly(server.server);
  readConnectionsFairly(server.server);
  clientErrors.watch(server.server);
  closeGently(server.server);
  endUnread(server.server);
  server.decorate('memory', new MemoryBudget(memoryForRequests(parts.processes)));
  server.decorate('leastSpeed', leastSpeed);
  server.decorate('authenticate', async ({ raw, route }) =>
    parts.gate.authenticate(raw, route.config.person),
  );
  server.decorate('audit', (request, facts) => {
    request.done = { ...request.done, audited: true };
    return audit.before({ ...callerIn(request, parts.gate.clientAddressOf), ...facts });
  });
  letContinue(server.server);
  // An expectation other than 100-continue is ignored (RFC 9110, section 10.1.1).
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  leaveBodies(server);
  const drain = createDrain(server, (reply, reason) =>
    sendError(reply, toApiError(reason), docUrl),
  );

  server.decorateRequest('route');
  server.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions;
    request.timing = new Timing();
    request.done = {};
    drain.began(reply);
    // Before anything reads a header.
    done(headFault(request.raw));
  });
  watchSyncs(server, services.syncs);
  if (parts.secure) requireHttps(server);
  if (parts.corsOrigins.length > 0) await allowOrigins(server, parts.corsOrigins);
  const paths = pathsOf(server);
  let maskUnknown: ReturnType<typeof pathMask> | undefined;
  const noting = createNoting({
    recorder: services.recorder,
    audit,
    clientAddressOf: parts.gate.clientAddressOf,
    now: parts.now,
    fingerprints: services.fingerprints,
    pathMask: (path) => {
      maskUnknown ??= pathMask(paths.all());
      return maskUnknown(path);
    },
  });
  guard(server, gate, parts);
  beginRequestsFairly(server);
  checkRequests(server, paths);
  for (const watch of featureWatches) watch(server, services);
  refuseOverload(server, services.ingest.isFull);

  const settled = (request: FastifyRequest, reply: FastifyReply): void => {
    clientErrors.answered(request.raw);
    const faults = faultsOf(request);
    log.requestAnswered(request, reply, faults?.list(), slownessOf(request, reply.elapsedTime));
    parts.observer?.requestAnswered(request, reply);
    noting.answered(request, reply, faults);
  };
  server.addHook('onResponse', (request, reply, done) => {
    settled(request, reply);
    done();
  });
  const logFailure = (error: ApiError, requestId: string): void => {
    const { status, message, cause } = error;
    // The message of a store is ours, and says why.
    if (cause instanceof StoreUnavailable) {
      const { says } = cause;
      if (error.code === 'store_refused') log.storeRefused(cause.message, says);
      else log.unavailable(cause.message, says);
    } else if (status === 503) log.unavailable(message);
    else log.requestFailed(requestId, cause ?? error);
  };
  server.setErrorHandler((error, request, reply) => {
    const apiError = toApiError(error);
    if (apiError.status >= 500) logFailure(apiError, request.id);
    return sendError(reply, apiError, docUrl);
  });
  // The guard has refused it before; this says so to Fastify.
  server.setNotFoundHandler((_request, reply) => reply.send());

  server.decorate('noteFailure', (request, error) => logFailure(error, request.id));
  server.decorate('noteSeen', noting.seen);
  server.decorate('noteCut', settled);
  await addEndpoints(server, parts);
  await server.ready();
  return { server, drain };
}

/** The last request of a connection, and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The previous answer, while it has not been sent. */
  readonly before: ServerResponse | undefined;
}

/** `refused` is called with each error that was answered here. */
function createClientErrors(
  docUrl: DocUrl,
  requestId: () => string,
  leastSpeed: LeastSpeed,
  refused: (request_id: string, code: ErrorCode, status: number, socket: Socket) => void,
) {
  /** Connections with their unfinished requests only: finished ones would stay in memory for each idle connection. */
  const connections = new WeakMap<Socket, { exchange: Exchange | undefined }>();

  const answer = (code: ErrorCode, socket: Socket, message?: string): void => {
    if (socket.destroyed || !socket.writable) return;
    const apiError = new ApiError(code, message === undefined ? {} : { message });
    const id = requestId();
    refused(id, code, apiError.status, socket);
    const body = errorBody(apiError, id, docUrl(code));
    socket.write(
      `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Request-Id: ${id}\r\nLedgerstone-Version: ${about.version}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    );
    socket.destroySoon();
  };

  return {
    handle(error: NodeJS.ErrnoException, socket: Socket): void {
      if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy();
      if (!socket.writable) return void socket.destroySoon();
      const code = codeOf(error.code);
      const exchange = connections.get(socket)?.exchange;
      let pending = exchange?.response;
      if (exchange?.request.complete === false) {
        // The fault is in the rest of a request whose head was read.
        const { request, response, before } = exchange;
        if (response.writableEnded) return void socket.destroySoon();
        // It may take any time as a whole; only its speed is checked.
        const isWatched = mayEndEarly(request) || leastSpeed.watches(request);
        if (code === 'request_timeout' && isWatched) return;
        // Where it is answered while it arrives, its answer ends with what is wrong, and the connection after it.
        if (endEarly(request, new ApiError(code))) {
          response.once('close', () => socket.destroySoon());
          return void response.once('finish', () => socket.destroySoon());
        }
        pending = before;
      }
      const message = error.code === 'HPE_UNEXPECTED_CONTENT_LENGTH' ? TWO_LENGTHS : undefined;
      if (pending === undefined || pending.writableFinished) answer(code, socket, message);
      else pending.once('close', () => answer(code, socket, message));
    },
    /** Tracks pending requests: an error after them must not be answered in their place. */
    watch(server: Server): void {
      server.on('request', (request, response) => {
        const connection = connections.getOrInsert(request.socket, { exchange: undefined });
        const last = connection.exchange?.response;
        const before = last?.writableFinished === false ? last : undefined;
        connection.exchange = { request, response, before };
      });
    },
    /** Called for every request whose answer was sent or abandoned. */
    answered(request: IncomingMessage): void {
      const connection = connections.get(request.socket);
      // The rest of a request that was not read whole may still be wrong.
      if (request.complete && connection?.exchange?.request === request)
        connection.exchange = undefined;
    },
  };
}

const TWO_LENGTHS =
  'The request has the header Content-Length more than once, or with Transfer-Encoding: send one of them, once.';

function codeOf(code: string | undefined): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'request_malformed';
}

/** How long an idle connection may still bring a request, which is answered with `Connection: close`. */
const IDLE_GRACE_MS = 500;
const SWEEP_MS = 100;
/** How long a request that has begun may take to arrive and be answered. */
const BUSY_GRACE_MS = 6_000;
/** For the refusals of what did not arrive in time. Containers are killed after ten seconds, and the store closes last. */
const LAST_GRACE_MS = 500;

/** `refuse` answers a request that will not be processed. */
function createDrain(
  server: FastifyInstance,
  refuse: (reply: FastifyReply, reason: Error) => void,
) {
  const underWay = new Slots<FastifyReply>();
  server.decorate('draining', false);
  return {
    /** Called for every request whose head was read. */
    began(reply: FastifyReply): void {
      const place = underWay.take(reply);
      // Fastify's hooks do not report an answer whose client has gone.
      reply.raw.on('close', () => underWay.leave(place));
    },
    /**
     * Stops accepting connections and resolves when all are gone: each request whose head was read is answered first.
     * What has not arrived whole after six seconds is refused, and nothing of it is saved; the answers to rows that still
     * arrive end where they are. Half a second later all connections are closed.
     */
    async drain(): Promise<void> {
      server.draining = true;
      const { server: http } = server;
      if (!http.listening) return;
      // http.Server.close would cut idle connections at once, and with them requests that are on their way to us.
      const closed = new Promise<void>((resolve) =>
        NetServer.prototype.close.call(http, () => resolve()),
      );
      // Connections that become idle after this grace have had their last answer.
      const graceEnds = performance.now() + IDLE_GRACE_MS;
      using _idle = setInterval(() => {
        if (performance.now() >= graceEnds) http.closeIdleConnections();
      }, SWEEP_MS);
      using _late = setTimeout(() => {
        const reason = new StoreUnavailable('The service is stopping.');
        for (const reply of underWay.there()) {
          const { raw } = reply.request;
          if (!endEarly(raw, reason) && !raw.complete && !reply.sent) refuse(reply, reason);
        }
      }, BUSY_GRACE_MS);
      using _last = setTimeout(() => http.closeAllConnections(), BUSY_GRACE_MS + LAST_GRACE_MS);
      await closed;
    },
  };
}

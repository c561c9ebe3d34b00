/** The HTTP server: Fastify with our own bodies, checks and errors. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { ApiError } from '../errors.ts';
import type { Scheduler } from '../fair/scheduler.ts';
import type { Images } from '../images/images.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Log } from '../observe/log.ts';
import type { RequestObserver } from '../observe/observers.ts';
import { Timing } from '../observe/timing.ts';
import { tagName } from '../openapi/names.ts';
import type { Query } from '../query/query.ts';
import { tellPath } from '../requests/names.ts';
import type { Recorder } from '../requests/recorder.ts';
import type { Resource } from '../schema/define.ts';
import { createSequence } from '../schema/id.ts';
import type { Desk } from '../staff/desk.ts';
import type { RequestBook } from '../store/requests.ts';
import type { Store } from '../store/store.ts';
import type { WebhookEndpoints } from '../webhooks/endpoints.ts';
import { leaveBodies } from './body.ts';
import { createClientErrors } from './client-error.ts';
import { addExportRoute } from './console/exports/routes.ts';
import { addImportRoutes } from './console/imports/routes.ts';
import { mountConsole } from './console/mount.ts';
import type { SiteOf } from './console/site.ts';
import { createDrain, type Drain } from './drain.ts';
import { type DocUrl, sendError, toApiError } from './error-response.ts';
import { takeTurns } from './fairness.ts';
import { guard } from './guard.ts';
import { LeastSpeed } from './least-speed.ts';
import { createGate, type GateParts } from './limits/gate.ts';
import { MemoryBudget } from './memory.ts';
import { createNoting } from './noting.ts';
import { refuseOverload } from './overload.ts';
import { pathsOf } from './paths.ts';
import { handleInTurn } from './pipelining.ts';
import { faultsOf } from './refusal.ts';
import { addCardRoutes, type Cards } from './routes/cards.ts';
import { addChangeRoutes } from './routes/change.ts';
import { addConsoleRoutes } from './routes/console.ts';
import { addFeedRoutes } from './routes/feed.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addHistoryRoutes } from './routes/history.ts';
import { addImageRoutes } from './routes/images.ts';
import { addMeRoute } from './routes/me.ts';
import { addReadRoutes } from './routes/read.ts';
import { addRecordRoutes } from './routes/records.ts';
import { addReferenceRoutes } from './routes/reference.ts';
import { addRequestRoutes } from './routes/requests.ts';
import { addSearchRoute } from './routes/search.ts';
import { addUpsertManyRoutes } from './routes/upsert-many.ts';
import { addWebhookRoutes } from './routes/webhooks.ts';
import { endUnread } from './unread.ts';

export interface ServerParts {
  readonly resources: readonly Resource[];
  readonly ingest: Ingest;
  readonly query: Query;
  /** Pictures of sample records, where there are any. */
  readonly cards?: Cards | undefined;
  /** What fetches images of records. */
  readonly images: Images;
  /** Shares the thread among large requests. */
  readonly scheduler: Scheduler;
  readonly gate: GateParts;
  readonly isReady: () => Promise<boolean>;
  readonly log: Log;
  /** Counts the requests, where they are counted. */
  readonly observer?: RequestObserver | undefined;
  /** The log of requests: what writes it, and where it is. */
  readonly requests: { readonly recorder: Recorder; readonly book: RequestBook };
  readonly webhooks: WebhookEndpoints;
  /** What people import into and export from, and what knows of backups. */
  readonly store: Store;
  readonly now: () => number;
  /** The address that answers link to. */
  readonly publicUrl: () => string;
  /** Whether the operator has set it; it is the address that the service listens on otherwise. */
  readonly isPublicUrlSet: boolean;
  /** People who sign in, and at which address they may. */
  readonly desk: Desk;
  readonly siteOf: SiteOf;
  readonly corsOrigins: readonly string[];
  /** The OpenAPI document, as JSON text. */
  readonly openapi: () => Promise<string>;
}

export interface HttpServer {
  readonly server: FastifyInstance;
  readonly drain: Drain;
}

/** How long the head of a request may take to arrive. */
const HEAD_MS = 15_000;

const noSchemas = (): never => {
  throw new TypeError('Bodies and answers are read and written by the declarations.');
};
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas };

export async function createServer(parts: ServerParts): Promise<HttpServer> {
  const { resources, log } = parts;
  const nextRequestId = createSequence('req_');
  const docUrl: DocUrl = (code) => `${parts.publicUrl()}/docs/errors#${code}`;
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
      sendError(reply, toApiError(refused ?? error), docUrl);
      // No hook runs for it, and the path is not ours.
      const { id, method, headers, done, principal, unauthenticated } = request;
      log.requestAnswered(
        { id, method, headers, done, route: {}, principal, unauthenticated },
        reply,
      );
      parts.observer?.refused(done.code ?? 'path_unknown', reply.statusCode);
      noting.answered(request, reply, faultsOf(request));
    },
  });
  const gate = createGate(server.server, parts.gate);
  handleInTurn(server.server, gate.waits);
  server.server.on('connection', parts.scheduler.connectionCame);
  clientErrors.watch(server.server);
  endUnread(server.server);
  server.decorate('memory', new MemoryBudget());
  server.decorate('leastSpeed', leastSpeed);
  // An expectation other than 100-continue is passed over (RFC 9110, section 10.1.1).
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
    drain.began(reply);
    done();
  });
  if (parts.corsOrigins.length > 0) await allowOrigins(server, parts.corsOrigins);
  const paths = pathsOf(server);
  let tellUnknown: ReturnType<typeof tellPath> | undefined;
  const noting = createNoting({
    recorder: parts.requests.recorder,
    clientAddressOf: parts.gate.clientAddressOf,
    now: parts.now,
    tellPath: (path) => {
      tellUnknown ??= tellPath(paths.all());
      return tellUnknown(path);
    },
  });
  guard(server, gate, paths, parts.siteOf);
  takeTurns(server);
  refuseOverload(server, () => parts.ingest.full);

  const settled = (request: FastifyRequest, reply: FastifyReply): void => {
    clientErrors.answered(request.raw);
    const faults = faultsOf(request);
    log.requestAnswered(request, reply, faults?.list());
    parts.observer?.requestAnswered(request, reply);
    noting.answered(request, reply, faults);
  };
  server.addHook('onResponse', (request, reply, done) => {
    settled(request, reply);
    done();
  });
  let unavailableToldAt = Number.NEGATIVE_INFINITY;
  const tellFailure = (status: number, requestId: string, cause: unknown): void => {
    if (status === 503) {
      // A store that cannot write refuses thousands a second, all for the same reason.
      if (Math.abs(parts.now() - unavailableToldAt) < 1000) return;
      unavailableToldAt = parts.now();
    }
    log.requestFailed(requestId, cause);
  };
  server.setErrorHandler((error, request, reply) => {
    const apiError = toApiError(error);
    if (apiError.status >= 500) tellFailure(apiError.status, request.id, apiError.cause ?? error);
    return sendError(reply, apiError, docUrl);
  });
  // The guard has refused it before; this says so to Fastify.
  server.setNotFoundHandler((_request, reply) => reply.send());

  addHealthRoutes(server, {
    isReady: parts.isReady,
    isDraining: () => server.draining,
    now: parts.now,
  });
  addReferenceRoutes(server, {
    resources: resources.map((one) => ({ path: one.path, title: tagName(one), says: one.says })),
    openapi: parts.openapi,
    publicUrl: parts.publicUrl,
    isPublicUrlSet: parts.isPublicUrlSet,
  });
  const failed = (request: FastifyRequest, error: ApiError): void =>
    tellFailure(error.status, request.id, error.cause ?? error);
  const { authenticator, clientAddressOf } = parts.gate;
  const authenticate = async ({ raw }: FastifyRequest) => authenticator.authenticate(raw);
  /** The interface below a prefix of paths. */
  const addData = (mounted: FastifyInstance): void => {
    addReadRoutes(mounted, resources, {
      query: parts.query,
      publicUrl: () => parts.publicUrl() + mounted.prefix,
      scheduler: parts.scheduler,
      authenticate,
      failed,
      cut: settled,
    });
    addSearchRoute(mounted, resources, parts.query.search);
    addRequestRoutes(mounted, parts.requests.book);
    addRecordRoutes(mounted, resources, parts.ingest, parts.query);
    addChangeRoutes(mounted, resources, parts.ingest, parts.query);
    addUpsertManyRoutes(mounted, resources, {
      many: parts.ingest.many,
      scheduler: parts.scheduler,
      failed,
      cut: settled,
    });
    addImageRoutes(mounted, resources, {
      findImage: parts.query.findImage,
      images: parts.images,
    });
    addHistoryRoutes(mounted, resources, parts.ingest, parts.query);
    addWebhookRoutes(mounted, parts.webhooks);
    addFeedRoutes(mounted, resources, { feed: parts.query.feed, authenticate, cut: settled });
  };
  addData(server);
  addConsoleRoutes(server, resources);
  if (parts.cards !== undefined) addCardRoutes(server, parts.cards);
  addMeRoute(server);
  const { desk, siteOf, publicUrl, store } = parts;
  await mountConsole(
    server,
    { desk, siteOf, clientAddressOf, publicUrl, backups: store.backups },
    resources.map(({ path }) => path),
    (mounted) => {
      addData(mounted);
      const { ingest, query, scheduler, now } = parts;
      addImportRoutes(mounted, { resources, many: ingest.many, store, now, failed });
      const common = { resources, query, store, scheduler, authenticate, failed, cut: settled };
      addExportRoute(mounted, { desk, ...common });
    },
  );
  await server.ready();
  return { server, drain };
}

async function allowOrigins(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  // Preflights are answered before anything of ours runs.
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('Request-Id', request.id);
    done();
  });
  const { default: cors } = await import('@fastify/cors');
  await server.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Ledgerstone-Mode',
      'Ledgerstone-Unknown-Fields',
      'Last-Event-ID',
      'traceparent',
      'tracestate',
    ],
    exposedHeaders: [
      'Request-Id',
      'Ledgerstone-Outcome',
      'Ledgerstone-Removed',
      'Server-Timing',
      'ETag',
      'Link',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotent-Replayed',
      'Ledgerstone-Dry-Run',
    ],
    maxAge: 7200,
    strictPreflight: false,
  });
}

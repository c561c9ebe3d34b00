/** Every path of the server: the interface, once more below the console for people who are signed in, the manual, and health. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { createTickQueue } from '../../core/fair/loop.ts';
import type { Resource } from '../../core/schema/define.ts';
import { featureHandlers, featureRoutes } from '../../features/operations.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Query } from '../../records/query/query.ts';
import type { Images } from '../../services/images/images.ts';
import type { StaffService } from '../../services/staff/service.ts';
import { mountConsole } from '../console/mount.ts';
import type { SiteOf } from '../console/site.ts';
import type { GateParts } from '../limits/gate.ts';
import type { Operation, Services } from '../operations/operation.ts';
import { prepare, sendJson } from '../response/envelope.ts';
import { followChanges } from '../routes/feed.ts';
import { imageHandler, readHandlers } from '../routes/read.ts';
import { upsertManyHandler } from '../routes/upsert-many.ts';
import { mountRecords, writeHandlers } from '../routes/write.ts';
import { addSiteRoutes } from '../site/routes.ts';
import type { LinkBases } from './links.ts';
import { mountOperations } from './operations.ts';

const OPEN = { config: { open: true } };
/** A check of the store is trusted for this long, so that requests cannot make it write at will. */
const TRUSTED_MS = 1000;

/** The services of operations, and those of routes made from the resources. */
export interface EndpointServices extends Services {
  readonly ingest: Ingest;
  readonly query: Query;
}

export interface EndpointParts {
  readonly resources: readonly Resource[];
  readonly operations: readonly Operation[];
  readonly services: EndpointServices;
  readonly cards?: Cards | undefined;
  readonly images: Images;
  readonly gate: Pick<GateParts, 'clientAddressOf'>;
  /** Whether the store accepts writes. */
  readonly isReady: () => Promise<boolean>;
  /** Whether the store was set back, and what was erased is erased again at this moment, in any of these accounts. */
  readonly isSetBack: (accounts?: ReadonlySet<string>) => boolean;
  readonly now: () => number;
  readonly links: LinkBases;
  /** People who sign in, and at which address they may. */
  readonly staff: StaffService;
  readonly siteOf: SiteOf;
}

export async function addEndpoints(server: FastifyInstance, parts: EndpointParts): Promise<void> {
  const { resources, services, staff: service, cards, siteOf } = parts;
  const { store } = services;
  const { clientAddressOf } = parts.gate;
  addHealthRoutes(server, parts);
  addSiteRoutes(server, parts.links);
  addInterface(server, parts);
  if (cards !== undefined) addCardRoutes(server, cards);
  const paths = resources.map(({ path }) => path);
  const console = { service, siteOf, clientAddressOf, backups: store.backups };
  await mountConsole(server, console, paths, (mounted) => {
    addInterface(mounted, parts);
    for (const add of featureRoutes) add(mounted, { resources, services, staff: service });
  });
}

/** The interface to records, below the prefix of `mounted`. */
function addInterface(mounted: FastifyInstance, parts: EndpointParts): void {
  const { resources, services, operations, now } = parts;
  const { ingest, query, syncs } = services;
  // Whoever follows a page sends their key: without a known address, to where the page came from.
  const publicUrl = (parts.links.publicUrl ?? '') + mounted.prefix;
  const ticks = createTickQueue();
  for (const resource of resources)
    mountRecords(mounted, resource, {
      ...readHandlers(resource, query, publicUrl),
      ...writeHandlers(resource, ingest, query, syncs),
      image: imageHandler(resource, query.findImage, parts.images),
      upsertMany: upsertManyHandler(resource, ingest.many, syncs, ticks),
    });
  const forKeys = mounted.prefix === '';
  const mine = operations.filter(({ keysOnly }) => forKeys || keysOnly !== true);
  const handlers = {
    'GET /v1/changes': followChanges(mounted, services.feed),
    ...Object.assign({}, ...featureHandlers.map((of) => of(services, resources))),
  };
  mountOperations(mounted, mine, { services: () => services, now, handlers });
}

/** The pictures of sample records, for clients on this machine. Only `dev` has them. */
export interface Cards {
  readonly path: string;
  readonly read: (name: string) => Buffer | undefined;
}

function addCardRoutes(server: FastifyInstance, { path, read }: Cards): void {
  const pictures = `${path}/:name`;
  server.get<{ Params: { readonly name: string } }>(pictures, OPEN, async (request, reply) => {
    const picture = read(request.params.name);
    if (picture === undefined) throw new ApiError('path_unknown');
    return prepare(reply).header('content-type', 'image/jpeg').send(picture);
  });
}

/** Adds checks of health, without a key and without data: whether the process serves, and whether it accepts records. */
function addHealthRoutes(server: FastifyInstance, parts: EndpointParts): void {
  const { isReady, isSetBack, now } = parts;
  let looked: { readonly at: number; readonly ready: Promise<boolean> } | undefined;

  server.get('/healthz', OPEN, (_request, reply) => sendJson(reply, '{"status":"ok"}'));

  server.get('/readyz', OPEN, async (_request, reply) => {
    if (looked === undefined || Math.abs(now() - looked.at) >= TRUSTED_MS)
      looked = { at: now(), ready: isReady() };
    const setBack = isSetBack();
    const ready = !server.draining && !setBack && (await looked.ready);
    if (!ready) {
      reply.request.done = { code: setBack ? 'store_set_back' : 'service_unavailable' };
      reply.code(503).header('Retry-After', '1');
    }
    const status = ready ? 'ready' : setBack ? 'set_back' : 'unavailable';
    return sendJson(reply, `{"status":"${status}"}`);
  });
}

/** Every path of the server: the interface, once more below the console for people who are signed in, the manual, and health. */

import type { FastifyInstance } from 'fastify';
import { createTickQueue } from '../../core/fair/loop.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Query } from '../../records/query/query.ts';
import type { Images } from '../../services/images/images.ts';
import type { UndoingImports } from '../../services/import/undoing.ts';
import type { StaffService } from '../../services/staff/service.ts';
import { addExportRoute } from '../console/exports/routes.ts';
import { addImportRoutes } from '../console/imports/routes.ts';
import { mountConsole } from '../console/mount.ts';
import type { SiteOf } from '../console/site.ts';
import type { GateParts } from '../limits/gate.ts';
import type { Operation, Services } from '../operations/operation.ts';
import { addCardRoutes, type Cards } from '../routes/cards.ts';
import { followChanges } from '../routes/feed.ts';
import { addHealthRoutes } from '../routes/health.ts';
import { imageHandler } from '../routes/images.ts';
import { readHandlers } from '../routes/read.ts';
import { mountRecords } from '../routes/records.ts';
import { upsertManyHandler } from '../routes/upsert-many.ts';
import { writeHandlers } from '../routes/write.ts';
import { addSiteRoutes } from '../site/routes.ts';
import { mountOperations } from './operations.ts';

/** The services of operations, and those of routes made from the resources. */
export interface EndpointServices extends Services {
  readonly ingest: Ingest;
  readonly query: Query;
  readonly undoing: UndoingImports;
}

export interface EndpointParts {
  readonly resources: readonly Resource[];
  readonly operations: readonly Operation[];
  readonly services: EndpointServices;
  /** Pictures of sample records, if there are any. */
  readonly cards?: Cards | undefined;
  /** Fetches images of records. */
  readonly images: Images;
  readonly gate: Pick<GateParts, 'clientAddressOf'>;
  readonly isReady: () => Promise<boolean>;
  /** Whether the store was set back, and what was erased is erased again at this moment. */
  readonly isSetBack: () => boolean;
  readonly now: () => number;
  /** The address that answers link to. */
  readonly publicUrl: () => string;
  /** Whether the operator has set it; otherwise it is the address that the service listens on. */
  readonly isPublicUrlSet: boolean;
  /** People who sign in, and at which address they may. */
  readonly staff: StaffService;
  readonly siteOf: SiteOf;
}

export async function addEndpoints(server: FastifyInstance, parts: EndpointParts): Promise<void> {
  const { resources, services, staff, now } = parts;
  const { isReady, isSetBack } = parts;
  const { ingest, query, store, undoing } = services;
  addHealthRoutes(server, { isReady, isSetBack, isDraining: () => server.draining, now });
  addSiteRoutes(server, parts);
  addInterface(server, parts);
  if (parts.cards !== undefined) addCardRoutes(server, parts.cards);

  const { siteOf, gate } = parts;
  await mountConsole(
    server,
    {
      service: staff,
      siteOf,
      clientAddressOf: gate.clientAddressOf,
      backups: store.backups,
    },
    resources.map(({ path }) => path),
    (mounted) => {
      addInterface(mounted, parts);
      addImportRoutes(mounted, { resources, many: ingest.many, store, undoing });
      addExportRoute(mounted, { service: staff, resources, query, store });
    },
  );
}

/** The interface to records, below the prefix of `mounted`. */
function addInterface(mounted: FastifyInstance, parts: EndpointParts): void {
  const { resources, services } = parts;
  const { ingest, query, syncs } = services;
  const { findImage } = query;
  const publicUrl = () => parts.publicUrl() + mounted.prefix;
  const ticks = createTickQueue();
  for (const resource of resources)
    mountRecords(mounted, resource, {
      ...readHandlers(resource, query, publicUrl),
      ...writeHandlers(resource, ingest, query, syncs),
      image: imageHandler(resource, findImage, parts.images),
      upsertMany: upsertManyHandler(resource, ingest.many, syncs, ticks),
    });
  const forKeys = mounted.prefix === '';
  mountOperations(
    mounted,
    parts.operations.filter(({ keysOnly }) => forKeys || keysOnly !== true),
    {
      services: () => services,
      now: parts.now,
      handlers: {
        'GET /v1/changes': followChanges(mounted, services.feed),
      },
    },
  );
}

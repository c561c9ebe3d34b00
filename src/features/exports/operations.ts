/** Exports of the console: files that people take away. */
import type { AddsRoutes } from '../../edge/request/routes.ts';
import { addExportRoute } from './operations/routes.ts';

export const routes: AddsRoutes = (server, { resources, services, staff }) =>
  addExportRoute(server, {
    ...{ service: staff, resources, query: services.query, store: services.store },
  });

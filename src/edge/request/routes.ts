/** Routes that features add below `/console/api` by themselves: what they answer is no JSON of one of our objects. */
import type { FastifyInstance } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import type { Query } from '../../records/query/query.ts';
import type { StaffService } from '../../services/staff/service.ts';
import type { Services } from '../operations/operation.ts';

interface RouteParts {
  readonly resources: readonly Resource[];
  readonly services: Services & { readonly query: Query };
  readonly staff: StaffService;
}

export type AddsRoutes = (server: FastifyInstance, parts: RouteParts) => void;

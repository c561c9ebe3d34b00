/** A running service, and every route that it has. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { type Service, type ServiceOptions, startService } from './service.ts';

export interface Route {
  readonly method: string;
  readonly url: string;
  /** Whether it answers whoever comes, without a key or a session. */
  readonly isOpen: boolean;
}

export async function startWithRoutes(
  options?: ServiceOptions,
): Promise<{ readonly service: Service; readonly routes: readonly Route[] }> {
  const routes: Route[] = [];
  const begun = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
      for (const one of [method].flat())
        routes.push({ method: one, url, isOpen: config?.open === true });
    });
  };
  subscribe('fastify.initialization', begun);
  const service = await startService(options);
  unsubscribe('fastify.initialization', begun);
  return { service, routes };
}

/** A running service, and every route that it has. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/core/config.ts';
import { createLog } from '../../src/core/observe/log.ts';
import { RELEASE } from './release.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import { sqliteGround } from './store-sqlite.ts';

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
  if (RELEASE !== undefined) await makeRoutes(options);
  unsubscribe('fastify.initialization', begun);
  return { service, routes };
}

/** A release has its routes in a process of its own: those of the source are the same. */
async function makeRoutes(options: ServiceOptions = {}): Promise<void> {
  const { url, remove } = await sqliteGround();
  const settings = readSettings({ database_url: url, port: '0', ...options.settings }, {});
  const app = await createApp(settings, { log: createLog('silent') });
  await app.close();
  await remove();
}

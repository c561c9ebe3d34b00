/** Health checks, without a key and without data: whether the process serves, and whether it accepts records. */
import type { FastifyInstance } from 'fastify';
import { sendJson } from '../response/envelope.ts';

/** A check of the store is trusted for this long, so that requests cannot make it write at will. */
const TRUSTED_MS = 1000;

/**
 * `isReady`: whether the store accepts writes; `isSetBack`: whether it is brought up to its journal of erasures first;
 * `isDraining`: whether the process is shutting down.
 */
export function addHealthRoutes(
  server: FastifyInstance,
  {
    isReady,
    isSetBack,
    isDraining,
    now,
  }: {
    isReady: () => Promise<boolean>;
    isSetBack: () => boolean;
    isDraining: () => boolean;
    now: () => number;
  },
): void {
  let looked: { readonly at: number; readonly ready: Promise<boolean> } | undefined;

  server.get('/healthz', { config: { open: true } }, (_request, reply) =>
    sendJson(reply, '{"status":"ok"}'),
  );

  server.get('/readyz', { config: { open: true } }, async (_request, reply) => {
    if (looked === undefined || Math.abs(now() - looked.at) >= TRUSTED_MS)
      looked = { at: now(), ready: isReady() };
    const setBack = isSetBack();
    const ready = !isDraining() && !setBack && (await looked.ready);
    if (!ready) {
      reply.request.done = { code: setBack ? 'store_set_back' : 'service_unavailable' };
      reply.code(503).header('Retry-After', '1');
    }
    const status = ready ? 'ready' : setBack ? 'set_back' : 'unavailable';
    return sendJson(reply, `{"status":"${status}"}`);
  });
}

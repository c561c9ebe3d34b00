/** Health checks, without a key and without data: whether the process serves, and whether it accepts records. */
import type { FastifyInstance } from 'fastify';
import { sendJson } from '../response/envelope.ts';

/** A check of the store is trusted for this long, so that requests cannot make it write at will. */
const TRUSTED_MS = 1000;

/** `isReady`: whether the store accepts writes; `isDraining`: whether the process is shutting down. */
export function addHealthRoutes(
  server: FastifyInstance,
  {
    isReady,
    isDraining,
    now,
  }: { isReady: () => Promise<boolean>; isDraining: () => boolean; now: () => number },
): void {
  let looked: { readonly at: number; readonly ready: Promise<boolean> } | undefined;

  server.get('/healthz', { config: { open: true } }, (_request, reply) =>
    sendJson(reply, '{"status":"ok"}'),
  );

  server.get('/readyz', { config: { open: true } }, async (_request, reply) => {
    if (looked === undefined || Math.abs(now() - looked.at) >= TRUSTED_MS)
      looked = { at: now(), ready: isReady() };
    const ready = !isDraining() && (await looked.ready);
    if (!ready) {
      reply.request.done = { code: 'service_unavailable' };
      reply.code(503).header('Retry-After', '1');
    }
    return sendJson(reply, ready ? '{"status":"ready"}' : '{"status":"unavailable"}');
  });
}

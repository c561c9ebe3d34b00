/**
 * Sheds load: when writes arrive faster than they commit, refuses those of the busiest keys before reading their
 * bodies, at a fraction of the cost of a write, so that accepted writes get the remaining time.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StoreUnavailable } from '../../store/promises/store.ts';
import { toApiError } from '../response/error-response.ts';
import { RETRY_SOON } from '../response/retry-after.ts';

/** The most refusals in a millisecond, for callers who do not wait before they retry. */
const REFUSALS_PER_MS = 8;
const RETRY_AFTER_MS = Number(RETRY_SOON['Retry-After']) * 1_000;

/**
 * Answers 503 to writes of a key while `isFull` says so. A connection that retries before `Retry-After` has passed is
 * answered later, at most when it has: so the rate of refusals is limited, and leaves the service its time.
 */
export function refuseOverload(server: FastifyInstance, isFull: (key: string) => boolean): void {
  // One for all: creating an error costs more than sending it.
  const refusal = toApiError(new StoreUnavailable('More is being sent than can be saved.'));
  const refusedAt = new WeakMap<Socket, number>();
  let delayed = 0;

  server.addHook('onRequest', (request, _reply, done) => {
    const action = request.route.config?.needs?.action;
    if (action === undefined || action === 'read') return done();
    if (!isFull(request.principal?.key ?? '')) return done();
    const { socket } = request.raw;
    const now = performance.now();
    const last = refusedAt.get(socket);
    refusedAt.set(socket, now);
    if (last === undefined || now - last >= RETRY_AFTER_MS) return done(refusal);
    delayed += 1;
    const wait = Math.min(delayed / REFUSALS_PER_MS, RETRY_AFTER_MS);
    setTimeout(() => {
      delayed -= 1;
      refusedAt.set(socket, performance.now());
      done(refusal);
    }, wait);
  });
}

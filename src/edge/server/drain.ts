/** Stops a server without losing a request that it has begun to read. */
import { Server as NetServer } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { StoreUnavailable } from '../../store/promises/store.ts';
import { Slots } from '../fair/slots.ts';
import { endEarly } from '../rows/arrivals.ts';

/** How long an idle connection may still bring a request, which is answered with `Connection: close`. */
const IDLE_GRACE_MS = 500;
/** How long a request that has begun may take to arrive and be answered. */
const BUSY_GRACE_MS = 6_000;
/** For the refusals of what did not arrive in time. Containers are killed after ten seconds, and the store closes last. */
const LAST_GRACE_MS = 500;

export type Drain = ReturnType<typeof createDrain>;

/** `refuse` answers a request that will not be processed. */
export function createDrain(
  server: FastifyInstance,
  refuse: (reply: FastifyReply, reason: Error) => void,
) {
  const underWay = new Slots<FastifyReply>();
  server.decorate('draining', false);
  return {
    /** Called for every request whose head was read. */
    began(reply: FastifyReply): void {
      const place = underWay.take(reply);
      // Fastify's hooks do not report an answer whose client has gone.
      reply.raw.on('close', () => underWay.leave(place));
    },
    /**
     * Stops accepting connections and resolves when all are gone: each request whose head was read is answered first.
     * What has not arrived whole after six seconds is refused, and nothing of it is saved; the answers to rows that still
     * arrive end where they are. Half a second later all connections are closed.
     */
    async drain(): Promise<void> {
      server.draining = true;
      const { server: http } = server;
      if (!http.listening) return;
      // http.Server.close would cut idle connections at once, and with them requests that are on their way to us.
      const closed = new Promise<void>((resolve) =>
        NetServer.prototype.close.call(http, () => resolve()),
      );
      const idle = setTimeout(() => {
        http.closeIdleConnections();
        // Connections that become idle from here on have had their last answer, or their grace.
        sweep = setInterval(() => http.closeIdleConnections(), 100);
      }, IDLE_GRACE_MS);
      let sweep: NodeJS.Timeout | undefined;
      const late = setTimeout(() => {
        const reason = new StoreUnavailable('The service is stopping.');
        for (const reply of underWay.there()) {
          const { raw } = reply.request;
          if (!endEarly(raw, reason) && !raw.complete && !reply.sent) refuse(reply, reason);
        }
      }, BUSY_GRACE_MS);
      const last = setTimeout(() => http.closeAllConnections(), BUSY_GRACE_MS + LAST_GRACE_MS);
      await closed;
      clearTimeout(idle);
      clearTimeout(late);
      clearTimeout(last);
      clearInterval(sweep);
    },
  };
}

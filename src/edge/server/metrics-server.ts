/** The metrics, on a port of their own: `GET /metrics` and nothing else, without a key. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Metrics } from '../../core/observe/metrics/metrics.ts';
import { closeGently } from '../fair/lingering.ts';
import { headFault } from '../request/head.ts';
import { pathOf } from '../request/request.ts';

export type MetricsServer = ReturnType<typeof createMetricsServer>;

export function createMetricsServer(
  { text, contentType }: Pick<Metrics, 'text' | 'contentType'>,
  onFailure: (error: unknown) => void,
) {
  // Node would answer a request without Host without a word.
  const server = createServer({ requireHostHeader: false }, async (request, response) => {
    const { url = '', method } = request;
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
    const refuse = (status: number, message: string): void =>
      void response.writeHead(status, headers).end(`${message}\n`);
    const fault = headFault(request);
    if (fault !== undefined) return refuse(fault.status, fault.message);
    if (pathOf(url) !== '/metrics') return refuse(404, 'The metrics are at /metrics.');
    if (method !== 'GET') {
      response.setHeader('Allow', 'GET');
      return refuse(405, 'Read the metrics with GET.');
    }
    try {
      const body = await text();
      response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
      response.end(body);
    } catch (error) {
      onFailure(error);
      refuse(500, 'The metrics could not be read; the log says why.');
    }
  });
  server.on('clientError', (_error, socket: Socket) => {
    if (!socket.writable) return void socket.destroy();
    socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    socket.destroySoon();
  });
  closeGently(server);
  return {
    /** Returns the port, which the system chooses for 0. Rejects with the system's error and `server: 'metrics'`. */
    async listen(host: string, port: number): Promise<number> {
      const listening = once(server, 'listening');
      server.listen(port, host);
      await listening.catch((error: Error) => {
        throw Object.assign(error, { server: 'metrics' });
      });
      // No failure of this port may end the service.
      server.on('error', onFailure);
      return (server.address() as AddressInfo).port;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Opens the ports, and logs what the operator should know about them. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../core/config.ts';
import { isEverywhere, isLoopback } from '../core/network/networks.ts';
import type { Log } from '../core/observe/log.ts';
import { mostDescriptors } from '../edge/limits/connections.ts';
import type { MetricsServer } from '../edge/server/metrics-server.ts';

/**
 * Connections that the system queues until they are accepted, as far as it allows. It drops the first packet of any
 * beyond those, and the client repeats it after one second, and after three.
 */
const BACKLOG = 10_000;

interface Listening {
  readonly server: FastifyInstance;
  /** `undefined` where no metrics are shown, or another process shows them. */
  readonly metricsServer: MetricsServer | undefined;
  readonly scheme: Scheme;
  readonly place: string;
  readonly log: Log;
}

/** Returns the address, such as `http://127.0.0.1:8080`. */
export async function listen(settings: Settings, parts: Listening): Promise<string> {
  const { server, metricsServer, scheme, place, log } = parts;
  // Fastify would listen at every address of localhost, on servers of which only the first can be drained.
  const host = settings.host === 'localhost' ? '127.0.0.1' : settings.host;
  const logMetrics = await listenForMetrics(settings, metricsServer, log);
  await server.listen({ host, port: settings.port, backlog: BACKLOG });
  const { port } = server.server.address() as AddressInfo;
  const address = addressOf(scheme, settings.host, port);

  log.listening(address, place);
  if (scheme === 'http' && !settings.plain_http && !isLoopback(settings.host))
    log.plainHttp(address);
  if (settings.public_url === undefined && !isLoopback(settings.host)) log.publicUrlUnset(address);
  const most = Math.ceil((settings.max_connections ?? 0) / settings.processes);
  const descriptors = mostDescriptors();
  if (most > descriptors) log.connectionsShort(most, descriptors);
  logMetrics();
  return address;
}

/** Opens the port of the metrics, and returns what logs it. */
export async function listenForMetrics(
  { metrics_host, metrics_port = 0 }: Pick<Settings, 'metrics_host' | 'metrics_port'>,
  server: MetricsServer | undefined,
  log: Log,
): Promise<() => void> {
  const port = await server?.listen(metrics_host, metrics_port);
  return () => {
    if (port === undefined) return;
    const shown = `${addressOf('http', metrics_host, port)}/metrics`;
    log.metricsListening(shown);
    if (isEverywhere(metrics_host)) log.metricsOpen(shown);
  };
}

type Scheme = 'http' | 'https';

export function addressOf(scheme: Scheme, host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

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
  readonly address: ServiceAddress;
  readonly encrypted: boolean;
  readonly place: string;
  readonly log: Log;
}

export async function listen(settings: Settings, parts: Listening): Promise<void> {
  const { server, metricsServer, address, encrypted, place, log } = parts;
  // Fastify would listen at every address of localhost, on servers of which only the first can be drained.
  const host = settings.host === 'localhost' ? '127.0.0.1' : settings.host;
  const logMetrics = await listenForMetrics(settings, metricsServer, log);
  await server.listen({ host, port: settings.port, backlog: BACKLOG });
  address.given((server.server.address() as AddressInfo).port);

  log.listening(address.listening, place);
  if (!encrypted && !settings.plain_http && !isLoopback(settings.host))
    log.plainHttp(address.listening);
  const most = Math.ceil((settings.max_connections ?? 0) / settings.processes);
  const descriptors = mostDescriptors();
  if (most > descriptors) log.connectionsShort(most, descriptors);
  logMetrics();
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

type ServiceAddress = ReturnType<typeof createAddress>;

export function createAddress(
  { host, port, public_url }: Pick<Settings, 'host' | 'port' | 'public_url'>,
  scheme: 'http' | 'https',
) {
  let listening = addressOf(scheme, host, port);
  return {
    /** Such as `http://127.0.0.1:8080`. */
    get listening(): string {
      return listening;
    },
    /** The address that the operator has set; otherwise the one that the service listens on. */
    get linked(): string {
      return public_url ?? listening;
    },
    /** Reports which port the system assigned, if any port was requested. */
    given(actual: number): void {
      listening = addressOf(scheme, host, actual);
    },
  };
}

function addressOf(scheme: 'http' | 'https', host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The metrics, if the operator enables them: the counters, and the server that shows them. */
import about from '../../package.json' with { type: 'json' };
import { catalogue } from '../core/errors.ts';
import type { Log } from '../core/observe/log.ts';
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import { resources } from '../core/resources/index.ts';
import { CONNECTION_REFUSALS } from '../edge/limits/connections.ts';
import type { MetricsServer } from '../edge/server/metrics-server.ts';

/** Begins to count; nothing is loaded before. */
export async function startCounting(): Promise<Metrics> {
  const { createMetrics } = await import('../core/observe/metrics/metrics.ts');
  return createMetrics({
    version: about.version,
    resources: resources.map((resource) => resource.name),
    faults: Object.entries(catalogue)
      .map(([code, { status }]) => ({ code, status }))
      .filter(({ status }) => status >= 500),
    reasons: CONNECTION_REFUSALS,
  });
}

export async function showFigures(
  shown: Pick<Metrics, 'text' | 'contentType'>,
  log: Log,
): Promise<MetricsServer> {
  const { createMetricsServer } = await import('../edge/server/metrics-server.ts');
  return createMetricsServer(shown, (error) => log.warned('the metrics were not shown', error));
}

/** The metrics, if the operator enables them: the counters, and the port that serves them. */
import about from '../../package.json' with { type: 'json' };
import { catalogue } from '../core/errors.ts';
import type { Log } from '../core/observe/log.ts';
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import { resources } from '../core/resources/index.ts';
import { CONNECTION_REFUSALS } from '../edge/limits/connections.ts';
import type { MetricsServer } from '../edge/server/metrics-server.ts';

export interface Counting {
  readonly metrics: Metrics;
  readonly server: MetricsServer;
}

/** Begins to count; nothing is loaded before. */
export async function startCounting(log: Log): Promise<Counting> {
  const { createMetrics } = await import('../core/observe/metrics/metrics.ts');
  const { createMetricsServer } = await import('../edge/server/metrics-server.ts');
  const metrics = createMetrics({
    version: about.version,
    resources: resources.map((resource) => resource.name),
    faults: Object.entries(catalogue)
      .map(([code, { status }]) => ({ code, status }))
      .filter(({ status }) => status >= 500),
    reasons: CONNECTION_REFUSALS,
  });
  const server = createMetricsServer(metrics, (error) =>
    log.warned('the metrics were not shown', error),
  );
  return { metrics, server };
}

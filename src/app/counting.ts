/** The metrics, where the operator wants them: what counts, and the port that shows it. */
import about from '../../package.json' with { type: 'json' };
import { catalogue } from '../errors.ts';
import { CONNECTION_REFUSALS } from '../http/limits/connections.ts';
import type { MetricsServer } from '../http/metrics-server.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { resources } from '../resources/index.ts';

export interface Counting {
  readonly metrics: Metrics;
  readonly server: MetricsServer;
}

/** Begins to count; nothing is loaded before. */
export async function startCounting(log: Log): Promise<Counting> {
  const { createMetrics } = await import('../observe/metrics.ts');
  const { createMetricsServer } = await import('../http/metrics-server.ts');
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

/** Everything an operator can scrape, by the conventions of Prometheus: counters of our own, shown by prom-client. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Observer, RequestObserver } from '../observers.ts';
import { metricsIn } from './collectors.ts';
import { countEvents, type Zeros } from './counters.ts';
import { showFigures } from './figures.ts';
import { RequestFigures } from './request-figures.ts';
import { showRequests } from './request-metrics.ts';
import { type Figures, forTogether, showEnded } from './together.ts';

export interface Metrics extends Observer {
  /** Shows one figure more. */
  readonly figure: ReturnType<typeof showFigures>['figure'];
  readonly requests: RequestObserver;
  /** The media type of `text`. */
  readonly contentType: string;
  /** The figures of this moment. */
  text(): Promise<string>;
  /** The figures as data, to be added to those of other processes. */
  figures(): Promise<Figures>;
}

export interface MetricsOptions extends Zeros {
  readonly version: string;
  /** The names of the resources. */
  readonly resources: readonly string[];
  /** The errors that are ours, not the caller's. */
  readonly faults: readonly { readonly code: string; readonly status: number }[];
}

/** Begins to count, and to watch the process. */
export function createMetrics({ version, resources, faults, ...zeros }: MetricsOptions): Metrics {
  const registry = new Registry();
  const requests = new RequestFigures(resources, faults);
  showRequests(registry, requests);
  const events = countEvents(registry, zeros);
  const figures = showFigures(registry);
  const { gauge } = metricsIn(registry);
  gauge('ledgerstone_build_info', 'Always 1; says what is running.', () => [
    { labels: { version }, value: 1 },
  ]);
  gauge('ledgerstone_processes', 'Processes that serve.', () => 1, 'sum');
  showEnded(registry, () => 0);
  collectDefaultMetrics({ register: registry });
  return {
    requests,
    ...events,
    ...figures,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    figures: () => forTogether(registry),
  };
}

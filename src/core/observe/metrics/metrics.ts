/** Everything an operator can scrape, by the conventions of Prometheus: counters of our own, shown by prom-client. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import type {
  ChangeObserver,
  CommitObserver,
  ConnectionObserver,
  FailureObserver,
  MachineObserver,
  RequestObserver,
  SignInObserver,
  StoreObserver,
  WebhookObserver,
} from '../observers.ts';
import { observeChanges } from './change-metrics.ts';
import { metricsIn } from './collectors.ts';
import { observeConnections, observeFailures } from './connection-metrics.ts';
import { observeMachine } from './machine-metrics.ts';
import { RequestFigures } from './request-figures.ts';
import { showRequests } from './request-metrics.ts';
import { observeSignIns } from './sign-in-metrics.ts';
import { observeCommits, observeStore } from './store-metrics.ts';
import { type Figures, forTogether, showEnded } from './together.ts';
import { observeWebhooks } from './webhook-metrics.ts';

export interface Metrics {
  readonly requests: RequestObserver;
  readonly commits: CommitObserver;
  readonly store: StoreObserver;
  readonly machine: MachineObserver;
  readonly changes: ChangeObserver;
  readonly connections: ConnectionObserver;
  readonly failures: FailureObserver;
  readonly signIns: SignInObserver;
  readonly webhooks: WebhookObserver;
  /** The media type of `text`. */
  readonly contentType: string;
  /** The figures of this moment. */
  text(): Promise<string>;
  /** The same, to be added to those of other processes. */
  figures(): Promise<Figures>;
}

export interface MetricsOptions {
  readonly version: string;
  /** The names of the resources. */
  readonly resources: readonly string[];
  /** The errors that are ours, not the caller's. */
  readonly faults: readonly { readonly code: string; readonly status: number }[];
  /** Why connections are refused. */
  readonly reasons: readonly string[];
}

/** Begins to count, and to watch the process. */
export function createMetrics({ version, resources, faults, reasons }: MetricsOptions): Metrics {
  const registry = new Registry();
  const requests = new RequestFigures(resources, faults);
  showRequests(registry, requests);
  const commits = observeCommits(registry);
  const store = observeStore(registry);
  const machine = observeMachine(registry);
  const changes = observeChanges(registry);
  const connections = observeConnections(registry, reasons);
  const failures = observeFailures(registry);
  const { gauge } = metricsIn(registry);
  gauge('ledgerstone_build_info', 'Always 1; says what is running.', () => [
    { labels: { version }, value: 1 },
  ]);
  gauge('ledgerstone_processes', 'Processes that serve.', () => 1, 'sum');
  showEnded(registry, () => 0);
  collectDefaultMetrics({ register: registry });
  return {
    requests,
    commits,
    store,
    machine,
    changes,
    connections,
    failures,
    signIns: observeSignIns(registry),
    webhooks: observeWebhooks(registry),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    figures: () => forTogether(registry),
  };
}

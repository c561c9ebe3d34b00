/** Everything an operator can scrape, by the conventions of Prometheus: counters of our own, shown by prom-client. */

import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Observer, RequestObserver } from '../observers.ts';
import { STAGES } from '../timing.ts';
import { Histogram, MAX_LABELS, metricsIn, showFigures } from './figures.ts';
import { forTogether, showEnded } from './together.ts';

const MS_PER_SECOND = 1000;
const DRAFTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const DISK_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];
const SIGN_INS = {
  method: ['password', 'passkey', 'single_sign_on'],
  outcome: ['succeeded', 'failed', 'limited'],
};
const OTHERS = 'others';

export interface MetricsOptions {
  readonly version: string;
  readonly resources: readonly string[];
  /** Why connections are refused. */
  readonly reasons: readonly string[];
  /** The errors that are ours, not the caller's. */
  readonly faults: readonly { readonly code: string; readonly status: number }[];
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Begins to count, and to watch the process. */
export function createMetrics(options: MetricsOptions) {
  const registry = new Registry();
  const requests = countRequests(registry, options);
  const events = countEvents(registry, options.reasons);
  const figures = showFigures(registry);
  const { gauge } = metricsIn(registry);
  gauge('ledgerstone_build_info', 'Always 1; says what is running.', () => [
    { labels: { version: options.version }, value: 1 },
  ]);
  gauge('ledgerstone_processes', 'Processes that serve.', () => 1, 'sum');
  showEnded(registry, () => 0);
  collectDefaultMetrics({ register: registry });
  return {
    requests,
    ...events,
    ...figures,
    /** The media type of `text`. */
    contentType: registry.contentType,
    text: () => registry.metrics(),
    /** The figures as data, to be added to those of other processes. */
    figures: () => forTogether(registry),
  };
}

/** `reasons`: why connections are refused. Labels are shown from the start: a rise from nothing to one is only seen from a zero. */
function countEvents(registry: Registry, reasons: readonly string[]): Omit<Observer, 'show'> {
  const { histogram } = metricsIn(registry);
  const counter = (name: string, help: string, ...labelNames: readonly string[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const drafts = new Histogram(DRAFTS);
  const commits = new Histogram(DISK_SECONDS);
  const checkpoints = new Histogram(DISK_SECONDS);
  histogram('ledgerstone_commit_drafts', 'Drafts handed to the store for one commit.', () => [
    [{}, drafts],
  ]);
  histogram(
    'ledgerstone_commit_duration_seconds',
    'From handing drafts to the store until they are on disk, or could not be committed.',
    () => [[{}, commits]],
  );
  histogram(
    'ledgerstone_checkpoint_duration_seconds',
    'Time to move a piece of the write-ahead log into the database.',
    () => [[{}, checkpoints]],
  );
  const refused = counter(
    'ledgerstone_connections_refused_total',
    'Connections refused or closed, by reason.',
    'reason',
  );
  const failures = counter(
    'ledgerstone_authentication_failures_total',
    'Requests without a valid key, where one was needed.',
  );
  const signIns = counter(
    'ledgerstone_sign_ins_total',
    'Sign-ins of people to the console; outcome is succeeded, failed, or limited where too many had failed.',
    ...['method', 'outcome'],
  );
  const tries = counter(
    'ledgerstone_webhook_tries_total',
    'Attempts to deliver a notification, by endpoint and outcome: delivered or failed.',
    ...['endpoint', 'outcome'],
  );
  const failed = counter(
    'ledgerstone_account_failures_total',
    'Times that background work failed for one account and went on for the others, by what it was; the log names the account.',
    'work',
  );
  for (const reason of reasons) refused.inc({ reason }, 0);
  for (const method of SIGN_INS.method)
    for (const outcome of SIGN_INS.outcome) signIns.inc({ method, outcome }, 0);
  const endpoints = new Set<string>();
  return {
    committed(count, durationMs) {
      drafts.observe(count);
      commits.observe(durationMs / MS_PER_SECOND);
    },
    checkpointed: (durationMs) => checkpoints.observe(durationMs / MS_PER_SECOND),
    connectionRefused: (reason) => refused.inc({ reason }),
    authenticationFailed: () => failures.inc(),
    signedIn: (method, outcome) => signIns.inc({ method, outcome }),
    accountsWatched: (work) => failed.inc({ work }, 0),
    accountFailed: (work) => failed.inc({ work }),
    notified(one, outcome) {
      const endpoint = endpoints.has(one) || endpoints.size < MAX_LABELS ? one : OTHERS;
      if (!endpoints.has(endpoint)) {
        endpoints.add(endpoint);
        for (const zero of ['delivered', 'failed']) tries.inc({ endpoint, outcome: zero }, 0);
      }
      tries.inc({ endpoint, outcome });
    },
  };
}

const REQUEST_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
const STAGE_SECONDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
  0.25, 1, 5,
];

type ResourceFigures = ReturnType<typeof newFigures>;
/** The requests for one resource. */
const newFigures = () => ({
  /** How many there were, by outcome and then by status. */
  counts: new Map<string, Map<number, number>>(),
  /** How many rows of requests that bring many, by outcome or code. */
  rows: new Map<string, number>(),
  seconds: new Histogram(REQUEST_SECONDS),
});

/** The resource of what is for none: health, reference pages, paths that are unknown. */
const NO_RESOURCE = 'none';
/** The outcome of what succeeded and wrote nothing. */
const OK = 'ok';

/** `resources` and `faults` are shown from the start: a rise from nothing to one is only seen from a zero. */
function countRequests(
  registry: Registry,
  { resources, faults }: Pick<MetricsOptions, 'resources' | 'faults'>,
): RequestObserver {
  const byResource = new Map<string, ResourceFigures>();
  const byStage = STAGES.map((stage) => [stage, new Histogram(STAGE_SECONDS)] as const);
  const figuresOf = (name: string) => byResource.getOrInsertComputed(name, newFigures);
  const count = ({ counts }: ResourceFigures, outcome: string, status: number): void => {
    const byStatus = counts.getOrInsertComputed(outcome, () => new Map());
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  };
  for (const name of [NO_RESOURCE, ...resources]) {
    const { counts, rows } = figuresOf(name);
    for (const { code, status } of faults) {
      counts.set(code, new Map([[status, 0]]));
      if (name !== NO_RESOURCE && status === 500) rows.set(code, 0);
    }
  }
  const { counter, histogram } = metricsIn(registry);
  counter(
    'ledgerstone_requests_total',
    'Requests answered; outcome is created, updated, unchanged, deleted, replayed, rehearsed, ok, or the code of the error.',
    () =>
      [...byResource].flatMap(([resource, { counts }]) =>
        [...counts].flatMap(([outcome, byStatus]) =>
          Array.from(byStatus, ([status, value]) => ({
            labels: { resource, outcome, status },
            value,
          })),
        ),
      ),
  );
  counter(
    'ledgerstone_rows_total',
    'Rows of upsert_many answered; outcome is created, updated, unchanged, replayed, rehearsed, or the code of the error.',
    () =>
      [...byResource].flatMap(([resource, { rows }]) =>
        Array.from(rows, ([outcome, value]) => ({ labels: { resource, outcome }, value })),
      ),
  );
  histogram(
    'ledgerstone_request_duration_seconds',
    'From the head of a request until its answer was handed to the system.',
    () => Array.from(byResource, ([resource, { seconds }]) => [{ resource }, seconds]),
  );
  histogram(
    'ledgerstone_stage_duration_seconds',
    'Time that a stage took of one request; waiting for the commit belongs to commit.',
    () => byStage.map(([stage, seconds]) => [{ stage }, seconds]),
  );
  return {
    requestAnswered({ route, timing, done, delayedMs }, { statusCode, elapsedTime }) {
      const figures = figuresOf(route.config?.needs?.resource.name ?? NO_RESOURCE);
      count(figures, done?.outcome ?? done?.code ?? OK, statusCode);
      for (const [outcome, rows] of done?.rows?.counts ?? [])
        figures.rows.set(outcome, (figures.rows.get(outcome) ?? 0) + rows);
      // A delayed answer says nothing of how fast the service is.
      figures.seconds.observe((elapsedTime - (delayedMs ?? 0)) / MS_PER_SECOND);
      if (timing === undefined) return;
      for (const [stage, seconds] of byStage) {
        const duration = timing.get(stage);
        if (duration !== undefined) seconds.observe(duration / MS_PER_SECOND);
      }
    },
    refused: (code, status) => count(figuresOf(NO_RESOURCE), code, status),
  };
}

/** Counts answered requests: by resource, outcome and status, how long they took, and how long each stage of them did. */
import type { Registry } from 'prom-client';
import type { CountedRequest, RequestObserver } from '../observers.ts';
import { STAGES, type Stage } from '../timing.ts';
import { metricsIn } from './collectors.ts';
import { Histogram } from './histogram.ts';

const MS_PER_SECOND = 1000;
const REQUEST_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
const STAGE_SECONDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
  0.25, 1, 5,
];

/** The requests for one resource. */
export interface ResourceFigures {
  /** How many there were, by outcome and then by status. */
  readonly counts: Map<string, Map<number, number>>;
  /** How many rows of requests that bring many, by outcome or code. */
  readonly rows: Map<string, number>;
  readonly seconds: Histogram;
}

/** The resource of what is for none: health, reference pages, paths that are unknown. */
const NO_RESOURCE = 'none';
/** The outcome of what succeeded and wrote nothing. */
const OK = 'ok';

export class RequestFigures implements RequestObserver {
  readonly byResource = new Map<string, ResourceFigures>();
  readonly byStage: readonly (readonly [Stage, Histogram])[];

  /** `resources` and `faults` are shown from the start: a rise from nothing to one is only seen from a zero. */
  constructor(
    resources: readonly string[],
    faults: readonly { readonly code: string; readonly status: number }[],
  ) {
    this.byStage = STAGES.map((stage) => [stage, new Histogram(STAGE_SECONDS)]);
    for (const name of [NO_RESOURCE, ...resources]) {
      const { counts } = this.#resource(name);
      for (const { code, status } of faults) counts.set(code, new Map([[status, 0]]));
    }
  }

  requestAnswered(
    { route, timing, done, delayedMs }: CountedRequest,
    { statusCode, elapsedTime }: { readonly statusCode: number; readonly elapsedTime: number },
  ): void {
    const figures = this.#resource(route.config?.needs?.resource.name ?? NO_RESOURCE);
    count(figures, done?.outcome ?? done?.code ?? OK, statusCode);
    for (const [outcome, rows] of done?.rows?.counts ?? [])
      figures.rows.set(outcome, (figures.rows.get(outcome) ?? 0) + rows);
    // A delayed answer says nothing of how fast the service is.
    figures.seconds.observe((elapsedTime - (delayedMs ?? 0)) / MS_PER_SECOND);
    if (timing === undefined) return;
    for (const [stage, seconds] of this.byStage) {
      const duration = timing.get(stage);
      if (duration !== undefined) seconds.observe(duration / MS_PER_SECOND);
    }
  }

  refused(code: string, status: number): void {
    count(this.#resource(NO_RESOURCE), code, status);
  }

  #resource(name: string): ResourceFigures {
    return this.byResource.getOrInsertComputed(name, newFigures);
  }
}

function newFigures(): ResourceFigures {
  return { counts: new Map(), rows: new Map(), seconds: new Histogram(REQUEST_SECONDS) };
}

function count({ counts }: ResourceFigures, outcome: string, status: number): void {
  const byStatus = counts.getOrInsertComputed(outcome, () => new Map());
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
}

export function showRequests(registry: Registry, figures: RequestFigures): void {
  const { counter, histogram } = metricsIn(registry);
  counter(
    'ledgerstone_requests_total',
    'Requests answered; outcome is created, updated, unchanged, deleted, replayed, rehearsed, ok, or the code of the error.',
    () =>
      [...figures.byResource].flatMap(([resource, { counts }]) =>
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
      [...figures.byResource].flatMap(([resource, { rows }]) =>
        Array.from(rows, ([outcome, value]) => ({ labels: { resource, outcome }, value })),
      ),
  );
  histogram(
    'ledgerstone_request_duration_seconds',
    'From the head of a request until its answer was handed to the system.',
    () => Array.from(figures.byResource, ([resource, { seconds }]) => [{ resource }, seconds]),
  );
  histogram(
    'ledgerstone_stage_duration_seconds',
    'Time that a stage took of one request; waiting for the commit belongs to commit.',
    () => figures.byStage.map(([stage, seconds]) => [{ stage }, seconds]),
  );
}

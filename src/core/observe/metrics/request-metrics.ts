/** The metrics of requests: their names and how they are shown. */
import type { Registry } from 'prom-client';
import { metricsIn } from './collectors.ts';
import type { RequestFigures } from './request-figures.ts';

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

/** The metrics of webhooks. */
import type { Registry } from 'prom-client';
import type { WebhookObserver, WebhooksNow } from '../observers.ts';
import { by, Later, metricsIn } from './collectors.ts';

const MS_PER_SECOND = 1000;
const STATUSES = ['enabled', 'failing', 'paused', 'disabled'];
const OUTCOMES = ['delivered', 'failed'];
/** Endpoints that are shown by themselves: each has lines of its own. */
const MAX_SHOWN = 200;
const OTHERS = 'others';

export function observeWebhooks(registry: Registry): WebhookObserver {
  const { counter, gauge } = metricsIn(registry);
  const endpoints = new Later<WebhooksNow>();
  const tries = new Map<string, Map<string, number>>();

  gauge(
    'ledgerstone_webhook_endpoints',
    'Webhook endpoints, by status; all processes over one database show the same.',
    async () => {
      const statuses = (await endpoints.now())?.statuses;
      return by(
        'status',
        STATUSES.map((status) => [status, statuses?.get(status) ?? 0]),
      );
    },
  );
  gauge(
    'ledgerstone_webhook_lag_seconds',
    'Age of the oldest change that an endpoint has not taken yet, of those that this process delivers to.',
    async () =>
      by(
        'endpoint',
        [...((await endpoints.now())?.waiting ?? [])]
          .slice(0, MAX_SHOWN)
          .map(([endpoint, since]) => [
            endpoint,
            since === undefined ? 0 : Math.max(0, Date.now() - since) / MS_PER_SECOND,
          ]),
      ),
  );
  counter(
    'ledgerstone_webhook_tries_total',
    'Attempts to deliver a notification, by endpoint and outcome: delivered or failed.',
    () =>
      [...tries].flatMap(([endpoint, counts]) =>
        OUTCOMES.map((outcome) => ({
          labels: { endpoint, outcome },
          value: counts.get(outcome) ?? 0,
        })),
      ),
  );
  return {
    endpoints: endpoints.give,
    tried(endpoint, outcome) {
      const name = tries.has(endpoint) || tries.size < MAX_SHOWN ? endpoint : OTHERS;
      const counts = tries.get(name) ?? new Map<string, number>();
      tries.set(name, counts);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    },
  };
}

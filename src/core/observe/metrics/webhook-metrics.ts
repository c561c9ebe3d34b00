/** The metrics of webhooks. */
import type { Registry } from 'prom-client';
import type { WebhookObserver, WebhooksNow } from '../observers.ts';
import { show } from './collectors.ts';

const MS_PER_SECOND = 1000;
const STATUSES = ['enabled', 'failing', 'paused', 'disabled'];
const OUTCOMES = ['delivered', 'failed'];
/** Endpoints that are shown by themselves: each has lines of its own. */
const MAX_SHOWN = 200;
const OTHERS = 'others';

export function observeWebhooks(registry: Registry): WebhookObserver {
  let now = (): WebhooksNow => ({ statuses: new Map(), waiting: [] });
  const tries = new Map<string, Map<string, number>>();

  show(
    registry,
    {
      name: 'ledgerstone_webhook_endpoints',
      help: 'Webhook endpoints, by status; all processes over one database show the same.',
      type: 'gauge',
    },
    () => {
      const { statuses } = now();
      return STATUSES.map((status) => ({ labels: { status }, value: statuses.get(status) ?? 0 }));
    },
  );
  show(
    registry,
    {
      name: 'ledgerstone_webhook_lag_seconds',
      help: 'Age of the oldest change that an endpoint has not taken yet, of those that this process delivers to.',
      type: 'gauge',
    },
    () =>
      [...now().waiting].slice(0, MAX_SHOWN).map(([endpoint, since]) => ({
        labels: { endpoint },
        value: since === undefined ? 0 : Math.max(0, Date.now() - since) / MS_PER_SECOND,
      })),
  );
  show(
    registry,
    {
      name: 'ledgerstone_webhook_tries_total',
      help: 'Attempts to deliver a notification, by endpoint and outcome: delivered or failed.',
      type: 'counter',
    },
    () =>
      [...tries].flatMap(([endpoint, counts]) =>
        OUTCOMES.map((outcome) => ({
          labels: { endpoint, outcome },
          value: counts.get(outcome) ?? 0,
        })),
      ),
  );
  return {
    endpoints(read) {
      now = read;
    },
    tried(endpoint, outcome) {
      const name = tries.has(endpoint) || tries.size < MAX_SHOWN ? endpoint : OTHERS;
      const counts = tries.get(name) ?? new Map<string, number>();
      tries.set(name, counts);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    },
  };
}

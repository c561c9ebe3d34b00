/** Webhooks: endpoints, and the delivery of changes to them. */
import { SettingsError } from '../../core/settings-error.ts';
import type { Consumers, Served, ServeParts } from '../../services/served.ts';
import type { Store } from '../../store/promises/store.ts';
import type { WebhookEndpoint } from './declares.ts';
import { createDispatcher } from './serves/dispatcher.ts';
import { createWebhookEndpoints } from './serves/endpoints.ts';
import { createSender, secretsFault } from './serves/sender.ts';
import { hearsOfErased } from './serves/source.ts';

/** Throws `SettingsError` where an endpoint that is to be sent something needs another key. */
export const check = async ({ store, sealer, now }: ServeParts) => {
  const endpoints = await store.webhooks.list();
  const fault = secretsFault(endpoints.filter(isSent), sealer, now());
  if (fault !== undefined) throw new SettingsError(fault);
};

/** Whether changes are sent to it, or tried. */
const isSent = ({ status }: WebhookEndpoint) => status === 'enabled' || status === 'failing';

export const serve = (parts: ServeParts) => {
  const { store, outbound, sealer, figure } = parts;
  const { webhooks } = store;
  const sender = sealer && outbound && createSender(outbound, sealer, parts);
  let dispatcher: ReturnType<typeof createDispatcher> | undefined;
  figure?.(
    {
      name: 'ledgerstone_webhook_endpoints',
      help: 'Webhook endpoints, by status; all processes over one database show the same.',
      label: 'status',
      always: ['enabled', 'failing', 'paused', 'disabled'],
      otherwise: 0,
    },
    () => dispatcher?.statuses,
  );
  figure?.(
    {
      name: 'ledgerstone_webhook_lag_seconds',
      help: 'Age of the oldest change that an endpoint has not taken yet, of those that this process delivers to.',
      is: 'age',
      label: 'endpoint',
    },
    () => dispatcher?.waiting,
  );
  return {
    service: createWebhookEndpoints(parts, sender, () => dispatcher?.hurry()),
    upkeep: [{ piece: () => webhooks.purge(), failure: 'old webhook deliveries were not removed' }],
    consumers: consumersIn(store),
    async usesOf(keys) {
      const accounts = new Set(keys.flatMap((key) => key.accounts));
      return (await webhooks.list([...accounts])).filter(isSent);
    },
    start(serving) {
      if (sender === undefined) return;
      dispatcher = createDispatcher({ ...parts, ...serving, sender });
      dispatcher.start();
    },
    close: async () => dispatcher?.close(),
  } satisfies Served;
};

function consumersIn({ webhooks, erasures }: Store): Consumers {
  return {
    prefix: 'whk_',
    async of(account, resources) {
      const endpoints = (await webhooks.list([account])).filter(({ settings }) =>
        [...resources].some((resource) => hearsOfErased(settings.notifications, resource)),
      );
      return endpoints.map(({ unique_identifier }) => unique_identifier);
    },
    async standing({ about, reached, erasure, state }) {
      const endpoint = await webhooks.find(about);
      if (endpoint === undefined) return { state: 'removed', last_at: 0 };
      const isStopped = endpoint.status === 'paused' || endpoint.status === 'disabled';
      const waits = { state: isStopped ? 'not_told' : 'waiting', last_at: 0 };
      // Change identifiers sort in log order.
      if ((endpoint.position ?? '') < reached) return waits;
      const pending = await webhooks.pending(about);
      if (pending.some(({ type }) => type.endsWith('.erased'))) return waits;
      const records = (await erasures.find(erasure))?.records ?? [];
      const sent = await webhooks.erasedSent(about, records);
      const done = sent.get('delivered');
      // Deliveries older than a month are no longer stored.
      if (sent.has('failed') || (done === undefined && state === 'failed'))
        return { state: 'failed', last_at: 0 };
      return done === undefined ? undefined : { state: 'told', last_at: done };
    },
  };
}

/** The state of an endpoint, and its notifications. */
import { keys, webhooks as says } from 'messages';
import type { WebhookEndpoint } from '../../../../client/src/generated/objects.d.ts';
import { described } from '../../records/description.ts';
import { timeText } from '../../values/format.ts';

export function toldOf({ notifications }: WebhookEndpoint): string {
  if (notifications.includes('*')) return keys.everything;
  return notifications.map(nameOf).join(', ');
}

export function Status({ endpoint }: { readonly endpoint: WebhookEndpoint }): JSX.Element {
  const { status, disabled_reason, failing_since } = endpoint;
  const why = disabled_reason === null ? undefined : says.reasons[disabled_reason];
  const isFailing = failing_since !== null && (status === 'enabled' || status === 'failing');
  return (
    <>
      <span class={`status ${isFailing ? 'failing' : status}`}>
        {isFailing ? says.failing(timeText(failing_since)) : (says.statuses[status] ?? status)}
      </span>
      {why !== undefined && <span class="quiet"> {why}</span>}
    </>
  );
}

/** `event.*` is "Services". */
function nameOf(notification: string): string {
  const all = described.find(({ name }) => notification === `${name}.*`);
  return all?.plural ?? notification;
}

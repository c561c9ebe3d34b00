/** How an endpoint is, and what it is told of. */
import type { JSX } from 'preact';
import { timeText } from '../../values/format.ts';
import type { Endpoint } from './endpoint.ts';
import { says } from './texts.ts';

export function toldOf({ deliver, notifications }: Endpoint): string {
  if (deliver === 'signal') return says.signal;
  return notifications.includes('*') ? says.everything : notifications.join(', ');
}

export function Status({ endpoint }: { readonly endpoint: Endpoint }): JSX.Element {
  const { status, disabled_reason, failing_since } = endpoint;
  const isFailing = failing_since !== null && (status === 'enabled' || status === 'failing');
  return (
    <>
      <span class={`status ${isFailing ? 'failing' : status}`}>
        {isFailing ? says.failing(timeText(failing_since)) : (says.statuses[status] ?? status)}
      </span>
      {disabled_reason !== null && (
        <span class="quiet"> {disabled_reason.replaceAll('_', ' ')}</span>
      )}
    </>
  );
}

/** How an endpoint is, and what it is told of. */
import type { JSX } from 'preact';
import { agoText } from '../../values/format.ts';
import type { Endpoint } from './endpoint.ts';
import { says } from './texts.ts';

export function toldOf({ deliver, notifications }: Endpoint): string {
  if (deliver === 'signal') return says.signal;
  return notifications.includes('*') ? says.everything : notifications.join(', ');
}

export function Status({ endpoint }: { readonly endpoint: Endpoint }): JSX.Element {
  const { status, disabled_reason, failing_since } = endpoint;
  return (
    <>
      <span class={`status ${status}`}>{says.statuses[status]}</span>
      {failing_since !== null && <span class="quiet"> {says.since(agoText(failing_since))}</span>}
      {disabled_reason !== null && (
        <span class="quiet"> {disabled_reason.replaceAll('_', ' ')}</span>
      )}
    </>
  );
}

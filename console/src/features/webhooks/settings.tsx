/** The settings of an endpoint, for a new or an existing one. */
import { keys, webhooks as says, staff, page as texts } from 'messages';
import type { WebhookEndpoint } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { AllOrSome, type Choice, isSaid } from '../../parts/choices.tsx';
import { accountField, firstAccount, question } from '../../parts/form.tsx';
import { LocationChecks } from '../../parts/grants.tsx';
import { belowAccounts, described } from '../../records/description.ts';
import { api } from '../../service/api.ts';
import { timeText } from '../../values/format.ts';

/** `endpoint`: `undefined` for a new one. */
export function endpointForm(endpoint?: WebhookEndpoint) {
  const isCustom = endpoint !== undefined && resourcesIn(endpoint) === undefined;
  return question({
    title: endpoint === undefined ? says.add : says.change,
    wide: true,
    submit: endpoint === undefined ? says.add : texts.save,
    bounds: bounds.create_webhook_endpoint,
    begin: {
      account: firstAccount(),
      url: endpoint?.url ?? '',
      description: endpoint?.description ?? '',
      payload: (endpoint?.payload ?? 'thin') as string,
      notifications: resourcesIn(endpoint),
      locations: endpoint?.locations as Choice,
    },
    fields: {
      url: {
        label: says.url,
        hint: says.urlHint,
        of: 'url',
        needed: true,
        placeholder: 'https://example.com/webhooks',
      },
      description: { label: texts.record.name, placeholder: says.descriptionPlaceholder },
      ...(endpoint === undefined ? accountField() : {}),
      payload: { label: says.sends, of: Object.entries(says.sendsWays) },
      notifications: {
        label: says.of,
        isReady: (choice) => isCustom || isSaid(choice),
        own: ({ value, onChange }) => (
          <>
            <AllOrSome
              legend={says.of}
              all={says.ofAll}
              some={says.ofSome}
              options={belowAccounts.map(({ name, plural }) => [name, plural])}
              choice={value}
              onChoose={onChange}
            />
            {isCustom && value === undefined && (
              <p class="hint">{says.ofCustom(endpoint.notifications.join(', '))}</p>
            )}
          </>
        ),
      },
      locations: {
        label: staff.locations,
        isReady: isSaid,
        own: ({ value, onChange }) => <LocationChecks choice={value} onChoose={onChange} />,
      },
    },
    send: ({ account, url, description, locations, payload, notifications }) => {
      const settings = {
        url,
        description: description || null,
        locations,
        payload: payload as WebhookEndpoint['payload'],
        ...(notifications === undefined ? {} : { notifications: notificationsOf(notifications) }),
      };
      return endpoint === undefined
        ? api.webhook_endpoints.create({ account, ...settings })
        : api.webhook_endpoints.patch(endpoint.unique_identifier, settings);
    },
  });
}

/** The resources of which all is sent; `undefined` where it is chosen more finely, or not yet. */
function resourcesIn(endpoint: WebhookEndpoint | undefined): Choice {
  if (endpoint === undefined) return undefined;
  const { notifications } = endpoint;
  if (notifications.includes('*')) return null;
  const known = described.filter(({ name }) => notifications.includes(allOf(name)));
  return known.length === notifications.length ? known.map(({ name }) => name) : undefined;
}

function notificationsOf(resources: readonly string[] | null): readonly string[] {
  return resources === null ? ['*'] : resources.map(allOf);
}

function allOf(name: string): string {
  return `${name}.*`;
}

export function notificationsText({ notifications }: WebhookEndpoint): string {
  if (notifications.includes('*')) return keys.everything;
  return notifications.map(nameOf).join(', ');
}

export function Status({ endpoint }: { readonly endpoint: WebhookEndpoint }): JSX.Element {
  const { status, disabled_reason, failing_since, next_attempt_at } = endpoint;
  const why = disabled_reason === null ? undefined : says.reasons[disabled_reason];
  const isFailing = failing_since !== null && (status === 'enabled' || status === 'failing');
  return (
    <>
      <span class={`status ${isFailing ? 'failing' : status}`}>
        {isFailing ? says.failing(timeText(failing_since)) : (says.statuses[status] ?? status)}
      </span>
      {why !== undefined && <span class="quiet"> {why}</span>}
      {next_attempt_at !== null && (
        <span class="quiet">
          {' '}
          {says.next} {timeText(next_attempt_at)}
        </span>
      )}
    </>
  );
}

/** `event.*` is "Services". */
function nameOf(notification: string): string {
  const all = described.find(({ name }) => notification === `${name}.*`);
  return all?.plural ?? notification;
}

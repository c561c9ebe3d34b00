/** What `doctor` sees of webhook endpoints: which get nothing, and whether their secrets can be read. */
import { readSealerOf } from '../app/files.ts';
import type { Settings } from '../config.ts';
import type { Finding } from '../observe/finding.ts';
import { SecretKeyUnusable } from '../sealing/secret-key-unusable.ts';
import type { Store } from '../store/store.ts';
import { withKeyOfDev } from './secret-key.ts';

type WebhookEndpoint = Awaited<ReturnType<Store['webhooks']['list']>>[number];

const CHECK = 'webhooks';
const MAX_NAMED = 5;

/** What to do about endpoints of that status. */
const NOT_ENABLED: Readonly<Record<Exclude<WebhookEndpoint['status'], 'enabled'>, string>> = {
  failing:
    'Their receivers do not answer or refuse: "ledgerstone webhooks deliveries" shows why. They are disabled after five days without a success.',
  disabled:
    'Nothing is sent to them. Tell who receives there, then run "ledgerstone webhooks enable".',
  paused: 'Nothing is sent to them until you run "ledgerstone webhooks enable".',
};

export async function webhookFindings(
  store: Store,
  settings: Settings,
): Promise<readonly Finding[]> {
  const endpoints = await store.webhooks.list();
  if (endpoints.length === 0) return [];
  const found = [
    ...sealedFindings(endpoints, withKeyOfDev(settings)),
    ...statusFindings(endpoints),
  ];
  return found.length > 0
    ? found
    : [{ check: CHECK, state: 'good', says: `${count(endpoints.length)}; all are enabled.` }];
}

function statusFindings(endpoints: readonly WebhookEndpoint[]): readonly Finding[] {
  return Object.entries(NOT_ENABLED).flatMap(([status, what]): Finding[] => {
    const those = endpoints.filter((endpoint) => endpoint.status === status);
    if (those.length === 0) return [];
    const says = `${count(those.length)} ${those.length === 1 ? 'is' : 'are'} ${status}: ${named(those)}. ${what}`;
    return [{ check: CHECK, state: 'warning', says }];
  });
}

/** Secrets that the key of the settings cannot open. */
function sealedFindings(
  endpoints: readonly WebhookEndpoint[],
  settings: Settings,
): readonly Finding[] {
  let sealer: ReturnType<typeof readSealerOf>;
  try {
    sealer = readSealerOf(settings);
  } catch (error) {
    // It is told of among the files.
    if (error instanceof SecretKeyUnusable) return [];
    throw error;
  }
  if (sealer === undefined) {
    const says = `${count(endpoints.length)} exist, but SECRET_KEY_FILE is not set: nothing is sent. Name the file with the key that their secrets were encrypted with.`;
    return [{ check: CHECK, state: 'bad', says }];
  }
  const now = Date.now();
  const locked = endpoints.filter(({ unique_identifier, secrets }) => {
    try {
      for (const { sealed, until } of secrets)
        if (until === null || until > now) sealer.open(sealed, unique_identifier);
      return false;
    } catch (error) {
      if (error instanceof SecretKeyUnusable) return true;
      throw error;
    }
  });
  if (locked.length === 0) return [];
  const says = `The key in SECRET_KEY_FILE does not open the secrets of ${count(locked.length)}, to which nothing is sent: ${named(locked)}. Put the key that they were encrypted with on a line of its own after the new one, or give them new secrets with "ledgerstone webhooks rotate".`;
  return [{ check: CHECK, state: 'bad', says }];
}

function count(endpoints: number): string {
  return `${endpoints} webhook ${endpoints === 1 ? 'endpoint' : 'endpoints'}`;
}

function named(endpoints: readonly WebhookEndpoint[]): string {
  const first = endpoints.slice(0, MAX_NAMED).map(({ unique_identifier }) => unique_identifier);
  const more = endpoints.length - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Checks of `doctor` on webhook endpoints: which get nothing, and whether their secrets can be read. */
import { readSealerOf } from '../../app/files.ts';
import type { Settings } from '../../core/config.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import { count, named, secretsFault } from '../../services/webhooks/locked.ts';
import type { Store } from '../../store/promises/store.ts';
import { withKeyOfDev } from '../service/secret-key.ts';

type WebhookEndpoint = Awaited<ReturnType<Store['webhooks']['list']>>[number];

const { good, warning, bad } = findingsOf('webhooks');

/** Advice for endpoints of that status. */
const NOT_ENABLED: Readonly<Record<Exclude<WebhookEndpoint['status'], 'enabled'>, string>> = {
  failing:
    'Their receivers do not answer or refuse: "ledgerstone webhooks deliveries" shows why. They are disabled after five days without a success.',
  disabled:
    'Nothing is sent there. Tell who receives there, then run "ledgerstone webhooks enable".',
  paused: 'Nothing is sent there until you run "ledgerstone webhooks enable".',
};

export async function webhookFindings(
  store: Store,
  settings: Settings,
): Promise<readonly Finding[]> {
  const endpoints = await store.webhooks.list();
  if (endpoints.length === 0) return [];
  const sealed = sealedFindings(endpoints, withKeyOfDev(settings));
  const found = [...sealed, ...statusFindings(endpoints)];
  return found.length > 0 ? found : [good(`${count(endpoints.length)}; all are enabled.`)];
}

function statusFindings(endpoints: readonly WebhookEndpoint[]): readonly Finding[] {
  return Object.entries(NOT_ENABLED).flatMap(([status, what]): Finding[] => {
    const alike = endpoints.filter((endpoint) => endpoint.status === status);
    if (alike.length === 0) return [];
    const says = `${count(alike.length)} ${alike.length === 1 ? 'is' : 'are'} ${status}: ${named(alike)}. ${what}`;
    return [warning(says)];
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
    // It is reported among the files.
    if (error instanceof SecretKeyUnusable) return [];
    throw error;
  }
  const says = secretsFault(endpoints, sealer, Date.now());
  return says === undefined ? [] : [bad(says)];
}

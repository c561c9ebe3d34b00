/** Webhook endpoints on the command line, while a service may be running. */
import about from '../../../package.json' with { type: 'json' };
import { readSettings } from '../../core/config.ts';
import { createOutbound } from '../../core/outbound/outbound.ts';
import { resources } from '../../core/registry.ts';
import { readSealer, type Sealer } from '../../core/sealing/sealer.ts';
import type { Operation } from '../../edge/operations/operation.ts';
import { operatorOf } from '../../records/auth/operator.ts';
import { type Principal, principalOf } from '../../records/auth/principal.ts';
import { createSender } from '../../services/webhooks/delivery/sender.ts';
import {
  createWebhookEndpoints,
  type WebhookEndpoints,
} from '../../services/webhooks/endpoints.ts';
import type { Store } from '../../store/promises/store.ts';
import type { CommandAudit } from '../audit/record-command.ts';
import { allAccounts, foundKey } from '../found.ts';
import type { Command } from '../help.ts';
import { regionsOf } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { callOperation, type Sent } from '../operation.ts';
import { withKeyOfDev } from '../service/secret-key.ts';
import { givenSettings } from '../service/settings.ts';
import { withStore } from '../store.ts';

/** The service of endpoints; `operator` sees those of all accounts. */
export interface Endpoints {
  readonly endpoints: WebhookEndpoints;
  readonly operator: Principal;
  readonly store: Store;
  readonly audit: CommandAudit;
  readonly sealer: Sealer | undefined;
}

/** Works on the endpoints of the store that the settings name. */
export async function withEndpoints<Result>(
  command: Command,
  work: (endpoints: Endpoints) => Promise<Result>,
): Promise<Result> {
  const settings = withKeyOfDev(
    readSettings(givenSettings(command), undefined, [
      'database_url',
      'secret_key_file',
      'webhook_allow',
    ]),
  );
  const outbound = createOutbound({
    allowed: settings.webhook_allow,
    agent: `Ledgerstone/${about.version}`,
  });
  const sealer =
    settings.secret_key_file === undefined ? undefined : readSealer(settings.secret_key_file);
  const sealed = sealer && { sealer, sender: createSender(outbound, sealer, Date.now) };
  try {
    return await withStore(command, { records: true }, async (store, audit) => {
      const operator = operatorOf(await allAccounts(store));
      const parts = { store, resources, outbound, sealed, now: Date.now };
      return work({ endpoints: createWebhookEndpoints(parts), operator, store, sealer, audit });
    });
  } finally {
    outbound.close();
  }
}

/** Does the operation as the operator, or as the key with the identifier `by`. */
export function callWebhooks<Answer>(
  command: Command,
  operation: Operation,
  { by, ...sent }: Sent & { readonly by?: string },
): Promise<Answer> {
  return withEndpoints(command, async ({ endpoints, operator, store, audit }) => {
    const caller = by === undefined ? operator : await validKey(store, by);
    const selfTests = { known: () => undefined };
    return callOperation(
      operation,
      { services: { endpoints, selfTests } as object, caller, audit },
      sent,
    );
  });
}

/** Who sees for an endpoint: a key that works, or a `Mistake`. */
export async function validKey(store: Store, id: string): Promise<Principal> {
  const found = await store.keys.find(id);
  const key = foundKey('key' in found ? found.key : undefined, id, store);
  if (found.is !== 'valid') throw new Mistake(`${id} is ${found.is}. Name another key with --key.`);
  return principalOf(await regionsOf(store).within(key));
}

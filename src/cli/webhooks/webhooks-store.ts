/** Webhook endpoints on the command line, while a service may be running. */
import type { Command } from 'commander';
import about from '../../../package.json' with { type: 'json' };
import { readSettings } from '../../core/config.ts';
import { createOutbound } from '../../core/outbound/outbound.ts';
import { resources } from '../../core/registry.ts';
import {
  type OperationParams,
  type ParamsReader,
  readerOf,
} from '../../core/schema/parse/read-params.ts';
import { readSealer, type Sealer } from '../../core/sealing/sealer.ts';
import { operatorOf } from '../../records/auth/operator.ts';
import { type Principal, principalOf } from '../../records/auth/principal.ts';
import { createSender } from '../../services/webhooks/delivery/sender.ts';
import {
  createWebhookEndpoints,
  type WebhookEndpoints,
} from '../../services/webhooks/endpoints.ts';
import type { Store } from '../../store/promises/store.ts';
import { foundKey } from '../found.ts';
import { Mistake } from '../mistake.ts';
import { withKeyOfDev } from '../service/secret-key.ts';
import { givenSettings } from '../service/settings.ts';
import { withStore } from '../store.ts';

/** Who works on the store sees the endpoints of all accounts. */
export async function operator(store: Store) {
  const accounts = await store.accounts.list();
  return operatorOf(accounts.map(({ unique_identifier }) => unique_identifier));
}

/** The parameters that an operation reads from this body. */
export function sentTo(operation: OperationParams, body: object): ParamsReader {
  return readerOf(operation, {
    ...{ encoding: 'json', query: '', unknown: 'refuse' },
    body: Buffer.from(JSON.stringify(body)),
  });
}

/** Works on the endpoints of the store that the settings name. */
export async function withEndpoints<Result>(
  command: Command,
  work: (endpoints: WebhookEndpoints, store: Store, sealer?: Sealer) => Promise<Result>,
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
    return await withStore(command, {}, (store) => {
      const parts = { store, resources, outbound, sealed, now: Date.now };
      return work(createWebhookEndpoints(parts), store, sealer);
    });
  } finally {
    outbound.close();
  }
}

/** Who sees for an endpoint: a key that works, or a `Mistake`. */
export async function validKey(store: Store, id: string): Promise<Principal> {
  const found = await store.keys.find(id);
  const key = foundKey('key' in found ? found.key : undefined, id, store);
  if (found.is !== 'valid') throw new Mistake(`${id} is ${found.is}. Name another key with --key.`);
  return principalOf(key);
}

/** `ledgerstone webhooks pause|enable|rotate|resend|delete`: changes one endpoint. */
import type { WebhookDelivery, WebhookEndpoint } from '../../../client/src/generated/objects.d.ts';
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import {
  deleteWebhookEndpoint,
  resendWebhookDelivery,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../../edge/operations/webhook-endpoints.ts';
import { secretsFault } from '../../services/webhooks/locked.ts';
import type { Command } from '../help.ts';
import { addMembers, callOperation } from '../operation.ts';
import { print } from '../output.ts';
import { readDuration } from '../time.ts';
import { callWebhooks, type Endpoints, validKey, withEndpoints } from './webhooks-store.ts';

interface Json {
  readonly json?: true;
}

const RESENT = { change: '--change <id>' };

/** `own` makes a command below `webhooks`, with the options that all have. */
export function addWebhookChanges(own: (name: string) => Command): void {
  own('pause <id>')
    .description('Send nothing until the endpoint is enabled again; nothing is lost')
    .examples(['ledgerstone webhooks pause whk_…', 'While the receiving system is down'])
    .action(async (id: string, { json }: Json, command: Command) => {
      const sent = { id, members: { status: 'paused' } };
      print(json, await callWebhooks(command, updateWebhookEndpoint, sent), `${id} is paused.`);
    });

  own('enable <id>')
    .description('Resume a paused or disabled endpoint where it stopped')
    .option(
      '--key <id>',
      'The key that decides what it receives from now on, if its own no longer works',
    )
    .examples(['ledgerstone webhooks enable whk_…', 'When the receiving system works again'])
    .action(async (id: string, { json, key }: Json & { key?: string }, command: Command) => {
      const enabled = await withEndpoints(command, (parts) => enable(parts, id, key));
      print(json, enabled, `${id} is enabled.`);
    });

  own('rotate <id>')
    .description('Create a new secret and print it')
    .option(
      '--overlap <duration>',
      'How long to sign with the old secret, too: 0s, 12h, at most 7d',
      '1d',
    )
    .examples(['ledgerstone webhooks rotate whk_… --overlap 0s', 'If the old secret has leaked'])
    .action(async (id: string, { json, overlap }: Json & { overlap: string }, command: Command) => {
      const expires_in = Math.round(readDuration(overlap, '--overlap') / 1000);
      const sent = { id, members: { expires_in } };
      const one = await callWebhooks<WebhookEndpoint>(command, rotateWebhookSecret, sent);
      print(json, one, `Secret: ${one.secret}`, 'The secret is shown only this once.');
    });

  addMembers(own('resend <id>'), resendWebhookDelivery, RESENT)
    .description('Send one change again, of those that were sent or failed in the last 30 days')
    .examples(['ledgerstone webhooks resend whk_… --change chg_…', 'After all attempts failed'])
    .action(async (id: string, options: Json, command: Command) => {
      const sent = { id, flags: RESENT, options };
      const one = await callWebhooks<WebhookDelivery>(command, resendWebhookDelivery, sent);
      print(options.json, one, `Sending ${one.change} again.`);
    });

  own('delete <id>')
    .description('Delete an endpoint; nothing more is sent to it')
    .examples(['ledgerstone webhooks delete whk_…', 'If nothing receives it any more'])
    .action(async (id: string, { json }: Json, command: Command) => {
      const deleted = await callWebhooks(command, deleteWebhookEndpoint, { id });
      print(json, deleted, `${id} is deleted.`);
    });
}

/** An endpoint whose key has ended would be paused again at once, and one whose secrets cannot be read would prevent the service from starting: this reports it instead. */
async function enable(
  { endpoints, operator, store, sealer, audit }: Endpoints,
  id: string,
  key: string | undefined,
): Promise<object> {
  const before = await endpoints.find(operator, id);
  const fault = secretsFault([before], sealer, Date.now());
  if (fault !== undefined) throw new SecretKeyUnusable(fault);
  const seesBy = key ?? before.key;
  const principal = seesBy === before.account ? operator : await validKey(store, seesBy);
  const caller = key === undefined ? operator : principal;
  const sent = { id, members: { status: 'enabled' } };
  return callOperation(updateWebhookEndpoint, { services: { endpoints }, caller, audit }, sent);
}

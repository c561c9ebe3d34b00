/** `ledgerstone webhooks pause|enable|rotate|resend|delete`: changes one endpoint. */
import type { Command } from 'commander';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import {
  resendWebhookDelivery,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../../edge/operations/webhook-endpoints.ts';
import type { WebhookEndpoints } from '../../services/webhooks/endpoints.ts';
import { secretsFault } from '../../services/webhooks/locked.ts';
import { presentWebhookDelivery, presentWebhookEndpoint } from '../../services/webhooks/present.ts';
import type { Store } from '../../store/promises/store.ts';
import { examples } from '../help.ts';
import { printJson, printLines } from '../output.ts';
import { readDuration } from '../time.ts';
import { operator, sentTo, validKey, withEndpoints } from './webhooks-store.ts';

interface Json {
  readonly json?: true;
}

/** `own` makes a command below `webhooks`, with the options that all have. */
export function addWebhookChanges(own: (name: string) => Command): void {
  own('pause <id>')
    .description('Send nothing until the endpoint is enabled again; nothing is lost')
    .addHelpText(
      'after',
      examples(['ledgerstone webhooks pause whk_…', 'While the receiving system is down']),
    )
    .action(async (id: string, { json }: Json, command: Command) => {
      const endpoint = await withEndpoints(command, async (endpoints, store) =>
        endpoints.change(
          await operator(store),
          id,
          sentTo(updateWebhookEndpoint, { status: 'paused' }),
        ),
      );
      if (json) return printJson(presentWebhookEndpoint(endpoint));
      printLines(`${id} is paused.`);
    });

  own('enable <id>')
    .description('Resume a paused or disabled endpoint where it stopped')
    .option(
      '--key <id>',
      'The key that decides what it receives from now on, if its own no longer works',
    )
    .addHelpText(
      'after',
      examples(['ledgerstone webhooks enable whk_…', 'When the receiving system works again']),
    )
    .action(async (id: string, { json, key }: Json & { key?: string }, command: Command) => {
      const endpoint = await withEndpoints(command, (endpoints, store, sealer) =>
        enable({ endpoints, store, sealer }, id, key),
      );
      if (json) return printJson(presentWebhookEndpoint(endpoint));
      printLines(`${id} is enabled.`);
    });

  own('rotate <id>')
    .description('Create a new secret and print it')
    .option(
      '--overlap <duration>',
      'How long to sign with the old secret, too: 0s, 12h, at most 7d',
      '1d',
    )
    .addHelpText(
      'after',
      examples(['ledgerstone webhooks rotate whk_… --overlap 0s', 'If the old secret has leaked']),
    )
    .action(async (id: string, { json, overlap }: Json & { overlap: string }, command: Command) => {
      const expires_in = Math.round(readDuration(overlap, '--overlap') / 1000);
      const { endpoint, secret } = await withEndpoints(command, async (endpoints, store) =>
        endpoints.rotate(await operator(store), id, sentTo(rotateWebhookSecret, { expires_in })),
      );
      if (json) return printJson(presentWebhookEndpoint(endpoint, secret));
      printLines(`Secret: ${secret}`, 'The secret is shown only this once.');
    });

  own('resend <id>')
    .description('Send one change again, of those that were sent or failed in the last 30 days')
    .requiredOption('--change <id>', 'The change, as "ledgerstone webhooks deliveries" shows it')
    .addHelpText(
      'after',
      examples(['ledgerstone webhooks resend whk_… --change chg_…', 'After all attempts failed']),
    )
    .action(async (id: string, { json, change }: Json & { change: string }, command: Command) => {
      const delivery = await withEndpoints(command, async (endpoints, store) =>
        endpoints.resend(await operator(store), id, sentTo(resendWebhookDelivery, { change })),
      );
      if (json) return printJson(presentWebhookDelivery(delivery));
      printLines(`Sending ${change} again.`);
    });

  own('delete <id>')
    .description('Delete an endpoint; nothing more is sent to it')
    .addHelpText(
      'after',
      examples(['ledgerstone webhooks delete whk_…', 'If nothing receives it any more']),
    )
    .action(async (id: string, { json }: Json, command: Command) => {
      await withEndpoints(command, async (endpoints, store) =>
        endpoints.remove(await operator(store), id),
      );
      if (json) {
        return printJson({ object: 'webhook_endpoint', unique_identifier: id, deleted: true });
      }
      printLines(`${id} is deleted.`);
    });
}

interface Enabling {
  readonly endpoints: WebhookEndpoints;
  readonly store: Store;
  readonly sealer: Sealer | undefined;
}

/** An endpoint whose key has ended would be paused again at once, and one whose secrets cannot be read would prevent the service from starting: this reports it instead. */
async function enable(
  { endpoints, store, sealer }: Enabling,
  id: string,
  key: string | undefined,
): ReturnType<WebhookEndpoints['change']> {
  const who = await operator(store);
  const before = await endpoints.find(who, id);
  const fault = secretsFault([before], sealer, Date.now());
  if (fault !== undefined) throw new SecretKeyUnusable(fault);
  const status = sentTo(updateWebhookEndpoint, { status: 'enabled' });
  const seesBy = key ?? before.key;
  const principal = seesBy === before.account ? who : await validKey(store, seesBy);
  return endpoints.change(key === undefined ? who : principal, id, status);
}

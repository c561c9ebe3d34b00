/** `ledgerstone webhooks`: endpoints that are notified of changes, while a service may be running. */
import type {
  WebhookDelivery,
  WebhookEndpoint,
  WebhookTest,
} from '../../../client/src/generated/objects.d.ts';
import {
  createWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  replayWebhookEndpoint,
  testWebhookEndpoint,
} from '../../edge/operations/webhook-endpoints.ts';
import type { Command } from '../help.ts';
import { addMembers } from '../operation.ts';
import { print, table } from '../output.ts';
import { settingOption } from '../service/settings.ts';
import { addWebhookChanges } from './webhooks-change.ts';
import { addListen } from './webhooks-listen.ts';
import { callWebhooks } from './webhooks-store.ts';

interface Json {
  readonly json?: true;
}

/** Makes a command below `webhooks`, with the options that all have. */
type Own = (name: string) => Command;

interface List<One> {
  readonly data: readonly One[];
}

const ENDPOINT_HEADINGS = ['ENDPOINT', 'STATUS', 'REASON', 'URL', 'NOTIFICATIONS', 'FAILING SINCE'];
const DELIVERY_HEADINGS = ['CHANGE', 'TYPE', 'STATUS', 'ATTEMPTS', 'ANSWER', 'TIME', 'ERROR'];

const CREATION = {
  url: '--url <url>',
  account: '--account <id>',
  description: '--description <text>',
  notifications: '--notification <names...>',
  locations: '--location <ids...>',
  payload: '--payload <payload>',
};
const REPLAY = { since: '--since <time>', starting_after: '--starting-after <id>' };
const DELIVERIES = { status: '--status <status>', limit: '--limit <number>' };

export function addWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('Manage webhook endpoints, to which changes are sent');
  const own: Own = (name) =>
    webhooks
      .command(name)
      .option('--json', 'Print JSON, as in the API')
      .addOption(settingOption('secret_key_file'))
      .addOption(settingOption('webhook_allow'));

  addList(own);
  addCreate(own);
  addTest(own);
  addReplay(own);
  addDeliveries(own);
  addWebhookChanges(own);
  addListen(webhooks);
}

function addList(own: Own): void {
  own('list')
    .description('List webhook endpoints')
    .examples(['ledgerstone webhooks list', 'See all endpoints and their status'])
    .action(async ({ json }: Json, command: Command) => {
      const { data } = await callWebhooks<List<WebhookEndpoint>>(command, listWebhookEndpoints, {});
      const rows = data.map(({ unique_identifier, status, url, ...one }) => [
        ...[unique_identifier, status, one.disabled_reason ?? '-', url],
        ...[one.notifications.join(' '), one.failing_since ?? '-'],
      ]);
      print(json, data, ...table(ENDPOINT_HEADINGS, rows));
    });
}

function addCreate(own: Own): void {
  addMembers(own('create'), createWebhookEndpoint, CREATION)
    .description('Create an endpoint that receives what a key may read, and print its secret')
    .requiredOption(
      '--key <id>',
      'The key that decides what the endpoint receives; it needs the right "webhooks"',
    )
    .examples([
      'ledgerstone webhooks create --key key_… --url https://example.com/hook --notification "event.*"',
      'Send every change of an event',
    ])
    .action(async (options: Json & { readonly key: string }, command: Command) => {
      const sent = { by: options.key, flags: CREATION, options };
      const made = await callWebhooks<WebhookEndpoint>(command, createWebhookEndpoint, sent);
      print(
        options.json,
        made,
        `Endpoint: ${made.unique_identifier}`,
        `Secret: ${made.secret}`,
        'The secret is shown only this once.',
      );
    });
}

function addTest(own: Own): void {
  own('test <id>')
    .description('Send a test notification to an endpoint')
    .examples(['ledgerstone webhooks test whk_…', 'See whether it answers; exits with 1 if not'])
    .action(async (id: string, { json }: Json, command: Command) => {
      const tested = await callWebhooks<WebhookTest>(command, testWebhookEndpoint, { id });
      if (!tested.delivered) process.exitCode = 1;
      const answer = tested.error ?? `The endpoint answered ${tested.status_code}.`;
      print(json, tested, `${answer} (${tested.duration_ms} ms)`);
    });
}

function addReplay(own: Own): void {
  addMembers(own('replay <id>'), replayWebhookEndpoint, REPLAY)
    .description('Send changes again')
    .examples([
      'ledgerstone webhooks replay whk_… --since 2026-11-20T00:00:00Z',
      'Send everything since then again',
    ])
    .action(async (id: string, options: Json, command: Command) => {
      const sent = { id, flags: REPLAY, options };
      const one = await callWebhooks<WebhookEndpoint>(command, replayWebhookEndpoint, sent);
      const after = one.position ?? 'the beginning';
      print(options.json, one, `Sending again everything after ${after}.`);
    });
}

function addDeliveries(own: Own): void {
  addMembers(own('deliveries <id>'), listWebhookDeliveries, DELIVERIES)
    .description('List deliveries, newest first')
    .examples([
      'ledgerstone webhooks deliveries whk_… --status failed',
      'See which deliveries failed, and why',
    ])
    .action(async (id: string, options: Json, command: Command) => {
      const sent = { id, flags: DELIVERIES, options };
      const { data } = await callWebhooks<List<WebhookDelivery>>(
        command,
        listWebhookDeliveries,
        sent,
      );
      const rows = data.map((one) => [
        ...[one.change, one.type, one.status, String(one.attempts)],
        ...[String(one.status_code ?? '-'), one.updated_at, one.error ?? '-'],
      ]);
      print(options.json, data, ...table(DELIVERY_HEADINGS, rows));
    });
}

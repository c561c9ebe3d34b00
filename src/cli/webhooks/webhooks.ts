/** `ledgerstone webhooks`: endpoints that are notified of changes, while a service may be running. */
import type { Command } from 'commander';
import {
  createWebhookEndpoint,
  replayWebhookEndpoint,
  testWebhookEndpoint,
} from '../../edge/operations/webhook-endpoints.ts';
import {
  presentWebhookDelivery,
  presentWebhookEndpoint,
  presentWebhookTest,
} from '../../services/webhooks/present.ts';
import { examples } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { printJson, printLines, table } from '../output.ts';
import { settingOption } from '../service/settings.ts';
import { withStore } from '../store.ts';
import { isoTime } from '../time.ts';
import { addWebhookChanges } from './webhooks-change.ts';
import { addListen } from './webhooks-listen.ts';
import { operator, sentTo, validKey, withEndpoints } from './webhooks-store.ts';

interface Json {
  readonly json?: true;
}

/** Makes a command below `webhooks`, with the options that all have. */
type Own = (name: string) => Command;

const ENDPOINT_HEADINGS = ['ENDPOINT', 'STATUS', 'REASON', 'URL', 'NOTIFICATIONS', 'FAILING SINCE'];
const DELIVERY_HEADINGS = ['CHANGE', 'TYPE', 'STATUS', 'ATTEMPTS', 'ANSWER', 'TIME', 'ERROR'];

export function addWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('Manage webhook endpoints, to which changes are sent')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone webhooks list', 'See all endpoints and their status'],
        ['ledgerstone webhooks deliveries whk_… --status failed', 'See why deliveries failed'],
      ),
    );
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
    .addHelpText(
      'after',
      examples(['ledgerstone webhooks list', 'See all endpoints and their status']),
    )
    .action(async ({ json }: Json, command: Command) => {
      const found = await withStore(command, {}, (store) => store.webhooks.list());
      if (json) return printJson(found.map((one) => presentWebhookEndpoint(one)));
      const rows = found.map(({ unique_identifier, status, reason, settings, failing_since }) => [
        unique_identifier,
        status,
        reason ?? '-',
        settings.url,
        settings.notifications.join(' '),
        failing_since === null ? '-' : isoTime(failing_since),
      ]);
      printLines(...table(ENDPOINT_HEADINGS, rows));
    });
}

function addCreate(own: Own): void {
  own('create')
    .description('Create an endpoint that receives what a key may read, and print its secret')
    .requiredOption(
      '--key <id>',
      'The key that decides what the endpoint receives; it needs the right "webhooks"',
    )
    .requiredOption('--url <url>', 'Where notifications are sent')
    .option('--account <id>', 'The account, if the key has several')
    .option(
      '--notification <names...>',
      'What to send, such as event.created, "event.*" or "*.deleted"; by default everything',
    )
    .option('--payload <payload>', 'thin: the change; full: also the record', 'thin')
    .option(
      '--deliver <what>',
      'changes: each change; signal: only that there are changes',
      'changes',
    )
    .addHelpText(
      'after',
      examples([
        'ledgerstone webhooks create --key key_… --url https://example.com/hook --notification "event.*"',
        'Send every change of an event',
      ]),
    )
    .action(async (options: CreateOptions, command: Command) => {
      const { endpoint, secret } = await withEndpoints(command, async (endpoints, store) => {
        const principal = await validKey(store, options.key);
        const { url, account, notification: notifications, payload, deliver } = options;
        const body = { url, account, notifications, payload, deliver };
        return endpoints.create(principal, sentTo(createWebhookEndpoint, body));
      });
      if (options.json) return printJson(presentWebhookEndpoint(endpoint, secret));
      printLines(
        `Endpoint: ${endpoint.unique_identifier}`,
        `Secret: ${secret}`,
        'The secret is shown only this once.',
      );
    });
}

function addTest(own: Own): void {
  own('test <id>')
    .description('Send a test notification to an endpoint')
    .addHelpText(
      'after',
      examples(['ledgerstone webhooks test whk_…', 'See whether it answers; exits with 1 if not']),
    )
    .action(async (id: string, { json }: Json, command: Command) => {
      const attempt = await withEndpoints(command, async (endpoints, store) =>
        endpoints.test(await operator(store), id, sentTo(testWebhookEndpoint, {})),
      );
      if (attempt.is !== 'delivered') process.exitCode = 1;
      if (json) return printJson(presentWebhookTest(attempt));
      const answer = attempt.error ?? `The endpoint answered ${attempt.status_code}.`;
      printLines(`${answer} (${attempt.duration_ms} ms)`);
    });
}

function addReplay(own: Own): void {
  own('replay <id>')
    .description('Send changes again')
    .option('--since <time>', 'Changes from this time on, such as 2026-11-20T00:00:00Z')
    .option('--starting-after <id>', 'Changes after this one, chg_…')
    .addHelpText(
      'after',
      examples([
        'ledgerstone webhooks replay whk_… --since 2026-11-20T00:00:00Z',
        'Send everything since then again',
      ]),
    )
    .action(async (id: string, options: ReplayOptions, command: Command) => {
      const { since, startingAfter: starting_after } = options;
      const endpoint = await withEndpoints(command, async (endpoints, store) =>
        endpoints.replay(
          await operator(store),
          id,
          sentTo(replayWebhookEndpoint, { since, starting_after }),
        ),
      );
      if (options.json) return printJson(presentWebhookEndpoint(endpoint));
      printLines(`Sending again everything after ${endpoint.position ?? 'the beginning'}.`);
    });
}

function addDeliveries(own: Own): void {
  own('deliveries <id>')
    .description('List deliveries, newest first')
    .option('--status <status>', 'Only those that are pending, delivered or failed')
    .option('--limit <number>', 'How many to list', '50')
    .addHelpText(
      'after',
      examples([
        'ledgerstone webhooks deliveries whk_… --status failed',
        'See which deliveries failed, and why',
      ]),
    )
    .action(async (id: string, options: DeliveriesOptions, command: Command) => {
      const { status, limit } = options;
      if (!/^[1-9]\d{0,3}$/.test(limit)) throw new Mistake('--limit must be from 1 to 9999.');
      if (!['pending', 'delivered', 'failed', undefined].includes(status))
        throw new Mistake('--status must be pending, delivered or failed.');
      const found = await withEndpoints(command, async (endpoints, store) =>
        endpoints.deliveries(await operator(store), id, {
          status,
          limit: Number(limit),
          starting_after: undefined,
        }),
      );
      const shown = found.slice(0, Number(limit));
      if (options.json) return printJson(shown.map(presentWebhookDelivery));
      const rows = shown.map((one) => [
        ...[one.change, one.type, one.status, String(one.attempts)],
        ...[String(one.status_code ?? '-'), isoTime(one.updated_at), one.error ?? '-'],
      ]);
      printLines(...table(DELIVERY_HEADINGS, rows));
    });
}

interface CreateOptions extends Json {
  readonly key: string;
  readonly url: string;
  readonly account?: string;
  readonly notification?: readonly string[];
  readonly payload: string;
  readonly deliver: string;
}

interface ReplayOptions extends Json {
  readonly since?: string;
  readonly startingAfter?: string;
}

interface DeliveriesOptions extends Json {
  readonly status?: 'pending' | 'delivered' | 'failed';
  readonly limit: string;
}

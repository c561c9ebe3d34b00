/** `ledgerstone webhooks listen`: passes notifications on to a program on this machine, which nobody could call from outside. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { notificationOf } from '../webhooks/delivery/source.ts';
import { isWanted } from '../webhooks/notifications.ts';
import { createWebhookSecret, signedHeaders } from '../webhooks/signature.ts';
import { examples } from './help.ts';
import { Mistake } from './mistake.ts';
import { plain, printLines } from './output.ts';
import { stopSignal } from './stop-signal.ts';

const WAIT_SECONDS = 30;
const ANSWER_MS = 60_000;
const FORWARD_MS = 15_000;
const RETRY_MS = 2_000;
const VARIABLE = 'LEDGERSTONE_KEY';

interface Options {
  readonly forward: string;
  readonly service: string;
  readonly account?: string;
  readonly notification?: readonly string[];
  readonly secret?: string;
  readonly full?: true;
  readonly json?: true;
}

interface Change {
  readonly unique_identifier: string;
  readonly resource: string;
  readonly outcome: string;
  readonly occurred_at: string;
  readonly record: string;
}

interface Page {
  readonly data: readonly Change[];
  readonly position: string | null;
}

export function addListen(webhooks: Command): void {
  webhooks
    .command('listen')
    // It calls a service and opens no store, so it has no option of every command.
    .configureHelp({})
    .description(
      `Follow the changes of a service with the API key in ${VARIABLE}, and forward each one to a program on this machine`,
    )
    .requiredOption(
      '--forward <url>',
      'The URL of the program, such as http://localhost:3000/webhooks',
    )
    .option('--service <url>', 'The address of the service', 'http://127.0.0.1:8080')
    .option('--account <id>', 'The account, if the key has several')
    .option(
      '--notification <names...>',
      'What to send, such as event.created, "event.*" or "*.deleted"; by default everything',
    )
    .option('--full', 'Send the record with the change')
    .option('--json', 'Print JSON, one object a line')
    .option('--secret <secret>', 'Sign with this secret, whsec_…; by default a new one is printed')
    .addHelpText(
      'after',
      examples([
        `${VARIABLE}=sk_test_… ledgerstone webhooks listen --forward http://localhost:3000/webhooks`,
        'Receive webhooks while you write the program for them',
      ]),
    )
    .action(listen);
}

async function listen(options: Options): Promise<void> {
  const key = process.env[VARIABLE];
  if (key === undefined || key === '') {
    throw new Mistake(`Set ${VARIABLE} to an API key that may read.`);
  }
  for (const url of [options.forward, options.service]) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new Mistake(`${JSON.stringify(url)} is not a URL. Write http://… or https://….`);
  }
  const stopping = stopSignal();
  const secret = options.secret ?? createWebhookSecret();
  if (options.json) printLines(JSON.stringify({ secret, forward: options.forward }));
  else
    printLines(`Secret: ${secret}`, `Forwarding changes to ${options.forward}. Ctrl-C stops it.`);
  // From now on; of a log that is empty, from its beginning.
  let position: string | null = 'now';
  let isAway = false;
  while (!stopping.aborted) {
    const page = await read(options, key, position, stopping);
    if (stopping.aborted) return;
    if ((page === undefined) !== isAway) {
      isAway = !isAway;
      const says = isAway ? 'does not answer; trying until it does' : 'answers again';
      process.stderr.write(`${options.service} ${says}.\n`);
    }
    if (page === undefined) {
      await rest(stopping);
      continue;
    }
    if (page.position === null) await rest(stopping);
    for (const change of page.data) {
      if (stopping.aborted) return;
      const { resource, outcome } = change;
      if (isWanted(options.notification ?? ['*'], resource, outcome))
        await forward(options, secret, change, stopping);
    }
    position = page.position;
  }
}

/** `undefined` where the service does not answer now. */
async function read(
  { service, account, full }: Options,
  key: string,
  starting_after: string | null,
  stopping: AbortSignal,
): Promise<Page | undefined> {
  const query = new URLSearchParams();
  if (starting_after !== null) query.set('starting_after', starting_after);
  if (starting_after?.startsWith('chg_')) query.set('wait', String(WAIT_SECONDS));
  if (account !== undefined) query.set('account', account);
  if (full) query.set('expand[]', 'record');
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)]);
    const headers = { Authorization: `Bearer ${key}` };
    const base = service.replace(/\/+$/, '');
    const answer = await fetch(`${base}/v1/changes?${query}`, { headers, signal });
    const body = (await answer.json()) as Page & { readonly error?: { readonly message: string } };
    if (answer.ok) return body;
    if (answer.status < 500 && answer.status !== 429) {
      throw new Mistake(
        `The service answers ${answer.status}: ${plain(body.error?.message ?? '')}`,
      );
    }
  } catch (error) {
    if (error instanceof Mistake) throw error;
  }
  return undefined;
}

async function forward(
  { forward: url, json }: Options,
  secret: string,
  change: Change,
  stopping: AbortSignal,
): Promise<void> {
  const { unique_identifier: id, resource, outcome, occurred_at, record } = change;
  const type = `${resource}.${outcome}`;
  const body = notificationOf(type, Date.parse(occurred_at), JSON.stringify(change));
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signedHeaders([secret], { id, timestamp, body });
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(FORWARD_MS)]);
  const began = performance.now();
  const { status_code, error } = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal,
    redirect: 'manual',
  }).then(
    async (response) => {
      await response.body?.cancel();
      const error = response.ok ? null : 'Webhooks are retried; listen sends each change once.';
      return { status_code: response.status, error };
    },
    (cause) => ({ status_code: null, error: `no answer: ${reasonOf(cause)}` }),
  );
  if (stopping.aborted && status_code === null) return;
  const duration_ms = Math.round(performance.now() - began);
  if (json) {
    printLines(JSON.stringify({ change: id, type, record, status_code, error, duration_ms }));
    return;
  }
  const told = [status_code, error].filter((one) => one !== null).join(' ');
  printLines(`${occurred_at}  ${type}  ${record}  ${told}`);
}

/** Why a program was not reached, in a few words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `not within ${FORWARD_MS / 1000} seconds`;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  if (code === 'ECONNREFUSED') return 'nothing is listening there';
  return typeof code === 'string' ? code : error.message;
}

async function rest(stopping: AbortSignal): Promise<void> {
  await pause(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
}

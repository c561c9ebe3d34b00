/** `ledgerstone requests`: says what was refused, and why, and how much was done. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { catalogue } from '../errors.ts';
import { presentActivity, presentRefused } from '../requests/present.ts';
import type { RefusedQuery, RefusedRequest, RequestBook } from '../store/requests.ts';
import type { Store } from '../store/store.ts';
import { foundAccount, foundKey } from './found.ts';
import { examples } from './help.ts';
import { Mistake } from './mistake.ts';
import { printLines } from './output.ts';
import { activityTable, refusedLines } from './requests-view.ts';
import { withStore } from './store.ts';
import { readPast } from './time.ts';

interface Options {
  readonly key?: string;
  readonly account?: string;
  readonly failed?: true;
  readonly code?: string;
  readonly request?: string;
  readonly since: string;
  readonly limit: string;
  readonly follow?: true;
  readonly json?: true;
}

/** How often `--follow` looks, and how late a process may write down what it answered. */
const LOOK_MS = 1_000;
const LATE_MS = 15_000;
/** Requests shown at once at the most. */
const MAX_SHOWN = 10_000;
/** Hours that are read at a time to be added up. */
const HOURS_TOGETHER = 1_000;

export function addRequests(program: Command): void {
  program
    .command('requests')
    .description(
      'Show refused requests (time, key, address, path, error codes, parameters and row numbers, but no submitted values), and counts of all that was done. Refused requests are kept for 30 days, 10,000 per key, and appear within seconds',
    )
    .option('--key <id>', 'Only requests of this key, key_…, or of this person, stf_…')
    .option(
      '--account <id>',
      'Only requests for this account, including all those of keys that have it among others',
    )
    .option('--failed', 'Only refused requests, without the counts')
    .option(
      '--code <code>',
      'Only requests with this error code, in the answer or in one of its rows; implies --failed',
    )
    .option('--request <id>', 'Only the request with this identifier, req_…; implies --failed')
    .option(
      '--since <when>',
      'How far back to look: a duration such as 1h or 7d, a time, or a date',
      '24h',
    )
    .option('--limit <number>', 'Show only this many refused requests, the newest ones', '100')
    .option('--follow', 'Keep running and show new refusals, until Ctrl-C')
    .option('--json', 'Print a JSON object on each line')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone requests --failed', 'See why requests of the last 24 hours were refused'],
        [
          'ledgerstone requests --failed --key key_… --since 12h',
          "Why rows of a partner's nightly file were refused",
        ],
        [
          'ledgerstone requests --account acct_… --since 7d',
          'What came in for an account in a week',
        ],
        ['ledgerstone requests --follow', 'Watch while a partner tests'],
      ),
    )
    .action(async (options: Options, command: Command) => {
      const limit = readLimit(options.limit);
      const from = readPast(options.since, '--since', Date.now());
      checkCode(options.code);
      await withStore(command, {}, async (store) => {
        await checkNames(store, options);
        const { key, account, code, request } = options;
        const query: RefusedQuery = { key, account, code, request_id: request, from, limit };
        const refusedOnly = options.failed ?? (code !== undefined || request !== undefined);
        if (!refusedOnly) await printActivity(store.requests, query, options);
        const found = await store.requests.refused(query);
        printRefused(found.toReversed(), options);
        if (found.length === limit)
          notice(`Only the newest ${limit} are shown. Raise --limit to see more.`);
        else if (found.length === 0 && options.follow === undefined) notice('Nothing was refused.');
        if (options.follow) await follow(store.requests, query, options, found);
      });
    });
}

function notice(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function printActivity(
  book: RequestBook,
  { key, account, from, limit: _ }: RefusedQuery,
  { json }: Options,
): Promise<void> {
  const all = [];
  for (;;) {
    const some = await book.activity({
      key,
      account,
      from,
      limit: HOURS_TOGETHER,
      after: all.at(-1),
    });
    all.push(...some);
    if (json) for (const one of some) printLine(presentActivity(one));
    if (some.length < HOURS_TOGETHER) break;
  }
  if (!json && all.length > 0) printLines(...activityTable(all), '');
}

function printRefused(requests: readonly RefusedRequest[], { json }: Options): void {
  for (const request of requests) {
    if (json) printLine(presentRefused(request));
    else printLines(...refusedLines(request));
  }
}

function printLine(value: object): void {
  printLines(JSON.stringify(value));
}

/** Processes write down what they answered some seconds later, and not in order: so each look goes back a little. */
async function follow(
  book: RequestBook,
  query: RefusedQuery,
  options: Options,
  shown: readonly RefusedRequest[],
): Promise<void> {
  let seen = new Map(shown.map(({ request_id, time }) => [request_id, time]));
  for (;;) {
    await pause(LOOK_MS);
    const from = Date.now() - LATE_MS;
    const found = await book.refused({ ...query, from, limit: MAX_SHOWN });
    const fresh = found.filter(({ request_id }) => !seen.has(request_id));
    printRefused(fresh.toReversed(), options);
    seen = new Map(found.map(({ request_id, time }) => [request_id, time]));
  }
}

function readLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_SHOWN) return limit;
  throw new Mistake(
    `--limit must be a whole number from 1 to ${MAX_SHOWN}, not ${JSON.stringify(text)}.`,
  );
}

function checkCode(code: string | undefined): void {
  if (code === undefined || Object.hasOwn(catalogue, code)) return;
  throw new Mistake(
    `--code ${JSON.stringify(code)} is not an error code. docs/errors.md lists them.`,
  );
}

/** Throws a `Mistake` where there is no such key or account. */
async function checkNames(store: Store, { key, account }: Options): Promise<void> {
  if (key !== undefined && (await store.staff.find(key)) === undefined) {
    const keys = await store.keys.list();
    foundKey(
      keys.find(({ unique_identifier }) => unique_identifier === key),
      key,
      store,
    );
  }
  if (account !== undefined) {
    const accounts = await store.accounts.list();
    foundAccount(
      accounts.find(({ unique_identifier }) => unique_identifier === account),
      account,
      store,
    );
  }
}

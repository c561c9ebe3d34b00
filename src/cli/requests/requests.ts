/** `ledgerstone requests`: lists refused requests with their reasons, and counts of all requests. */

import { readSealerOf } from '../../app/files.ts';
import { readSettings } from '../../core/config.ts';
import { catalogue } from '../../core/errors.ts';
import { present } from '../../core/objects/own-object.ts';
import { activity } from '../../core/objects/requests/activity.ts';
import { refusedRequest } from '../../core/objects/requests/refused-request.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { createMarks, MARKS } from '../../services/requests/marks.ts';
import type { RequestBook } from '../../store/books/log/requests.ts';
import {
  MAX_REFUSED_KEPT,
  type RefusedQuery,
  type RefusedRequest,
} from '../../store/promises/requests.ts';
import type { Store } from '../../store/promises/store.ts';
import { follow } from '../audit/follow.ts';
import { accountWith, keyCalled } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { printLines } from '../output.ts';
import { withKeyOfDev } from '../service/secret-key.ts';
import { givenSettings } from '../service/settings.ts';
import { withStore } from '../store.ts';
import { readPast } from '../time.ts';
import { activityTable, refusedLines } from './requests-view.ts';

interface Options {
  readonly key?: string;
  readonly account?: string;
  readonly failed?: true;
  readonly code?: string;
  readonly request?: string;
  readonly identifier?: string;
  readonly since: string;
  readonly until?: string;
  readonly limit: string;
  readonly follow?: true;
  readonly json?: true;
}

/** How late a process may write down what it answered. */
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
    .option(
      '--key <key>',
      'Only requests of this key, by its identifier, its name or the last four characters of its secret, or of this person, stf_…',
    )
    .option(
      '--account <id>',
      'Only requests for this account, including all those of keys that have it among others',
    )
    .option('--failed', 'Only refused requests, without the counts')
    .option(
      '--code <code>',
      'Only requests with this error code, in the answer or in one of its rows; implies --failed',
    )
    .option(
      '--request <id>',
      'Only the request with this identifier, req_…, among all that are kept unless --since is given; implies --failed',
    )
    .option(
      '--identifier <id>',
      'Only requests in which the record with this external identifier was refused; implies --failed',
    )
    .option(
      '--since <when>',
      'How far back to look: a duration such as 1h or 7d, a time, or a date',
      '24h',
    )
    .option('--until <when>', 'Show only what was before: a duration, a time, or a date')
    .option('--limit <number>', 'Show only this many refused requests, the newest ones', '100')
    .option('--follow', 'Keep running and show new refusals, until Ctrl-C')
    .option('--json', 'Print a JSON object on each line')
    .examples(
      ['ledgerstone requests --failed', 'See why requests of the last 24 hours were refused'],
      [
        'ledgerstone requests --failed --key key_… --since 12h',
        "Why rows of a partner's nightly file were refused",
      ],
      ['ledgerstone requests --account acct_… --since 7d', 'What came in for an account in a week'],
      ['ledgerstone requests --follow', 'Watch while a partner tests'],
    )
    .action(async (options: Options, command: Command) => {
      const limit = readLimit(options.limit);
      const times = readTimes(options, command);
      checkCode(options.code);
      checkRequest(options.request);
      await withStore(command, {}, async (store) => {
        const key = await checkNames(store, options);
        const { account, code, request } = options;
        const marks = marksFor(options.identifier, command);
        const query: RefusedQuery = {
          ...{ key, account, code, request_id: request, marks },
          ...times,
          limit,
        };
        const refusedOnly =
          options.failed ?? [code, request, marks].some((one) => one !== undefined);
        if (!refusedOnly) await printActivity(store.requests, query, options);
        const found = await store.requests.refused(query);
        if (found.length === 0 && options.follow === undefined) noneFound(request);
        printRefused(found.toReversed(), options);
        if (found.length === limit)
          notice(`Only the newest ${limit} are shown. Raise --limit to see more.`);
        if (!options.follow) return;
        await follow({
          look: (from) => store.requests.refused({ ...query, from, limit: MAX_SHOWN }),
          idOf: ({ request_id }) => request_id,
          print: (some) => printRefused(some, options),
          lateMs: LATE_MS,
          shown: found,
        });
      });
    });
}

/** A request that is looked up by identifier must exist; an empty list is good news. */
function noneFound(request: string | undefined): void {
  if (request !== undefined) {
    throw new Mistake(
      `${request} is not among the refused requests that are kept (30 days, ${MAX_REFUSED_KEPT.toLocaleString('en-US')} of each key). Either it was not refused, or it is older, or another option leaves it out.`,
    );
  }
  notice('Nothing was refused.');
}

function notice(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function printActivity(
  book: RequestBook,
  { key, account, from, to }: RefusedQuery,
  { json }: Options,
): Promise<void> {
  const all = [];
  for (;;) {
    const some = await book.activity({
      key,
      account,
      from,
      to,
      limit: HOURS_TOGETHER,
      after: all.at(-1),
    });
    all.push(...some);
    if (json) printLines(...some.map((one) => JSON.stringify(present(activity, one, 'cli', 0))));
    if (some.length < HOURS_TOGETHER) break;
  }
  if (!json && all.length > 0) printLines(...activityTable(all), '');
}

function printRefused(requests: readonly RefusedRequest[], { json }: Options): void {
  for (const request of requests) {
    printLines(
      ...(json
        ? [JSON.stringify(present(refusedRequest, request, 'cli', 0))]
        : refusedLines(request)),
    );
  }
}

function readLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_SHOWN) return limit;
  throw new Mistake(
    `--limit must be a whole number from 1 to ${MAX_SHOWN}, not ${JSON.stringify(text)}.`,
  );
}

/** From when and until when; one request is looked up in the whole log, unless a start is given. */
function readTimes({ since, until, request, follow }: Options, command: Command) {
  const now = Date.now();
  const everything = request !== undefined && command.getOptionValueSource('since') === 'default';
  const from = everything ? undefined : readPast(since, '--since', now);
  if (until === undefined) return { from };
  if (follow) throw new Mistake('--until and --follow cannot be used together.');
  const to = readPast(until, '--until', now);
  if (from !== undefined && to <= from) {
    throw new Mistake(
      `--until must be later than --since, and ${presentTime(to)} is not later than ${presentTime(from)}.`,
    );
  }
  return { from, to };
}

function checkRequest(request: string | undefined): void {
  if (request === undefined || /^req_[0-9A-Za-z]{22}$/.test(request)) return;
  throw new Mistake(
    `${JSON.stringify(request)} is not a request id: one is req_ and 22 letters and digits, as in the header Request-Id and in each error.`,
  );
}

function checkCode(code: string | undefined): void {
  if (code === undefined || Object.hasOwn(catalogue, code)) return;
  throw new Mistake(
    `--code ${JSON.stringify(code)} is not an error code. docs/errors.md lists them.`,
  );
}

/** Throws a `Mistake` without a key to make them with. */
function marksFor(identifier: string | undefined, command: Command): readonly string[] | undefined {
  if (identifier === undefined) return undefined;
  const names = ['database_url', 'secret_key_file', 'webhook_allow'] as const;
  const sealer = readSealerOf(withKeyOfDev(readSettings(givenSettings(command), undefined, names)));
  if (sealer !== undefined) return createMarks(sealer.derived(MARKS)).all(identifier);
  throw new Mistake('--identifier needs SECRET_KEY_FILE, with the key that the service has.');
}

/** The identifier of the key or person, if the options name one. Throws a `Mistake` if it, or the account, does not exist. */
async function checkNames(store: Store, { key, account }: Options): Promise<string | undefined> {
  if (account !== undefined) await accountWith(store, account);
  if (key === undefined || (await store.staff.find(key)) !== undefined) return key;
  return keyCalled(await store.keys.list(), key, store).unique_identifier;
}
